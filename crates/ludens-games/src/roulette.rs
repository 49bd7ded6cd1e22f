//! Roulette-wheel selection: slots are drawn with probabilities proportional to their weights, which
//! may change.

use ludens_core::Rng;

use crate::pick::{pick, sum};

/// The number of lanes of a vector.
const WIDTH: usize = 4;

/// The slots of four vectors.
const ROW: usize = 4 * WIDTH;

/// 64 slots, initially with weight 0. Vectors are aligned, so that they can be memory operands.
#[derive(Clone, Debug)]
#[repr(align(16))]
pub struct Roulette {
    weights: [f32; 64],
    /// At the last draw, the sums of all vectors in the rows before each one.
    before: [[f32; WIDTH]; 64 / ROW],
}

impl Default for Roulette {
    fn default() -> Self {
        Roulette { weights: [0.0; 64], before: [[0.0; WIDTH]; 64 / ROW] }
    }
}

impl Roulette {
    /// Sets all weights to 0.
    pub fn clear(&mut self) {
        self.weights = [0.0; 64];
    }

    /// Changes the weight of a slot.
    #[inline]
    pub fn set(&mut self, slot: usize, weight: f32) {
        self.weights[slot] = weight;
    }

    /// The weight of a slot.
    #[inline]
    pub fn weight(&self, slot: usize) -> f32 {
        self.weights[slot]
    }

    /// Draws a slot with a probability proportional to its weight, and returns the sum of all weights,
    /// which must be positive.
    #[inline]
    pub fn draw(&mut self, rng: &mut Rng) -> (usize, f32) {
        let mut sums = [0.0; WIDTH];
        let before = &mut self.before;
        let (vectors, _) = self.weights.as_chunks::<WIDTH>();
        let (rows, _) = vectors.as_chunks::<{ ROW / WIDTH }>();
        for (before, [a, b, c, d]) in before.iter_mut().zip(rows) {
            *before = sums;
            sums = std::array::from_fn(|at| sums[at] + ((a[at] + b[at]) + (c[at] + d[at])));
        }
        // Keeps the compiler from splitting vectors before the additions.
        let sums = std::hint::black_box(sums);
        let total = sum(&sums);
        let (column, left) = pick(&sums, rng.unit() as f32 * total);
        // Summing comparisons is cheaper than mispredicted branches, and those of all columns are
        // cheaper than selecting one.
        let mut passed = [0u32; WIDTH];
        for sums in &before[1..] {
            passed = std::array::from_fn(|at| passed[at] + u32::from(sums[at] <= left));
        }
        let row = std::hint::black_box(passed)[column] as usize;
        let weights: [f32; ROW / WIDTH] = std::array::from_fn(|at| rows[row][at][column]);
        let (at, _) = pick(&weights, left - before[row][column]);
        let slot = ROW * row + WIDTH * at + column;
        (if weights[at] > 0.0 { slot } else { self.last() }, total)
    }

    /// The last slot with a positive weight, in the rare case that rounding leaves a remainder.
    #[cold]
    fn last(&self) -> usize {
        self.weights.iter().rposition(|&weight| weight > 0.0).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_testkit::chi_square::chi_square;

    #[test]
    fn slots_are_drawn_in_proportion_to_their_weights() {
        let (mut rng, mut roulette) = (Rng::new(1), Roulette::default());
        let mut weights = vec![0.0; 64];
        // Weights are set, changed and removed.
        for round in 0..300 {
            let slot = rng.below(64);
            weights[slot] = if round % 3 == 0 { 0.0 } else { rng.unit() as f32 };
            roulette.set(slot, weights[slot]);
        }
        let mut counts = vec![0; 64];
        for _ in 0..100_000 {
            let (slot, total) = roulette.draw(&mut rng);
            counts[slot] += 1;
            assert!((total - weights.iter().sum::<f32>()).abs() < 1e-4);
        }
        let weights: Vec<f64> = weights.into_iter().map(f64::from).collect();
        assert!(chi_square(&counts, &weights).fits());
    }

    #[test]
    fn rounding_never_selects_a_slot_without_weight() {
        let (mut rng, mut roulette) = (Rng::new(2), Roulette::default());
        for (slot, weight) in [(5, 1e-9), (17, 3e7), (18, 1e-3), (40, 0.7)] {
            roulette.set(slot, weight);
        }
        for _ in 0..10_000 {
            let (slot, _) = roulette.draw(&mut rng);
            assert!(roulette.weight(slot) > 0.0, "{slot}");
        }
        assert_eq!(roulette.last(), 40);
        roulette.clear();
        assert_eq!(roulette.draw(&mut rng), (0, 0.0));
    }
}
