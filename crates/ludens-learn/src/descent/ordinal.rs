//! The ordinal distribution of moves (Cohen-Solal 2020): only the order of values counts, not their size.

use ludens_core::Rng;

/// The place of a random move among `n`, the best first. The best remaining move is taken with probability
/// e + (1 − e) / m, where m moves remain, and otherwise the choice is among the others; the exploitation e
/// is between 0, all moves alike, and 1, always the best.
pub fn draw(n: usize, exploitation: f64, rng: &mut Rng) -> usize {
    let taken = |place: &usize| {
        let remaining = (n - place) as f64;
        rng.unit() < exploitation + (1.0 - exploitation) / remaining
    };
    (0..n).find(taken).unwrap_or(n.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_testkit::chi_square::chi_square;

    /// The probabilities by the recursion of the paper: P(i) = (e + (1 − e) / (n − i)) · (1 − Σ P(j), j < i).
    fn probabilities(n: usize, exploitation: f64) -> Vec<f64> {
        let mut left = 1.0;
        let next = |i| {
            let probability = (exploitation + (1.0 - exploitation) / (n - i) as f64) * left;
            left -= probability;
            probability
        };
        (0..n).map(next).collect()
    }

    #[test]
    fn the_formula_by_hand() {
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(close(&probabilities(4, 0.0), &[0.25; 4]));
        // Three moves, e = 1/2: 2/3; then 3/4 of the remaining third; then the rest.
        assert!(close(&probabilities(3, 0.5), &[2.0 / 3.0, 0.25, 1.0 / 12.0]));
    }
    #[test]
    fn draws_follow_the_formula() {
        let mut rng = Rng::new(5);
        for (n, exploitation) in [(1, 0.3), (2, 0.0), (5, 0.5), (9, 0.8), (30, 0.1)] {
            let mut counts = vec![0; n];
            (0..40_000).for_each(|_| counts[draw(n, exploitation, &mut rng)] += 1);
            let fit = chi_square(&counts, &probabilities(n, exploitation));
            assert!(fit.fits(), "{n} {exploitation}: {fit:?}");
        }
        assert!((0..100).all(|_| draw(7, 1.0, &mut rng) == 0));
    }
}
