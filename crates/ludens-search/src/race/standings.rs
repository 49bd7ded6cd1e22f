//! The standings of a race: which candidate leads, which are eliminated, and when it is decided.

use ludens_core::{Payoffs, Role};

/// The payoffs of a candidate in race games. Roles have equal weight, however often each was played, since
/// some pay more than others, whichever candidate has them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Score {
    /// The number of games that it has played.
    pub games: u32,
    /// For each role the number of games in it and the sum of their payoffs.
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

    /// The mean payoff over its roles, which is meaningful once it has had all of them.
    pub fn mean(&self) -> f64 {
        let means = self.roles.iter().map(|&(games, sum)| sum / f64::from(games.max(1)));
        means.sum::<f64>() / self.roles.len().max(1) as f64
    }

    /// The effective number of games: the variance of the mean over roles is that of this many games with
    /// roles in turn. Zero as long as it has not had every role.
    fn weight(&self) -> f64 {
        let n_roles = self.roles.len() as f64;
        n_roles * n_roles
            / self.roles.iter().map(|&(games, _)| f64::from(games).recip()).sum::<f64>()
    }

    /// The role that it has played least often.
    fn least_played(&self) -> Role {
        let roles = Role::all(self.roles.len());
        roles.min_by_key(|role| self.roles[role.index()].0).unwrap_or(Role(0))
    }

    /// The one-sided confidence margin of the mean: Hoeffding's bound (1963), which fails with a probability
    /// of at most `ERROR_PROBABILITY`.
    fn margin(&self) -> f64 {
        (-ERROR_PROBABILITY.ln() / (2.0 * self.weight())).sqrt()
    }

    /// The lower confidence bound of the mean.
    fn lower_bound(&self) -> f64 {
        self.mean() - self.margin()
    }

    /// The upper confidence bound of the mean.
    fn upper_bound(&self) -> f64 {
        self.mean() + self.margin()
    }
}

/// The error probability of a confidence bound. With a head start of 0.2, a candidate that loses two games against
/// the baseline is eliminated, and one that wins two of four is not.
const ERROR_PROBABILITY: f64 = 0.2;

/// Shrinkage: an advantage over this many games counts for half.
const SHRINKAGE_GAMES: f64 = 6.0;

/// The mean payoff over the roles of a game, which is constant in constant-sum games.
#[derive(Clone, Copy, Default)]
struct GameMean {
    games: u32,
    /// The mean payoff of the first game, unless another game had a different one.
    each: Option<f64>,
}

/// After this many games with the same mean payoff, it is assumed to be constant.
const MIN_GAMES: u32 = 4;

impl GameMean {
    fn record(&mut self, mean: f64) {
        let same = self.each.is_some_and(|each| (each - mean).abs() < 1e-6);
        self.each = (self.games == 0 || same).then_some(mean);
        self.games += 1;
    }

    /// The mean payoff of every game, if it is constant.
    fn constant(&self) -> Option<f64> {
        self.each.filter(|_| self.games >= MIN_GAMES)
    }
}

/// The standings of a race. The first candidate is the baseline, all others are its challengers.
pub(super) struct Standings {
    /// One for each candidate.
    scores: Vec<Score>,
    /// Whether each candidate is eliminated.
    eliminated: Vec<bool>,
    /// The mean payoff over the roles of all games.
    game_mean: GameMean,
    /// The advantage of each candidate over the baseline, after shrinkage, must exceed this.
    pub head_starts: Vec<f64>,
}

impl Standings {
    /// The standings before the first game.
    pub fn new(n_candidates: usize, n_roles: usize) -> Self {
        Standings {
            scores: vec![Score::new(n_roles); n_candidates],
            eliminated: vec![false; n_candidates],
            game_mean: GameMean::default(),
            head_starts: vec![0.0; n_candidates],
        }
    }

    /// The scores, in the order of the candidates.
    pub fn scores(&self) -> &[Score] {
        &self.scores
    }

    /// Whether more games of a candidate are informative. The baseline need not play against itself if the
    /// mean payoff of games is constant.
    pub fn is_racing(&self, candidate: usize) -> bool {
        !self.eliminated[candidate] && (candidate > 0 || self.game_mean.constant().is_none())
    }

