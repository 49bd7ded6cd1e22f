//! Who is ahead in a race, who is out of it, and when it is decided.

use ludens_core::{Payoffs, Role};

/// What a candidate got in race games.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Score {
    /// How many games it has played in.
    pub games: u32,
    /// What they were worth to it, in all.
    pub sum: f64,
}

impl Score {
    fn add(&mut self, payoff: f64) {
        self.games += 1;
        self.sum += payoff;
    }

    /// What it got on average.
    pub fn mean(self) -> f64 {
        self.sum / f64::from(self.games.max(1))
    }

    /// How far the mean may be from what it would be in the long run: Hoeffding's bound (1963), which is
    /// missed on one side with a probability of `DOUBT` at most.
    fn margin(self) -> f64 {
        (-DOUBT.ln() / (2.0 * f64::from(self.games.max(1)))).sqrt()
    }
}

/// Who loses all of four games against the measure is out, and who wins one of them is not.
const DOUBT: f64 = 0.2;

/// An advantage that was seen in so many games counts for half.
const HALF_TRUSTED: f64 = 6.0;

/// What games are worth to their roles on average, whoever plays.
#[derive(Clone, Copy, Default)]
struct Worth {
    games: u32,
    /// The mean payoff of the first game, as long as all others had the same.
    each: Option<f64>,
}

/// After so many games of the same worth, all others are taken to have it too.
const ENOUGH: u32 = 4;

impl Worth {
    fn note(&mut self, mean: f64) {
        let same = self.each.is_some_and(|each| (each - mean).abs() < 1e-6);
        self.each = (self.games == 0 || same).then_some(mean);
        self.games += 1;
    }

    /// What every game is worth, if that is known.
    fn known(&self) -> Option<f64> {
        self.each.filter(|_| self.games >= ENOUGH)
    }
}

/// The standings of a race. The first candidate is the measure, all others are its challengers.
pub(super) struct Standings {
    /// One for each candidate.
    scores: Vec<Score>,
    /// Which candidates are out of the race.
    out: Vec<bool>,
    /// What games were worth to their roles on average.
    worth: Worth,
}

impl Standings {
    /// Before the first game of so many candidates.
    pub fn new(n_candidates: usize) -> Self {
        let (scores, out) = (vec![Score::default(); n_candidates], vec![false; n_candidates]);
        Standings { scores, out, worth: Worth::default() }
    }

    /// The scores, in the order of the candidates.
    pub fn scores(&self) -> &[Score] {
        &self.scores
    }

    /// Whether more games of a candidate would tell anything. The measure need not play against itself
    /// where all games are worth the same to all roles together.
    pub fn is_racing(&self, candidate: usize) -> bool {
        !self.out[candidate] && (candidate > 0 || self.worth.known().is_none())
    }

    /// Counts a game in which a candidate had a role and the measure all others. The measure itself sits
    /// at every role at once, so that all of them count.
    pub fn note(&mut self, candidate: usize, role: Role, payoffs: &Payoffs) {
        let sum: f64 = payoffs.iter().map(|&payoff| f64::from(payoff)).sum();
        let mean = sum / payoffs.n_roles() as f64;
        self.worth.note(mean);
        self.scores[candidate].add(if candidate == 0 { mean } else { payoffs[role].into() });
    }

    /// What the measure gets in a challenger's place, if that is known.
    fn measure(&self) -> Option<f64> {
        let seen = (self.scores[0].games > 0).then(|| self.scores[0].mean());
        seen.map(|seen| self.worth.known().unwrap_or(seen))
    }

    fn challengers(&self) -> impl Iterator<Item = (usize, &Score)> {
        let racing = self.scores.iter().enumerate().skip(1);
        racing.filter(|(challenger, score)| !self.out[*challenger] && score.games > 0)
    }

    /// Challengers that are behind somebody beyond doubt are out, so that there are more games for the others.
    pub fn drop_those_behind(&mut self) {
        let Some(measure) = self.measure() else { return };
        let low = |(_, score): (usize, &Score)| score.mean() - score.margin();
        let bar = self.challengers().map(low).fold(measure, f64::max);
        let behind = |(_, score): &(usize, &Score)| score.mean() + score.margin() < bar;
        let behind: Vec<usize> =
            self.challengers().filter(behind).map(|(challenger, _)| challenger).collect();
        for challenger in behind {
            self.out[challenger] = true;
        }
    }

