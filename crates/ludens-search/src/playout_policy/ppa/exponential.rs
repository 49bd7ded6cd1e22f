//! Exponentials of many numbers: after every simulation hundreds of weights have changed.
//!
//! exp(x) is 2ⁿ·exp(r), where n is the integer nearest to x / ln 2. For the remainder r, which is at most
//! ln 2 / 2, a polynomial suffices. There are no branches and no calls, so that the loop is vectorised.

/// Arguments are clamped to these bounds, so that results are positive and finite.
const BOUND: f32 = 80.0;

/// Added to a number, this rounds it to the nearest integer, in the low bits of the sum.
const ROUNDER: f32 = 12_582_912.0;

/// ln 2 in two parts, the first of which has so few significant bits that small multiples are exact.
const LN_2: [f32; 2] = [0.693_359_4, -0.000_212_194_44];

/// 1 + r + r²·(…), where the last four coefficients, close to those of the power series, minimise the
/// maximum relative error for |r| ≤ ln 2 / 2: 1.05·10⁻⁷.
const SERIES: [f32; 6] = [1.0, 1.0, 0.499_992_3, 0.166_671_15, 0.041_890_334, 0.008_312_503];

/// Writes the exponentials of numbers times a factor.
pub(super) fn exponentials(numbers: &[f32], factor: f32, out: &mut [f32]) {
    for (out, number) in out.iter_mut().zip(numbers) {
        *out = exponential(factor * number);
    }
}

/// The exponential of a number.
#[inline]
pub(super) fn exponential(x: f32) -> f32 {
    exponential_within(x.clamp(-BOUND, BOUND))
}

/// The exponential of a number that is known to be within bounds.
#[inline]
pub(super) fn exponential_within(x: f32) -> f32 {
    let shifted = x * std::f32::consts::LOG2_E + ROUNDER;
    let n = shifted - ROUNDER;
    let r = (x - n * LN_2[0]) - n * LN_2[1];
    let [lower @ .., highest] = SERIES;
    let power = lower.iter().rev().fold(highest, |sum, term| sum * r + term);
    // The low bits of the shifted number are those of n; as an exponent they give 2ⁿ.
    let exponent = shifted.to_bits().wrapping_add(127) << 23;
    power * f32::from_bits(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_accurate() {
        let numbers: Vec<f32> = (-80_000..=80_000).map(|i| i as f32 / 1000.0).collect();
        let mut found = vec![0.0; numbers.len()];
        exponentials(&numbers, 1.0, &mut found);
        for (&x, found) in numbers.iter().zip(found) {
            let expected = f64::from(x).exp();
            let error = (f64::from(found) / expected - 1.0).abs();
            assert!(error < 1e-6, "exp({x}) is {expected}, not {found}");
        }
    }

    #[test]
    fn exponentials_of_large_numbers_stay_positive_and_finite() {
        let exps = [f32::MAX, f32::MIN, 1e3, -1e3, 0.0].map(exponential);
        assert!(exps.iter().all(|exp| *exp > 0.0 && exp.is_finite()), "{exps:?}");
        assert!((exps[4] - 1.0).abs() < f32::EPSILON);
    }

    #[test]
    fn batches_agree_with_single_numbers() {
        let numbers: Vec<f32> = (0..999).map(|i| (i as f32 * 0.37).sin() * 45.0).collect();
        for factor in [1.0, 1.5] {
            let mut found = vec![0.0; numbers.len()];
            exponentials(&numbers, factor, &mut found);
            let expected: Vec<f32> = numbers.iter().map(|x| exponential(factor * x)).collect();
            assert_eq!(found, expected);
        }
    }
}