    /// The candidate and role of the next game. Each candidate has every role once; then the one with the highest
    /// upper confidence bound beyond its head start plays (as the arms of UCB1 are chosen, Auer et al. 2002), so
    /// that most games are spent on possible winners. The baseline keeps up with them if it has to.
    pub fn next(&self) -> Option<(usize, Role)> {
        let racing = (0..self.scores.len()).filter(|&candidate| self.is_racing(candidate));
        let incomplete = racing.clone().filter(|&candidate| self.scores[candidate].weight() <= 0.0);
        let incomplete = incomplete.min_by_key(|&candidate| self.scores[candidate].games);
        let bound =
            |candidate: usize| self.scores[candidate].upper_bound() - self.head_starts[candidate];
        let best = racing.skip_while(|&candidate| candidate == 0);
        let best = best.max_by(|&a, &b| bound(a).total_cmp(&bound(b)).then(b.cmp(&a)))?;
        let baseline_is_behind =
            self.is_racing(0) && self.scores[0].weight() < self.scores[best].weight();
        let next = incomplete.unwrap_or(if baseline_is_behind { 0 } else { best });
        Some((next, self.scores[next].least_played()))
    }

    /// Records a game in which a candidate had a role and the baseline all others. The baseline itself has
    /// every role at once, so that all of them count.
    pub fn record(&mut self, candidate: usize, role: Role, payoffs: &Payoffs) {
        let sum: f64 = payoffs.iter().map(|&payoff| f64::from(payoff)).sum();
        self.game_mean.record(sum / payoffs.n_roles() as f64);
        self.scores[candidate].games += 1;
        for of in Role::all(payoffs.n_roles()).filter(|&of| candidate == 0 || of == role) {
            self.scores[candidate].add(of, payoffs[of].into());
        }
    }

    /// The mean payoff of the baseline in a challenger's role, if it is known.
    fn baseline(&self) -> Option<f64> {
        let seen = (self.scores[0].weight() > 0.0).then(|| self.scores[0].mean());
        seen.map(|seen| self.game_mean.constant().unwrap_or(seen))
    }

    /// The challengers that are not eliminated and have had every role.
    fn challengers(&self) -> impl Iterator<Item = (usize, &Score)> {
        let racing = self.scores.iter().enumerate().skip(1);
        racing.filter(|(challenger, score)| !self.eliminated[*challenger] && score.weight() > 0.0)
    }

    /// Eliminates challengers whose upper bound is below the lower bound of another one or below the baseline
    /// plus its head start, so that there are more games for the others.
    pub fn eliminate_clearly_behind(&mut self) {
        let Some(baseline) = self.baseline() else { return };
        let lower_bound = self.challengers().map(|(_, score)| score.lower_bound());
        let best = lower_bound.fold(f64::NEG_INFINITY, f64::max);
        let behind = |(challenger, score): &(usize, &Score)| {
            score.upper_bound() < best.max(baseline + self.head_starts[*challenger])
        };
        let behind: Vec<usize> =
            self.challengers().filter(behind).map(|(challenger, _)| challenger).collect();
        for challenger in behind {
            self.eliminated[challenger] = true;
        }
    }

    /// Whether the winner is clear: all challengers are eliminated, or all have had every role and the lower bound
    /// of the one that would play is above the baseline and above the means of the others. More games would take
    /// time from the winner.
    pub fn is_decided(&self) -> bool {
        let best = self.choose();
        let (Some(baseline), true) = (self.baseline(), best > 0) else {
            return self.eliminated[1..].iter().all(|eliminated| *eliminated);
        };
        let (others, lower_bound) = (1..self.scores.len(), self.scores[best].lower_bound());
        let mut others = others.filter(|&other| other != best && !self.eliminated[other]);
        let behind = |other: usize| {
            self.scores[other].weight() > 0.0 && self.scores[other].mean() < lower_bound
        };
        lower_bound > baseline && others.all(behind)
    }

    /// The mean payoff of a challenger minus that of the baseline in its roles, if both are known.
    pub fn lead(&self, challenger: usize) -> Option<f64> {
        let score = &self.scores[challenger];
        (score.weight() > 0.0).then_some(score.mean() - self.baseline()?)
    }

