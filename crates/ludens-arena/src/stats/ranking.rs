//! Ratings of agents from their ranks in games of any number of players.
//!
//! The model is that of Plackett (1975) and Luce (1959): the first rank is drawn from all players
//! with probabilities proportional to their strengths, the next from the rest, and so on. Players
//! with equal payoffs are tied; a tie counts as the average over all orders of the tied players, so
//! that a draw of two is half a win for each.

use std::collections::BTreeMap;

use super::matrix::{centred_deviations, inverse, times};
use super::normal::Z95;
use super::ties::remainders;

/// The sufficient statistics of the ranks of many games.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranking {
    /// How often each agent was drawn.
    chosen: Vec<f64>,
    /// The sets of agents that were drawn from, sorted, with their number.
    choices: BTreeMap<Vec<usize>, f64>,
}

/// The rating of an agent, relative to the mean of all.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// In Elo; the mean of all agents is 0.
    pub elo: f64,
    /// Half the 95 % interval.
    pub error: f64,
}

/// The natural logarithm of the strength ratio that one Elo stands for.
const LOG_PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;

/// Precision of the normal prior of log strengths, with a standard deviation of 800 Elo. It keeps
/// the rating of an agent that has won every game finite, and moves others by less than their error.
const PRIOR: f64 = 1.0 / (800.0 * LOG_PER_ELO * 800.0 * LOG_PER_ELO);

impl Ranking {
    /// No games yet.
    pub fn new(n_agents: usize) -> Self {
        Ranking { chosen: vec![0.0; n_agents], choices: BTreeMap::new() }
    }

    /// Adds a game: the agent and the payoff of each seat.
    pub fn add(&mut self, seats: &[usize], payoffs: &[f64]) {
        let mut order: Vec<usize> = (0..seats.len()).collect();
        order.sort_by(|&a, &b| payoffs[b].total_cmp(&payoffs[a]));
        let mut rest = &order[..];
        while let Some(&first) = rest.first() {
            let tied = rest.iter().take_while(|&&seat| payoffs[seat] >= payoffs[first]).count();
            let (group, worse) = rest.split_at(tied);
            self.add_group(seats, group, worse);
            rest = worse;
        }
    }

    fn add_group(&mut self, seats: &[usize], group: &[usize], worse: &[usize]) {
        for &seat in group {
            self.chosen[seats[seat]] += 1.0;
        }
        for (left, weight) in remainders(group) {
            let mut agents: Vec<usize> =
                left.iter().chain(worse).map(|&seat| seats[seat]).collect();
            agents.sort_unstable();
            *self.choices.entry(agents).or_default() += weight;
        }
    }

    /// The ratings of maximum posterior probability.
    ///
    /// The log posterior is concave, so Newton's method finds its only maximum; the errors need its
    /// second derivatives anyway.
    pub fn ratings(&self) -> Vec<Rating> {
        let mut logs = vec![0.0; self.chosen.len()];
        for _ in 0..100 {
            let (slope, curvature) = self.derivatives(&logs);
            let step = times(&inverse(curvature), &slope);
            // A long step may overshoot.
            let longest = step.iter().fold(0.0f64, |longest, s| longest.max(s.abs()));
            let scale = if longest > 1.0 { 1.0 / longest } else { 1.0 };
            logs.iter_mut().zip(&step).for_each(|(log, step)| *log += scale * step);
            if longest < 1e-10 {
                break;
            }
        }
        let errors = centred_deviations(inverse(self.derivatives(&logs).1));
        let rating = |(log, deviation): (f64, f64)| Rating {
            elo: log / LOG_PER_ELO,
            error: Z95 * deviation / LOG_PER_ELO,
        };
        logs.into_iter().zip(errors).map(rating).collect()
    }

