//! The weights of one role, with their exponentials at hand.

use std::collections::BTreeMap;

use super::exponential::exponentials;

/// Weights learnt beforehand: for positions, as text, the weights of each role by code.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct InitialPolicy {
    /// By position.
    pub positions: BTreeMap<String, Vec<Vec<(u32, f32)>>>,
}

impl InitialPolicy {
    /// The weights of each role for a position.
    pub fn of(&self, position: &str) -> Option<&[Vec<(u32, f32)>]> {
        self.positions.get(position).map(Vec::as_slice)
    }
}

/// Weights stay within these bounds, far beyond which a move is as good as certain or impossible.
const BOUND: f32 = 40.0;

/// The weights of one role by code.
#[derive(Clone, Debug)]
pub(super) struct Table {
    sharpness: f32,
    /// exp(k·weight), apart from the rest because every playout move reads dozens of them.
    exps: Vec<f32>,
    entries: Vec<Entry>,
    /// The codes whose weights are about to change: the first `n_changed`. There is room for one
    /// more than there are entries.
    changed: Vec<u32>,
    n_changed: usize,
    /// The new weights of the codes that change, then their exponentials.
    fresh: Vec<f32>,
}

/// A code's weight, and how it is about to change: by `gain − share·exp(weight)`, which is what
/// algorithm 2 adds up over the decisions in which it took part.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    weight: f32,
    gain: f32,
    share: f32,
}

impl Table {
    pub(super) fn new(sharpness: f32) -> Self {
        let (exps, entries, fresh) = (Vec::new(), Vec::new(), Vec::new());
        Table { sharpness, exps, entries, changed: vec![0], n_changed: 0, fresh }
    }

    pub(super) fn weight(&self, code: u32) -> f32 {
        self.entries.get(code as usize).map_or(0.0, |entry| entry.weight)
    }

    pub(super) fn learnt(&self) -> Vec<(u32, f32)> {
        let weights = self.entries.iter().map(|entry| entry.weight).enumerate();
        let weights = weights.filter(|(_, weight)| *weight != 0.0);
        weights.map(|(code, weight)| (code as u32, weight)).collect()
    }

    /// Makes room for all codes below a number.
    pub(super) fn cover(&mut self, n_codes: usize) {
        if self.entries.len() < n_codes {
            self.entries.resize(n_codes, Entry::default());
            // The weight of a code that was never met is 0.
            self.exps.resize(n_codes, 1.0);
            self.changed.resize(n_codes + 1, 0);
        }
    }

    /// Makes room for these codes.
    pub(super) fn cover_all(&mut self, codes: &[u32]) {
        let largest = codes.iter().copied().max();
        self.cover(largest.map_or(0, |code| code as usize + 1));
    }

    /// The exponentials of the weights by code, as far as there is room.
    pub(super) fn exps(&self) -> &[f32] {
        &self.exps
    }

    /// The exponential of a weight as the adaptation needs it: there k is 1, unlike in the playout.
    pub(super) fn exp(&self, code: u32) -> f32 {
        let code = code as usize;
        if is_plain(self.sharpness) { self.exps[code] } else { self.entries[code].weight.exp() }
    }

    /// Collects the changes for one decision (algorithm 2): the code chosen gains, all lose in
    /// proportion to their probabilities. There must be room for the codes. `total` is the sum of
    /// their exponentials, or 0 if nobody knows it.
    pub(super) fn adapt(&mut self, codes: &[u32], chosen: u32, rate: f32, total: f32) {
        let known = total > 0.0;
        let total = if known { total } else { codes.iter().map(|&code| self.exp(code)).sum() };
        self.gain(chosen, rate);
        let share = rate / total;
        self.lose(codes.iter().map(|&code| (code, share)));
    }

    /// The code of what was chosen gains.
    pub(super) fn gain(&mut self, code: u32, rate: f32) {
        self.entries[code as usize].gain += rate;
    }

    /// Codes lose these parts of their exponentials.
    #[inline]
    pub(super) fn lose(&mut self, shares: impl Iterator<Item = (u32, f32)>) {
        let mut n_changed = self.n_changed;
        for (code, share) in shares {
            let entry = &mut self.entries[code as usize];
            // Written in any case, counted if it is new: no machine foresees which is.
            self.changed[n_changed] = code;
            n_changed += usize::from(entry.share == 0.0);
            entry.share += share;
        }
        self.n_changed = n_changed;
    }

    /// Applies the changes that were collected.
    pub(super) fn apply(&mut self) {
        let changed = &self.changed[..self.n_changed];
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.clear();
        let plain = is_plain(self.sharpness);
        fresh.extend(changed.iter().map(|&code| {
            let entry = &mut self.entries[code as usize];
            let exp = if plain { self.exps[code as usize] } else { entry.weight.exp() };
            let weight = entry.weight + entry.gain - entry.share * exp;
            *entry = Entry { weight: weight.clamp(-BOUND, BOUND), gain: 0.0, share: 0.0 };
            self.sharpness * entry.weight
        }));
        exponentials(&mut fresh);
        for (&code, &exp) in changed.iter().zip(&fresh) {
            self.exps[code as usize] = exp;
        }
        self.fresh = fresh;
        self.n_changed = 0;
    }

    /// All weights are 0 again.
    pub(super) fn clear(&mut self) {
        self.entries.fill(Entry::default());
        self.exps.fill(1.0);
    }

    pub(super) fn load(&mut self, weights: &[(u32, f32)]) {
        for &(code, weight) in weights {
            self.cover(code as usize + 1);
            self.entries[code as usize].weight = weight;
            let mut exp = [self.sharpness * weight];
            exponentials(&mut exp);
            self.exps[code as usize] = exp[0];
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
            + (self.exps.capacity() + self.changed.capacity() + self.fresh.capacity()) * 4
    }
}

/// Whether playouts and adaptation have the same probabilities.
pub(super) fn is_plain(sharpness: f32) -> bool {
    (sharpness - 1.0).abs() < f32::EPSILON
}
