//! The sequential probability ratio test (Wald 1945) of two Elo differences, with the generalised
//! likelihood ratio of multinomial scores as fishtest computes it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::elo::score_of;
use super::solve::{with_mean, with_t};
use super::tally::ScoreTally;

/// The unit of the two hypotheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloScale {
    /// Logistic Elo: fixes the expected score.
    Logistic,
    /// Normalized Elo: in standard deviations of games; independent of the share of draws.
    Normalized,
}

/// A sequential test of H0, the side is stronger by `elo0`, against H1, by `elo1`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    scale: EloScale,
}

/// The verdict of a test so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// More games are needed.
    Continue,
    /// H0 is accepted.
    AcceptH0,
    /// H1 is accepted.
    AcceptH1,
}

/// The state of a test.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtState {
    /// The log likelihood ratio of H1 to H0.
    pub llr: f64,
    /// The bound at which H0 is accepted.
    pub lower: f64,
    /// The bound at which H1 is accepted.
    pub upper: f64,
    /// The verdict.
    pub verdict: Verdict,
    /// The games of the counted groups.
    pub games: u64,
    /// Groups by half points: trinomial for single games, pentanomial for pairs.
    pub counts: Vec<u64>,
}

/// Why the parameters of a test are invalid.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SprtError {
    /// The first hypothesis must be the smaller one.
    Order(f64, f64),
    /// Error rates must lie between 0 and ½.
    Rate(f64),
}

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SprtError::Order(elo0, elo1) => {
                write!(f, "elo0 must be a number smaller than elo1, but they are {elo0} and {elo1}")
            }
            SprtError::Rate(rate) => {
                write!(f, "alpha and beta lie between 0 and 0.5, but one is {rate}")
            }
        }
    }
}

impl std::error::Error for SprtError {}

