//! A game tree written as text, for tests that need every value of a small game.
//!
//! The first line names the roles. Every other line is one joint move: pairs of role and move,
//! separated by commas; roles that are not named make the move `noop`. Either `=` and the goal
//! values follow, or the next lines are indented deeper and contain the children.
//!
//! ```text
//! roles x o
//! x left
//!   x in, o in = 100 0
//!   x in, o out = 0 100
//!   x out, o in = 0 100
//!   x out, o out = 100 0
//! x right = 50 50
//! ```

use std::collections::BTreeSet;
use std::fmt;

use ludens_core::{Game, Move, PerRole, Role, View};

/// A game given by its tree.
#[derive(Clone, Debug)]
pub struct TreeGame {
    roles: Vec<String>,
    /// Names of moves, in order of appearance; `noop` is the first.
    names: Vec<String>,
    nodes: Vec<Node>,
}

/// A state: the number of a node, the root is 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State(u32);

#[derive(Clone, Debug)]
enum Node {
    Inner { legal: PerRole<Vec<Move>>, children: Vec<(Vec<Move>, u32)> },
    Leaf(Vec<f32>),
}

/// Why the text of a tree cannot be parsed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeError {
    /// The line, from 1.
    pub line: usize,
    /// A description.
    pub message: String,
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for TreeError {}

fn error<T>(line: usize, message: impl Into<String>) -> Result<T, TreeError> {
    Err(TreeError { line, message: message.into() })
}

impl TreeGame {
    /// Parses a tree.
    pub fn parse(text: &str) -> Result<TreeGame, TreeError> {
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let (number, first) = lines.next().unwrap_or((1, ""));
        let Some(roles) = first.strip_prefix("roles ") else {
            return error(number, "a tree begins with `roles` and their names");
        };
        let roles = roles.split_whitespace().map(str::to_owned).collect();
        let mut game = TreeGame { roles, names: vec!["noop".into()], nodes: Vec::new() };
        let lines =
            lines.map(|(number, line)| game.line(number, line)).collect::<Result<_, _>>()?;
        game.grow(&Outline { lines }, 0, number)?;
        Ok(game)
    }

    fn line(&mut self, number: usize, line: &str) -> Result<Line, TreeError> {
        let (moves, goals) = match line.split_once('=') {
            Some((moves, goals)) => (moves, Some(self.goals(number, goals)?)),
            None => (line, None),
        };
        let mut joint = vec![Move(0); self.roles.len()];
        for pair in moves.split(',') {
            let [role, name] = pair.split_whitespace().collect::<Vec<_>>()[..] else {
                return error(number, format!("`{}` is not a role and a move", pair.trim()));
            };
            let Some(role) = self.roles.iter().position(|known| known == role) else {
                return error(number, format!("there is no role `{role}`"));
            };
            joint[role] = self.intern(name);
        }
        let indent = line.len() - line.trim_start().len();
        Ok(Line { number, indent, joint, goals })
    }

    fn goals(&self, number: usize, text: &str) -> Result<Vec<f32>, TreeError> {
        let values: Option<Vec<u8>> = text.split_whitespace().map(|v| v.parse().ok()).collect();
        match values {
            Some(values)
                if values.len() == self.roles.len() && values.iter().all(|&v| v <= 100) =>
            {
                Ok(values.into_iter().map(|value| f32::from(value) / 100.0).collect())
            }
            _ => error(number, "each role needs a goal value from 0 to 100"),
        }
    }

    fn intern(&mut self, name: &str) -> Move {
        let known = self.names.iter().position(|known| known == name);
        Move(known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        }) as u32)
    }

    /// Adds the node whose children start at line `start`, and returns its number and the first line
    /// after it.
    fn grow(
        &mut self,
        outline: &Outline,
        start: usize,
        parent: usize,
    ) -> Result<(u32, usize), TreeError> {
        let id = self.nodes.len() as u32;
        self.nodes.push(Node::Leaf(Vec::new()));
        let Some(indent) = outline.lines.get(start).map(|line| line.indent) else {
            return error(parent, "the game does not continue and has no goal values");
        };
        let (mut children, mut at) = (Vec::new(), start);
        while let Some(line) = outline.lines.get(at).filter(|line| line.indent >= indent) {
            if line.indent > indent {
                return error(line.number, "this line is indented too deeply");
            }
            let (child, next) = self.child(outline, at, line)?;
            children.push((line.joint.clone(), child));
            at = next;
        }
        let legal = legal_moves(&children, self.roles.len());
        if !is_product(&children, &legal) {
            return error(parent, "the joint moves are not all combinations of the roles' moves");
        }
        self.nodes[id as usize] = Node::Inner { legal, children };
        Ok((id, at))
    }

    fn child(
        &mut self,
        outline: &Outline,
        at: usize,
        line: &Line,
    ) -> Result<(u32, usize), TreeError> {
        let deeper = outline.lines.get(at + 1).is_some_and(|next| next.indent > line.indent);
        match (&line.goals, deeper) {
            (Some(goals), false) => {
                self.nodes.push(Node::Leaf(goals.clone()));
                Ok((self.nodes.len() as u32 - 1, at + 1))
            }
            (None, true) => self.grow(outline, at + 1, line.number),
            (Some(_), true) => error(line.number, "a game with goal values does not continue"),
            (None, false) => {
                error(line.number, "the game does not continue and has no goal values")
            }
        }
    }
}