    /// The candidate with the largest advantage over the baseline, after shrinkage and beyond its head start.
    pub fn choose(&self) -> usize {
        let Some(baseline) = self.baseline() else { return 0 };
        let mut best = (0, 0.0);
        for (challenger, score) in self.challengers() {
            let weight = score.weight();
            let shrunk = (score.mean() - baseline) * weight / (weight + SHRINKAGE_GAMES);
            let lead = shrunk - self.head_starts[challenger];
            if lead > best.1 {
                best = (challenger, lead);
            }
        }
        best.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standings after games of two roles, which candidates had in turn. Each entry is a candidate and
    /// its payoffs; the baseline got the rest.
    fn after(n_candidates: usize, games: &[(usize, &[f32])]) -> Standings {
        let mut standings = Standings::new(n_candidates, 2);
        standings.head_starts = vec![0.2; n_candidates];
        for &(candidate, payoffs) in games {
            for (role, &payoff) in payoffs.iter().enumerate() {
                standings.record(candidate, Role(role as u8 % 2), &shared(role % 2, payoff));
            }
        }
        standings.eliminate_clearly_behind();
        standings
    }

    /// The payoffs of a constant-sum game, given that of one role.
    fn shared(role: usize, payoff: f32) -> Payoffs {
        let mut payoffs = vec![1.0 - payoff; 2];
        payoffs[role] = payoff;
        Payoffs::from(payoffs)
    }

    #[test]
    fn two_losses_eliminate_and_two_wins_of_four_do_not() {
        // The margin after two games is √(ln 5 / 4) = 0.6344, and after four games √(ln 5 / 8) = 0.4485.
        let standings = after(3, &[(0, &[1.0]), (1, &[0.0; 2]), (2, &[0.0, 0.0, 1.0, 1.0])]);
        assert_eq!([1, 2].map(|candidate| standings.is_racing(candidate)), [false, true]);
        assert!(!standings.is_decided());
        assert_eq!(standings.choose(), 0);
        // A challenger that has not had every role is not eliminated.
        assert!(after(2, &[(0, &[1.0, 0.0]), (1, &[0.0])]).is_racing(1));
    }

    #[test]
    fn a_race_is_decided_when_no_challenger_is_left_or_one_is_clearly_ahead() {
        assert!(after(2, &[(0, &[1.0]), (1, &[0.0; 4])]).is_decided());
        let lost: (usize, &[f32]) = (1, &[0.0; 4]);
        let won = after(3, &[(0, &[1.0]), lost, (2, &[1.0; 6])]);
        assert!(won.is_decided());
        assert_eq!(won.choose(), 2);
        // Four wins are clearly ahead, but not by enough to play.
        assert!(!after(3, &[(0, &[1.0]), lost, (2, &[1.0; 4])]).is_decided());
        // Others need not be eliminated, but must be behind: the lower bound of 8 of 8 is 0.683.
        let with_other = |other: &[f32]| after(3, &[(0, &[1.0]), (1, other), (2, &[1.0; 8])]);
        assert!(with_other(&[1.0, 0.0]).is_decided());
        assert!(!with_other(&[1.0, 1.0, 1.0, 0.0]).is_decided());
        assert!(!with_other(&[1.0]).is_decided(), "it has not had every role");
        // The lower bound of 3 of 4 is 0.75 − 0.4485, which is less than a half.
        assert!(!after(3, &[(0, &[1.0]), lost, (2, &[1.0, 1.0, 1.0, 0.0])]).is_decided());
    }

    #[test]
    fn challengers_that_are_behind_another_one_are_eliminated() {
        // The lower bound of 10 of 10 is 1 − √(ln 5 / 20) = 0.7163; the upper bound of 3 of 8 is
        // 0.6922, that of 4 of 8 is 0.8172.
        let best: (usize, &[f32]) = (1, &[1.0; 10]);
        let three = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let four = [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0];
        let standings = after(4, &[(0, &[1.0]), best, (2, &three), (3, &four)]);
        assert_eq!([1, 2, 3].map(|candidate| standings.is_racing(candidate)), [true, false, true]);
        assert_eq!(standings.choose(), 1);
    }

    #[test]
    fn every_candidate_has_every_role_before_the_most_promising_one_plays() {
        let mut standings = Standings::new(3, 2);
        let mut order = Vec::new();
        while order.len() < 12 {
            let (candidate, role) = standings.next().expect("no candidate is eliminated");
            order.push((candidate, role.0));
            // The second challenger wins all of its games, the first one every other.
            let payoff = if candidate == 2 || role.0 == 0 { 1.0 } else { 0.0 };
            standings.record(candidate, role, &shared(role.index(), payoff));
        }
        assert_eq!(order[..5], [(0, 0), (1, 0), (2, 0), (1, 1), (2, 1)]);
        let games_of =
            |wanted| order[5..].iter().filter(|(candidate, _)| *candidate == wanted).count();
        assert_eq!([0, 1, 2].map(games_of), [0, 0, 7], "{order:?}");
        // Nine wins and then nine losses: the upper bound of two games is higher.
        for role in [0, 1, 0, 1, 0, 1, 0, 1, 0].map(Role) {
            standings.record(2, role, &shared(role.index(), 0.0));
        }
        assert_eq!(standings.next().map(|(candidate, _)| candidate), Some(1));
        // An eliminated challenger does not play, and without challengers there are no games.
        standings.eliminated[1] = true;
        assert_eq!(standings.next().map(|(candidate, _)| candidate), Some(2));
        standings.eliminated[2] = true;
        assert_eq!(standings.next(), None);
    }

    #[test]
    fn the_baseline_keeps_up_if_the_mean_payoff_varies() {
        let mut standings = Standings::new(2, 2);
        let payoffs = |a, b| Payoffs::from(vec![a, b]);
        for (candidate, role) in [(0, 0), (1, 0), (1, 1)] {
            standings.record(candidate, Role(role), &payoffs(1.0, f32::from(role)));
        }
        // A game of the baseline counts as much as two of a challenger.
        let mut order = Vec::new();
        while order.len() < 6 {
            let (candidate, role) = standings.next().expect("no candidate is eliminated");
            order.push(candidate);
            standings.record(candidate, role, &payoffs(1.0, 0.0));
        }
        assert_eq!(order, [1, 0, 1, 1, 0, 1], "{order:?}");
    }

    #[test]
    fn the_baseline_plays_itself_only_if_the_mean_payoff_varies() {
        let same = after(2, &[(0, &[1.0]), (1, &[0.0, 1.0, 1.0])]);
        assert!(!same.is_racing(0) && same.is_racing(1));
        let mut other = after(2, &[(0, &[1.0]), (1, &[0.0, 1.0])]);
        other.record(1, Role(0), &Payoffs::from(vec![1.0, 1.0]));
        assert!(other.is_racing(0));
        // The baseline got 0.5 in its own game, and the challenger gets (1 + 1) / 2 from now on.
        for role in [0, 1, 0, 1, 0, 1].map(Role) {
            other.record(1, role, &Payoffs::from(vec![1.0, 1.0]));
        }
        assert_eq!(other.choose(), 1);
    }

    #[test]
    fn a_role_that_pays_more_is_no_advantage() {
        // The first role always wins. One challenger has had it twice, the other one has not had both.
        let wins = |standings: &mut Standings, candidate, role: usize| {
            standings.record(candidate, Role(role as u8), &shared(0, 1.0));
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
        let baseline: (usize, &[f32]) = (0, &[1.0, 0.0]);
        assert_eq!(after(2, &[baseline, (1, &[1.0; 4])]).choose(), 0);
        assert_eq!(after(2, &[baseline, (1, &[1.0; 6])]).choose(), 1);
        let three_quarters = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0].repeat(4);
        assert_eq!(after(2, &[baseline, (1, &three_quarters[..24])]).choose(), 0);
        assert_eq!(after(2, &[baseline, (1, &three_quarters)]).choose(), 1);
    }

    #[test]
    fn each_challenger_has_its_own_head_start() {
        // Both have won four of four: 0.5 · 4 / 10 is the head start of the first one.
        let mut standings = after(3, &[(0, &[1.0, 0.0]), (1, &[1.0; 4]), (2, &[1.0; 4])]);
        assert_eq!(standings.choose(), 0);
        standings.head_starts[2] = 0.1;
        assert_eq!(standings.choose(), 2);
        // The upper bound after two losses is 0.6344.
        let mut standings = after(2, &[(0, &[1.0, 0.0])]);
        standings.head_starts[1] = 0.1;
        for role in [0, 1].map(Role) {
            standings.record(1, role, &shared(role.index(), 0.0));
        }
        standings.eliminate_clearly_behind();
        assert!(standings.is_racing(1));
        standings.head_starts[1] = 0.2;
        standings.eliminate_clearly_behind();
        assert!(!standings.is_racing(1));
    }

    #[test]
    fn without_a_game_of_the_baseline_nothing_is_decided() {
        let standings = after(2, &[(1, &[1.0, 1.0])]);
        assert_eq!(standings.choose(), 0);
        assert!(!standings.is_decided());
    }
}
