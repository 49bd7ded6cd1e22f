//! Counts of scores.

/// Counts of scores of groups of games: single games, or pairs with swapped seats.
///
/// A pair is one observation: its games share an opening, so they are not independent, and the
/// advantage of a seat cancels out. The sum of a pair has five values; fishtest calls the counts
/// pentanomial.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoreTally {
    /// At index `h`, the number of groups that scored `h` half points.
    counts: Vec<u64>,
}

impl ScoreTally {
    /// An empty tally for groups of a given size.
    pub fn new(games_per_group: usize) -> Self {
        assert!(games_per_group > 0, "a group has games");
        ScoreTally { counts: vec![0; 2 * games_per_group + 1] }
    }

    /// Single games: losses, draws, wins.
    pub fn of_games(counts: [u64; 3]) -> Self {
        ScoreTally { counts: counts.to_vec() }
    }

    /// Pairs of games by points: 0, ½, 1, 1½, 2.
    pub fn of_pairs(counts: [u64; 5]) -> Self {
        ScoreTally { counts: counts.to_vec() }
    }

    /// Adds a group with its half points.
    pub fn add(&mut self, half_points: usize) {
        self.counts[half_points] += 1;
    }

    /// The counts, from zero to full points.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The size of a group.
    pub fn games_per_group(&self) -> usize {
        self.counts.len() / 2
    }

    /// The number of groups.
    pub fn groups(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean score in `0.0..=1.0`; ½ without groups.
    pub fn mean(&self) -> f64 {
        match self.groups() {
            0 => 0.5,
            groups => self.weighted(|score| score) / groups as f64,
        }
    }

    /// The variance of a group's score.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.weighted(|score| (score - mean).powi(2)) / self.groups().max(1) as f64
    }

    /// The score of each category with its count.
    pub(super) fn entries(&self) -> impl Iterator<Item = (f64, u64)> {
        let max = (self.counts.len() - 1) as f64;
        self.counts.iter().enumerate().map(move |(half, &count)| (half as f64 / max, count))
    }

    fn weighted(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.entries().map(|(score, count)| of(score) * count as f64).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_counts() {
        let games = ScoreTally::of_games([1, 2, 1]);
        assert_eq!((games.mean(), games.variance(), games.groups()), (0.5, 0.125, 4));
        let mut pairs = ScoreTally::new(2);
        pairs.add(4);
        pairs.add(2);
        assert_eq!(pairs, ScoreTally::of_pairs([0, 0, 1, 0, 1]));
        assert_eq!((pairs.mean(), pairs.variance()), (0.75, 0.0625));
        assert_eq!((ScoreTally::new(1).mean(), ScoreTally::new(1).variance()), (0.5, 0.0));
    }

    #[test]
    fn a_group_has_a_count_for_each_number_of_half_points() {
        for (size, counts) in [(1, 3), (2, 5), (3, 7), (6, 13)] {
            let tally = ScoreTally::new(size);
            assert_eq!((tally.counts().len(), tally.games_per_group()), (counts, size));
        }
        let mut triples = ScoreTally::new(3);
        (0..2).for_each(|_| triples.add(5));
        assert_eq!((triples.counts()[5], triples.groups(), triples.mean()), (2, 2, 5.0 / 6.0));
    }

    #[test]
    #[should_panic(expected = "a group has games")]
    fn a_group_without_games_is_refused() {
        let _ = ScoreTally::new(0);
    }
}
