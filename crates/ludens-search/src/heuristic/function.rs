//! Evaluation functions: for each role a weighted sum of counts in a state.

use std::sync::Arc;

use ludens_core::{Game, Payoffs, PerRole, Role};

use super::elements::{Counted, Elements};
use super::ledger::{Decided, Ledger};
use super::rows::Rows;
use crate::classic::StateValue;

/// An element with its weights.
#[derive(Clone, PartialEq, Debug)]
pub struct Term {
    /// The quantity that is counted.
    pub counted: Counted,
    /// The maximum count.
    pub most: u32,
    /// The weight for each role.
    pub weights: PerRole<f64>,
    /// The games that each role has won and lost in which the count was positive.
    pub seen: PerRole<Decided>,
}

/// A description of an evaluation function for users.
#[derive(Clone, PartialEq, Debug)]
pub struct Heuristic {
    /// Its elements.
    pub terms: Vec<Term>,
    /// The number of games from which it was constructed.
    pub n_games: u64,
    /// The number of them that each role has won and lost.
    pub decided: PerRole<Decided>,
    /// The mean length of a game in joint moves.
    pub mean_plies: f64,
    scales: PerRole<Scale>,
}

/// The mapping from values to estimated payoffs.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Scale {
    /// The odds of a win are the exponential of `slope·(value − middle)`.
    slope: f64,
    middle: f64,
    /// An upper bound of the absolute value.
    max_value: f64,
}

impl Scale {
    /// The scale for the values of won and lost games: the odds are those of two normal distributions of
    /// equal variance.
    fn new(games: &[(f64, bool)], max_value: f64) -> Self {
        let mean = |won: bool| {
            let values = games.iter().filter(|game| game.1 == won).map(|game| game.0);
            let (n, sum) = values.fold((0u32, 0.0), |(n, sum), value| (n + 1, sum + value));
            (n > 0).then(|| sum / f64::from(n))
        };
        let flat = Scale { slope: 0.0, middle: 0.0, max_value };
        let (Some(won), Some(lost)) = (mean(true), mean(false)) else { return flat };
        let deviation = |&(value, is_won): &(f64, bool)| {
            let mean = if is_won { won } else { lost };
            (value - mean) * (value - mean)
        };
        let variance = games.iter().map(deviation).sum::<f64>() / games.len() as f64;
        // If all games have the same value, a small variance replaces zero.
        let variance = variance.max((won - lost) * (won - lost) / 16.0).max(f64::MIN_POSITIVE);
        Scale { slope: (won - lost) / variance, middle: f64::midpoint(won, lost), max_value }
    }

    /// The estimated payoff. A small part is linear in the value, so that estimates of extreme values remain
    /// strictly ordered.
    fn estimate(self, value: f64) -> f32 {
        const LINEAR: f64 = 0.02;
        let logistic = 1.0 / (1.0 + (-self.slope * (value - self.middle)).exp());
        let linear = 0.5 + 0.5 * (value / self.max_value).clamp(-1.0, 1.0);
        ((1.0 - LINEAR) * logistic + LINEAR * linear) as f32
    }
}

impl Heuristic {
    /// The function from the statistics of games.
    pub(super) fn new(elements: &Elements, ledger: &Ledger) -> Self {
        let roles = || Role::all(ledger.decided.n_roles());
        let term = |(element, counted): (usize, &Counted)| {
            let weight = |role| ledger.weight(element, counted.importance(), role);
            Term {
                counted: counted.clone(),
                most: ledger.max_counts.get(element).copied().unwrap_or(0),
                weights: roles().map(weight).collect::<Vec<_>>().into(),
                seen: roles().map(|role| ledger.seen(element, role)).collect::<Vec<_>>().into(),
            }
        };
        let terms: Vec<Term> = elements.list.iter().enumerate().map(term).collect();
        let scale = |role| {
            let weights: Vec<f64> = terms.iter().map(|term| term.weights[role]).collect();
            let sizes = terms.iter().map(|term| term.weights[role].abs() * f64::from(term.most));
            let max_value = sizes.sum::<f64>().max(f64::MIN_POSITIVE);
            Scale::new(&ledger.scored_games(&weights, role), max_value)
        };
        Heuristic {
            scales: roles().map(scale).collect::<Vec<_>>().into(),
            n_games: ledger.n_games,
            decided: ledger.decided.clone(),
            mean_plies: ledger.mean_plies(),
            terms,
        }
    }

    /// The estimated payoff of a role in a state with a value, in `0.0..=1.0`.
    pub(crate) fn estimate(&self, role: Role, value: f64) -> f32 {
        self.scales[role].estimate(value)
    }

