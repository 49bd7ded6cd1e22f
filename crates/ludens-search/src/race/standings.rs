//! Which candidate leads a race, which are out of it, and when it is decided.

use ludens_core::{Payoffs, Role};

/// What a candidate got in race games. Roles count alike, however often each was played, since some are
/// worth more than others, whichever candidate has them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Score {
    /// How many games it has played in.
    pub games: u32,
    /// In how many of them it had each role, and what those were worth to it in all.
    roles: Vec<(u32, f64)>,
}

impl Score {
    fn new(n_roles: usize) -> Self {
        Score { games: 0, roles: vec![(0, 0.0); n_roles] }
    }

    fn add(&mut self, role: Role, payoff: f64) {
        let (games, sum) = &mut self.roles[role.index()];
        *games += 1;
        *sum += payoff;
    }

    /// What it got on average over its roles, which means something when it has had all of them.
    pub fn mean(&self) -> f64 {
        let means = self.roles.iter().map(|&(games, sum)| sum / f64::from(games.max(1)));
        means.sum::<f64>() / self.roles.len().max(1) as f64
    }

    /// How many games with roles in turn tell as much as these do: the variance of the mean over roles is
    /// that of so many games. None, as long as it has not had a role.
    fn weight(&self) -> f64 {
        let n_roles = self.roles.len() as f64;
        n_roles * n_roles
            / self.roles.iter().map(|&(games, _)| f64::from(games).recip()).sum::<f64>()
    }

    /// The role that it has had least often.
    fn least_played(&self) -> Role {
        let roles = Role::all(self.roles.len());
        roles.min_by_key(|role| self.roles[role.index()].0).unwrap_or(Role(0))
    }

    /// How far the mean may be from what it would be in the long run: Hoeffding's bound (1963), which is
    /// missed on one side with a probability of `DOUBT` at most.
    fn margin(&self) -> f64 {
        (-DOUBT.ln() / (2.0 * self.weight())).sqrt()
    }

    /// What it may be at least in the long run.
    fn low(&self) -> f64 {
        self.mean() - self.margin()
    }
}

/// With a head start of 0.2, a candidate that loses two games against the measure is out, and one that wins
/// two of four is not.
const DOUBT: f64 = 0.2;

/// An advantage that was seen in so many games counts for half.
const HALF_TRUSTED: f64 = 6.0;

/// What games are worth to their roles on average, whichever candidate plays.
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
    /// What is left of an advantage, as far as it can be trusted, must be more than this.
    pub head_start: f64,
}

