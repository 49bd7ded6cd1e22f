//! Statistics of random games: length, branching, results, and defects that only play reveals.
//!
//! Contract tests, which check more and must not be statistical, are in the test kit.

mod domain;
mod finding;
mod playouts;

use std::collections::BTreeMap;

pub use domain::Domain;
pub use finding::{Finding, FindingKind};
pub use playouts::{survey, survey_game};

/// The parameters of a survey.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The maximum number of joint moves of a game.
    pub max_plies: u32,
    /// The number of games whose facts and moves are examined as text, which takes longer.
    pub detailed: u64,
    /// The same seed gives the same games.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { max_plies: 5_000, detailed: 20, seed: 1 }
    }
}

/// The results of random games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Survey {
    /// Games begun.
    pub playouts: u64,
    /// Games that ended by their own rules.
    pub finished: u64,
    /// Length of the finished games in joint moves.
    pub length: Spread,
    /// Whether two roles had a choice in the same state.
    pub simultaneous: bool,
    /// Statistics of each role.
    pub roles: Vec<RoleSurvey>,
    /// The number of distinct facts in the detailed games.
    pub fluents: usize,
    /// States of the first games, as text.
    pub samples: Vec<Vec<String>>,
    /// Problems, each kind once for each role.
    pub findings: Vec<Finding>,
}

/// Statistics of one role.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RoleSurvey {
    /// The number of legal moves in states with a choice.
    pub choices: Spread,
    /// The frequency of each goal value at the end of a game.
    pub goals: BTreeMap<i64, u64>,
}

/// Minimum, maximum and mean of samples.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Spread {
    /// The number of samples.
    pub count: u64,
    /// The smallest.
    pub min: u64,
    /// The largest.
    pub max: u64,
    sum: u64,
}

impl Spread {
    fn add(&mut self, number: u64) {
        self.min = if self.count == 0 { number } else { self.min.min(number) };
        self.max = self.max.max(number);
        self.count += 1;
        self.sum += number;
    }

    /// The mean; 0 without samples.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum as f64 / self.count as f64 }
    }
}
