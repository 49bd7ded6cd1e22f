//! Playouts whose moves are drawn by weights that stay the same until the playout ends. Then a
//! simulator needs no more than the weights: it draws by itself, and tells what it has drawn.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::role::Role;

/// A policy that draws each legal move with probability in proportion to the weight of its key.
pub trait Weighing {
    /// The weights of a role by key; all are positive and finite.
    fn weights(&self, role: Role) -> &[f32];

    /// A number that stands for the weights of a role as they are now: wherever it comes up again, whoever
    /// gives it, the weights are the same.
    fn version(&self, role: Role) -> Version;

    /// Whether the moves of playouts are wanted, besides what was drawn; without them simulators need
    /// not note them.
    fn wants_moves(&self) -> bool {
        true
    }

    /// A playout has ended in which all moves were drawn by the weights. `record` has what each
    /// role has drawn, unless the playout was worth nothing to it.
    fn drawn(&mut self, game: usize, record: &[Drawn]);
}

/// Stands for weights that have not changed since.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Version(u64);

impl Version {
    /// One that has never been given before.
    pub fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Version(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// What a role has drawn in a playout: all that policies learn from which follow the gradient of the
/// probabilities.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Drawn {
    /// The keys of the moves that it drew.
    pub chosen: Vec<u32>,
    /// The keys between which it drew, and the sum of 1/z over the drawings, where z is the sum of
    /// all weights in one of them. A key may be there more than once, for different drawings.
    pub shares: Vec<(u32, f32)>,
    /// The same for all keys in their order, from simulators that add them up so; the keys beyond
    /// its end have none. It comes on top of `shares`.
    pub all_shares: Vec<f32>,
}

impl Drawn {
    /// Forgets all, keeping the memory.
    pub fn clear(&mut self) {
        self.chosen.clear();
        self.shares.clear();
        self.all_shares.clear();
    }
}
