//! Playouts of games whose moves stay: the legal moves of a role and their keys are nearly the same
//! at its next turn. Each move has a slot, and only what changes is looked at. How often a key took
//! part in drawings follows from when it came and when it went.

use ludens_core::{Drawn, Rng};

use crate::bits::members;
use crate::pick::{pick, sum};

/// How many slots stand in a row.
const WIDTH: usize = 16;

/// The moves that a role can make in a playout: so many slots, which fill whole rows.
#[derive(Clone, Debug)]
pub struct Slots<const N: usize> {
    /// The weight of each move, 0 where there is none.
    weights: [f32; N],
    /// The sums of the weights down each column, up to each row, when a move was drawn last.
    running: [f32; N],
    /// The key of each move that there is.
    codes: [u32; N],
    /// After how many drawings each came.
    since: [u32; N],
    /// The keys that have gone, and between which drawings they were there.
    gone: Vec<(u32, u32, u32)>,
    /// The keys of what was drawn.
    chosen: Vec<u32>,
    /// After each drawing, the sum of 1/z over all so far, where z is the sum of the weights. Many
    /// small differences are taken of large sums, hence the precision.
    sums: Vec<f64>,
}

impl<const N: usize> Default for Slots<N> {
    fn default() -> Self {
        Slots {
            weights: [0.0; N],
            running: [0.0; N],
            codes: [0; N],
            since: [0; N],
            gone: Vec::new(),
            chosen: Vec::new(),
            sums: Vec::new(),
        }
    }
}

impl<const N: usize> Slots<N> {
    /// Begins a playout without any move.
    pub fn clear(&mut self) {
        self.weights = [0.0; N];
        self.gone.clear();
        self.chosen.clear();
        self.sums.clear();
        self.sums.push(0.0);
    }

    /// A move is there from now on.
    #[inline]
    pub fn open(&mut self, slot: usize, code: u32, weights: &[f32]) {
        self.weights[slot] = weights[code as usize];
        self.codes[slot] = code;
        self.since[slot] = self.chosen.len() as u32;
    }

    /// A move that was there is gone from now on.
    #[inline]
    pub fn close(&mut self, slot: usize) {
        self.weights[slot] = 0.0;
        self.leave(slot);
    }

    /// A move that was there has another key from now on.
    #[inline]
    pub fn change(&mut self, slot: usize, code: u32, weights: &[f32]) {
        self.leave(slot);
        self.open(slot, code, weights);
    }

    #[inline]
    fn leave(&mut self, slot: usize) {
        let (from, to) = (self.since[slot], self.chosen.len() as u32);
        self.gone.push((self.codes[slot], from, to));
    }

    /// Draws a move in proportion to its weight; there must be one.
    #[inline]
    pub fn draw(&mut self, rng: &mut Rng) -> usize {
        let mut sums = [0.0; WIDTH];
        let (rows, _) = self.running.as_chunks_mut::<WIDTH>();
        for (row, weights) in rows.iter_mut().zip(self.weights.as_chunks::<WIDTH>().0) {
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
            *row = sums;
        }
        let quarter = |at: usize| -> [f32; 4] { std::array::from_fn(|i| sums[4 * at + i]) };
        let quarters: [f32; 4] = std::array::from_fn(|at| sum(&quarter(at)));
        let total = sum(&quarters);
        let (at, left) = pick(&quarters, rng.unit() as f32 * total);
        let (column, left) = pick(&quarter(at), left);
        let column = 4 * at + column;
        let row: usize = rows.iter().map(|row| usize::from(row[column] <= left)).sum();
        let mut slot = row * WIDTH + column;
        if self.weights.get(slot).is_none_or(|&weight| weight == 0.0) {
            slot = self.last();
        }
        self.chosen.push(self.codes[slot]);
        self.sums.push(self.sums[self.sums.len() - 1] + f64::from(1.0 / total));
        slot
    }

    /// The last move. It stands for what rounding leaves over, which hardly ever happens.
    #[cold]
    fn last(&self) -> usize {
        self.weights.iter().rposition(|&weight| weight > 0.0).unwrap_or(0)
    }

    /// Tells what was drawn. All moves are gone then.
    pub fn report(&mut self, drawn: &mut Drawn) {
        for slot in 0..N {
            if self.weights[slot] > 0.0 {
                self.close(slot);
            }
        }
        drawn.chosen.extend_from_slice(&self.chosen);
        let share = |from: u32, to: u32| self.sums[to as usize] - self.sums[from as usize];
        let took_part = self.gone.iter().filter(|(_, from, to)| from < to);
        drawn.shares.extend(took_part.map(|&(code, from, to)| (code, share(from, to) as f32)));
    }
}

/// The moves of a role as a set of at most 64 slots.
#[derive(Clone, Debug, Default)]
pub struct SlotSet {
    slots: Slots<64>,
    open: u64,
}

impl SlotSet {
    /// Begins a playout without any move.
    pub fn clear(&mut self) {
        self.slots.clear();
        self.open = 0;
    }

    /// These are the moves now. The keys of `stale` ones may have changed.
    #[inline]
    pub fn refresh(&mut self, legal: u64, stale: u64, weights: &[f32], code: impl Fn(u32) -> u32) {
        for slot in members(self.open & (stale | !legal)) {
            self.slots.close(slot as usize);
        }
        for slot in members(legal & (stale | !self.open)) {
            self.slots.open(slot as usize, code(slot), weights);
        }
        self.open = legal;
    }

    /// Draws a move in proportion to its weight; there must be one.
    #[inline]
    pub fn draw(&mut self, rng: &mut Rng) -> u32 {
        self.slots.draw(rng) as u32
    }

    /// Tells what was drawn.
    pub fn report(&mut self, drawn: &mut Drawn) {
        self.slots.report(drawn);
    }
}
