//! Two reasoners on the same random games, compared in full sets, not in counts.

use std::fmt;

use ludens_core::{Answer, Reasoner, Rng, Trouble};

/// What is compared, and on how many games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How many random games are played.
    pub games: u32,
    /// A game is broken off after so many joint moves.
    pub max_plies: u32,
    /// Which random games are played.
    pub seed: u64,
    /// Whether the facts of the states must be equal. Rules of the same game by different
    /// authors agree on moves and goals, not on facts.
    pub states: bool,
    /// Whether to compare what play does not need as well: legal moves in terminal states and
    /// goals in states that are not.
    pub everywhere: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { games: 10, max_plies: 1000, seed: 1, states: true, everywhere: true }
    }
}

/// How much was compared without a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Games played.
    pub games: u32,
    /// Games that came to their end.
    pub finished: u32,
    /// States compared.
    pub states: u64,
    /// Legal moves compared.
    pub moves: u64,
}

/// What differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Aspect {
    /// The roles or their order.
    Roles,
    /// The facts of the state.
    State,
    /// The legal moves of a role.
    Legal(String),
    /// The goal values of a role.
    Goal(String),
    /// Whether the state is terminal.
    Terminal,
    /// The first reasoner cannot answer.
    FirstStopped,
    /// The second reasoner cannot answer.
    SecondStopped,
}

/// The first difference between two reasoners, and how to come to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Number of the random game, from 0.
    pub game: u32,
    /// The joint moves made so far.
    pub moves: Vec<Vec<String>>,
    /// What differs.
    pub aspect: Aspect,
    /// What the first reasoner says and the second does not.
    pub missing: Vec<String>,
    /// What the second reasoner says and the first does not.
    pub extra: Vec<String>,
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Aspect::Roles => f.write_str("roles"),
            Aspect::State => f.write_str("state"),
            Aspect::Legal(role) => write!(f, "legal moves of {role}"),
            Aspect::Goal(role) => write!(f, "goal of {role}"),
            Aspect::Terminal => f.write_str("terminal"),
            Aspect::FirstStopped => f.write_str("the first reasoner stopped"),
            Aspect::SecondStopped => f.write_str("the second reasoner stopped"),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {} step {}: {}", self.game, self.moves.len(), self.aspect)?;
        for (label, list) in [("missing", &self.missing), ("extra", &self.extra)] {
            if !list.is_empty() {
                let more = if list.len() > 8 { " …" } else { "" };
                write!(f, "; {label} {}{more}", list[..list.len().min(8)].join(" "))?;
            }
        }
        if self.missing.is_empty() && self.extra.is_empty() {
            f.write_str("; the same, but in another order or number")?;
        }
        if !self.moves.is_empty() {
            let joints: Vec<_> = self.moves.iter().map(|joint| joint.join(", ")).collect();
            write!(f, "; after [{}]", joints.join("] ["))?;
        }
        Ok(())
    }
}

impl std::error::Error for Difference {}

/// Plays random games with both reasoners side by side; the first is taken to be right.
///
/// Each keeps its own state, and both make the same moves.
pub fn lockstep(
    first: &dyn Reasoner,
    second: &dyn Reasoner,
    options: &Options,
) -> Result<Counts, Difference> {
    let mut run =
        Run { first, second, options, counts: Counts::default(), game: 0, moves: Vec::new() };
    run.same(Aspect::Roles, first.roles(), second.roles())?;
    for game in 0..options.games {
        run.game = game;
        run.moves.clear();
        run.random_game()?;
    }
    Ok(run.counts)
}

struct Run<'a> {
    first: &'a dyn Reasoner,
    second: &'a dyn Reasoner,
    options: &'a Options,
    counts: Counts,
    game: u32,
    moves: Vec<Vec<String>>,
}

impl Run<'_> {
    fn random_game(&mut self) -> Result<(), Difference> {
        let mut rng = Rng::stream(self.options.seed, &[u64::from(self.game)]);
        let mut left = self.first_says(self.first.initial())?;
        let mut right = self.second_says(self.second.initial())?;
        loop {
            let answer = self.compare(&left, &right)?;
            let stuck = answer.legal.iter().any(Vec::is_empty);
            if answer.terminal || stuck || self.moves.len() as u32 == self.options.max_plies {
                self.counts.games += 1;
                self.counts.finished += u32::from(answer.terminal);
                return Ok(());
            }
            let choose = |legal: &Vec<String>| legal[rng.below(legal.len())].clone();
            let joint: Vec<String> = answer.legal.iter().map(choose).collect();
            left = self.first_says(self.first.next(&left, &joint))?;
            right = self.second_says(self.second.next(&right, &joint))?;
            self.moves.push(joint);
        }
    }

    /// Compares everything about one state, and returns the answer of the first reasoner.
    fn compare(&mut self, left: &[String], right: &[String]) -> Result<Answer, Difference> {
        if self.options.states {
            self.same(Aspect::State, left, right)?;
        }
        let expected = self.first_says(self.first.answer(left))?;
        let found = self.second_says(self.second.answer(right))?;
        let text = |terminal: bool| vec![terminal.to_string()];
        self.same(Aspect::Terminal, &text(expected.terminal), &text(found.terminal))?;
        for (role_idx, role) in self.first.roles().iter().enumerate() {
            if self.options.everywhere || !expected.terminal {
                let (left, right) = (&expected.legal[role_idx], &found.legal[role_idx]);
                self.same(Aspect::Legal(role.clone()), left, right)?;
            }
            if self.options.everywhere || expected.terminal {
                let goals = (&expected.goals[role_idx], &found.goals[role_idx]);
                self.same_goals(role, goals.0, goals.1)?;
            }
            self.counts.moves += expected.legal[role_idx].len() as u64;
        }
        self.counts.states += 1;
        Ok(expected)
    }

    /// A reasoner may give only the largest of several values, so that the others are not compared.
    fn same_goals(&self, role: &str, left: &[i64], right: &[i64]) -> Result<(), Difference> {
        let largest = |goals: &[i64]| goals.iter().max().map(ToString::to_string);
        let (left, right): (Vec<_>, Vec<_>) =
            (largest(left).into_iter().collect(), largest(right).into_iter().collect());
        self.same(Aspect::Goal(role.to_owned()), &left, &right)
    }

    fn same(&self, aspect: Aspect, left: &[String], right: &[String]) -> Result<(), Difference> {
        if left == right {
            return Ok(());
        }
        let without = |list: &[String], other: &[String]| {
            list.iter().filter(|item| !other.contains(item)).cloned().collect()
        };
        Err(self.difference(aspect, without(left, right), without(right, left)))
    }

    fn difference(&self, aspect: Aspect, missing: Vec<String>, extra: Vec<String>) -> Difference {
        Difference { game: self.game, moves: self.moves.clone(), aspect, missing, extra }
    }

    fn first_says<T>(&self, said: Result<T, Trouble>) -> Result<T, Difference> {
        let stopped =
            |t: Trouble| self.difference(Aspect::FirstStopped, Vec::new(), vec![t.to_string()]);
        said.map_err(stopped)
    }

    fn second_says<T>(&self, said: Result<T, Trouble>) -> Result<T, Difference> {
        let stopped =
            |t: Trouble| self.difference(Aspect::SecondStopped, Vec::new(), vec![t.to_string()]);
        said.map_err(stopped)
    }
}
