//! Confidence intervals of 95 %.

use serde::{Deserialize, Serialize};

use super::moments::Moments;
use super::normal::Z95;

/// A range of scores; written as a list of two numbers.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(from = "[f64; 2]", into = "[f64; 2]")]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// All scores: nothing is known before the first game.
    pub const UNKNOWN: Interval = Interval { low: 0.0, high: 1.0 };

    /// Whether the value lies inside, endpoints included.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

impl From<[f64; 2]> for Interval {
    fn from([low, high]: [f64; 2]) -> Self {
        Interval { low, high }
    }
}

impl From<Interval> for [f64; 2] {
    fn from(interval: Interval) -> Self {
        [interval.low, interval.high]
    }
}

/// The 95 % interval of Wilson (1927) for `points` out of `games`.
///
/// Draws and other payoffs between 0 and 1 count as fractions of a point. The interval assumes the
/// variance of games without draws, which is the largest for any given mean: with draws it is wider
/// than necessary, never too narrow. [`score_interval`] uses the observed variance.
///
/// ```
/// let interval = ludens_arena::stats::wilson(8.0, 10.0);
/// assert!((interval.low - 0.4902).abs() < 1e-4 && (interval.high - 0.9433).abs() < 1e-4);
/// ```
pub fn wilson(points: f64, games: f64) -> Interval {
    if games <= 0.0 {
        return Interval::UNKNOWN;
    }
    let (score, z2) = ((points / games).clamp(0.0, 1.0), Z95 * Z95);
    let shrink = 1.0 / (1.0 + z2 / games);
    let centre = (score + z2 / (2.0 * games)) * shrink;
    let width = Z95 * shrink * (score * (1.0 - score) / games + z2 / (4.0 * games * games)).sqrt();
    // Rounding must neither leave the range nor exclude a score of exactly 0 or 1.
    let low = if score <= 0.0 { 0.0 } else { (centre - width).max(0.0) };
    let high = if score >= 1.0 { 1.0 } else { (centre + width).min(1.0) };
    Interval { low, high }
}

/// Wilson's interval with the observed variance: draws and paired games make it narrower.
///
/// It is the interval for the number of games without draws that gives the mean the same variance.
pub fn score_interval(scores: impl Into<Moments>) -> Interval {
    let scores = scores.into();
    let games = effective_games(&scores);
    wilson(scores.mean() * games, games)
}

