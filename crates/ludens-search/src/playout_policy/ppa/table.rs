//! The weights of one role, with cached exponentials.

use std::collections::BTreeMap;

use ludens_core::WeightsVersion;
use pulp::Arch;

use super::change::{BOUND, Change, UNCHANGED};
use super::exponential::{exponential, exponentials};

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

/// The weights of one role by code.
#[derive(Clone, Debug)]
pub(super) struct Table {
    sharpness: f32,
    /// exp(k·weight), in an array of its own because every playout move reads dozens of them.
    exps: Vec<f32>,
    /// exp(weight), which the adaptation uses; empty if k is 1.
    plain_exps: Vec<f32>,
    weights: Vec<f32>,
    /// The pending change of each weight: the sum of all terms of algorithm 2 over the decisions in which
    /// the code took part. [`UNCHANGED`] as long as it has taken part in none; no addition leads back to
    /// that value, since numbers that cancel each other have the sum +0.
    changes: Vec<f32>,
    /// The codes with a pending change: the first `n_changed`. The length is one more than the number of
    /// weights.
    changed: Vec<u32>,
    n_changed: usize,
    /// Whether codes with a pending change are listed in `changed`.
    tracks_changed: bool,
    /// The new weights of the listed codes, and their exponentials.
    new_weights: Vec<f32>,
    new_exps: Vec<f32>,
    version: WeightsVersion,
}

impl Table {
    pub(super) fn new(sharpness: f32) -> Self {
        Table {
            sharpness,
            exps: Vec::new(),
            plain_exps: Vec::new(),
            weights: Vec::new(),
            changes: Vec::new(),
            changed: vec![0],
            n_changed: 0,
            tracks_changed: true,
            new_weights: Vec::new(),
            new_exps: Vec::new(),
            version: WeightsVersion::fresh(),
        }
    }

    pub(super) fn weight(&self, code: u32) -> f32 {
        self.weights.get(code as usize).copied().unwrap_or(0.0)
    }

    pub(super) fn learnt(&self) -> Vec<(u32, f32)> {
        let weights = self.weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
        weights.map(|(code, &weight)| (code as u32, weight)).collect()
    }

    /// Grows the table to hold all codes below `n_codes`.
    pub(super) fn cover(&mut self, n_codes: usize) {
        if self.weights.len() < n_codes {
            // The weight of a new code is 0.
            self.weights.resize(n_codes, 0.0);
            self.changes.resize(n_codes, UNCHANGED);
            self.exps.resize(n_codes, 1.0);
            if !is_plain(self.sharpness) {
                self.plain_exps.resize(n_codes, 1.0);
            }
            self.changed.resize(n_codes + 1, 0);
            self.version = WeightsVersion::fresh();
        }
    }

    /// Grows the table to hold these codes.
    pub(super) fn cover_all(&mut self, codes: &[u32]) {
        let largest = codes.iter().copied().max();
        self.cover(largest.map_or(0, |code| code as usize + 1));
    }

    /// The exponentials of the weights by code.
    pub(super) fn exps(&self) -> &[f32] {
        &self.exps
    }

    /// The version of the current weights.
    pub(super) fn version(&self) -> WeightsVersion {
        self.version
    }

