//! Maximum likelihood of a multinomial distribution under a constraint (the empirical likelihood of
//! Owen 1988, as Van den Bergh uses it for tests of chess engines).

/// The probabilities `p` of maximum likelihood with `Σ p·a = 0`, for observed frequencies `seen`.
///
/// The Lagrange condition gives `p = seen / (1 + x·a)`, where `x` is the only zero of a decreasing
/// function between two poles; bisection finds it. `None` if all `a` have the same sign, since no
/// such probabilities exist.
pub(super) fn likeliest(seen: &[f64], a: &[f64]) -> Option<Vec<f64>> {
    let least = a.iter().copied().fold(f64::INFINITY, f64::min);
    let most = a.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return None;
    }
    let slope = |x: f64| seen.iter().zip(a).map(|(s, a)| s * a / (1.0 + x * a)).sum::<f64>();
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    let x = f64::midpoint(low, high);
    Some(seen.iter().zip(a).map(|(s, a)| s / (1.0 + x * a)).collect())
}

/// The maximum likelihood with a given mean of the values.
pub(super) fn with_mean(seen: &[f64], values: &[f64], mean: f64) -> Option<Vec<f64>> {
    let distances: Vec<f64> = values.iter().map(|value| value - mean).collect();
    likeliest(seen, &distances)
}

/// The maximum likelihood with a mean `t` standard deviations above ½.
///
/// The constraint is not linear in the probabilities; it is linearised at the last solution until
/// that converges, which takes a few iterations.
pub(super) fn with_t(seen: &[f64], values: &[f64], t: f64) -> Option<Vec<f64>> {
    let mut found = vec![1.0 / seen.len() as f64; seen.len()];
    for _ in 0..50 {
        let mean: f64 = found.iter().zip(values).map(|(p, v)| p * v).sum();
        let spread =
            found.iter().zip(values).map(|(p, v)| p * (v - mean).powi(2)).sum::<f64>().sqrt();
        let linear = |v: &f64| v - 0.5 - t * spread * (1.0 + ((v - mean) / spread).powi(2)) / 2.0;
        let linear: Vec<f64> = values.iter().map(linear).collect();
        let next = likeliest(seen, &linear)?;
        let change = next.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        found = next;
        if change < 1e-12 {
            break;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: [f64; 3] = [0.0, 0.5, 1.0];

    #[test]
    fn constraints_are_satisfied() {
        let seen = [0.2, 0.5, 0.3];
        let p = with_mean(&seen, &VALUES, 0.4).unwrap();
        let mean: f64 = p.iter().zip(VALUES).map(|(p, v)| p * v).sum();
        assert!((mean - 0.4).abs() < 1e-12 && (p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let p = with_t(&seen, &VALUES, 0.3).unwrap();
        let mean: f64 = p.iter().zip(VALUES).map(|(p, v)| p * v).sum();
        let spread = p.iter().zip(VALUES).map(|(p, v)| p * (v - mean).powi(2)).sum::<f64>().sqrt();
        assert!(((mean - 0.5) / spread - 0.3).abs() < 1e-9);
    }

    #[test]
    fn observed_frequencies_have_the_maximum_likelihood() {
        let seen = [0.2, 0.5, 0.3];
        let p = with_mean(&seen, &VALUES, 0.55).unwrap();
        assert!(p.iter().zip(seen).all(|(p, s)| (p - s).abs() < 1e-12));
        assert_eq!(with_mean(&seen, &VALUES, 1.5), None);
    }

    #[test]
    fn means_at_or_beyond_the_ends_are_impossible() {
        let seen = [0.2, 0.5, 0.3];
        for mean in [-0.5, 0.0, 1.0, 1.5] {
            assert_eq!(with_mean(&seen, &VALUES, mean), None, "{mean}");
        }
        assert!(with_mean(&seen, &VALUES, 1e-6).is_some());
        assert!(with_mean(&seen, &VALUES, 1.0 - 1e-6).is_some());
    }

    /// Other probabilities with the same mean are less likely.
    #[test]
    fn the_likelihood_has_its_maximum_there() {
        let seen = [0.2, 0.5, 0.3];
        let log_likelihood =
            |p: &[f64]| seen.iter().zip(p).map(|(seen, p)| seen * p.ln()).sum::<f64>();
        for mean in [0.2, 0.4, 0.55, 0.8] {
            let p = with_mean(&seen, &VALUES, mean).unwrap();
            for e in [-1e-3, 1e-3] {
                let other = [p[0] + e, p[1] - 2.0 * e, p[2] + e];
                assert!(log_likelihood(&other) < log_likelihood(&p), "{mean} {e}");
            }
        }
    }
}
