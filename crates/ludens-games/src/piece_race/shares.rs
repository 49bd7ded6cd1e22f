//! In which draws the moves of a side took part.
//!
//! A move takes part while its piece is on its cell and the target cell is empty or, for a capture,
//! holds a piece of the opponent. For each cell, the shares of the draws are accumulated while it is
//! empty, and while it holds a piece of the opponent. The share of a piece is the difference between
//! the sums at the end and at the beginning of its stay. So a ply updates two cells, however many
//! moves there are.

use super::pieces::Held;
use super::steps::{OUTSIDE, StepTable};
use super::{MAX_STEPS, Step};
use crate::bits::members;

/// For an empty cell, and for one that holds a piece of the opponent.
type Pair = [f64; 2];

/// The shares of one side during the replay of a playout. Small differences of large sums need double
/// precision.
#[derive(Clone, Debug)]
pub(super) struct ShareLedger {
    /// The sum of all shares so far.
    now: f64,
    /// The content of each cell, one-hot.
    holds: [Pair; 65],
    /// The sums of each cell, without `now` for its current content.
    before: [Pair; 65],
    /// The result for each step and cell; 0 between playouts.
    found: [[Pair; 64]; MAX_STEPS],
    /// The cells of the side's pieces.
    own: u64,
    /// All cells its pieces have visited.
    stood: u64,
}

impl Default for ShareLedger {
    fn default() -> Self {
        let (holds, found) = ([[0.0; 2]; 65], [[[0.0; 2]; 64]; MAX_STEPS]);
        ShareLedger { now: 0.0, holds, before: holds, found, own: 0, stood: 0 }
    }
}

impl Held {
    fn pair(self) -> Pair {
        match self {
            Held::Empty => [1.0, 0.0],
            Held::Opponent => [0.0, 1.0],
            Held::Own => [0.0, 0.0],
        }
    }
}

impl ShareLedger {
    /// Begins with a position.
    pub fn open(&mut self, own: u64, other: u64) {
        self.now = 0.0;
        self.holds.fill(Held::Empty.pair());
        self.holds[OUTSIDE] = Held::Own.pair();
        members(own).for_each(|cell| self.holds[cell as usize] = Held::Own.pair());
        members(other).for_each(|cell| self.holds[cell as usize] = Held::Opponent.pair());
        self.before.fill([0.0; 2]);
        (self.own, self.stood) = (own, own);
    }

    /// A piece of the side has moved, after a draw with this share.
    #[inline]
    pub fn step<const N: usize>(&mut self, table: &StepTable, from: u8, to: u8, share: f32) {
        self.now += f64::from(share);
        self.count::<N>(table, from, 1.0);
        self.hold(from, Held::Empty);
        self.hold(to, Held::Own);
        self.count::<N>(table, to, -1.0);
        self.own ^= 1 << from | 1 << to;
        self.stood |= 1 << to;
    }

    /// A piece of the opponent has moved.
    #[inline]
    pub fn step_of_opponent<const N: usize>(&mut self, table: &StepTable, from: u8, to: u8) {
        if self.own >> to & 1 == 1 {
            self.count::<N>(table, to, 1.0);
            self.own ^= 1 << to;
        }
        self.hold(from, Held::Empty);
        self.hold(to, Held::Opponent);
    }

    /// Changes the content of a cell.
    #[inline]
    fn hold(&mut self, cell: u8, held: Held) {
        let cell = usize::from(cell & 63);
        let pairs = self.before[cell].iter_mut().zip(&mut self.holds[cell]).zip(held.pair());
        for ((before, holds), held) in pairs {
            *before += self.now * (*holds - held);
            *holds = held;
        }
    }

    /// Adds the sums of the target cells of all steps from a cell, with a sign.
    #[inline]
    fn count<const N: usize>(&mut self, table: &StepTable, cell: u8, sign: f64) {
        let cell = usize::from(cell & 63);
        for (&to, found) in table.targets[cell].iter().zip(&mut self.found).take(N) {
            let to = usize::from(to);
            let pairs = found[cell].iter_mut().zip(&self.before[to]).zip(&self.holds[to]);
            for ((found, before), holds) in pairs {
                *found += sign * (before + self.now * holds);
            }
        }
    }

    /// Ends the playout and appends the shares of all moves in key order.
    pub fn close<const N: usize>(
        &mut self,
        table: &StepTable,
        steps: &[Step; N],
        out: &mut Vec<f32>,
    ) {
        members(self.own).for_each(|cell| self.count::<N>(table, cell as u8, 1.0));
        // Smaller values are rounding errors.
        let least = 16.0 * f64::EPSILON * self.now;
        let share = |found: f64| if found > least { found as f32 } else { 0.0 };
        let row = 2 * table.n_cells as usize;
        out.resize(N * row, 0.0);
        for ((found, out), step) in self.found.iter_mut().zip(out.chunks_exact_mut(row)).zip(steps)
        {
            let (captures, (out, _)) = (if step.captures { 1.0 } else { 0.0 }, out.as_chunks_mut());
            for cell in members(self.stood) {
                // Cleared for the next playout.
                let [empty, held] = std::mem::take(&mut found[cell as usize]);
                out[cell as usize] = [share(empty), share(captures * held)];
            }
        }
    }
}
