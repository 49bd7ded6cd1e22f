//! Counts and sums of payoffs in two `f32` numbers.

/// The count at which both numbers are halved. The mantissa of an `f32` has 24 bits: a count stops growing at 2²⁴,
/// and long before that a sum loses the low bits of its summands. Below 2¹⁸ a sum is exact for payoffs in 64ths,
/// and other summands are rounded by less than 0.01.
pub(crate) const MOST: f32 = (1 << 18) as f32;

/// Adds a payoff to a count and sum. When the count becomes too large, both are halved, so that old payoffs have
/// half the weight from then on; halving is exact, and the mean does not change.
#[inline]
pub(crate) fn count(stats: &mut (f32, f32), payoff: f32) {
    stats.0 += 1.0;
    stats.1 += payoff;
    if stats.0 >= MOST {
        *stats = (stats.0 / 2.0, stats.1 / 2.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean((plays, value): (f32, f32)) -> f32 {
        value / plays
    }

    #[test]
    fn halving_does_not_change_the_mean() {
        let mut stats = (MOST - 2.0, (MOST - 2.0) * 0.75);
        count(&mut stats, 0.5);
        assert_eq!(stats, (MOST - 1.0, (MOST - 2.0) * 0.75 + 0.5));
        count(&mut stats, 1.0);
        assert_eq!(stats, (MOST / 2.0, (MOST - 2.0) * 0.375 + 0.75));
        assert!((mean(stats) - 0.75).abs() < 1e-6);
    }

    #[test]
    fn means_stay_correct_after_many_payoffs() {
        // Twice as many as an `f32` can count.
        for (payoffs, expected) in [([0.3; 4], 0.3), ([1.0, 0.0, 0.5, 0.25], 0.4375)] {
            let mut stats = (0.0, 0.0);
            for at in 0..1 << 25 {
                count(&mut stats, payoffs[at % 4]);
            }
            assert!((mean(stats) - expected).abs() < 0.005, "{stats:?} {expected}");
        }
    }

    #[test]
    fn new_payoffs_have_an_effect_after_many_old_ones() {
        let mut stats = (MOST - 1.0, 0.0);
        for _ in 0..1 << 20 {
            count(&mut stats, 1.0);
        }
        assert!(mean(stats) > 0.98, "{stats:?}");
    }
}
