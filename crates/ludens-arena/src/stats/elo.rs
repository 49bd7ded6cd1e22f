//! Elo differences on the logistic scale (Elo 1978).

use super::interval::{Interval, score_interval};
use super::moments::Moments;
use super::normal::{Z95, normal_cdf};
use super::tally::ScoreTally;

/// An Elo difference with its 95 % interval. A score of 0 or 1 has no finite difference.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// The maximum likelihood estimate; infinite if one side won every game.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Elo {
    /// The difference estimated from scores, with the interval of the score.
    pub fn of(scores: impl Into<Moments>) -> Self {
        let scores = scores.into();
        Elo::of_score(scores.mean(), score_interval(scores))
    }

    /// The difference that corresponds to a score and its interval.
    pub fn of_score(score: f64, interval: Interval) -> Self {
        Elo { value: elo_of(score), low: elo_of(interval.low), high: elo_of(interval.high) }
    }

    /// Half the width of the interval: the number after `±`.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// The Elo difference with this expected score.
pub fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The expected score with this Elo difference.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Normalized Elo (Van den Bergh 2020) and half its 95 % interval: the difference in units of the
/// standard deviation of single games, which does not depend on the share of draws. `None` if all
/// results are equal.
pub fn normalized_elo(tally: &ScoreTally) -> Option<(f64, f64)> {
    let games = tally.games_per_group() as f64;
    let deviation = (tally.variance() * games).sqrt();
    let unit = 800.0 / std::f64::consts::LN_10;
    let error = Z95 * unit / (tally.groups() as f64 * games).sqrt();
    (deviation > 0.0).then(|| ((tally.mean() - 0.5) / deviation * unit, error))
}

/// The likelihood of superiority: the probability that the side is stronger, given the scores.
pub fn likelihood_of_superiority(scores: impl Into<Moments>) -> f64 {
    let scores = scores.into();
    let spread = scores.variance().sqrt();
    if spread > 0.0 {
        return normal_cdf((scores.mean() - 0.5) / spread);
    }
    // Equal results have no spread, but are not certain. Laplace's rule of succession
    // adds a win and a loss, and the variance is that of games without draws between equals.
    let games = scores.games() + 2.0;
    let mean = (scores.games() * scores.mean() + 1.0) / games;
    normal_cdf((mean - 0.5) * 2.0 * games.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures of fastchess's own tests (`elo_test.cpp`): tally, Elo, ±, normalized Elo, ±, and
    /// the likelihood of superiority in percent.
    #[test]
    fn published_figures_are_reproduced() {
        let pairs = ScoreTally::of_pairs;
        for (tally, figures) in [
            (ScoreTally::of_games([96, 111, 136]), [40.70, 30.43, 49.77, 36.77, 99.60]),
            (pairs([34, 54, 63, 64, 75]), [55.58, 27.65, 57.94, 28.28, 100.0]),
            (pairs([332, 433, 498, 333, 334]), [-8.64, 10.33, -9.17, 10.96, 5.05]),
            (pairs([7895, 8757, 5685, 568, 9999]), [-21.04, 2.95, -19.01, 2.65, 0.0]),
        ] {
            let (elo, normalized) = (Elo::of(&tally), normalized_elo(&tally).unwrap());
            let los = 100.0 * likelihood_of_superiority(&tally);
            let found = [elo.value, elo.error(), normalized.0, normalized.1, los];
            // Their interval is not Wilson's, so that the widths differ a little.
            let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 0.01 * b.abs() + 0.005;
            assert!(found.iter().zip(&figures).all(close), "{found:?} {figures:?}");
        }
    }

    #[test]
    fn scores_and_differences_belong_together() {
        assert!(elo_of(0.5).abs() < 1e-12);
        assert!((elo_of(0.75) - 190.848_501_887_865).abs() < 1e-9);
        assert!((score_of(400.0) - 10.0 / 11.0).abs() < 1e-12);
        for elo in [-700.0, -3.0, 0.0, 55.5] {
            assert!((elo_of(score_of(elo)) - elo).abs() < 1e-9);
        }
    }

    /// Equal results are never certain: the likelihood rises with their number, and balanced ones
    /// are uninformative.
    #[test]
    fn the_likelihood_of_equal_results_rises_with_their_number() {
        let likelihood = |tally: ScoreTally| likelihood_of_superiority(&tally);
        let won = [1, 2, 4, 8, 30].map(|games| likelihood(ScoreTally::of_games([0, 0, games])));
        assert!(won.windows(2).all(|pair| pair[0] < pair[1]), "{won:?}");
        assert!(won.iter().all(|p| *p > 0.5 && *p < 1.0), "{won:?}");
        let lost = likelihood(ScoreTally::of_games([4, 0, 0]));
        assert!((lost + won[2] - 1.0).abs() < 1e-12 && (0.9..0.99).contains(&won[2]), "{won:?}");
        let pairs = [1, 12].map(|pairs| likelihood(ScoreTally::of_pairs([0, 0, 0, pairs, 0])));
        assert!(0.5 < pairs[0] && pairs[0] < 0.75 && 0.95 < pairs[1] && pairs[1] < 1.0);
        for balanced in [ScoreTally::of_pairs([0, 0, 9, 0, 0]), ScoreTally::of_games([0; 3])] {
            assert!((likelihood(balanced) - 0.5).abs() < 1e-12);
        }
    }

    /// Ten wins are 11 of 12 by the rule of succession: Φ((11/12 − ½) · 2 · √12).
    #[test]
    fn equal_results_follow_the_rule_of_succession() {
        let found = likelihood_of_superiority(&ScoreTally::of_games([0, 0, 10]));
        assert!((found - 0.998_053_7).abs() < 1e-6, "{found}");
        // Three pairs with 1½ points each: 4½ of 6, and 5½ of 8 by the rule.
        let found = likelihood_of_superiority(&ScoreTally::of_pairs([0, 0, 0, 3, 0]));
        assert!((found - normal_cdf(0.1875 * 2.0 * 8f64.sqrt())).abs() < 1e-12, "{found}");
    }

    #[test]
    fn clean_sheets_have_one_finite_end() {
        let won = Elo::of(&ScoreTally::of_games([0, 0, 10]));
        assert!(won.value == f64::INFINITY && won.high == f64::INFINITY);
        assert!((150.0..250.0).contains(&won.low), "{won:?}");
        let lost = Elo::of(&ScoreTally::of_pairs([5, 0, 0, 0, 0]));
        assert!(lost.value == f64::NEG_INFINITY && (lost.high + won.low).abs() < 1e-9);
        let nothing = Elo::of(&ScoreTally::new(1));
        assert_eq!(
            (nothing.value, nothing.low, nothing.high),
            (0.0, f64::NEG_INFINITY, f64::INFINITY)
        );
        assert_eq!(normalized_elo(&ScoreTally::of_games([0, 0, 10])), None);
    }
}
