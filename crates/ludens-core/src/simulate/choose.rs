//! Choosing moves in playouts.

use super::weights::FixedWeights;
use crate::rng::Rng;
use crate::role::{Move, Role};

/// Features of moves and of the current state.
pub trait Features {
    /// The key under which policies store what they learn about a move in the current state.
    fn code(&self, m: Move) -> u32;

    /// Appends the keys of several moves, in the same order.
    fn codes(&self, moves: &[Move], out: &mut Vec<u32>) {
        out.extend(moves.iter().map(|&m| self.code(m)));
    }

    /// Appends the numbers of the facts that hold in the current state, as
    /// [`Vocabulary::fact_ids`](crate::Vocabulary::fact_ids) does; nothing if the game has none.
    fn facts(&self, out: &mut Vec<u32>) {
        let _ = out;
    }
}

/// A decision in a playout.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// The number of the playout: the index of its start among those that are run.
    pub game: usize,
    /// The role to move.
    pub role: Role,
    /// Its legal moves; never empty.
    pub legal: &'a [Move],
    /// The joint moves that the playout has made so far, one move for each role.
    pub history: &'a [Move],
    /// How many roles there are.
    pub n_roles: usize,
    /// Features of the moves.
    pub features: &'a dyn Features,
}

impl<'a> Turn<'a> {
    /// The joint move made just before, if the playout has one.
    pub fn previous(&self) -> Option<&'a [Move]> {
        let start = self.history.len().checked_sub(self.n_roles)?;
        Some(&self.history[start..])
    }
}

/// Chooses moves in playouts.
pub trait Chooser {
    /// Index of the chosen move in `turn.legal`.
    fn choose(&mut self, turn: &Turn<'_>, rng: &mut Rng) -> usize;

    /// Whether it chooses every legal move with the same probability and learns nothing from the calls;
    /// then a simulator need not call it.
    fn is_uniform(&self) -> bool {
        false
    }

    /// The weights, if it draws the moves of a playout by fixed weights of keys below `n_codes` and by
    /// nothing else; then a simulator may draw in its place, as long as the policy learns from this
    /// playout before it learns from others.
    fn fixed_weights(
        &mut self,
        game: usize,
        n_roles: usize,
        n_codes: usize,
    ) -> Option<&mut dyn FixedWeights> {
        let (_, _, _) = (game, n_roles, n_codes);
        None
    }
}

/// Every legal move with the same probability.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl Chooser for Uniform {
    fn choose(&mut self, turn: &Turn<'_>, rng: &mut Rng) -> usize {
        rng.below(turn.legal.len())
    }

    fn is_uniform(&self) -> bool {
        true
    }
}
