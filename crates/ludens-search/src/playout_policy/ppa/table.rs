//! The weights of one role, with their exponentials at hand.

use std::collections::BTreeMap;

use ludens_core::Version;

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
    /// exp(weight), which is what the adaptation needs; empty if k is 1.
    plain_exps: Vec<f32>,
    entries: Vec<Entry>,
    /// The codes whose weights are about to change: the first `n_changed`. There is room for one
    /// more than there are entries.
    changed: Vec<u32>,
    n_changed: usize,
    /// The new weights of the codes that change, then their exponentials.
    fresh: Vec<f32>,
    version: Version,
}

/// A code's weight, and by how much it is about to change: the sum of what algorithm 2 adds and takes
/// away in the decisions in which it took part.
#[derive(Clone, Copy, Debug)]
struct Entry {
    weight: f32,
    /// [`IDLE`] as long as the code has taken part in none. Nothing that is added leads back there:
    /// numbers that cancel each other have the sum +0.
    change: f32,
}

/// No change.
const IDLE: f32 = -0.0;

impl Entry {
    fn new(weight: f32) -> Self {
        Entry { weight, change: IDLE }
    }

    fn is_idle(self) -> bool {
        self.change.to_bits() == IDLE.to_bits()
    }
}

impl Table {
    pub(super) fn new(sharpness: f32) -> Self {
        let (exps, plain_exps, entries, fresh) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (changed, version) = (vec![0], Version::fresh());
        Table { sharpness, exps, plain_exps, entries, changed, n_changed: 0, fresh, version }
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
            // The weight of a code that was never met is 0.
            self.entries.resize(n_codes, Entry::new(0.0));
            self.exps.resize(n_codes, 1.0);
            if !is_plain(self.sharpness) {
                self.plain_exps.resize(n_codes, 1.0);
            }
            self.changed.resize(n_codes + 1, 0);
            self.version = Version::fresh();
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

    /// Stands for the weights as they are now.
    pub(super) fn version(&self) -> Version {
        self.version
    }

    /// Collects the changes for one decision (algorithm 2): the code chosen gains, all lose in
    /// proportion to their probabilities. There must be room for the codes. `total` is the sum of
    /// their exponentials, or 0 if nobody knows it.
    pub(super) fn adapt(&mut self, codes: &[u32], chosen: u32, rate: f32, total: f32) {
        let total = if total > 0.0 { total } else { self.total(codes) };
        let share = rate / total;
        self.lose(codes.iter().map(|&code| (code, share)));
        self.gain(std::iter::once(chosen), rate);
    }

    /// The sum of the exponentials of some codes.
    fn total(&self, codes: &[u32]) -> f32 {
        let exps = self.adapted_exps();
        let (fours, rest) = codes.as_chunks::<4>();
        let mut sums = [0.0; 4];
        for four in fours {
            // Four sums do not wait for each other.
            sums = std::array::from_fn(|at| sums[at] + exps[four[at] as usize]);
        }
        let rest: f32 = rest.iter().map(|&code| exps[code as usize]).sum();
        (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
    }

    /// The exponentials as the adaptation needs them: there k is 1, unlike in the playout.
    fn adapted_exps(&self) -> &[f32] {
        if is_plain(self.sharpness) { &self.exps } else { &self.plain_exps }
    }

    /// The codes of what was chosen gain.
    pub(super) fn gain(&mut self, codes: impl Iterator<Item = u32>, rate: f32) {
        self.collect(codes.map(|code| (code, rate)), |_| -1.0);
    }

    /// Codes lose these parts of their exponentials.
    #[inline]
    pub(super) fn lose(&mut self, shares: impl Iterator<Item = (u32, f32)>) {
        if is_plain(self.sharpness) {
            let exps = std::mem::take(&mut self.exps);
            self.collect(shares, |code| exps[code]);
            self.exps = exps;
        } else {
            let exps = std::mem::take(&mut self.plain_exps);
            self.collect(shares, |code| exps[code]);
            self.plain_exps = exps;
        }
    }

    /// Takes parts of something away from codes.
    #[inline]
    fn collect(&mut self, parts: impl Iterator<Item = (u32, f32)>, of: impl Fn(usize) -> f32) {
        let mut n_changed = self.n_changed;
        let (entries, changed) = (&mut self.entries[..], &mut self.changed[..]);
        for (code, part) in parts {
            let entry = &mut entries[code as usize];
            // Written in any case, counted if it is new: no machine foresees which is.
            changed[n_changed] = code;
            n_changed += usize::from(entry.is_idle());
            // Something is taken away even if it is too little to be a number.
            entry.change -= part * of(code as usize) + f32::MIN_POSITIVE;
        }
        self.n_changed = n_changed;
    }

    /// Applies the changes that were collected.
    pub(super) fn apply(&mut self) {
        if self.n_changed == 0 {
            return;
        }
        self.version = Version::fresh();
        let (changed, entries) = (&self.changed[..self.n_changed], &mut self.entries[..]);
        self.fresh.clear();
        self.fresh.extend(changed.iter().map(|&code| {
            let entry = &mut entries[code as usize];
            *entry = Entry::new((entry.weight + entry.change).clamp(-BOUND, BOUND));
            entry.weight
        }));
        if !is_plain(self.sharpness) {
            let mut plain = self.fresh.clone();
            exponentials(&mut plain);
            scatter(&plain, changed, &mut self.plain_exps);
            self.fresh.iter_mut().for_each(|weight| *weight *= self.sharpness);
        }
        exponentials(&mut self.fresh);
        scatter(&self.fresh, changed, &mut self.exps);
        self.n_changed = 0;
    }

    /// All weights are 0 again.
    pub(super) fn clear(&mut self) {
        self.entries.fill(Entry::new(0.0));
        self.exps.fill(1.0);
        self.plain_exps.fill(1.0);
        self.version = Version::fresh();
    }

    pub(super) fn load(&mut self, weights: &[(u32, f32)]) {
        self.version = Version::fresh();
        for &(code, weight) in weights {
            self.cover(code as usize + 1);
            self.entries[code as usize] = Entry::new(weight);
            let mut exps = [self.sharpness * weight, weight];
            exponentials(&mut exps);
            self.exps[code as usize] = exps[0];
            if let Some(plain) = self.plain_exps.get_mut(code as usize) {
                *plain = exps[1];
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let numbers = [&self.exps, &self.plain_exps, &self.fresh].map(Vec::capacity);
        self.entries.capacity() * size_of::<Entry>()
            + (numbers.iter().sum::<usize>() + self.changed.capacity()) * 4
    }
}

/// Writes numbers to the places of their codes.
fn scatter(numbers: &[f32], codes: &[u32], out: &mut [f32]) {
    for (&code, &number) in codes.iter().zip(numbers) {
        out[code as usize] = number;
    }
}

/// Whether playouts and adaptation have the same probabilities.
pub(super) fn is_plain(sharpness: f32) -> bool {
    (sharpness - 1.0).abs() < f32::EPSILON
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_whose_changes_cancel_are_listed_once() {
        let mut table = Table::new(1.0);
        table.cover(2);
        // A single code gains what it loses, again and again.
        (0..5).for_each(|_| table.adapt(&[0], 0, 0.5, 0.0));
        assert_eq!(table.n_changed, 1);
        table.adapt(&[0, 1], 1, 0.5, 0.0);
        assert_eq!(table.n_changed, 2);
        table.apply();
        let weights = [table.weight(0), table.weight(1)];
        assert!((weights[0] + 0.25).abs() < 1e-6 && (weights[1] - 0.25).abs() < 1e-6);
        assert!(table.entries.iter().all(|entry| entry.is_idle()));
    }
}
