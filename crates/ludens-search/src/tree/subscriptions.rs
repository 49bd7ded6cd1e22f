//! Data that a tree keeps for policies that subscribe to it, besides visits and payoffs.

use super::Tree;
use crate::amaf::Amaf;

impl Tree {
    /// Keeps all-moves-as-first statistics.
    pub fn keep_amaf(&mut self) {
        self.amaf.get_or_insert_with(|| Amaf::new(self.n_roles));
        self.record_moves();
    }

    /// Keeps the keys of moves, by which policies learn.
    pub fn keep_codes(&mut self) {
        self.codes.get_or_insert_default();
    }

    /// Keeps the estimates of moves by an evaluation function.
    pub fn keep_estimates(&mut self) {
        self.estimates.get_or_insert_default();
    }

    /// Requests that the moves of playouts are recorded; otherwise only payoffs are.
    pub fn record_moves(&mut self) {
        self.records_moves = true;
    }

    /// Whether it keeps the keys of moves.
    pub fn keeps_codes(&self) -> bool {
        self.codes.is_some()
    }

    /// Whether it keeps the estimates of moves by an evaluation function.
    pub fn keeps_estimates(&self) -> bool {
        self.estimates.is_some()
    }

    /// Whether the moves of playouts are recorded.
    pub fn records_moves(&self) -> bool {
        self.records_moves
    }
}