struct Outline {
    lines: Vec<Line>,
}

struct Line {
    number: usize,
    indent: usize,
    joint: Vec<Move>,
    goals: Option<Vec<f32>>,
}

fn legal_moves(children: &[(Vec<Move>, u32)], n_roles: usize) -> PerRole<Vec<Move>> {
    let of = |role: usize| {
        let moves: BTreeSet<Move> = children.iter().map(|(joint, _)| joint[role]).collect();
        moves.into_iter().collect()
    };
    PerRole::from((0..n_roles).map(of).collect::<Vec<_>>())
}

fn is_product(children: &[(Vec<Move>, u32)], legal: &PerRole<Vec<Move>>) -> bool {
    let different: BTreeSet<_> = children.iter().map(|(joint, _)| joint).collect();
    let combinations: usize = legal.iter().map(Vec::len).product();
    different.len() == children.len() && combinations == children.len()
}

impl Game for TreeGame {
    type State = State;

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> State {
        State(0)
    }

    fn look(&self, state: &State, view: &mut View) {
        view.clear(self.roles.len());
        match &self.nodes[state.0 as usize] {
            Node::Inner { legal, .. } => view.legal.clone_from(legal),
            Node::Leaf(goals) => {
                view.terminal = true;
                Role::all(goals.len()).zip(goals).for_each(|(role, &goal)| view.pay(role, goal));
            }
        }
    }

    fn play(&self, state: &mut State, joint: &[Move]) {
        let Node::Inner { children, .. } = &self.nodes[state.0 as usize] else {
            panic!("the game is over");
        };
        let child = children.iter().find(|(moves, _)| moves == joint);
        *state = State(child.expect("the moves are legal").1);
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        self.names[m.index()].clone()
    }

    fn parse_move(&self, _role: Role, text: &str) -> Option<Move> {
        self.names.iter().position(|name| name == text).map(|at| Move(at as u32))
    }

    fn facts(&self, state: &State) -> Vec<String> {
        vec![format!("(node {})", state.0)]
    }

    fn parse_state(&self, facts: &[String]) -> Option<State> {
        let [fact] = facts else { return None };
        let number: u32 = fact.strip_prefix("(node ")?.strip_suffix(')')?.parse().ok()?;
        ((number as usize) < self.nodes.len()).then_some(State(number))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::contract::{Options, check_game};

    const TREE: &str = "roles x o
x left
  x in, o in = 100 0
  x in, o out = 0 100
  x out, o in = 0 100
  x out, o out = 100 0
x right = 50 50
";

    #[test]
    fn turns_and_simultaneous_moves_mix() {
        let game = Arc::new(TreeGame::parse(TREE).unwrap());
        let report = check_game(&game, &Options::default()).unwrap();
        assert_eq!((report.longest, report.branching), (2, 2));
    }

    #[test]
    fn errors_are_reported_with_their_line() {
        let error = |text: &str| TreeGame::parse(text).unwrap_err().to_string();
        assert_eq!(error("x left = 1"), "line 1: a tree begins with `roles` and their names");
        assert_eq!(error("roles x\ny left = 1"), "line 2: there is no role `y`");
        assert_eq!(
            error("roles x\nx left"),
            "line 2: the game does not continue and has no goal values"
        );
        assert_eq!(
            error("roles x o\nx a, o a = 0 0\nx b, o b = 0 0"),
            "line 1: the joint moves are not all combinations of the roles' moves"
        );
        assert_eq!(
            error("roles x\nx a = 1 2"),
            "line 2: each role needs a goal value from 0 to 100"
        );
        assert_eq!(
            error("roles x\nx a\n  x b = 1\n    x c = 1"),
            "line 3: a game with goal values does not continue"
        );
    }
}
