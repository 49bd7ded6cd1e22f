//! What an agent reported about one decision: the training data of a game.

use ludens_core::{Game, Role};
use ludens_search::MoveStats;
use serde::{Deserialize, Serialize};

/// What an agent reported when it chose a move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Decision {
    /// Joint moves made before.
    pub ply: usize,
    /// The seat that chose.
    pub seat: usize,
    /// Units of work done.
    pub iterations: u64,
    /// Mean payoff of the seat over all visits of the root, in `0.0..=1.0`; `None` without visits.
    pub value: Option<f64>,
    /// The moves of the seat, best first.
    pub moves: Vec<MoveVisits>,
}

/// What an agent reported about one move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MoveVisits {
    /// The move as text.
    #[serde(rename = "move")]
    pub name: String,
    /// How often it was visited.
    pub visits: u64,
    /// Mean payoff of the seat after it, in `0.0..=1.0`; 0 without visits.
    pub mean: f64,
}

impl Decision {
    /// The decision that search statistics describe.
    pub fn new<G: Game>(
        game: &G,
        ply: usize,
        role: Role,
        iterations: u64,
        stats: &[MoveStats],
    ) -> Self {
        let visits: u64 = stats.iter().map(|stats| stats.visits).sum();
        let payoff: f64 = stats.iter().map(|stats| stats.visits as f64 * stats.mean).sum();
        let described = |stats: &MoveStats| MoveVisits {
            name: game.move_name(role, stats.mv),
            visits: stats.visits,
            mean: rounded(stats.mean),
        };
        Decision {
            ply,
            seat: role.index(),
            iterations,
            value: (visits > 0).then(|| rounded(payoff / visits as f64)),
            moves: stats.iter().map(described).collect(),
        }
    }
}

/// Four decimals: a mean of up to 10⁸ visits is no more precise, and digits are most of the text.
fn rounded(mean: f64) -> f64 {
    (mean * 1e4).round() / 1e4
}
