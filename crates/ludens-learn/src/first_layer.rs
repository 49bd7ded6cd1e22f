//! The first layer on the leaves of searches, updated from what changed.
//!
//! Leaves of one search differ in few facts, and the first layer is a sum of rows: the rows of inputs that have
//! changed are added or subtracted (efficiently updatable networks, Nasu 2018). Sums are whole numbers, so that
//! they depend on the position alone, and not on the leaves before it.

#![expect(
    clippy::inline_always,
    reason = "code that is not inlined into a dispatched function has no vector instructions"
)]

use pulp::{Arch, Simd, WithSimd};

use crate::inputs::{Changes, InputScratch, Inputs, LastInputs};
use crate::weights::{PAD, Weights};

/// The first layer of the last leaf of each of some searches.
#[derive(Clone, Debug)]
pub(crate) struct FirstLayer {
    arch: Arch,
    rows: Rows,
    /// By the index of a search.
    leaves: Vec<Option<LastLeaf>>,
    changes: Changes,
}

#[derive(Clone, Debug)]
struct LastLeaf {
    inputs: LastInputs,
    sums: Vec<i32>,
}

/// The weights of the first layer as multiples of a unit.
#[derive(Clone, Debug)]
struct Rows {
    values: Vec<i32>,
    biases: Vec<i32>,
    stride: usize,
    unit: f32,
}

/// No sum of weights is more than this many units.
const MAX_SUM: f64 = (1 << 30) as f64;

/// The smallest unit is one over this.
const MAX_UNITS: f64 = (1 << 22) as f64;

impl Rows {
    fn new(weights: &Weights) -> Self {
        let layer = &weights.trunk[0];
        let (rows, biases) = (weights.rows(layer), &weights.biases(layer)[..layer.stride]);
        let mut sums: Vec<f64> = biases.iter().map(|bias| f64::from(bias.abs())).collect();
        for row in rows.chunks_exact(layer.stride) {
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += f64::from(weight.abs()));
        }
        let largest = sums.into_iter().fold(MAX_SUM / MAX_UNITS, f64::max);
        // A power of two, so that most weights change in their last digits only.
        let units = (MAX_SUM / largest).log2().floor().exp2();
        let rounded = |weight: &f32| (f64::from(*weight) * units).round() as i32;
        Rows {
            values: rows.iter().map(rounded).collect(),
            biases: biases.iter().map(rounded).collect(),
            stride: layer.stride,
            unit: (1.0 / units) as f32,
        }
    }
}

impl FirstLayer {
    /// The first layer of a network with these parameters.
    pub(crate) fn new(weights: &Weights) -> Self {
        let (arch, rows) = (Arch::new(), Rows::new(weights));
        FirstLayer { arch, rows, leaves: Vec::new(), changes: Changes::default() }
    }

    /// Continues with other parameters.
    pub(crate) fn set_weights(&mut self, weights: &Weights) {
        self.rows = Rows::new(weights);
        self.leaves.clear();
    }

    /// Appends the rectified units for a leaf of a search that has the facts in `scratch`.
    pub(crate) fn push(
        &mut self,
        search_idx: usize,
        inputs: &Inputs,
        scratch: &mut InputScratch,
        out: &mut Vec<f32>,
    ) {
        if self.leaves.len() <= search_idx {
            self.leaves.resize_with(search_idx + 1, || None);
        }
        let rows = &self.rows;
        let leaf = self.leaves[search_idx].get_or_insert_with(|| LastLeaf {
            inputs: LastInputs::new(inputs),
            sums: rows.biases.clone(),
        });
        leaf.inputs.update(inputs, scratch, &mut self.changes);
        let first = out.len();
        out.resize(first + rows.stride, 0.0);
        let (changes, sums, out) = (&self.changes, &mut leaf.sums[..], &mut out[first..]);
        self.arch.dispatch(Update { rows, changes, sums, out });
    }
}

/// Adds and subtracts rows, and rectifies the sums.
struct Update<'a> {
    rows: &'a Rows,
    changes: &'a Changes,
    sums: &'a mut [i32],
    out: &'a mut [f32],
}

/// Sums that are kept in registers.
const BLOCK: usize = 4 * PAD;

