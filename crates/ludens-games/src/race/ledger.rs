//! In which drawings the moves of a side took part.
//!
//! A move takes part as long as its piece stands on a cell and the cell where the step leads is
//! empty, or, for a capture, holds a piece of the opponent. For each cell it is added up how much
//! of the shares fell into the time when it was empty, and into that when it was the opponent's. What
//! falls into the stay of a piece is the difference between its end and its beginning. So a ply is
//! a matter of two cells, however many moves there are.

use super::course::{Course, OUTSIDE};
use super::pieces::Held;
use super::{MAX_STEPS, Step};
use crate::bits::members;

/// For an empty cell, and for one that holds a piece of the opponent.
type Pair = [f64; 2];

/// The shares of one side, while a playout is gone through. Many small differences are taken of
/// large sums, hence the precision.
#[derive(Clone, Debug)]
pub(super) struct Ledger {
    /// The shares of all drawings so far.
    now: f64,
    /// What each cell holds: 1 for what is the case.
    holds: [Pair; 65],
    /// What has been added up for each cell; to this comes `now` for what is the case.
    before: [Pair; 65],
    /// For each step and cell what has been found; nothing before a playout.
    found: [[Pair; 64]; MAX_STEPS],
    /// Where the pieces of the side stand.
    own: u64,
    /// Where they have stood.
    stood: u64,
}

impl Default for Ledger {
    fn default() -> Self {
        let (holds, found) = ([[0.0; 2]; 65], [[[0.0; 2]; 64]; MAX_STEPS]);
        Ledger { now: 0.0, holds, before: holds, found, own: 0, stood: 0 }
    }
}

impl Held {
    fn pair(self) -> Pair {
        match self {
            Held::Nobody => [1.0, 0.0],
            Held::Opponent => [0.0, 1.0],
            Held::Own => [0.0, 0.0],
        }
    }
}

impl Ledger {
    /// Begins with a position.
    pub fn open(&mut self, own: u64, other: u64) {
        self.now = 0.0;
        self.holds.fill(Held::Nobody.pair());
        self.holds[OUTSIDE] = Held::Own.pair();
        members(own).for_each(|cell| self.holds[cell as usize] = Held::Own.pair());
        members(other).for_each(|cell| self.holds[cell as usize] = Held::Opponent.pair());
        self.before.fill([0.0; 2]);
        (self.own, self.stood) = (own, own);
    }

    /// A piece of the side has moved, after a drawing with this share.
    #[inline]
    pub fn step<const N: usize>(&mut self, course: &Course, from: u8, to: u8, share: f32) {
        self.now += f64::from(share);
        self.count::<N>(course, from, 1.0);
        self.hold(from, Held::Nobody);
        self.hold(to, Held::Own);
        self.count::<N>(course, to, -1.0);
        self.own ^= 1 << from | 1 << to;
        self.stood |= 1 << to;
    }

    /// A piece of the opponent has moved.
    #[inline]
    pub fn step_of_opponent<const N: usize>(&mut self, course: &Course, from: u8, to: u8) {
        if self.own >> to & 1 == 1 {
            self.count::<N>(course, to, 1.0);
            self.own ^= 1 << to;
        }
        self.hold(from, Held::Nobody);
        self.hold(to, Held::Opponent);
    }

    /// A cell is held by somebody else from now on.
    #[inline]
    fn hold(&mut self, cell: u8, held: Held) {
        let cell = usize::from(cell & 63);
        let pairs = self.before[cell].iter_mut().zip(&mut self.holds[cell]).zip(held.pair());
        for ((before, holds), held) in pairs {
            *before += self.now * (*holds - held);
            *holds = held;
        }
    }

    /// Counts what has been added up for the cells to which steps lead from a cell.
    #[inline]
    fn count<const N: usize>(&mut self, course: &Course, cell: u8, sign: f64) {
        let cell = usize::from(cell & 63);
        for (&to, found) in course.targets[cell].iter().zip(&mut self.found).take(N) {
            let to = usize::from(to);
            let pairs = found[cell].iter_mut().zip(&self.before[to]).zip(&self.holds[to]);
            for ((found, before), holds) in pairs {
                *found += sign * (before + self.now * holds);
            }
        }
    }

    /// Ends here, and appends the shares of all moves in the order of their keys.
    pub fn close<const N: usize>(
        &mut self,
        course: &Course,
        steps: &[Step; N],
        out: &mut Vec<f32>,
    ) {
        members(self.own).for_each(|cell| self.count::<N>(course, cell as u8, 1.0));
        // What is less is what rounding has left over.
        let least = 16.0 * f64::EPSILON * self.now;
        let share = |found: f64| if found > least { found as f32 } else { 0.0 };
        let row = 2 * course.n_cells as usize;
        out.resize(N * row, 0.0);
        for ((found, out), step) in self.found.iter_mut().zip(out.chunks_exact_mut(row)).zip(steps)
        {
            let (captures, (out, _)) = (if step.captures { 1.0 } else { 0.0 }, out.as_chunks_mut());
            for cell in members(self.stood) {
                // Nothing is left for the next time.
                let [empty, held] = std::mem::take(&mut found[cell as usize]);
                out[cell as usize] = [share(empty), share(captures * held)];
            }
        }
    }
}
