//! The possible steps of one side, in the form that is fastest for weighted playouts.

use super::{MAX_STEPS, Step, StepMask};

/// A number for each step from each cell, without and with a capture.
pub(super) type PerStep = [[[f32; 2]; 64]; MAX_STEPS];

/// The target of steps that leave the board.
pub(super) const OUTSIDE: usize = 64;

/// The steps of one side.
#[derive(Clone, Debug)]
pub(super) struct StepTable {
    /// The steps as rotations of the board.
    pub turns: [u32; MAX_STEPS],
    /// The target of each step from each cell, or [`OUTSIDE`].
    pub targets: [[u8; MAX_STEPS]; 64],
    /// 1 for each possible move, 0 otherwise.
    moves: Box<PerStep>,
    /// The number of cells.
    pub n_cells: u32,
}

impl StepTable {
    /// The steps of a side with these masks.
    pub fn new(masks: &[StepMask; MAX_STEPS], steps: &[Step], n_cells: u32) -> Self {
        let mut targets = [[OUTSIDE as u8; MAX_STEPS]; 64];
        let mut moves = Box::new([[[0.0; 2]; 64]; MAX_STEPS]);
        for (step, (mask, step_kind)) in masks.iter().zip(steps).enumerate() {
            for from in crate::bits::members(mask.from) {
                targets[from as usize][step] = ((from + mask.turn) % 64) as u8;
                moves[step][from as usize] = [1.0, f32::from(u8::from(step_kind.captures))];
            }
        }
        StepTable { turns: masks.map(|mask| mask.turn), targets, moves, n_cells }
    }

    /// The number of a move.
    #[inline]
    pub fn number(&self, step: usize, from: u32) -> u32 {
        step as u32 * self.n_cells + from
    }

    /// Arranges weights by steps and cells; those of impossible moves are 0.
    pub fn sort<const N: usize>(&self, weights: &[f32], out: &mut PerStep) {
        // The key of a move is twice its number, plus one if it captures.
        let rows = weights.chunks_exact(2 * self.n_cells as usize);
        for ((row, moves), out) in rows.zip(&*self.moves).zip(out).take(N) {
            let cells = out.as_flattened_mut().iter_mut().zip(moves.as_flattened());
            cells.zip(row).for_each(|((out, can_be), weight)| *out = can_be * weight);
        }
    }
}
