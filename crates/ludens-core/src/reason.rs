//! Reasoners with a textual interface: facts and moves as text, failures as values.

use std::fmt;
use std::sync::Arc;

use crate::game::{Game, View};
use crate::role::{Move, Role};

/// What a reasoner derives about a state, as text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// Whether the state is terminal.
    pub terminal: bool,
    /// Legal moves of each role, sorted.
    pub legal: Vec<Vec<String>>,
    /// Goal values of each role, sorted: one, or none if the rules give none. Several are an
    /// anomaly of the rules, and a reasoner may then give only the largest.
    pub goals: Vec<Vec<i64>>,
}

/// Why a reasoner cannot answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// A fact is not a ground term, or this reasoner cannot represent it.
    Fact(String),
    /// The role cannot make this move here.
    Move {
        /// Index of the role.
        role_idx: usize,
        /// The text that was given.
        text: String,
    },
    /// The number of moves is not the number of roles.
    MoveCount {
        /// How many roles there are.
        expected: usize,
        /// How many moves were given.
        found: usize,
    },
    /// Time, memory or steps are used up.
    Exhausted(String),
    /// Terms grow without bound: the rules have infinitely many consequences.
    Unbounded(String),
    /// A relation depends on its own negation, so that the rules have no stratified meaning. A
    /// reasoner that evaluates on demand notices it only when it is asked for such a relation.
    NegativeCycle,
    /// The rules contradict themselves here.
    Rules(String),
}

impl Trouble {
    /// Whether the reasoner gave up, at its limits or because terms grow without bound.
    pub fn is_exhausted(&self) -> bool {
        matches!(self, Trouble::Exhausted(_) | Trouble::Unbounded(_))
    }

    /// A stable code for machines.
    pub fn code(&self) -> &'static str {
        match self {
            Trouble::Fact(_) => "fact",
            Trouble::Move { .. } => "move",
            Trouble::MoveCount { .. } => "move-count",
            Trouble::Exhausted(_) | Trouble::Unbounded(_) => "exhausted",
            Trouble::NegativeCycle | Trouble::Rules(_) => "rules",
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Fact(text) => write!(f, "`{text}` is not a fact of this game"),
            Trouble::Move { role_idx, text } => {
                write!(f, "`{text}` is not a move that role {} can make here", role_idx + 1)
            }
            Trouble::MoveCount { expected, found } => {
                write!(f, "{expected} moves are needed, one for each role, but {found} were given")
            }
            Trouble::NegativeCycle => f.write_str("a relation depends on its own negation"),
            Trouble::Exhausted(what) | Trouble::Unbounded(what) | Trouble::Rules(what) => {
                f.write_str(what)
            }
        }
    }
}

impl std::error::Error for Trouble {}

/// Answers questions about states given as lists of facts.
pub trait Reasoner: Send + Sync {
    /// The roles in the order of the rules.
    fn roles(&self) -> &[String];

    /// The facts that hold initially, sorted.
    fn initial(&self) -> Result<Vec<String>, Trouble>;

    /// Answers all questions about a state.
    fn answer(&self, facts: &[String]) -> Result<Answer, Trouble>;

    /// A ground term, such as a fact or a move, in this reasoner's spelling; `None` if the text is
    /// not a ground term that the reasoner can represent. Equal terms have equal spellings. A
    /// reasoner that is only queried in its own spelling need not override this.
    fn spelling(&self, text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    /// The facts that hold after one move for each role, sorted. The moves need not be legal.
    fn next(&self, facts: &[String], moves: &[String]) -> Result<Vec<String>, Trouble>;
}

/// Any game that can read states from text, as a reasoner.
pub struct TextGame<G>(pub Arc<G>);

impl<G: Game> TextGame<G> {
    fn state(&self, facts: &[String]) -> Result<G::State, Trouble> {
        self.0.parse_state(facts).ok_or_else(|| Trouble::Fact(facts.join(" ")))
    }
}

impl<G: Game> Reasoner for TextGame<G> {
    fn roles(&self) -> &[String] {
        self.0.roles()
    }

    fn initial(&self) -> Result<Vec<String>, Trouble> {
        Ok(self.0.facts(&self.0.initial()))
    }

    fn answer(&self, facts: &[String]) -> Result<Answer, Trouble> {
        let (state, mut view) = (self.state(facts)?, View::default());
        self.0.look_all(&state, &mut view);
        let name = |role, moves: &Vec<Move>| {
            let mut names: Vec<_> = moves.iter().map(|&m| self.0.move_name(role, m)).collect();
            names.sort_unstable();
            names
        };
        Ok(Answer {
            terminal: view.terminal,
            legal: view.legal.entries().map(|(role, moves)| name(role, moves)).collect(),
            goals: self.0.goals(&state, &view).iter().cloned().collect(),
        })
    }

    fn spelling(&self, text: &str) -> Option<String> {
        let fact = || self.0.facts(&self.0.parse_state(&[text.to_owned()])?).pop();
        let name = |role| Some(self.0.move_name(role, self.0.parse_move(role, text)?));
        Role::all(self.roles().len()).find_map(name).or_else(fact)
    }

    fn next(&self, facts: &[String], moves: &[String]) -> Result<Vec<String>, Trouble> {
        let mut state = self.state(facts)?;
        let expected = self.roles().len();
        if moves.len() != expected {
            return Err(Trouble::MoveCount { expected, found: moves.len() });
        }
        let parse = |(role, text): (Role, &String)| {
            let unknown = || Trouble::Move { role_idx: role.index(), text: text.clone() };
            self.0.parse_move(role, text).ok_or_else(unknown)
        };
        let joint = Role::all(expected).zip(moves).map(parse).collect::<Result<Vec<_>, _>>()?;
        self.0.play(&mut state, &joint);
        Ok(self.0.facts(&state))
    }
}
