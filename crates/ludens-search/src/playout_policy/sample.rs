//! Weighted sampling.

use ludens_core::Rng;

/// The sum of some weights.
#[inline]
pub(super) fn sum(weights: &[f32]) -> f32 {
    // Four independent sums, so that additions overlap.
    let mut sums = [0.0f32; 4];
    let chunks = weights.chunks_exact(4);
    let rest: f32 = chunks.remainder().iter().sum();
    for chunk in chunks {
        sums.iter_mut().zip(chunk).for_each(|(sum, weight)| *sum += weight);
    }
    sums.iter().sum::<f32>() + rest
}

/// An index with probability proportional to its weight; weights are positive and finite.
#[inline]
pub(super) fn roulette(weights: &[f32], rng: &mut Rng) -> usize {
    roulette_with_total(weights, sum(weights), rng)
}

/// The same with a known sum of the weights.
#[inline]
pub(super) fn roulette_with_total(weights: &[f32], total: f32, rng: &mut Rng) -> usize {
    let mut left = rng.unit() as f32 * total;
    let mut passed = 0;
    // Four at a time first, since each step depends on the one before.
    for chunk in weights.chunks_exact(4) {
        let four = (chunk[0] + chunk[1]) + (chunk[2] + chunk[3]);
        if left < four {
            break;
        }
        left -= four;
        passed += 4;
    }
    for (i, weight) in weights.iter().enumerate().skip(passed) {
        left -= weight;
        if left < 0.0 {
            return i;
        }
    }
    // Rounding can leave a remainder.
    weights.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_drawn_in_proportion_to_their_weights() {
        let weights = [1.0, 2.0, 0.5, 4.0, 0.25, 8.0, 0.25];
        let mut rng = Rng::new(3);
        let draws = 160_000;
        let mut counts = [0u32; 7];
        (0..draws).for_each(|_| counts[roulette(&weights, &mut rng)] += 1);
        let expected = weights.map(|weight| f64::from(weight) / 16.0 * f64::from(draws));
        let chi2: f64 =
            counts.iter().zip(expected).map(|(&n, e)| (f64::from(n) - e).powi(2) / e).sum();
        // 6 degrees of freedom; one false alarm in a million.
        assert!(chi2 < 38.3, "{counts:?}: χ² = {chi2}");
    }
}