    /// Whether it is constant: every state has the same value for every role.
    pub fn is_blank(&self) -> bool {
        self.terms.iter().all(|term| term.weights.iter().all(|&weight| weight == 0.0))
    }

    /// A summary in one sentence.
    pub fn summary(&self, roles: &[String]) -> String {
        let decided = roles.iter().zip(&self.decided);
        let decided =
            decided.map(|(role, d)| format!("{role} won {} and lost {}", d.wins, d.losses));
        let decided = decided.collect::<Vec<_>>().join(", ");
        let n_terms = self.terms.len();
        format!(
            "an evaluation function of {n_terms} elements from {} games ({decided})",
            self.n_games
        )
    }
}

/// Evaluates states of a game.
pub struct HeuristicFunction<G: Game> {
    rows: Rows<G>,
    elements: Elements,
    heuristic: Arc<Heuristic>,
    /// The weight of each row for each role, row by row.
    weights: Vec<f32>,
    values: Vec<f64>,
}

impl<G: Game> Clone for HeuristicFunction<G> {
    fn clone(&self) -> Self {
        HeuristicFunction {
            rows: self.rows.clone(),
            elements: self.elements.clone(),
            heuristic: Arc::clone(&self.heuristic),
            weights: self.weights.clone(),
            values: Vec::new(),
        }
    }
}

impl<G: Game> HeuristicFunction<G> {
    pub(super) fn new(rows: Rows<G>, elements: Elements, heuristic: Heuristic) -> Self {
        let heuristic = Arc::new(heuristic);
        HeuristicFunction { rows, elements, heuristic, weights: Vec::new(), values: Vec::new() }
    }

    /// The description of the function.
    pub fn heuristic(&self) -> &Arc<Heuristic> {
        &self.heuristic
    }

    /// The value of a state for each role.
    pub fn values(&mut self, state: &G::State) -> &[f64] {
        let n_roles = self.heuristic.decided.n_roles();
        self.values.clear();
        self.values.resize(n_roles, 0.0);
        let n_known = self.rows.len();
        for &row in self.rows.of(state) {
            // New rows are weighted below.
            if (row as usize) < n_known.min(self.weights.len() / n_roles) {
                let weights = &self.weights[row as usize * n_roles..][..n_roles];
                let pairs = self.values.iter_mut().zip(weights);
                pairs.for_each(|(value, &weight)| *value += f64::from(weight));
            }
        }
        if self.weights.len() < self.rows.len() * n_roles {
            self.weight_new_rows();
            return self.values(state);
        }
        &self.values
    }

    /// Computes the weights of new rows: a sum over elements is a sum over rows, since elements count rows.
    fn weight_new_rows(&mut self) {
        let n_roles = self.heuristic.decided.n_roles();
        self.elements.add_new_rows(&self.rows);
        for row in (self.weights.len() / n_roles) as u32..self.rows.len() as u32 {
            for role in Role::all(n_roles) {
                // Elements of single rows that did not occur in the games have no weight.
                let elements = self.elements.of(row).iter();
                let terms = elements.filter_map(|&e| self.heuristic.terms.get(e as usize));
                self.weights.push(terms.map(|term| term.weights[role]).sum::<f64>() as f32);
            }
        }
    }

    /// An estimate of the payoff of each role, in `0.0..=1.0`.
    pub fn estimate<'a>(&mut self, state: &G::State, out: impl Iterator<Item = &'a mut f32>) {
        let heuristic = Arc::clone(&self.heuristic);
        let values = self.values(state).iter().zip(&heuristic.scales);
        out.zip(values).for_each(|(out, (&value, scale))| *out = scale.estimate(value));
    }
}

impl<G: Game> StateValue<G> for HeuristicFunction<G> {
    fn value(&mut self, state: &G::State, out: &mut Payoffs) {
        self.estimate(state, out.iter_mut());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_even_in_the_middle_between_won_and_lost_games() {
        let scale = Scale::new(&[(8.0, true), (4.0, true), (2.0, false), (6.0, false)], 1e9);
        assert!((scale.middle - 5.0).abs() < 1e-9);
        let estimates = [1.0, 5.0, 9.0].map(|value| scale.estimate(value));
        assert!((estimates[1] - 0.5).abs() < 1e-6, "{estimates:?}");
        assert!((estimates[0] + estimates[2] - 1.0).abs() < 1e-6, "{estimates:?}");
        assert!(estimates[0] < 0.3, "{estimates:?}");
    }
}
