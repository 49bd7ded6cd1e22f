//! Pearson's χ² test of counts against expected counts.

/// The result of a test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ChiSquare {
    /// The statistic.
    pub chi2: f64,
    /// Degrees of freedom.
    pub freedom: f64,
    /// The statistic as a standard normal deviate (Wilson and Hilferty, 1931: the cube root of
    /// χ²/k is close to normal).
    pub z: f64,
}

/// The threshold in standard deviations. A correct sampler fails one test in 2·10⁶; seeds are
/// fixed, so that a test that passed once passes forever.
pub const MAX_Z: f64 = 4.9;

/// Compares counts with expected weights, which need not add up to 1.
///
/// Cells with an expected count below five are merged, since the normal approximation does not hold
/// for them.
///
/// ```
/// use ludens_core::Rng;
/// use ludens_testkit::chi_square::chi_square;
///
/// let mut rng = Rng::new(1);
/// let mut counts = [0; 3];
/// (0..9000).for_each(|_| counts[rng.below(3)] += 1);
/// assert!(chi_square(&counts, &[1.0, 1.0, 1.0]).fits());
/// assert!(!chi_square(&counts, &[1.0, 1.0, 1.5]).fits());
/// ```
pub fn chi_square(counts: &[u64], weights: &[f64]) -> ChiSquare {
    assert_eq!(counts.len(), weights.len(), "each count needs its weight");
    let draws: u64 = counts.iter().sum();
    let total: f64 = weights.iter().sum();
    let mut cells: Vec<(f64, f64)> = Vec::new();
    let mut rare = (0.0, 0.0);
    for (&count, &weight) in counts.iter().zip(weights) {
        let expected = draws as f64 * weight / total;
        if expected < 5.0 {
            rare = (rare.0 + count as f64, rare.1 + expected);
        } else {
            cells.push((count as f64, expected));
        }
    }
    if rare != (0.0, 0.0) {
        cells.push(rare);
    }
    let chi2 = cells.iter().map(|&(count, expected)| term(count, expected)).sum();
    let freedom = cells.len().saturating_sub(1) as f64;
    ChiSquare { chi2, freedom, z: deviate(chi2, freedom) }
}

impl ChiSquare {
    /// Whether the counts are as expected.
    pub fn fits(self) -> bool {
        self.z < MAX_Z
    }
}

/// An impossible outcome that did occur makes the statistic infinite.
fn term(count: f64, expected: f64) -> f64 {
    if count > 0.0 && expected == 0.0 {
        return f64::INFINITY;
    }
    if expected == 0.0 { 0.0 } else { (count - expected).powi(2) / expected }
}

fn deviate(chi2: f64, freedom: f64) -> f64 {
    if freedom == 0.0 {
        // Expected counts are sums of fractions, so that even one cell need not fit exactly.
        return if chi2 > 1e-6 { f64::INFINITY } else { 0.0 };
    }
    let variance = 2.0 / (9.0 * freedom);
    ((chi2 / freedom).cbrt() - (1.0 - variance)) / variance.sqrt()
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;

    use super::*;

    #[test]
    fn a_table_value_is_reproduced() {
        // The 0.999 quantile of χ² with 10 degrees of freedom is 29.588; that of the normal is 3.09.
        assert!((deviate(29.588, 10.0) - 3.09).abs() < 0.03);
    }

    #[test]
    fn false_alarms_are_as_rare_as_stated() {
        let mut rng = Rng::new(1);
        let mut worst = f64::NEG_INFINITY;
        let mut above_one = 0;
        for _ in 0..2000 {
            let mut counts = [0; 6];
            (0..600).for_each(|_| counts[rng.below(6)] += 1);
            let z = chi_square(&counts, &[1.0; 6]).z;
            above_one += usize::from(z > 1.0);
            worst = worst.max(z);
        }
        assert!(worst < MAX_Z);
        // One normal deviate in 6.3 is above 1.
        assert!((250..390).contains(&above_one), "{above_one}");
    }

    #[test]
    fn an_impossible_outcome_is_detected() {
        assert!(!chi_square(&[100, 1], &[1.0, 0.0]).fits());
        assert!(chi_square(&[100, 0], &[1.0, 0.0]).fits());
        assert!(chi_square(&[100], &[1.0]).fits());
    }

    #[test]
    fn a_slightly_loaded_die_is_detected() {
        let mut rng = Rng::new(2);
        let mut counts = [0; 6];
        (0..60_000).for_each(|_| counts[rng.below(106).min(100) % 6] += 1);
        assert!(!chi_square(&counts, &[1.0; 6]).fits());
    }
}
