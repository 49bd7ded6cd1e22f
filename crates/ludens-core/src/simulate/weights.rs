//! Playouts whose moves are drawn by weights that do not change during the playout. A simulator needs
//! only the weights: it draws the moves without calling the policy, and reports statistics of the draws.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::role::Role;

/// A policy that draws each legal move with a probability proportional to the weight of its key. The
/// weights do not change during a playout.
pub trait FixedWeights {
    /// The weights of a role by key; all are positive and finite.
    fn weights(&self, role: Role) -> &[f32];

    /// Identifies the current weights of a role: equal versions imply equal weights, even from different
    /// policies.
    fn version(&self, role: Role) -> WeightsVersion;

    /// Whether the policy needs the moves of playouts besides the statistics; if not, simulators need not
    /// record them.
    fn wants_moves(&self) -> bool {
        true
    }

    /// Records the statistics of a finished playout in which all moves were drawn by the weights. They
    /// are empty for roles with payoff 0.
    fn record_draws(&mut self, game: usize, stats: &[DrawStats]);
}

/// Identifies a version of weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WeightsVersion(u64);

impl WeightsVersion {
    /// A version that differs from all earlier ones.
    pub fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        WeightsVersion(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Statistics of the draws of one role in a playout: sufficient for policies that follow the gradient of
/// the probabilities.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DrawStats {
    /// The keys of the drawn moves.
    pub chosen: Vec<u32>,
    /// Keys of legal moves, each with the sum of 1/z over the draws in which it took part, where z is the
    /// sum of all weights in a draw. A key may occur more than once, for different draws.
    pub shares: Vec<(u32, f32)>,
    /// The same as a dense array by key, from simulators that accumulate it so; keys beyond its end have
    /// 0. It is to be added to `shares`.
    pub dense_shares: Vec<f32>,
}

impl DrawStats {
    /// Removes everything, keeping the allocations.
    pub fn clear(&mut self) {
        self.chosen.clear();
        self.shares.clear();
        self.dense_shares.clear();
    }
}