/// How many independent games without draws would have the same variance of the mean.
fn effective_games(scores: &Moments) -> f64 {
    let worst = scores.mean() * (1.0 - scores.mean());
    if worst <= 0.0 || scores.games() <= 0.0 {
        return scores.games();
    }
    worst / scores.careful_variance()
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;

    use super::*;
    use crate::stats::ScoreTally;

    /// Newcombe (1998), table I, method 3: Wilson's score method without continuity correction.
    #[test]
    fn published_intervals_are_reproduced() {
        for (points, games, low, high) in [
            (81.0, 263.0, 0.2553, 0.3662),
            (15.0, 148.0, 0.0624, 0.1605),
            (1.0, 29.0, 0.0061, 0.1718),
        ] {
            let found = wilson(points, games);
            assert!(
                (found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5,
                "{found:?}"
            );
        }
        let none = wilson(0.0, 20.0);
        assert!(none.low == 0.0 && (none.high - 0.1611).abs() < 5e-5, "{none:?}");
    }

    #[test]
    fn extremes_are_answered() {
        assert_eq!(wilson(0.0, 0.0), Interval::UNKNOWN);
        for games in [1.0, 2.0, 1e9] {
            assert!(wilson(0.0, games).low <= 0.0);
            assert!(wilson(games, games).high >= 1.0);
        }
        let single = score_interval(&ScoreTally::of_games([0, 1, 0]));
        assert!(single.low > 0.0 && single.high < 1.0 && single.contains(0.5));
    }

    /// With ever more games, the interval of a clean score never leaves the end of the range.
    #[test]
    fn clean_scores_have_an_exact_end() {
        for games in (1..2000).map(f64::from) {
            let (lost, won) = (wilson(0.0, games), wilson(games, games));
            assert_eq!((lost.low.to_bits(), won.high.to_bits()), (0, 1f64.to_bits()), "{games}");
            assert!(lost.high > 0.0 && lost.high < 1.0, "{games}: {lost:?}");
            assert!((lost.high + won.low - 1.0).abs() < 1e-12);
        }
        // Points beyond the games are rounding errors of sums.
        assert_eq!(wilson(10.0 + 1e-12, 10.0), wilson(10.0, 10.0));
    }

    /// Games with draws count as more games without, by hand.
    #[test]
    fn effective_games_have_the_observed_variance() {
        // 50 squares of ½, one pseudo-game with ¼: 0.25 · 100 · 101 / 12.75.
        let drawish = Moments::from(&ScoreTally::of_games([25, 50, 25]));
        assert!((effective_games(&drawish) - 2525.0 / 12.75).abs() < 1e-9);
        let found = score_interval(&ScoreTally::of_games([25, 50, 25]));
        assert_eq!(found, wilson(1262.5 / 12.75, 2525.0 / 12.75));
        // Without draws, and one pseudo-game more: 0.21 · 10 · 11 / (10 · 0.21 + 0.21).
        let decisive = Moments::from(&ScoreTally::of_games([3, 0, 7]));
        assert!((effective_games(&decisive) - 10.0).abs() < 1e-9);
        // No variance at all: the games themselves.
        let won = Moments::from(&ScoreTally::of_games([0, 0, 9]));
        assert_eq!(effective_games(&won).to_bits(), 9f64.to_bits());
        assert_eq!(score_interval(&ScoreTally::new(2)), Interval::UNKNOWN);
    }

    #[test]
    fn endpoints_belong_to_an_interval_that_is_written_as_a_list() {
        let interval = Interval { low: 0.25, high: 0.75 };
        let inside = [0.2, 0.25, 0.5, 0.75, 0.8].map(|score| interval.contains(score));
        assert_eq!(inside, [false, true, true, true, false]);
        let text = serde_json::to_string(&interval).unwrap();
        assert_eq!(text, "[0.25,0.75]");
        assert_eq!(serde_json::from_str::<Interval>(&text).unwrap(), interval);
    }

    /// How often the intervals of simulated matches contain the true score.
    fn coverage(games: usize, [loss, draw]: [f64; 2], paired: bool) -> [f64; 2] {
        let (mut rng, mut held, trials) = (Rng::new(11), [0.0; 2], 4_000);
        let truth = 1.0 - loss - draw / 2.0;
        for _ in 0..trials {
            let mut tally = ScoreTally::new(if paired { 2 } else { 1 });
            let mut points = 0;
            for _ in 0..games / tally.games_per_group() {
                let halves = (0..tally.games_per_group()).map(|_| {
                    let at = rng.unit();
                    2 - usize::from(at < loss + draw) - usize::from(at < loss)
                });
                let halves = halves.sum();
                points += halves;
                tally.add(halves);
            }
            let plain = wilson(points as f64 / 2.0, games as f64);
            held[0] += f64::from(u8::from(plain.contains(truth)));
            held[1] += f64::from(u8::from(score_interval(&tally).contains(truth)));
        }
        held.map(|held| held / f64::from(trials))
    }

    /// 4,000 trials have a standard deviation of 0.35 %; the bounds allow five of them and the known
    /// oscillation of Wilson's interval. The seed is fixed.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        for games in [20, 100, 400] {
            for paired in [false, true] {
                let decisive = coverage(games, [0.3, 0.0], paired);
                assert!(decisive.iter().all(|c| (0.93..0.975).contains(c)), "{games} {decisive:?}");
                let [plain, seen] = coverage(games, [0.2, 0.5], paired);
                assert!(plain > 0.985, "draws make the plain interval wide: {games} {plain}");
                assert!((0.93..0.975).contains(&seen), "{games} {seen}");
            }
        }
    }
}