impl Standings {
    /// Before the first game of so many candidates in so many roles.
    pub fn new(n_candidates: usize, n_roles: usize) -> Self {
        let (scores, out) = (vec![Score::new(n_roles); n_candidates], vec![false; n_candidates]);
        Standings { scores, out, worth: Worth::default(), head_start: 0.0 }
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

    /// Who plays the next game, in which role. Everybody has every role once; then it is whoever may be the best of
    /// all, as far as its games tell (as the arms of UCB1 are chosen, Auer et al. 2002), so that most games are
    /// about those who may play. The measure keeps up with them where it has to.
    pub fn next(&self) -> Option<(usize, Role)> {
        let racing = (0..self.scores.len()).filter(|&candidate| self.is_racing(candidate));
        let new = racing.clone().filter(|&candidate| self.scores[candidate].weight() <= 0.0);
        let new = new.min_by_key(|&candidate| self.scores[candidate].games);
        let hope = |candidate: usize| {
            let score = &self.scores[candidate];
            score.mean() + score.margin()
        };
        let best = racing.skip_while(|&candidate| candidate == 0);
        let best = best.max_by(|&a, &b| hope(a).total_cmp(&hope(b)).then(b.cmp(&a)))?;
        let measure_is_behind =
            self.is_racing(0) && self.scores[0].weight() < self.scores[best].weight();
        let next = new.unwrap_or(if measure_is_behind { 0 } else { best });
        Some((next, self.scores[next].least_played()))
    }

    /// Counts a game in which a candidate had a role and the measure all others. The measure itself sits
    /// at every role at once, so that all of them count.
    pub fn note(&mut self, candidate: usize, role: Role, payoffs: &Payoffs) {
        let sum: f64 = payoffs.iter().map(|&payoff| f64::from(payoff)).sum();
        self.worth.note(sum / payoffs.n_roles() as f64);
        self.scores[candidate].games += 1;
        for of in Role::all(payoffs.n_roles()).filter(|&of| candidate == 0 || of == role) {
            self.scores[candidate].add(of, payoffs[of].into());
        }
    }

    /// What the measure gets in a challenger's place, if that is known.
    fn measure(&self) -> Option<f64> {
        let seen = (self.scores[0].weight() > 0.0).then(|| self.scores[0].mean());
        seen.map(|seen| self.worth.known().unwrap_or(seen))
    }

    /// Challengers that are in the race and have had every role.
    fn challengers(&self) -> impl Iterator<Item = (usize, &Score)> {
        let racing = self.scores.iter().enumerate().skip(1);
        racing.filter(|(challenger, score)| !self.out[*challenger] && score.weight() > 0.0)
    }

    /// Challengers that are behind somebody beyond doubt, or are not as far ahead of the measure as they would
    /// have to be, are out, so that there are more games for the others.
    pub fn drop_those_behind(&mut self) {
        let Some(measure) = self.measure() else { return };
        let low = self.challengers().map(|(_, score)| score.low());
        let bar = low.fold(measure + self.head_start, f64::max);
        let behind = |(_, score): &(usize, &Score)| score.mean() + score.margin() < bar;
        let behind: Vec<usize> =
            self.challengers().filter(behind).map(|(challenger, _)| challenger).collect();
        for challenger in behind {
            self.out[challenger] = true;
        }
    }

    /// Whether it is clear enough who plays: all challengers are out, or all have had every role and the one that
    /// would play is ahead of the measure beyond doubt, and of what the others have got so far. More games would
    /// take time from the winner.
    pub fn is_decided(&self) -> bool {
        let best = self.choose();
        let (Some(measure), true) = (self.measure(), best > 0) else {
            return self.out[1..].iter().all(|out| *out);
        };
        let (others, low) = (1..self.scores.len(), self.scores[best].low());
        let mut others = others.filter(|&other| other != best && !self.out[other]);
        let behind =
            |other: usize| self.scores[other].weight() > 0.0 && self.scores[other].mean() < low;
        low > measure && others.all(behind)
    }

    /// The candidate with the largest advantage over the measure, as far as it can be trusted.
    pub fn choose(&self) -> usize {
        let Some(measure) = self.measure() else { return 0 };
        let mut best = (0, self.head_start);
        for (challenger, score) in self.challengers() {
            let weight = score.weight();
            let trusted = (score.mean() - measure) * weight / (weight + HALF_TRUSTED);
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

    /// The standings after games of two roles, which candidates had in turn. Each entry is a candidate and
    /// what its games were worth to it; the measure got the rest.
    fn after(n_candidates: usize, games: &[(usize, &[f32])]) -> Standings {
        let mut standings = Standings::new(n_candidates, 2);
        standings.head_start = 0.2;
        for &(candidate, payoffs) in games {
            for (role, &payoff) in payoffs.iter().enumerate() {
                standings.note(candidate, Role(role as u8 % 2), &shared(role % 2, payoff));
            }
        }
        standings.drop_those_behind();
        standings
    }

    /// A game that is worth this to a role, and the rest to the other one.
    fn shared(role: usize, payoff: f32) -> Payoffs {
        let mut payoffs = vec![1.0 - payoff; 2];
        payoffs[role] = payoff;
        Payoffs::from(payoffs)
    }

    #[test]
    fn who_loses_two_games_is_out_and_who_wins_two_of_four_is_not() {
        // The margin after two games is √(ln 5 / 4) = 0.6344, and after four games √(ln 5 / 8) = 0.4485.
        let standings = after(3, &[(0, &[1.0]), (1, &[0.0; 2]), (2, &[0.0, 0.0, 1.0, 1.0])]);
        assert_eq!([1, 2].map(|who| standings.is_racing(who)), [false, true]);
        assert!(!standings.is_decided());
        assert_eq!(standings.choose(), 0);
        // Nothing is known about a role that a challenger has not had.
        assert!(after(2, &[(0, &[1.0, 0.0]), (1, &[0.0])]).is_racing(1));
    }

    #[test]
    fn a_race_is_decided_when_nobody_is_left_or_the_last_one_is_ahead() {
        assert!(after(2, &[(0, &[1.0]), (1, &[0.0; 4])]).is_decided());
        let lost: (usize, &[f32]) = (1, &[0.0; 4]);
        let won = after(3, &[(0, &[1.0]), lost, (2, &[1.0; 6])]);
        assert!(won.is_decided());
        assert_eq!(won.choose(), 2);
        // Four won games are ahead beyond doubt, but not far enough to play.
        assert!(!after(3, &[(0, &[1.0]), lost, (2, &[1.0; 4])]).is_decided());
        // Others need not be out, but must be behind: 8 of 8 are 0.683 at least.
        let with_other = |other: &[f32]| after(3, &[(0, &[1.0]), (1, other), (2, &[1.0; 8])]);
        assert!(with_other(&[1.0, 0.0]).is_decided());
        assert!(!with_other(&[1.0, 1.0, 1.0, 0.0]).is_decided());
        assert!(!with_other(&[1.0]).is_decided(), "it has not had every role");
        // 3 of 4 are 0.75 − 0.4485 at least, which is less than a half.
        assert!(!after(3, &[(0, &[1.0]), lost, (2, &[1.0, 1.0, 1.0, 0.0])]).is_decided());
    }

    #[test]
    fn challengers_that_are_behind_another_one_are_out() {
        // 10 of 10 are 1 − √(ln 5 / 20) = 0.7163 at least; 3 of 8 are 0.6922 at most, and 4 of 8 0.8172.
        let best: (usize, &[f32]) = (1, &[1.0; 10]);
        let three = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let four = [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0];
        let standings = after(4, &[(0, &[1.0]), best, (2, &three), (3, &four)]);
        assert_eq!([1, 2, 3].map(|who| standings.is_racing(who)), [true, false, true]);
        assert_eq!(standings.choose(), 1);
    }

    #[test]
    fn everybody_has_every_role_before_games_are_about_who_may_be_best() {
        let mut standings = Standings::new(3, 2);
        let mut order = Vec::new();
        while order.len() < 12 {
            let (candidate, role) = standings.next().expect("nobody is out");
            order.push((candidate, role.0));
            // The second challenger wins all of its games, the first one every other.
            let payoff = if candidate == 2 || role.0 == 0 { 1.0 } else { 0.0 };
            standings.note(candidate, role, &shared(role.index(), payoff));
        }
        assert_eq!(order[..5], [(0, 0), (1, 0), (2, 0), (1, 1), (2, 1)]);
        let games_of = |who| order[5..].iter().filter(|(candidate, _)| *candidate == who).count();
        assert_eq!([0, 1, 2].map(games_of), [0, 0, 7], "{order:?}");
        // Nine won games and then nine lost ones: 0.5 and less than the margin of two games may be more.
        for role in [0, 1, 0, 1, 0, 1, 0, 1, 0].map(Role) {
            standings.note(2, role, &shared(role.index(), 0.0));
        }
        assert_eq!(standings.next().map(|(candidate, _)| candidate), Some(1));
        // A challenger that is out plays no more, and without challengers there are no games.
        standings.out[1] = true;
        assert_eq!(standings.next().map(|(candidate, _)| candidate), Some(2));
        standings.out[2] = true;
        assert_eq!(standings.next(), None);
    }

    #[test]
    fn the_measure_keeps_up_where_games_are_not_all_worth_the_same() {
        let mut standings = Standings::new(2, 2);
        let worth = |a, b| Payoffs::from(vec![a, b]);
        for (candidate, role) in [(0, 0), (1, 0), (1, 1)] {
            standings.note(candidate, Role(role), &worth(1.0, f32::from(role)));
        }
        // A game of the measure tells as much as two of a challenger.
        let mut order = Vec::new();
        while order.len() < 6 {
            let (candidate, role) = standings.next().expect("nobody is out");
            order.push(candidate);
            standings.note(candidate, role, &worth(1.0, 0.0));
        }
        assert_eq!(order, [1, 0, 1, 1, 0, 1], "{order:?}");
    }

    #[test]
    fn the_measure_plays_itself_only_where_games_are_not_all_worth_the_same() {
        let same = after(2, &[(0, &[1.0]), (1, &[0.0, 1.0, 1.0])]);
        assert!(!same.is_racing(0) && same.is_racing(1));
        let mut other = after(2, &[(0, &[1.0]), (1, &[0.0, 1.0])]);
        other.note(1, Role(0), &Payoffs::from(vec![1.0, 1.0]));
        assert!(other.is_racing(0));
        // It got 0.5 in its own game, and the challenger gets (1 + 1) / 2 from now on.
        for role in [0, 1, 0, 1, 0, 1].map(Role) {
            other.note(1, role, &Payoffs::from(vec![1.0, 1.0]));
        }
        assert_eq!(other.choose(), 1);
    }

    #[test]
    fn a_role_that_is_worth_more_is_no_advantage() {
        // Whoever has the first role wins. One challenger has had it twice, the other one has not had both.
        let wins = |standings: &mut Standings, candidate, role: usize| {
            standings.note(candidate, Role(role as u8), &shared(0, 1.0));
        };
        let mut standings = Standings::new(3, 2);
        for (candidate, role) in [(0, 0), (1, 0), (2, 0), (1, 1), (1, 0)] {
            wins(&mut standings, candidate, role);
        }
        assert!((standings.scores()[1].mean() - 0.5).abs() < 1e-12);
        assert_eq!(standings.choose(), 0);
        // Two games in one role and one in the other: the variances of the means are 1/2 and 1 of a game's, so
        // that of their mean is 3/8.
        assert!((standings.scores()[1].weight() - 8.0 / 3.0).abs() < 1e-12);
        assert!(standings.scores()[2].weight() <= 0.0);
    }

    #[test]
    fn a_small_advantage_is_not_enough() {
        // 0.5 · 4 / 10 is the head start, and 0.5 · 6 / 12 is more; 0.25 · 24 / 30 is the head start.
        let measure: (usize, &[f32]) = (0, &[1.0, 0.0]);
        assert_eq!(after(2, &[measure, (1, &[1.0; 4])]).choose(), 0);
        assert_eq!(after(2, &[measure, (1, &[1.0; 6])]).choose(), 1);
        let three_quarters = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0].repeat(4);
        assert_eq!(after(2, &[measure, (1, &three_quarters[..24])]).choose(), 0);
        assert_eq!(after(2, &[measure, (1, &three_quarters)]).choose(), 1);
    }

    #[test]
    fn without_a_game_of_the_measure_nothing_is_known() {
        let standings = after(2, &[(1, &[1.0, 1.0])]);
        assert_eq!(standings.choose(), 0);
        assert!(!standings.is_decided());
    }
}