impl Sprt {
    /// A test with the error rates `alpha`, of accepting H1 if H0 is true, and `beta`, of accepting
    /// H0 if H1 is true.
    pub fn new(
        [elo0, elo1]: [f64; 2],
        alpha: f64,
        beta: f64,
        scale: EloScale,
    ) -> Result<Self, SprtError> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtError::Order(elo0, elo1));
        }
        match [alpha, beta].into_iter().find(|rate| !(*rate > 0.0 && *rate < 0.5)) {
            Some(rate) => Err(SprtError::Rate(rate)),
            None => Ok(Sprt { elo0, elo1, alpha, beta, scale }),
        }
    }

    /// The log likelihood ratios at which H0 and H1 are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The state of the test after these games.
    pub fn judge(&self, tally: &ScoreTally) -> SprtState {
        let (llr, (lower, upper)) = (self.llr(tally), self.bounds());
        let verdict = if llr <= lower {
            Verdict::AcceptH0
        } else if llr >= upper {
            Verdict::AcceptH1
        } else {
            Verdict::Continue
        };
        let games = tally.groups() * tally.games_per_group() as u64;
        SprtState { llr, lower, upper, verdict, games, counts: tally.counts().to_vec() }
    }

    /// The log likelihood ratio; 0 before the first game.
    pub fn llr(&self, tally: &ScoreTally) -> f64 {
        if tally.groups() == 0 {
            return 0.0;
        }
        // A result without games is not impossible: it counts as a thousandth of a game (fishtest).
        let (values, counts): (Vec<f64>, Vec<f64>) =
            tally.entries().map(|(value, count)| (value, (count as f64).max(1e-3))).unzip();
        let total: f64 = counts.iter().sum();
        let seen: Vec<f64> = counts.iter().map(|count| count / total).collect();
        let fit = |elo: f64| self.fit(&seen, &values, elo, tally.games_per_group());
        let (Some(under0), Some(under1)) = (fit(self.elo0), fit(self.elo1)) else {
            return 0.0;
        };
        counts.iter().zip(under0.iter().zip(&under1)).map(|(n, (p0, p1))| n * (p1 / p0).ln()).sum()
    }

    /// The probabilities of maximum likelihood if the difference were `elo`.
    fn fit(&self, seen: &[f64], values: &[f64], elo: f64, games: usize) -> Option<Vec<f64>> {
        match self.scale {
            EloScale::Logistic => with_mean(seen, values, score_of(elo)),
            EloScale::Normalized => {
                // The standard deviation of the mean of n games is smaller by a factor of √n.
                let t = elo * std::f64::consts::LN_10 / 800.0 * (games as f64).sqrt();
                with_t(seen, values, t)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;

    use super::*;

    fn sprt(elos: [f64; 2], scale: EloScale) -> Sprt {
        Sprt::new(elos, 0.05, 0.05, scale).unwrap()
    }

    /// Figures of fastchess's own tests (`sprt_test.cpp`), which agree with fishtest.
    #[test]
    fn published_likelihood_ratios_are_reproduced() {
        use EloScale::{Logistic, Normalized};
        let (games, pairs) = (ScoreTally::of_games, ScoreTally::of_pairs);
        for (elos, scale, tally, expected) in [
            ([0.0, 2.0], Normalized, games([36027, 68692, 36433]), 0.92),
            ([-1.75, 0.25], Normalized, games([10650, 20431, 10871]), 2.30),
            ([0.5, 2.5], Logistic, games([21184, 40708, 21404]), -1.57),
            ([0.0, 2.0], Logistic, games([57030, 106_593, 57433]), -2.59),
            ([0.0, 2.0], Normalized, pairs([365, 16618, 36229, 16974, 390]), 2.25),
            ([-1.75, 0.25], Normalized, pairs([127, 4883, 10712, 5150, 104]), 3.01),
            ([0.5, 2.5], Logistic, pairs([223, 9863, 21279, 10037, 246]), -3.07),
            ([0.0, 2.0], Logistic, pairs([871, 26175, 55983, 26678, 821]), -4.98),
            ([9.0, 16.0], Normalized, pairs([352, 579, 1264, 743, 464]), 4.60),
            ([0.0, 50.0], Normalized, pairs([0, 0, 1, 8, 1]), 1.24),
        ] {
            let llr = sprt(elos, scale).llr(&tally);
            assert!(
                (llr - expected).abs() <= 0.01 * f64::abs(expected),
                "{tally:?}: {llr}, not {expected}"
            );
        }
    }

    #[test]
    fn bounds_are_those_of_wald() {
        let (lower, upper) = sprt([0.0, 5.0], EloScale::Logistic).bounds();
        assert!((upper - 2.944_438_979_166_44).abs() < 1e-12 && (lower + upper).abs() < 1e-12);
    }

    #[test]
    fn each_error_rate_has_its_bound() {
        let sprt = Sprt::new([0.0, 5.0], 0.05, 0.1, EloScale::Logistic).unwrap();
        let (lower, upper) = sprt.bounds();
        // ln(0.1 / 0.95) and ln(0.9 / 0.05)
        assert!((lower + 2.251_291_798_606_496).abs() < 1e-12, "{lower}");
        assert!((upper - 2.890_371_757_896_165).abs() < 1e-12, "{upper}");
    }

    #[test]
    fn verdicts_follow_the_bounds() {
        let sprt = sprt([0.0, 100.0], EloScale::Logistic);
        for (counts, verdict) in [
            ([1, 0, 0, 0, 40], Verdict::AcceptH1),
            ([40, 0, 0, 0, 1], Verdict::AcceptH0),
            ([1, 0, 3, 0, 2], Verdict::Continue),
        ] {
            let state = sprt.judge(&ScoreTally::of_pairs(counts));
            let games = 2 * counts.iter().sum::<u64>();
            assert_eq!(
                (state.verdict, state.games, &state.counts[..]),
                (verdict, games, &counts[..])
            );
            assert_eq!((state.lower, state.upper), sprt.bounds());
            let inside = state.lower < state.llr && state.llr < state.upper;
            assert_eq!(inside, verdict == Verdict::Continue, "{state:?}");
        }
    }

    /// For wins and losses only, the ratio is that of two binomial distributions.
    #[test]
    fn the_ratio_of_decisive_games_is_binomial() {
        let [p0, p1] = [score_of(0.0), score_of(50.0)];
        let expected = 70.0 * (p1 / p0).ln() + 30.0 * ((1.0 - p1) / (1.0 - p0)).ln();
        let tally = ScoreTally::of_games([30, 0, 70]);
        let found = sprt([0.0, 50.0], EloScale::Logistic).llr(&tally);
        // The thousandth of a drawn game is the difference.
        assert!((found - expected).abs() < 1e-3, "{found}, not {expected}");
    }

    #[test]
    fn extreme_scores_end_and_are_finite() {
        for scale in [EloScale::Logistic, EloScale::Normalized] {
            for elos in [[0.0, 5.0], [-400.0, 400.0], [5.0, 900.0]] {
                let sprt = sprt(elos, scale);
                for count in [1, 10, 1_000_000] {
                    for at in 0..5 {
                        let mut counts = [0; 5];
                        counts[at] = count;
                        let llr = sprt.llr(&ScoreTally::of_pairs(counts));
                        assert!(llr.is_finite(), "{scale:?} {elos:?} {counts:?}");
                    }
                }
            }
        }
        let nothing = sprt([0.0, 5.0], EloScale::Logistic).judge(&ScoreTally::new(2));
        assert_eq!((nothing.llr.to_bits(), nothing.verdict), (0, Verdict::Continue));
    }

    #[test]
    fn wrong_settings_are_refused() {
        let of = |elos, alpha| Sprt::new(elos, alpha, 0.05, EloScale::Logistic);
        assert_eq!(of([2.0, 2.0], 0.05), Err(SprtError::Order(2.0, 2.0)));
        for elos in [[2.5, 2.0], [f64::NAN, 2.0], [f64::NEG_INFINITY, 2.0], [0.0, f64::INFINITY]] {
            assert!(matches!(of(elos, 0.05), Err(SprtError::Order(..))), "{elos:?}");
        }
        for rate in [-0.1, 0.0, 0.5, 0.9] {
            assert_eq!(of([0.0, 2.0], rate), Err(SprtError::Rate(rate)));
            let beta = Sprt::new([0.0, 2.0], 0.05, rate, EloScale::Logistic);
            assert_eq!(beta, Err(SprtError::Rate(rate)));
        }
        assert!(of([0.0, 2.0], f64::NAN).is_err() && of([0.0, 2.0], 0.499).is_ok());
        let messages = [SprtError::Order(2.0, 1.0), SprtError::Rate(0.7)].map(|e| e.to_string());
        assert!(messages[0].contains("2 and 1") && messages[1].contains("0.7"), "{messages:?}");
    }

    /// Under each hypothesis the wrong verdict is as rare as promised; the seed is fixed.
    #[test]
    fn wrong_verdicts_are_as_rare_as_promised() {
        let sprt = sprt([0.0, 60.0], EloScale::Logistic);
        let mut rng = Rng::new(5);
        for (elo, wrong) in [(0.0, Verdict::AcceptH1), (60.0, Verdict::AcceptH0)] {
            let mut errors = 0;
            for _ in 0..400 {
                let mut tally = ScoreTally::new(2);
                let verdicts = (0..5000).map(|_| {
                    let wins = (0..2).filter(|_| rng.unit() < score_of(elo)).count();
                    tally.add(2 * wins);
                    sprt.judge(&tally).verdict
                });
                let verdict = verdicts.into_iter().find(|verdict| *verdict != Verdict::Continue);
                errors += u32::from(verdict.expect("the test ends") == wrong);
            }
            // 5 % of 400 are 20, with a standard deviation of 4.4.
            assert!(errors < 42, "{elo}: {errors}");
        }
    }
}
