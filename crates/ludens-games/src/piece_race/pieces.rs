//! The pieces of one side in a playout, with the weights of their steps.

use ludens_core::{Rng, WeightsVersion};

use super::MAX_STEPS;
use super::steps::{PerStep, StepTable};
use crate::bits::members;
use crate::pick::{pick, sum};

/// The content of a cell from the point of view of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Held {
    /// No piece.
    Empty,
    /// A piece of the opponent.
    Opponent,
    /// A piece of the side.
    Own,
}

/// The number of pieces that are processed together.
pub(super) const CHUNK: usize = 4;

/// The maximum number of chunks.
pub(super) const MAX_CHUNKS: usize = 64 / CHUNK;

/// A cell without weights for unused places of the last chunk. Its bits are a superset of those of
/// all cells.
const NOWHERE: u8 = 127;

/// The pieces of one side. Vectors are aligned, so that they can be memory operands.
#[derive(Clone, Debug)]
#[repr(align(16))]
pub(super) struct Pieces {
    /// The weights of the steps from each cell, 0 for illegal ones.
    steps: [[f32; MAX_STEPS]; 128],
    /// At the last draw, the sums of the weights of the pieces before each chunk.
    running: [[f32; MAX_STEPS]; MAX_CHUNKS + 1],
    /// The cells of the pieces in any order; the first `len` are valid.
    cells: [u8; 64],
    len: usize,
    /// For each cell with a piece, its index in the list.
    places: [u8; 64],
    /// The weights of all moves.
    weights: PerStep,
    /// The weights of the steps from each cell on an empty board.
    alone: [[f32; MAX_STEPS]; 64],
    /// Identifies these weights.
    version: Option<WeightsVersion>,
}

impl Default for Pieces {
    fn default() -> Self {
        Pieces {
            steps: [[0.0; MAX_STEPS]; 128],
            running: [[0.0; MAX_STEPS]; MAX_CHUNKS + 1],
            cells: [NOWHERE; 64],
            len: 0,
            places: [0; 64],
            weights: [[[0.0; 2]; 64]; MAX_STEPS],
            alone: [[0.0; MAX_STEPS]; 64],
            version: None,
        }
    }
}

impl Pieces {
    /// Arranges the weights of all moves, unless they are the same as last time.
    pub fn weigh<const N: usize>(
        &mut self,
        table: &StepTable,
        weights: &[f32],
        version: WeightsVersion,
    ) {
        if self.version.replace(version) == Some(version) {
            return;
        }
        table.sort::<N>(weights, &mut self.weights);
        for (step, weights) in self.weights.iter().enumerate().take(N) {
            let steps = self.alone.iter_mut().zip(weights);
            steps.for_each(|(steps, [weight, _])| steps[step] = *weight);
        }
    }

    /// Sets up the pieces of the side, then those of the opponent.
    pub fn set_up<const N: usize>(&mut self, table: &StepTable, own: u64, other: u64) {
        self.steps[..64].copy_from_slice(&self.alone);
        self.cells.fill(NOWHERE);
        self.len = 0;
        for cell in members(own) {
            self.cells[self.len] = cell as u8;
            self.places[cell as usize] = self.len as u8;
            self.len += 1;
            self.set_content::<N>(table, cell, Held::Own);
        }
        members(other).for_each(|cell| self.set_content::<N>(table, cell, Held::Opponent));
    }

    /// Draws a move: the index of a piece, a step, and the sum of the weights of all moves. It is
    /// compiled for each number of chunks, without loops.
    #[inline]
    pub fn draw<const CHUNKS: usize>(&mut self, rng: &mut Rng) -> (usize, usize, f32) {
        let (cells, _) = self.cells.as_chunks::<CHUNK>();
        let mut sums = [0.0; MAX_STEPS];
        for (cells, running) in cells[..CHUNKS].iter().zip(&mut self.running[1..]) {
            let [a, b, c, d] = cells.map(|cell| &self.steps[usize::from(cell & NOWHERE)]);
            sums = std::array::from_fn(|step| {
                sums[step] + ((a[step] + b[step]) + (c[step] + d[step]))
            });
            *running = sums;
        }
        // Read again, since the compiler would otherwise add pairs of numbers instead of vectors.
        let sums = self.running[CHUNKS];
        let total = sum(&sums);
        let (step, left) = pick(&sums, rng.unit() as f32 * total);
        let is_before = |running: &[f32; MAX_STEPS]| usize::from(running[step] <= left);
        let chunk: usize = self.running[1..=CHUNKS].iter().map(is_before).sum();
        let chunk = chunk & (CHUNKS - 1);
        let weights = cells[chunk].map(|cell| self.steps[usize::from(cell & NOWHERE)][step]);
        let (at, _) = pick(&weights, left - self.running[chunk][step]);
        if weights[at] > 0.0 {
            return (CHUNK * chunk + at, step, total);
        }
        let (piece, step) = self.last();
        (piece, step, total)
    }

    /// The last step of the last piece that can move, in the rare case that rounding leaves a
    /// remainder.
    #[cold]
    fn last(&self) -> (usize, usize) {
        let step_of = |place: usize| {
            let weights = &self.steps[usize::from(self.cells[place])];
            weights.iter().rposition(|&weight| weight > 0.0).map(|step| (place, step))
        };
        (0..self.len).rev().find_map(step_of).unwrap_or((0, 0))
    }

    /// Moves a piece and returns its old and new cell.
    #[inline]
    pub fn step(&mut self, piece: usize, turn: u32) -> (u32, u32) {
        let from = u32::from(self.cells[piece]);
        let to = (from + turn) & 63;
        self.cells[piece] = to as u8;
        self.places[to as usize] = piece as u8;
        (from, to)
    }

    /// Removes the piece on a cell.
    #[inline]
    pub fn remove(&mut self, cell: u32) {
        let place = self.places[cell as usize & 63];
        self.len -= 1;
        let last = self.cells[self.len & 63];
        self.cells[usize::from(place & 63)] = last;
        self.places[usize::from(last & 63)] = place;
        self.cells[self.len & 63] = NOWHERE;
    }

    /// Updates the weights of the steps to a cell whose content is now `held`.
    #[inline]
    pub fn set_content<const N: usize>(&mut self, table: &StepTable, cell: u32, held: Held) {
        for step in 0..N {
            // If a step leaves the board, so does its inverse here.
            let from = (cell.wrapping_sub(table.turns[step]) & 63) as usize;
            self.steps[from][step] = match held {
                Held::Empty => self.weights[step][from][0],
                Held::Opponent => self.weights[step][from][1],
                Held::Own => 0.0,
            };
        }
    }
}
