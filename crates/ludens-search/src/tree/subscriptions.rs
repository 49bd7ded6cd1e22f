//! What a tree keeps because some policy reads it, besides visits and payoffs.

use super::Tree;
use crate::amaf::Amaf;

impl Tree {
    /// Keeps how moves did wherever they were played later in a simulation.
    pub fn keep_amaf(&mut self) {
        self.amaf.get_or_insert_with(|| Amaf::new(self.n_roles));
        self.record_moves();
    }

    /// Keeps the keys of moves, by which policies learn.
    pub fn keep_codes(&mut self) {
        self.codes.get_or_insert_default();
    }

    /// Keeps what an evaluation function says about moves.
    pub fn keep_estimates(&mut self) {
        self.estimates.get_or_insert_default();
    }

    /// Has the moves of playouts recorded; without them payoffs are all there is to learn from.
    pub fn record_moves(&mut self) {
        self.records_moves = true;
    }

    /// Whether it keeps the keys of moves.
    pub fn keeps_codes(&self) -> bool {
        self.codes.is_some()
    }

    /// Whether it keeps what an evaluation function says about moves.
    pub fn keeps_estimates(&self) -> bool {
        self.estimates.is_some()
    }

    /// Whether the moves of playouts are recorded.
    pub fn records_moves(&self) -> bool {
        self.records_moves
    }
}
