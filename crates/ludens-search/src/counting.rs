//! How often something was seen and the sum of what it was worth, in two small numbers.

/// At this count both numbers are halved. An `f32` has 24 bits: a count stops growing at 2²⁴, and long before
/// that a sum loses the low bits of what is added to it. Below 2¹⁸ a sum is exact for payoffs in 64ths, and
/// others are rounded by less than 0.01.
pub(crate) const MOST: f32 = (1 << 18) as f32;

/// Counts a payoff. Where the count becomes too large, all that was counted before is worth half as much from
/// then on; halving is exact, and the mean stays what it was.
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
    fn halving_leaves_the_mean_as_it_is() {
        let mut stats = (MOST - 2.0, (MOST - 2.0) * 0.75);
        count(&mut stats, 0.5);
        assert_eq!(stats, (MOST - 1.0, (MOST - 2.0) * 0.75 + 0.5));
        count(&mut stats, 1.0);
        assert_eq!(stats, (MOST / 2.0, (MOST - 2.0) * 0.375 + 0.75));
        assert!((mean(stats) - 0.75).abs() < 1e-6);
    }

    #[test]
    fn means_stay_right_however_long_is_counted() {
        // Twice as many as an f32 can count.
        for (payoffs, expected) in [([0.3; 4], 0.3), ([1.0, 0.0, 0.5, 0.25], 0.4375)] {
            let mut stats = (0.0, 0.0);
            for at in 0..1 << 25 {
                count(&mut stats, payoffs[at % 4]);
            }
            assert!((mean(stats) - expected).abs() < 0.005, "{stats:?} {expected}");
        }
    }

    #[test]
    fn what_is_new_is_noticed_after_a_long_time() {
        let mut stats = (MOST - 1.0, 0.0);
        for _ in 0..1 << 20 {
            count(&mut stats, 1.0);
        }
        assert!(mean(stats) > 0.98, "{stats:?}");
    }
}
