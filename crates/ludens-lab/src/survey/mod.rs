//! What random games show about a game: length, branching, results, and defects that only play reveals.
//!
//! Contract tests, which check more and must not be statistical, are in the test kit.

mod domain;
mod finding;
mod playouts;

use std::collections::BTreeMap;

pub use domain::Domain;
pub use finding::{Finding, FindingKind};
pub use playouts::{survey, survey_game};

/// What to examine.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// A game that has not ended after so many joint moves is given up.
    pub max_plies: u32,
    /// In how many games facts and moves are examined as text, which takes longer.
    pub detailed: u64,
    /// The same seed gives the same games.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { max_plies: 5_000, detailed: 20, seed: 1 }
    }
}

/// What random games showed.
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
    /// What was seen of each role.
    pub roles: Vec<RoleSurvey>,
    /// How many different facts were seen in the detailed games.
    pub fluents: usize,
    /// States of the first games, as text.
    pub samples: Vec<Vec<String>>,
    /// What is wrong, each kind once for each role.
    pub findings: Vec<Finding>,
}

/// What was seen of one role.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RoleSurvey {
    /// Number of legal moves where there was a choice.
    pub choices: Spread,
    /// How often each goal value ended a game.
    pub goals: BTreeMap<i64, u64>,
}

/// Smallest, largest and mean of some numbers.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Spread {
    /// How many numbers.
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

    /// The mean; 0 if there were no numbers.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum as f64 / self.count as f64 }
    }
}
