//! Whether a measured score agrees with a published one.
//!
//! Both are proportions with an interval of Wilson's. The interval of their difference combines the
//! two (Newcombe 1998, Interval estimation for the difference between independent proportions,
//! method 10), and the scores agree if it contains 0. The plain two-proportion z-test is similar in
//! the middle, but it calls 99 of 100 significantly less than 500 of 500, where Fisher's exact test
//! gives a probability of one in six; published scores of 100 % are common.
//!
//! A few games are compatible with almost any score, which is not agreement.

use ludens_arena::stats::{Interval, wilson};
use serde::{Deserialize, Serialize};

/// A share of the points of a number of games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Proportion {
    /// In `0.0..=1.0`.
    pub share: f64,
    /// The number of games.
    pub games: f64,
}

/// How a measured score compares with a published one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The difference is within the uncertainty of both.
    Agrees,
    /// Ours is higher, by more than chance explains.
    Higher,
    /// Ours is lower, by more than chance explains.
    Lower,
    /// The difference is within the uncertainty, but ours is too large for a verdict.
    TooFewGames,
}

/// The maximum width of our 95 % interval for a verdict of agreement.
const MAX_WIDTH: f64 = 0.4;

impl Verdict {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::Higher => "differs (higher)",
            Verdict::Lower => "differs (lower)",
            Verdict::TooFewGames => "too few games",
        }
    }
}

impl Proportion {
    /// Its 95 % interval.
    pub fn interval(self) -> Interval {
        wilson(self.share * self.games, self.games)
    }
}

/// A share in percent, without rounding artefacts.
pub fn percent(share: f64) -> f64 {
    (share * 1e6).round() / 1e4
}

/// Compares our score with the published one.
pub fn judge(ours: Proportion, published: Proportion) -> Verdict {
    let Interval { low, high } = difference(ours, published);
    if low > 0.0 {
        Verdict::Higher
    } else if high < 0.0 {
        Verdict::Lower
    } else if ours.interval().high - ours.interval().low > MAX_WIDTH {
        Verdict::TooFewGames
    } else {
        Verdict::Agrees
    }
}

/// The 95 % interval of `a − b`.
fn difference(a: Proportion, b: Proportion) -> Interval {
    let (of_a, of_b, between) = (a.interval(), b.interval(), a.share - b.share);
    Interval {
        low: between - (a.share - of_a.low).hypot(of_b.high - b.share),
        high: between + (of_a.high - a.share).hypot(b.share - of_b.low),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(points: f64, games: f64) -> Proportion {
        Proportion { share: points / games, games }
    }

    /// Newcombe (1998), table II, method 10.
    #[test]
    fn published_intervals_of_differences_are_reproduced() {
        for (a, b, low, high) in [
            (of(56.0, 70.0), of(48.0, 80.0), 0.0524, 0.3339),
            (of(9.0, 10.0), of(3.0, 10.0), 0.1705, 0.8090),
            (of(10.0, 10.0), of(0.0, 10.0), 0.6075, 1.0),
            (of(5.0, 56.0), of(0.0, 29.0), -0.0381, 0.1926),
        ] {
            let found = difference(a, b);
            let close = (found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5;
            assert!(close, "{a:?} {b:?}: {found:?}");
        }
    }

    /// 80 of 100 against 94.2 % of 500: Wilson's intervals are 71.11–86.66 and 91.79–95.93, so that
    /// the difference of −14.2 has the upper end −14.2 + √(6.66² + 2.41²) = −7.1.
    #[test]
    fn verdicts_agree_with_manual_computation() {
        let paper = Proportion { share: 0.942, games: 500.0 };
        let found = difference(of(80.0, 100.0), paper);
        assert!((found.high + 0.0711).abs() < 1e-3, "{found:?}");
        assert_eq!(judge(of(80.0, 100.0), paper), Verdict::Lower);
        assert_eq!(judge(of(90.0, 100.0), paper), Verdict::Agrees);
        assert_eq!(judge(of(100.0, 100.0), paper), Verdict::Higher);
    }

    /// Wilson's intervals: 15–85 for 2 of 4, 49–94 for 8 of 10, 58–92 for 16 of 20.
    #[test]
    fn a_few_games_never_agree_but_may_differ() {
        let paper = Proportion { share: 0.744, games: 500.0 };
        assert_eq!(judge(of(2.0, 4.0), paper), Verdict::TooFewGames);
        assert_eq!(judge(of(8.0, 10.0), paper), Verdict::TooFewGames);
        assert_eq!(judge(of(16.0, 20.0), paper), Verdict::Agrees);
        assert_eq!(judge(of(0.0, 4.0), paper), Verdict::Lower);
    }

    #[test]
    fn clean_scores_are_not_certain() {
        let clean = Proportion { share: 1.0, games: 500.0 };
        assert_eq!(judge(of(100.0, 100.0), clean), Verdict::Agrees);
        assert_eq!(judge(of(99.0, 100.0), clean), Verdict::Agrees);
        assert_eq!(judge(of(95.0, 100.0), clean), Verdict::Lower);
        assert_eq!(judge(of(0.0, 0.0001), clean), Verdict::TooFewGames);
    }
}