    /// Gradient and negative Hessian of the log posterior.
    fn derivatives(&self, logs: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let n = logs.len();
        let mut slope: Vec<f64> =
            self.chosen.iter().zip(logs).map(|(c, l)| c - PRIOR * l).collect();
        let mut curvature = vec![vec![0.0; n]; n];
        (0..n).for_each(|i| curvature[i][i] = PRIOR);
        for (agents, weight) in &self.choices {
            let strength = |&agent: &usize| logs[agent].exp();
            let total: f64 = agents.iter().map(strength).sum();
            for a in agents {
                let p = strength(a) / total;
                slope[*a] -= weight * p;
                curvature[*a][*a] += weight * p;
                for b in agents {
                    curvature[*a][*b] -= weight * p * strength(b) / total;
                }
            }
        }
        (slope, curvature)
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;

    use super::*;
    use crate::stats::{Elo, ScoreTally, elo_of};

    fn games(results: &[(&[usize], &[f64], usize)], n_agents: usize) -> Vec<Rating> {
        let mut ranking = Ranking::new(n_agents);
        for (seats, payoffs, times) in results {
            (0..*times).for_each(|_| ranking.add(seats, payoffs));
        }
        ranking.ratings()
    }

    #[test]
    fn two_agents_are_rated_by_their_score() {
        let found = games(
            &[
                (&[0, 1], &[1.0, 0.0], 500),
                (&[0, 1], &[0.5, 0.5], 300),
                (&[1, 0], &[1.0, 0.0], 200),
            ],
            2,
        );
        let difference = found[0].elo - found[1].elo;
        assert!((difference - elo_of(0.65)).abs() < 0.1, "{found:?}");
        // Each rating is half the difference, so its error is half as large; the model ignores
        // that draws reduce the variance of the difference.
        let plain = Elo::of(&ScoreTally::of_games([350, 0, 650])).error() / 2.0;
        assert!((found[0].error - plain).abs() < 0.02 * plain, "{found:?} {plain}");
    }

    /// With two agents, the maximum and its curvature have a closed form up to one unknown.
    #[test]
    fn two_agents_satisfy_the_equations_of_the_posterior() {
        for (won, lost) in [(10, 0), (30, 10), (1, 99)] {
            let found = games(&[(&[0, 1], &[1.0, 0.0], won), (&[0, 1], &[0.0, 1.0], lost)], 2);
            // A normal prior with a standard deviation of 800 Elo.
            let precision = (400.0 / 800.0 / std::f64::consts::LN_10).powi(2);
            let log = found[0].elo * std::f64::consts::LN_10 / 400.0;
            let (n, p) = ((won + lost) as f64, 1.0 / (1.0 + (-2.0 * log).exp()));
            assert!((won as f64 - precision * log - n * p).abs() < 1e-7, "{found:?}");
            assert!((found[0].elo + found[1].elo).abs() < 1e-7);
            let deviation = (2.0 * (precision + 2.0 * n * p * (1.0 - p))).sqrt().recip();
            let error = 1.959_964 * deviation * 400.0 / std::f64::consts::LN_10;
            assert!((found[0].error - error).abs() < 1e-3, "{found:?} {error}");
        }
    }

    #[test]
    fn without_games_all_are_equal_and_nothing_is_known() {
        let found = Ranking::new(3).ratings();
        // Of three independent ratings, each varies by √⅔ · 800 Elo about their mean.
        let error = Z95 * 800.0 * (2f64 / 3.0).sqrt();
        assert!(found.iter().all(|r| r.elo.abs() < 1e-9 && (r.error - error).abs() < 1e-6));
    }

    /// The gradient and the Hessian are those of the log posterior, by finite differences.
    #[test]
    fn derivatives_are_those_of_the_log_posterior() {
        let mut ranking = Ranking::new(3);
        ranking.add(&[0, 1, 2], &[1.0, 0.5, 0.5]);
        ranking.add(&[2, 1], &[1.0, 0.0]);
        ranking.add(&[0, 0, 1], &[0.2, 0.9, 0.4]);
        let log_posterior = |logs: &[f64]| {
            let chosen = ranking.chosen.iter().zip(logs).map(|(c, l)| c * l - PRIOR * l * l / 2.0);
            let total = |agents: &[usize]| agents.iter().map(|&a| logs[a].exp()).sum::<f64>().ln();
            let choices = ranking.choices.iter().map(|(agents, weight)| weight * total(agents));
            chosen.sum::<f64>() - choices.sum::<f64>()
        };
        let (logs, h) = ([0.3, -0.8, 0.5], 1e-5);
        let moved = |i: usize, by: f64| {
            let mut logs = logs;
            logs[i] += by;
            logs
        };
        let (slope, curvature) = ranking.derivatives(&logs);
        for i in 0..3 {
            let numeric = (log_posterior(&moved(i, h)) - log_posterior(&moved(i, -h))) / (2.0 * h);
            assert!((slope[i] - numeric).abs() < 1e-8, "{i}: {} {numeric}", slope[i]);
            let (above, _) = ranking.derivatives(&moved(i, h));
            let (below, _) = ranking.derivatives(&moved(i, -h));
            for j in 0..3 {
                let numeric = (below[j] - above[j]) / (2.0 * h);
                assert!((curvature[i][j] - numeric).abs() < 1e-8, "{i} {j}");
            }
        }
    }

    /// The first Newton step for a winner among thirty is so long that unbounded steps would oscillate.
    #[test]
    fn long_steps_do_not_oscillate() {
        let (mut ranking, seats) = (Ranking::new(30), (0..30).collect::<Vec<_>>());
        let mut payoffs = [0.0; 30];
        payoffs[0] = 1.0;
        (0..5).for_each(|_| ranking.add(&seats, &payoffs));
        let logs: Vec<f64> = ranking.ratings().iter().map(|r| r.elo * LOG_PER_ELO).collect();
        let (slope, _) = ranking.derivatives(&logs);
        assert!(slope.iter().all(|slope| slope.abs() < 1e-6), "{slope:?}");
    }

    /// With a > b, b > c and c > a once each, the agents are equal.
    #[test]
    fn circles_are_equal() {
        let found = games(
            &[(&[0, 1], &[1.0, 0.0], 1), (&[1, 2], &[1.0, 0.0], 1), (&[2, 0], &[1.0, 0.0], 1)],
            3,
        );
        assert!(found.iter().all(|rating| rating.elo.abs() < 1e-9), "{found:?}");
    }

    /// With orders as frequent as the strengths 3:2:1 predict, the ratings are those strengths.
    #[test]
    fn first_places_of_three_show_the_strengths() {
        let all: &[usize] = &[0, 1, 2];
        let mut ranking = Ranking::new(3);
        let strengths = [3.0f64, 2.0, 1.0];
        // All six orders with exactly their probabilities, times 6,000.
        for [a, b, c] in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let p = strengths[a] / 6.0 * strengths[b] / (strengths[b] + strengths[c]);
            let mut payoffs = [0.0; 3];
            (payoffs[a], payoffs[b], payoffs[c]) = (1.0, 0.5, 0.0);
            (0..(p * 6000.0).round() as usize).for_each(|_| ranking.add(all, &payoffs));
        }
        let found = ranking.ratings();
        let elo = |ratio: f64| 400.0 * ratio.log10();
        assert!((found[0].elo - found[1].elo - elo(1.5)).abs() < 0.1, "{found:?}");
        assert!((found[1].elo - found[2].elo - elo(2.0)).abs() < 0.1, "{found:?}");
    }

