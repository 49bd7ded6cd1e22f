//! The weights of both roles as integers.

use ludens_core::WeightsVersion;
use pulp::{Arch, Simd, WithSimd};

use super::roulette::Pair;

/// The integer of the largest weight of a role. Weights below 2⁻⁵¹ of it, about e⁻³⁵, are rounded up to
/// 1. The sum over the maximum number of cells is below 2⁶³.
const LARGEST: f64 = (1u64 << 51) as f64;

/// Added to a number up to 2⁵¹, this rounds it to an integer in the low bits.
const ROUNDER: f64 = (1u64 << 52) as f64;

/// Scaled weights by key and role.
#[derive(Clone, Debug, Default)]
pub(super) struct Scaled {
    numbers: Vec<Pair>,
    /// The weight of 1.
    units: [f32; 2],
    /// Identifies the weights of each role.
    versions: [Option<WeightsVersion>; 2],
}

impl Scaled {
    /// Scales the weights of a role, unless they are the same as last time.
    pub(super) fn set(&mut self, role_idx: usize, weights: &[f32], version: WeightsVersion) {
        if self.versions[role_idx].replace(version) == Some(version) {
            return;
        }
        self.numbers.resize(weights.len(), [0; 2]);
        let scaling = Scaling { weights, numbers: &mut self.numbers, role_idx };
        // Vector width depends on the processor; the numbers do not.
        self.units[role_idx] = (1.0 / Arch::new().dispatch(scaling)) as f32;
    }

    /// By key.
    pub(super) fn numbers(&self) -> &[Pair] {
        &self.numbers
    }

    /// The weight of an integer.
    #[inline]
    pub(super) fn weight(&self, role_idx: usize, number: u64) -> f32 {
        // Processors convert signed integers only.
        number.cast_signed() as f32 * self.units[role_idx]
    }
}

/// The scaling of one role.
struct Scaling<'a> {
    weights: &'a [f32],
    numbers: &'a mut [Pair],
    role_idx: usize,
}

impl WithSimd for Scaling<'_> {
    /// The factor of the weights.
    type Output = f64;

    #[expect(clippy::inline_always, reason = "only inlined code is compiled with wide vectors")]
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f64 {
        let scale = LARGEST / f64::from(largest(self.weights));
        for (numbers, &weight) in self.numbers.iter_mut().zip(self.weights) {
            let scaled = f64::from(weight) * scale;
            let scaled = if scaled > 1.0 { scaled } else { 1.0 };
            numbers[self.role_idx] = (scaled + ROUNDER).to_bits() - ROUNDER.to_bits();
        }
        scale
    }
}

/// The maximum of positive numbers.
#[expect(clippy::inline_always, reason = "only inlined code is compiled with wide vectors")]
#[inline(always)]
fn largest(weights: &[f32]) -> f32 {
    let (chunks, rest) = weights.as_chunks::<16>();
    let larger = |a: f32, b: f32| if a > b { a } else { b };
    let mut columns = [f32::MIN_POSITIVE; 16];
    for chunk in chunks {
        columns = std::array::from_fn(|at| larger(chunk[at], columns[at]));
    }
    columns.iter().chain(rest).fold(f32::MIN_POSITIVE, |largest, &weight| larger(weight, largest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_proportional_to_weights() {
        let mut scaled = Scaled::default();
        let weights: Vec<f32> = (0..99).map(|at| ((at as f32) * 0.7).sin().exp() * 3.0).collect();
        for role_idx in [0, 1] {
            scaled.set(role_idx, &weights, WeightsVersion::fresh());
            for (numbers, weight) in scaled.numbers().iter().zip(&weights) {
                let found = scaled.weight(role_idx, numbers[role_idx]);
                assert!((found / weight - 1.0).abs() < 1e-6, "{found} {weight}");
            }
        }
        let sum: u64 = scaled.numbers().iter().map(|numbers| numbers[1]).sum();
        assert!((scaled.weight(1, sum) / weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_smallest_weights_stay_positive_and_the_largest_do_not_overflow() {
        let (mut scaled, bound) = (Scaled::default(), 40.0f32);
        scaled.set(0, &[bound.exp(), (-bound).exp(), 10.0f32.exp()], WeightsVersion::fresh());
        let [largest, least, some] = scaled.numbers()[..] else { panic!("three keys") };
        assert_eq!((largest[0], least[0]), (1 << 51, 1));
        assert!(some[0] > 1 && largest[0].checked_mul(640).is_some_and(|sum| sum < 1 << 63));
    }

    #[test]
    fn weights_are_scaled_again_only_if_they_have_changed() {
        let (mut scaled, version) = (Scaled::default(), WeightsVersion::fresh());
        scaled.set(1, &[1.0, 2.0], version);
        let before = scaled.numbers().to_vec();
        scaled.set(1, &[5.0, 2.0], version);
        assert_eq!(scaled.numbers(), before);
        scaled.set(1, &[5.0, 2.0], WeightsVersion::fresh());
        assert_ne!(scaled.numbers(), before);
    }
}