    /// Accumulates the changes for one decision (algorithm 2): the chosen code gains, and all codes lose
    /// in proportion to their probabilities. The table must hold the codes. `total` is the sum of their
    /// exponentials, or 0 if it is unknown.
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
            // Four independent sums, so that additions overlap.
            sums = std::array::from_fn(|at| sums[at] + exps[four[at] as usize]);
        }
        let rest: f32 = rest.iter().map(|&code| exps[code as usize]).sum();
        (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
    }

    /// The exponentials for the adaptation, in which k is 1, unlike in the playout.
    fn adapted_exps(&self) -> &[f32] {
        if is_plain(self.sharpness) { &self.exps } else { &self.plain_exps }
    }

    /// Adds the rate to the chosen codes.
    pub(super) fn gain(&mut self, codes: impl Iterator<Item = u32>, rate: f32) {
        self.subtract(codes.map(|code| (code, rate)), |_| -1.0);
    }

    /// Subtracts from each code the share times its exponential.
    #[inline]
    pub(super) fn lose(&mut self, shares: impl Iterator<Item = (u32, f32)>) {
        if is_plain(self.sharpness) {
            let exps = std::mem::take(&mut self.exps);
            self.subtract(shares, |code| exps[code]);
            self.exps = exps;
        } else {
            let exps = std::mem::take(&mut self.plain_exps);
            self.subtract(shares, |code| exps[code]);
            self.plain_exps = exps;
        }
    }

    /// Sets whether the next changes are applied together with dense shares. Then all codes are updated,
    /// and those that have changed need not be listed.
    pub(super) fn expect_dense(&mut self, dense: bool) {
        self.tracks_changed = !dense;
    }

    /// Subtracts from each code the given factor times `of` the code.
    #[inline]
    fn subtract(&mut self, parts: impl Iterator<Item = (u32, f32)>, of: impl Fn(usize) -> f32) {
        if !self.tracks_changed {
            let changes = &mut self.changes[..];
            parts.for_each(|(code, part)| changes[code as usize] -= part * of(code as usize));
            return;
        }
        let mut n_changed = self.n_changed;
        let (changes, changed) = (&mut self.changes[..], &mut self.changed[..]);
        for (code, part) in parts {
            let change = &mut changes[code as usize];
            // Written unconditionally, and counted if new, to avoid a mispredicted branch.
            changed[n_changed] = code;
            n_changed += usize::from(change.to_bits() == UNCHANGED.to_bits());
            // The change is nonzero even if the product underflows.
            *change -= part * of(code as usize) + f32::MIN_POSITIVE;
        }
        self.n_changed = n_changed;
    }

    /// Applies the pending changes, and subtracts from each code the rate times its share times its
    /// exponential; codes beyond the end of `shares` have share 0.
    pub(super) fn apply(&mut self, shares: &[f32], rate: f32) {
        if !self.tracks_changed || !shares.is_empty() {
            self.apply_to_all(shares, rate);
        } else if self.n_changed > 0 {
            self.apply_to_changed();
        } else {
            return;
        }
        self.version = WeightsVersion::fresh();
        self.n_changed = 0;
    }

    /// Applies the changes of all codes, listed or not, in one pass.
    fn apply_to_all(&mut self, shares: &[f32], rate: f32) {
        let plain = is_plain(self.sharpness);
        let exps = if plain { &mut self.exps } else { &mut self.plain_exps };
        let (weights, changes) = (&mut self.weights[..], &mut self.changes[..]);
        // The vector width depends on the processor; the numbers do not.
        Arch::new().dispatch(Change { weights, changes, exps, shares, rate });
        if !plain {
            exponentials(&self.weights, self.sharpness, &mut self.exps);
        }
    }

    /// Applies the changes of the listed codes.
    fn apply_to_changed(&mut self) {
        let (changed, weights) = (&self.changed[..self.n_changed], &mut self.weights[..]);
        self.new_weights.clear();
        self.new_weights.extend(changed.iter().map(|&code| {
            let (weight, change) = (&mut weights[code as usize], &mut self.changes[code as usize]);
            *weight = (*weight + std::mem::replace(change, UNCHANGED)).clamp(-BOUND, BOUND);
            *weight
        }));
        self.new_exps.resize(changed.len(), 0.0);
        exponentials(&self.new_weights, self.sharpness, &mut self.new_exps);
        scatter(&self.new_exps, changed, &mut self.exps);
        if !is_plain(self.sharpness) {
            exponentials(&self.new_weights, 1.0, &mut self.new_exps);
            scatter(&self.new_exps, changed, &mut self.plain_exps);
        }
    }

    /// Resets all weights to 0.
    pub(super) fn clear(&mut self) {
        self.weights.fill(0.0);
        self.exps.fill(1.0);
        self.plain_exps.fill(1.0);
        self.version = WeightsVersion::fresh();
    }

    pub(super) fn load(&mut self, weights: &[(u32, f32)]) {
        self.version = WeightsVersion::fresh();
        for &(code, weight) in weights {
            self.cover(code as usize + 1);
            self.weights[code as usize] = weight;
            self.exps[code as usize] = exponential(self.sharpness * weight);
            if let Some(plain) = self.plain_exps.get_mut(code as usize) {
                *plain = exponential(weight);
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let lasting = [&self.exps, &self.plain_exps, &self.weights, &self.changes];
        let numbers = lasting.into_iter().chain([&self.new_weights, &self.new_exps]);
        let n_numbers: usize = numbers.map(Vec::capacity).sum();
        (n_numbers + self.changed.capacity()) * 4
    }
}

/// Writes numbers to the indices of their codes.
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
        table.apply(&[], 0.0);
        let weights = [table.weight(0), table.weight(1)];
        assert!((weights[0] + 0.25).abs() < 1e-6 && (weights[1] - 0.25).abs() < 1e-6);
        assert!(table.changes.iter().all(|change| change.to_bits() == UNCHANGED.to_bits()));
    }

    #[test]
    fn dense_shares_have_the_effect_of_single_ones() {
        for sharpness in [1.0, 1.5] {
            let mut tables = [Table::new(sharpness), Table::new(sharpness)];
            let shares = [0.0, 0.25, 0.0, 0.125, 0.5];
            for table in &mut tables {
                table.load(&[(0, 1.5), (3, -2.0), (6, 0.25)]);
            }
            for _ in 0..3 {
                let [sparse, dense] = &mut tables;
                let listed = shares.iter().enumerate().filter(|(_, share)| **share > 0.0);
                sparse.lose(listed.map(|(code, share)| (code as u32, 0.32 * share)));
                dense.expect_dense(true);
                for (table, shares) in [(sparse, &[][..]), (dense, &shares[..])] {
                    table.gain([1, 5].into_iter(), 0.32);
                    table.apply(shares, 0.32);
                }
            }
            let [sparse, dense] = tables;
            assert_eq!(sparse.weights, dense.weights);
            assert_eq!((sparse.exps, sparse.plain_exps), (dense.exps, dense.plain_exps));
        }
    }
}
