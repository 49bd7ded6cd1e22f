//! Random numbers of the symmetric Dirichlet distribution.

use ludens_core::Rng;

/// A point of the symmetric Dirichlet distribution with `n` parameters α: independent numbers of the gamma
/// distribution, divided by their sum.
pub(super) fn dirichlet(n: usize, alpha: f64, rng: &mut Rng) -> Vec<f64> {
    let logs: Vec<f64> = (0..n).map(|_| log_gamma(alpha, rng)).collect();
    // Numbers with a small α may all be too small to be represented; their logarithms are not.
    let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let shares: Vec<f64> = logs.iter().map(|log| (log - highest).exp()).collect();
    let sum: f64 = shares.iter().sum();
    shares.iter().map(|share| share / sum).collect()
}

/// The logarithm of a random number of the gamma distribution with shape α and scale 1. A shape below 1 is
/// that of α + 1 times U^(1/α) (Marsaglia and Tsang 2000, section 6).
fn log_gamma(alpha: f64, rng: &mut Rng) -> f64 {
    if alpha < 1.0 {
        return gamma(alpha + 1.0, rng).ln() + positive_unit(rng).ln() / alpha;
    }
    gamma(alpha, rng).ln()
}

/// A random number of the gamma distribution with a shape of at least 1 (Marsaglia and Tsang 2000): the cube
/// of a normal number, accepted in nearly all cases.
fn gamma(alpha: f64, rng: &mut Rng) -> f64 {
    let d = alpha - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && positive_unit(rng).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// A standard normal random number (Box and Muller 1958).
fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * positive_unit(rng).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.unit()).cos()
}

/// A random number above 0 and at most 1.
fn positive_unit(rng: &mut Rng) -> f64 {
    1.0 - rng.unit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_testkit::chi_square::chi_square;

    /// The gamma distributions with shapes 1, 2 and ½ have distribution functions in closed form, or that of
    /// a squared normal number.
    #[test]
    fn gamma_numbers_fall_into_intervals_with_their_probabilities() {
        let exponential = |x: f64| 1.0 - (-x).exp();
        let second = |x: f64| 1.0 - (1.0 + x) * (-x).exp();
        // erf(√x) by its series: half a squared normal number has shape ½.
        let half = |x: f64| {
            let z = x.sqrt();
            let (mut term, mut sum) = (z, z);
            for n in 1..200 {
                term *= -z * z / f64::from(n);
                sum += term / f64::from(2 * n + 1);
            }
            2.0 / std::f64::consts::PI.sqrt() * sum
        };
        let cases: [(f64, &dyn Fn(f64) -> f64); 3] =
            [(1.0, &exponential), (2.0, &second), (0.5, &half)];
        for (alpha, distribution) in cases {
            let ends: Vec<f64> = (1..20).map(|i| f64::from(i) * 0.2).collect();
            let mut counts = vec![0; ends.len() + 1];
            let mut rng = Rng::new(5);
            for _ in 0..100_000 {
                let x = log_gamma(alpha, &mut rng).exp();
                counts[ends.iter().filter(|&&end| x > end).count()] += 1;
            }
            let below: Vec<f64> = ends.iter().map(|&end| distribution(end)).collect();
            let starts = std::iter::once(&0.0).chain(&below);
            let weights: Vec<f64> =
                starts.zip(below.iter().chain([&1.0])).map(|(a, b)| b - a).collect();
            assert!(chi_square(&counts, &weights).fits(), "{alpha}: {counts:?}");
        }
    }

    /// A component has mean 1/n and variance (n − 1) / (n²·(n·α + 1)).
    #[test]
    fn shares_have_the_moments_of_the_distribution() {
        for (n, alpha) in [(2, 5.0), (3, 1.0), (30, 10.0 / 30.0), (200, 0.05)] {
            let (mut rng, draws) = (Rng::new(7), 20_000);
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..draws {
                let shares = dirichlet(n, alpha, &mut rng);
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                sum += shares[0];
                squares += (shares[0] - 1.0 / n as f64).powi(2);
            }
            let (n, draws) = (n as f64, f64::from(draws));
            let variance = (n - 1.0) / (n * n * (n * alpha + 1.0));
            let (mean, spread) = (sum / draws, squares / draws);
            assert!((mean - 1.0 / n).abs() < 5.0 * (variance / draws).sqrt(), "{n}: {mean}");
            assert!((spread / variance - 1.0).abs() < 0.15, "{n}: {spread} {variance}");
        }
    }

    #[test]
    fn tiny_and_huge_concentrations_are_valid() {
        let mut rng = Rng::new(1);
        for alpha in [1e-6, 1e6] {
            let shares = dirichlet(5, alpha, &mut rng);
            let valid = |share: &f64| share.is_finite() && *share >= 0.0;
            assert!(shares.iter().all(valid), "{shares:?}");
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
}