impl WithSimd for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Update { rows, changes, sums, out } = self;
        let (sums, last_sums) = sums.as_chunks_mut::<BLOCK>();
        let (out, last_out) = out.as_chunks_mut::<BLOCK>();
        let n_blocks = sums.len();
        for (i, (sums, out)) in sums.iter_mut().zip(out).enumerate() {
            update(rows, changes, i * BLOCK, sums, out);
        }
        let last_sums = last_sums.as_chunks_mut::<PAD>().0;
        let last_out = last_out.as_chunks_mut::<PAD>().0;
        for (i, (sums, out)) in last_sums.iter_mut().zip(last_out).enumerate() {
            update(rows, changes, n_blocks * BLOCK + i * PAD, sums, out);
        }
    }
}

/// The sums from a column on.
#[inline(always)]
fn update<const N: usize>(
    rows: &Rows,
    changes: &Changes,
    first: usize,
    sums: &mut [i32; N],
    out: &mut [f32; N],
) {
    let row = |i: u32| -> &[i32; N] {
        let start = i as usize * rows.stride + first;
        rows.values[start..].first_chunk().expect("a row is a whole number of blocks")
    };
    let mut block = *sums;
    for &i in &changes.added {
        let row = row(i);
        for c in 0..N {
            block[c] = block[c].wrapping_add(row[c]);
        }
    }
    for &i in &changes.removed {
        let row = row(i);
        for c in 0..N {
            block[c] = block[c].wrapping_sub(row[c]);
        }
    }
    *sums = block;
    for c in 0..N {
        out[c] = block[c].max(0) as f32 * rows.unit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::{Line, Lines};
    use crate::shape::Shape;
    use ludens_core::Rng;

    /// Twelve facts, of which four lines are made.
    fn inputs() -> Inputs {
        let line = |group, facts: &[u32], blockers: &[u32]| Line {
            group,
            facts: facts.to_vec(),
            blockers: blockers.to_vec(),
        };
        let lines = vec![
            line(0, &[0, 1, 2], &[7]),
            line(0, &[1, 2, 3, 4], &[]),
            line(0, &[2, 5, 6], &[8, 9]),
            // Two facts are missing in a state without facts.
            line(1, &[10, 11], &[]),
        ];
        Inputs::with_lines(Lines::of(lines), 12)
    }

    #[test]
    fn updated_sums_are_those_of_the_position() {
        let inputs = inputs();
        let mut rng = Rng::new(4);
        let shape = Shape::shared(inputs.len(), &[5 * PAD + 3], &[1]);
        let mut weights = Weights::random(&shape, 3.0, &mut rng);
        let layer = weights.trunk[0];
        weights.values[layer.biases..][..layer.width].fill(0.1);
        let mut first = FirstLayer::new(&weights);
        let mut scratch = InputScratch::default();
        for n in 0..400 {
            let facts: Vec<u32> = (0..12).filter(|_| rng.below(2) == 0).collect();
            let mut expected = weights.biases(&layer)[..layer.stride].to_vec();
            let mut lists = crate::Lists::default();
            scratch.facts.clone_from(&facts);
            inputs.push(&mut scratch, &mut lists);
            for &i in lists.get(0) {
                let row = weights.row(&layer, i as usize);
                expected.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
            let mut out = vec![7.0];
            scratch.facts.clone_from(&facts);
            first.push(n % 3, &inputs, &mut scratch, &mut out);
            assert_eq!(out.len(), 1 + layer.stride);
            for (own, expected) in out[1..].iter().zip(expected) {
                assert!((own - expected.max(0.0)).abs() < 1e-5, "{own} {expected}");
            }
            // A search that begins with this position has the same sums, to the last digit.
            let mut alone = Vec::new();
            scratch.facts.clone_from(&facts);
            FirstLayer::new(&weights).push(0, &inputs, &mut scratch, &mut alone);
            assert_eq!(alone, out[1..]);
        }
    }

    #[test]
    fn large_weights_do_not_overflow() {
        let inputs = Inputs::facts(40);
        let shape = Shape::shared(40, &[PAD], &[1]);
        let mut weights = Weights::zeros(&shape);
        let layer = weights.trunk[0];
        weights.values[layer.weights..][..40 * PAD].fill(1e6);
        let mut scratch = InputScratch::default();
        scratch.facts.extend(0..40);
        let mut out = Vec::new();
        FirstLayer::new(&weights).push(0, &inputs, &mut scratch, &mut out);
        assert!(out.iter().all(|&unit| (unit - 4e7).abs() < 4e7 * 1e-6), "{out:?}");
    }
}
