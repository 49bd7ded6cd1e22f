//! The weights of one role, with their exponentials at hand.

use std::collections::BTreeMap;

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

/// Weights stay within these bounds, far beyond which a move is as good as certain or impossible;
/// their exponentials stay finite.
const BOUND: f32 = 40.0;

/// The weights of one role by code.
#[derive(Clone, Debug)]
pub(super) struct Table {
    sharpness: f32,
    /// exp(k·weight), apart from the rest because every playout move reads dozens of them.
    exps: Vec<f32>,
    entries: Vec<Entry>,
    /// The codes whose weights are about to change.
    changed: Vec<u32>,
    /// How often weights have changed.
    version: u32,
}

/// A code's weight, and how it is about to change: by `gain − share·exp(weight)`, which is what
/// algorithm 2 adds up over the decisions in which it took part.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    weight: f32,
    gain: f32,
    share: f32,
}

/// The sum of some exponentials, and the version of the weights that it was taken of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    value: f32,
    version: u32,
}

impl Table {
    pub(super) fn new(sharpness: f32) -> Self {
        let (exps, entries, changed) = (Vec::new(), Vec::new(), Vec::new());
        Table { sharpness, exps, entries, changed, version: 1 }
    }

    pub(super) fn weight(&self, code: u32) -> f32 {
        self.entries.get(code as usize).map_or(0.0, |entry| entry.weight)
    }

    pub(super) fn learnt(&self) -> Vec<(u32, f32)> {
        let weights = self.entries.iter().map(|entry| entry.weight).enumerate();
        let weights = weights.filter(|(_, weight)| *weight != 0.0);
        weights.map(|(code, weight)| (code as u32, weight)).collect()
    }

    #[cold]
    fn grow(&mut self, code: u32) {
        self.entries.resize(code as usize + 1, Entry::default());
        self.exps.resize(code as usize + 1, 1.0);
    }

    /// The exponentials of the weights of some codes, and their sum.
    #[inline]
    pub(super) fn exps(&self, codes: &[u32], out: &mut Vec<f32>) -> (f32, Sum) {
        // The weight of a code that was never met is 0.
        let exp = |code: u32| self.exps.get(code as usize).copied().unwrap_or(1.0);
        out.resize(codes.len(), 0.0);
        // Four sums at once: one sum would wait for itself at every step.
        let mut sums = [0.0f32; 4];
        let (fours, rest) = codes.as_chunks::<4>();
        let (places, last) = out.as_chunks_mut::<4>();
        for (codes, places) in fours.iter().zip(places) {
            *places = codes.map(exp);
            sums.iter_mut().zip(places).for_each(|(sum, exp)| *sum += *exp);
        }
        for (&code, place) in rest.iter().zip(last) {
            *place = exp(code);
            sums[0] += *place;
        }
        let value = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        // The probabilities of the adaptation have k = 1, unlike those of the playout.
        let version = if self.is_plain() { self.version } else { 0 };
        (value, Sum { value, version })
    }

    fn is_plain(&self) -> bool {
        (self.sharpness - 1.0).abs() < f32::EPSILON
    }

    fn exp(&self, code: u32) -> f32 {
        match self.exps.get(code as usize) {
            Some(&exp) if self.is_plain() => exp,
            _ => self.weight(code).exp(),
        }
    }

    /// Collects the changes for one decision (algorithm 2): the code chosen gains, all lose in
    /// proportion to their probabilities. A sum of the present version need not be taken again.
    pub(super) fn adapt(&mut self, codes: &[u32], chosen: usize, rate: f32, known: Sum) {
        let total = if known.version == self.version {
            known.value
        } else {
            codes.iter().map(|&code| self.exp(code)).sum()
        };
        let share = rate / total;
        for &code in codes {
            if code as usize >= self.entries.len() {
                self.grow(code);
            }
            let entry = &mut self.entries[code as usize];
            if entry.share == 0.0 {
                self.changed.push(code);
            }
            entry.share += share;
        }
        self.entries[codes[chosen] as usize].gain += rate;
    }

    /// Applies the changes that were collected.
    pub(super) fn apply(&mut self) {
        let mut changed = std::mem::take(&mut self.changed);
        for &code in &changed {
            let exp = self.exp(code);
            let entry = &mut self.entries[code as usize];
            let weight = entry.weight + entry.gain - entry.share * exp;
            *entry = Entry { weight: weight.clamp(-BOUND, BOUND), gain: 0.0, share: 0.0 };
            self.exps[code as usize] = (self.sharpness * entry.weight).exp();
        }
        changed.clear();
        self.changed = changed;
        self.new_version();
    }

    fn new_version(&mut self) {
        // 0 stands for a sum that is of no version.
        self.version = self.version.wrapping_add(1).max(1);
    }

    /// All weights are 0 again.
    pub(super) fn clear(&mut self) {
        self.entries.fill(Entry::default());
        self.exps.fill(1.0);
        self.new_version();
    }

    pub(super) fn load(&mut self, weights: &[(u32, f32)]) {
        for &(code, weight) in weights {
            if code as usize >= self.entries.len() {
                self.grow(code);
            }
            self.entries[code as usize].weight = weight;
            self.exps[code as usize] = (self.sharpness * weight).exp();
        }
        self.new_version();
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>() + self.exps.capacity() * 4
    }
}
