//! Ratings of any number of agents from the ranks they reached in games of any number of players.
//!
//! The model is that of Plackett (1975) and Luce (1959): the best is chosen from all players with
//! probabilities proportional to their strengths, then the next from the rest, and so on. Players
//! with equal payoffs share a rank; their game counts as the average of all orders they could
//! have had, so that a draw of two is half a win for each, as everywhere in this crate.

use std::collections::BTreeMap;

use super::normal::Z95;

/// Ranks of many games, ready to be explained by strengths.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranking {
    /// How often each agent was chosen.
    chosen: Vec<f64>,
    /// From which agents somebody was chosen, sorted, and how often.
    choices: BTreeMap<Vec<usize>, f64>,
}

/// The strength of an agent against the mean of all.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// Strength in Elo; the mean of all agents is 0.
    pub elo: f64,
    /// Half the 95 % interval.
    pub error: f64,
}

/// One Elo in natural logarithms of strength.
const LOG_PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;

/// Before the first game strengths are thought to vary by 800 Elo. That keeps the rating of an
/// agent that has won every game finite, and moves others by less than their error.
const PRIOR: f64 = 1.0 / (800.0 * LOG_PER_ELO * 800.0 * LOG_PER_ELO);

/// Up to so many players with equal payoffs all orders are averaged.
const MAX_EXACT_TIE: usize = 8;

impl Ranking {
    /// No games of so many agents yet.
    pub fn new(n_agents: usize) -> Self {
        Ranking { chosen: vec![0.0; n_agents], choices: BTreeMap::new() }
    }

    /// Adds a game: who sat in each seat, and what the seat got.
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

    /// The strengths that explain the games best.
    ///
    /// The logarithm of the likelihood is concave, so Newton's method finds its only maximum; its
    /// second derivatives are needed for the errors anyway.
    pub fn ratings(&self) -> Vec<Rating> {
        let mut logs = vec![0.0; self.chosen.len()];
        for _ in 0..100 {
            let (slope, curvature) = self.derivatives(&logs);
            let step = times(&inverse(curvature), &slope);
            // A long step may overshoot; a bounded one always climbs far enough.
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

    /// First derivatives of the log likelihood, and second ones with their sign turned.
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

/// The sets that are left as players with equal payoffs leave in every possible order, and the
/// share of orders in which each occurs. Of large groups only the orders round the table count.
fn remainders(group: &[usize]) -> Vec<(Vec<usize>, f64)> {
    let n = group.len();
    if n <= MAX_EXACT_TIE {
        let members = |set: u32| (0..n).filter(move |i| set >> i & 1 == 1).map(|i| group[i]);
        let share = |set: u32| 1.0 / combinations(n, set.count_ones() as usize);
        return (1u32..1 << n).map(|set| (members(set).collect(), share(set))).collect();
    }
    let arc = |start: usize, len: usize| (start..start + len).map(|i| group[i % n]).collect();
    (0..n * n).map(|i| (arc(i % n, i / n + 1), 1.0 / n as f64)).collect()
}

fn combinations(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
}

/// Standard deviations of values less their mean, from the covariances of the values. What all
/// share is not known from games, and must not widen the errors.
fn centred_deviations(covariance: Vec<Vec<f64>>) -> Vec<f64> {
    let n = covariance.len() as f64;
    let rows: Vec<f64> = covariance.iter().map(|row| row.iter().sum::<f64>() / n).collect();
    let all = rows.iter().sum::<f64>() / n;
    let deviation = |(i, row): (usize, Vec<f64>)| (row[i] - 2.0 * rows[i] + all).max(0.0).sqrt();
    covariance.into_iter().enumerate().map(deviation).collect()
}

fn times(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
}

/// The inverse of a positive definite matrix, by elimination; it needs no exchange of rows.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(u8::from(i == j))));
    }
    for pivot in 0..n {
        let mut row = std::mem::take(&mut matrix[pivot]);
        let scale = 1.0 / row[pivot];
        for value in &mut row {
            *value *= scale;
        }
        for other in matrix.iter_mut().filter(|other| !other.is_empty()) {
            let factor = other[pivot];
            other.iter_mut().zip(&row).for_each(|(value, row)| *value -= factor * row);
        }
        matrix[pivot] = row;
    }
    matrix.into_iter().map(|mut row| row.split_off(n)).collect()
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
        // Each rating is half the difference, so its error is half as large; that the draws make
        // the difference surer is not known to the model.
        let plain = Elo::of(&ScoreTally::of_games([350, 0, 650])).error() / 2.0;
        assert!((found[0].error - plain).abs() < 0.02 * plain, "{found:?} {plain}");
    }

    /// With a > b, b > c and c > a once each, nothing tells the agents apart.
    #[test]
    fn circles_are_equal() {
        let found = games(
            &[(&[0, 1], &[1.0, 0.0], 1), (&[1, 2], &[1.0, 0.0], 1), (&[2, 0], &[1.0, 0.0], 1)],
            3,
        );
        assert!(found.iter().all(|rating| rating.elo.abs() < 1e-9), "{found:?}");
    }

    /// A game of three with a first and two last counts for the first as one choice of three, so
    /// that with shares of firsts 3:2:1 the strengths are about 3:2:1.
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