    /// Whether it is clear who plays: all challengers are out, or all but one that is ahead beyond doubt.
    pub fn is_decided(&self) -> bool {
        let n_left = self.out[1..].iter().filter(|out| !**out).count();
        let ahead =
            |measure| self.challengers().any(|(_, score)| score.mean() - score.margin() > measure);
        n_left == 0 || n_left == 1 && self.measure().is_some_and(ahead)
    }

    /// The candidate with the largest advantage over the measure, as far as it can be trusted.
    pub fn choose(&self) -> usize {
        let Some(measure) = self.measure() else { return 0 };
        let mut best = (0, 0.0);
        for (challenger, score) in self.challengers() {
            let games = f64::from(score.games);
            let trusted = (score.mean() - measure) * games / (games + HALF_TRUSTED);
            if trusted > best.1 {
                best = (challenger, trusted);
            }
        }
        best.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standings after games of two roles. Each entry is a candidate and what its games were worth
    /// to it; the measure got the rest.
    fn after(n_candidates: usize, games: &[(usize, &[f32])]) -> Standings {
        let mut standings = Standings::new(n_candidates);
        for &(candidate, payoffs) in games {
            for &payoff in payoffs {
                let payoffs = Payoffs::from(vec![payoff, 1.0 - payoff]);
                standings.note(candidate, Role(0), &payoffs);
            }
        }
        standings.drop_those_behind();
        standings
    }

    #[test]
    fn who_loses_four_games_is_out_and_who_wins_one_of_them_is_not() {
        // The margin after four games is √(ln 5 / 8) = 0.4485.
        let standings = after(3, &[(0, &[1.0]), (1, &[0.0; 4]), (2, &[0.0, 0.0, 0.0, 1.0])]);
        assert_eq!([1, 2].map(|who| standings.is_racing(who)), [false, true]);
        assert!(!standings.is_decided());
        assert_eq!(standings.choose(), 0);
        // After three games it is 0.5179.
        assert!(after(2, &[(0, &[1.0, 0.0]), (1, &[0.0; 3])]).is_racing(1));
    }

    #[test]
    fn a_race_is_decided_when_nobody_is_left_or_the_last_one_is_ahead() {
        assert!(after(2, &[(0, &[1.0]), (1, &[0.0; 4])]).is_decided());
        let lost: (usize, &[f32]) = (1, &[0.0; 4]);
        let won = after(3, &[(0, &[1.0]), lost, (2, &[1.0; 4])]);
        assert!(won.is_decided());
        assert_eq!(won.choose(), 2);
        // 3 of 4 are 0.75 − 0.4485 at least, which is less than a half.
        assert!(!after(3, &[(0, &[1.0]), lost, (2, &[1.0, 1.0, 1.0, 0.0])]).is_decided());
    }

    #[test]
    fn challengers_that_are_behind_another_one_are_out() {
        // 8 of 8 are 1 − √(ln 5 / 16) = 0.6828 at least; 2 of 8 are 0.5672 at most, and 3 of 8 0.6922.
        let best: (usize, &[f32]) = (1, &[1.0; 8]);
        let two = [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let three = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let standings = after(4, &[(0, &[1.0]), best, (2, &two), (3, &three)]);
        assert_eq!([1, 2, 3].map(|who| standings.is_racing(who)), [true, false, true]);
        assert_eq!(standings.choose(), 1);
    }

    #[test]
    fn the_measure_plays_itself_only_where_games_are_not_all_worth_the_same() {
        let same = after(2, &[(0, &[1.0]), (1, &[0.0, 1.0, 1.0])]);
        assert!(!same.is_racing(0) && same.is_racing(1));
        let mut other = after(2, &[(0, &[1.0]), (1, &[0.0, 1.0])]);
        other.note(1, Role(1), &Payoffs::from(vec![1.0, 1.0]));
        assert!(other.is_racing(0));
        // It got 0.5 in its own game: a mean of (0 + 1 + 1) / 3 is ahead.
        assert_eq!(other.choose(), 1);
    }

    #[test]
    fn without_a_game_of_the_measure_nothing_is_known() {
        let standings = after(2, &[(1, &[1.0, 1.0])]);
        assert_eq!(standings.choose(), 0);
        assert!(!standings.is_decided());
    }
}
