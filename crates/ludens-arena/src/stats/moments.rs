//! Moments of scores over groups of games.

use super::tally::ScoreTally;

/// The number of games, their mean score, and the variance between groups.
///
/// Groups may differ in size: an incomplete round is a smaller group. The mean is over all games;
/// its variance is that of a ratio estimator, points over games, each summed over groups (Cochran
/// 1977, chapter 6). With groups of equal size it is the variance of the mean group score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Moments {
    games: f64,
    groups: f64,
    mean: f64,
    /// Sum over groups of the squared difference between their points and the expected points.
    squares: f64,
}

impl Moments {
    /// The moments of groups of any size.
    pub fn of<'t>(tallies: impl IntoIterator<Item = &'t ScoreTally> + Clone) -> Self {
        let (mut games, mut groups, mut points) = (0.0, 0.0, 0.0);
        for tally in tallies.clone() {
            let here = (tally.groups() * tally.games_per_group() as u64) as f64;
            games += here;
            groups += tally.groups() as f64;
            points += here * tally.mean();
        }
        let mean = if games > 0.0 { points / games } else { 0.5 };
        let squares = tallies.into_iter().map(|tally| squares(tally, mean)).sum();
        Moments { games, groups, mean, squares }
    }

    /// The number of games.
    pub fn games(&self) -> f64 {
        self.games
    }

    /// The mean score in `0.0..=1.0`; ½ without games.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The variance of the mean.
    pub fn variance(&self) -> f64 {
        self.squares / (self.games * self.games).max(1.0)
    }

    /// The variance of the mean, with one pseudo-group added whose games have the largest possible
    /// variance: a few equal results must not look certain.
    pub(super) fn careful_variance(&self) -> f64 {
        let group = self.games / self.groups.max(1.0);
        let worst = self.mean * (1.0 - self.mean);
        (self.squares + group * worst) / (self.games * (self.games + group)).max(1.0)
    }
}

impl From<&ScoreTally> for Moments {
    fn from(tally: &ScoreTally) -> Self {
        Moments::of([tally])
    }
}

fn squares(tally: &ScoreTally, mean: f64) -> f64 {
    let games = tally.games_per_group() as f64;
    tally.entries().map(|(score, count)| count as f64 * (games * (score - mean)).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_one_size_are_what_their_tally_says() {
        for tally in [ScoreTally::of_pairs([3, 1, 4, 1, 5]), ScoreTally::of_games([9, 2, 6])] {
            let moments = Moments::from(&tally);
            let (mean, variance) = (tally.mean(), tally.variance() / tally.groups() as f64);
            assert!((moments.mean() - mean).abs() < 1e-12, "{moments:?}");
            assert!((moments.variance() - variance).abs() < 1e-12, "{moments:?}");
        }
        let nothing = Moments::from(&ScoreTally::new(2));
        assert_eq!((nothing.games(), nothing.mean(), nothing.variance()), (0.0, 0.5, 0.0));
    }

    #[test]
    fn groups_of_all_sizes_count_by_their_games() {
        // Two pairs with 2 and 1 points, and two games that were lost: 3 of 6 points. Their
        // differences to one half a game are 1, 0, −½ and −½ points.
        let (pairs, games) =
            (ScoreTally::of_pairs([0, 0, 1, 0, 1]), ScoreTally::of_games([2, 0, 0]));
        let moments = Moments::of([&pairs, &games]);
        assert_eq!((moments.games(), moments.mean()), (6.0, 0.5));
        assert!((moments.variance() - 1.5 / 36.0).abs() < 1e-12, "{moments:?}");
    }

    #[test]
    fn a_pseudo_group_has_the_largest_variance() {
        // Two pairs with ½ and 1½ points differ from 1 by ½ each, and a pair of independent games
        // without draws has the variance 2 · ¼: (¼ + ¼ + ½) / (4 · 6).
        let pairs = Moments::from(&ScoreTally::of_pairs([0, 1, 0, 1, 0]));
        assert!((pairs.careful_variance() - 1.0 / 24.0).abs() < 1e-12, "{pairs:?}");
        // Four wins in five games: 4 · 0.04 + 0.64, and a game with the variance 0.8 · 0.2.
        let games = Moments::from(&ScoreTally::of_games([1, 0, 4]));
        assert!((games.careful_variance() - 0.96 / 30.0).abs() < 1e-12, "{games:?}");
        // Draws only: all the variance is that of the pseudo-group.
        let drawn = Moments::from(&ScoreTally::of_games([0, 7, 0]));
        assert!((drawn.careful_variance() - 0.25 / 56.0).abs() < 1e-12, "{drawn:?}");
    }
}
