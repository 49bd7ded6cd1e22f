//! Weighted playouts of games in which the legal moves of a role and their keys change little from
//! turn to turn. Each move has a slot, and only changes are processed. In which draws a key took part
//! follows from when it was added and removed.

use ludens_core::{DrawStats, Rng};

use crate::bits::members;
use crate::roulette::Roulette;

/// The moves of a role in a playout, each in one of 64 slots.
#[derive(Clone, Debug)]
pub struct SlotSet {
    /// The slots with a move.
    open: u64,
    roulette: Roulette,
    /// The key of each move.
    codes: [u32; 64],
    /// After how many draws each was added.
    since: [u32; 64],
    /// The keys that were removed.
    removed: Vec<Presence>,
    /// The keys of the drawn moves.
    chosen: Vec<u32>,
    /// After each number of draws, the sum of 1/z over all draws so far, where z is the sum of the
    /// weights. Small differences of large sums need double precision.
    sums: Vec<f64>,
}

/// The draws in which a key took part.
#[derive(Clone, Copy, Debug)]
struct Presence {
    code: u32,
    /// After how many draws it was added.
    from: u32,
    /// After how many draws it was removed.
    to: u32,
}

impl Default for SlotSet {
    fn default() -> Self {
        SlotSet {
            open: 0,
            roulette: Roulette::default(),
            codes: [0; 64],
            since: [0; 64],
            removed: Vec::new(),
            chosen: Vec::new(),
            sums: Vec::new(),
        }
    }
}

impl SlotSet {
    /// Begins a playout without moves.
    pub fn clear(&mut self) {
        self.open = 0;
        self.roulette.clear();
        self.removed.clear();
        self.chosen.clear();
        self.sums.clear();
        self.sums.push(0.0);
    }

    /// Sets the legal moves. The keys of `stale` ones may have changed. A move must be drawn between
    /// two calls.
    #[inline]
    pub fn refresh(&mut self, legal: u64, stale: u64, weights: &[f32], code: impl Fn(u32) -> u32) {
        for slot in members(self.open & !legal) {
            self.remove(slot as usize);
            self.roulette.set(slot as usize, 0.0);
        }
        for slot in members(legal & !self.open) {
            self.add(slot as usize, code(slot), weights);
        }
        for slot in members(legal & self.open & stale) {
            let (slot, code) = (slot as usize, code(slot));
            if code != self.codes[slot] {
                self.remove(slot);
                self.add(slot, code, weights);
            }
        }
        self.open = legal;
    }

    #[inline]
    fn add(&mut self, slot: usize, code: u32, weights: &[f32]) {
        self.roulette.set(slot, weights[code as usize]);
        self.codes[slot] = code;
        self.since[slot] = self.chosen.len() as u32;
    }

    #[inline]
    fn remove(&mut self, slot: usize) {
        let (code, from, to) = (self.codes[slot], self.since[slot], self.chosen.len() as u32);
        self.removed.push(Presence { code, from, to });
    }

    /// Draws a move with a probability proportional to its weight; there must be one.
    #[inline]
    pub fn draw(&mut self, rng: &mut Rng) -> u32 {
        let (slot, total) = self.roulette.draw(rng);
        self.chosen.push(self.codes[slot]);
        self.sums.push(self.sums[self.sums.len() - 1] + f64::from(1.0 / total));
        slot as u32
    }

    /// Adds the draws of the playout to `stats`, and removes all moves.
    pub fn report(&mut self, stats: &mut DrawStats) {
        members(self.open).for_each(|slot| self.remove(slot as usize));
        self.open = 0;
        stats.chosen.extend_from_slice(&self.chosen);
        let share = |key: &Presence| self.sums[key.to as usize] - self.sums[key.from as usize];
        stats.shares.extend(self.removed.iter().map(|key| (key.code, share(key) as f32)));
    }
}
