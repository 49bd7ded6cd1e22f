//! Playouts of games whose moves stay: the legal moves of a role and their keys are nearly the same
//! at its next turn. Each move has a slot, and only what changes is looked at. How often a key took
//! part in drawings follows from when it came and when it went.

use ludens_core::{Drawn, Rng};

use crate::bits::members;
use crate::wheel::Wheel;

/// The moves of a role in a playout, each in one of 64 slots.
#[derive(Clone, Debug)]
pub struct SlotSet {
    /// The slots that hold a move.
    open: u64,
    wheel: Wheel,
    /// The key of each move that there is.
    codes: [u32; 64],
    /// After how many drawings each came.
    since: [u32; 64],
    /// The keys that have gone.
    gone: Vec<Stay>,
    /// The keys of what was drawn.
    chosen: Vec<u32>,
    /// After each number of drawings, the sum of 1/z over all so far, where z is the sum of the
    /// weights. Many small differences are taken of large sums, hence the precision.
    sums: Vec<f64>,
}

/// A key that a move had.
#[derive(Clone, Copy, Debug)]
struct Stay {
    code: u32,
    /// After how many drawings it came.
    from: u32,
    /// After how many drawings it went.
    to: u32,
}

impl Default for SlotSet {
    fn default() -> Self {
        SlotSet {
            open: 0,
            wheel: Wheel::default(),
            codes: [0; 64],
            since: [0; 64],
            gone: Vec::new(),
            chosen: Vec::new(),
            sums: Vec::new(),
        }
    }
}

impl SlotSet {
    /// Begins a playout without any move.
    pub fn clear(&mut self) {
        self.open = 0;
        self.wheel.clear();
        self.gone.clear();
        self.chosen.clear();
        self.sums.clear();
        self.sums.push(0.0);
    }

    /// These are the moves now. The keys of `stale` ones may have changed. A move is drawn between
    /// any two calls.
    #[inline]
    pub fn refresh(&mut self, legal: u64, stale: u64, weights: &[f32], code: impl Fn(u32) -> u32) {
        for slot in members(self.open & !legal) {
            self.leave(slot as usize);
            self.wheel.set(slot as usize, 0.0);
        }
        for slot in members(legal & !self.open) {
            self.come(slot as usize, code(slot), weights);
        }
        for slot in members(legal & self.open & stale) {
            let (slot, code) = (slot as usize, code(slot));
            if code != self.codes[slot] {
                self.leave(slot);
                self.come(slot, code, weights);
            }
        }
        self.open = legal;
    }

    #[inline]
    fn come(&mut self, slot: usize, code: u32, weights: &[f32]) {
        self.wheel.set(slot, weights[code as usize]);
        self.codes[slot] = code;
        self.since[slot] = self.chosen.len() as u32;
    }

    #[inline]
    fn leave(&mut self, slot: usize) {
        let (code, from, to) = (self.codes[slot], self.since[slot], self.chosen.len() as u32);
        self.gone.push(Stay { code, from, to });
    }

    /// Draws a move in proportion to its weight; there must be one.
    #[inline]
    pub fn draw(&mut self, rng: &mut Rng) -> u32 {
        let (slot, total) = self.wheel.draw(rng);
        self.chosen.push(self.codes[slot]);
        self.sums.push(self.sums[self.sums.len() - 1] + f64::from(1.0 / total));
        slot as u32
    }

    /// Tells what was drawn. All moves are gone then.
    pub fn report(&mut self, drawn: &mut Drawn) {
        members(self.open).for_each(|slot| self.leave(slot as usize));
        self.open = 0;
        drawn.chosen.extend_from_slice(&self.chosen);
        let share = |stay: &Stay| self.sums[stay.to as usize] - self.sums[stay.from as usize];
        drawn.shares.extend(self.gone.iter().map(|stay| (stay.code, share(stay) as f32)));
    }
}
