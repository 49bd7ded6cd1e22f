//! Probabilities that explain counts best while keeping a condition (Owen's empirical likelihood,
//! 1988, as Van den Bergh uses it for tests of chess programs).

/// Probabilities `p` of categories with shares `seen`, likeliest among those with `Σ p·a = 0`.
///
/// Lagrange's condition gives `p = seen / (1 + x·a)`, where `x` is the only zero of a falling
/// function between two poles; halving the interval finds it in a fixed number of steps. `None`
/// if all `a` have the same sign, when no such probabilities exist.
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

/// The likeliest probabilities with a given mean of the values.
pub(super) fn with_mean(seen: &[f64], values: &[f64], mean: f64) -> Option<Vec<f64>> {
    let distances: Vec<f64> = values.iter().map(|value| value - mean).collect();
    likeliest(seen, &distances)
}

/// The likeliest probabilities whose mean lies `t` standard deviations above ½.
///
/// The condition is not linear in the probabilities, so it is made linear at the last solution
/// again and again; a handful of rounds changes nothing any more.
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
    fn conditions_are_kept() {
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
    fn what_was_seen_is_its_own_best_explanation() {
        let seen = [0.2, 0.5, 0.3];
        let p = with_mean(&seen, &VALUES, 0.55).unwrap();
        assert!(p.iter().zip(seen).all(|(p, s)| (p - s).abs() < 1e-12));
        assert_eq!(with_mean(&seen, &VALUES, 1.5), None);
    }
}