    #[test]
    fn clean_sheets_stay_finite_and_unsure() {
        let found = games(&[(&[0, 1], &[1.0, 0.0], 50), (&[1, 2], &[0.5, 0.5], 50)], 3);
        assert!(found[0].elo > 400.0 && found[0].elo < 2000.0, "{found:?}");
        assert!(found[0].error > found[1].error && found[0].error > 150.0, "{found:?}");
    }

    #[test]
    fn seats_of_the_same_agent_say_nothing_about_each_other() {
        let found = games(&[(&[0, 0, 1], &[1.0, 0.0, 0.5], 30)], 2);
        assert!(found.iter().all(|rating| rating.elo.is_finite()));
        let alone = games(&[(&[0, 0], &[1.0, 0.0], 30)], 2);
        assert!(alone.iter().all(|rating| rating.elo.abs() < 1e-9), "{alone:?}");
    }

    #[test]
    fn a_tie_of_many_is_the_same_for_all() {
        let seats: Vec<usize> = (0..12).collect();
        let found = games(&[(&seats, &[0.5; 12], 3)], 12);
        assert!(found.iter().all(|rating| rating.elo.abs() < 1e-9), "{found:?}");
        let share = |n: usize| remainders(&seats[..n]).iter().map(|(_, share)| share).sum::<f64>();
        assert!((share(8) - 8.0).abs() < 1e-9 && (share(12) - 12.0).abs() < 1e-9);
    }

    /// True strengths lie inside the intervals of simulated tournaments as often as they should.
    #[test]
    fn intervals_hold_the_truth() {
        let truth = [150.0, 50.0, 0.0, -200.0];
        let (mut rng, mut held, trials) = (Rng::new(3), [0; 4], 400);
        for _ in 0..trials {
            let mut ranking = Ranking::new(4);
            for game in 0..120 {
                let seats: Vec<usize> = (0..3).map(|i| (game + i) % 4).collect();
                // An exponential race draws ranks from the model.
                let payoff = |&a: &usize| (1.0 - rng.unit()).ln() / (truth[a] * LOG_PER_ELO).exp();
                let payoffs: Vec<f64> = seats.iter().map(payoff).collect();
                ranking.add(&seats, &payoffs);
            }
            for (i, rating) in ranking.ratings().iter().enumerate() {
                held[i] += u32::from((rating.elo - truth[i]).abs() <= rating.error);
            }
        }
        // 95 % of 400 are 380, with a standard deviation of 4.4.
        assert!(held.iter().all(|held| (358..=398).contains(held)), "{held:?}");
    }
}
