//! Evaluation functions: a weighted sum of what is counted in a state, one for each role.

use std::sync::Arc;

use ludens_core::{Game, Payoffs, PerRole, Role};

use super::elements::{Counted, Elements};
use super::ledger::{Decided, Ledger};
use super::rows::Rows;
use crate::classic::StateValue;

/// An element with its weights.
#[derive(Clone, PartialEq, Debug)]
pub struct Term {
    /// What is counted.
    pub counted: Counted,
    /// The most that was ever counted.
    pub most: u32,
    /// What it weighs for each role.
    pub weights: PerRole<f64>,
    /// The games that each role has won and lost in which something was counted.
    pub seen: PerRole<Decided>,
}

/// What an evaluation function consists of, for users to read.
#[derive(Clone, PartialEq, Debug)]
pub struct Heuristic {
    /// Its elements.
    pub terms: Vec<Term>,
    /// How many games it was made from.
    pub n_games: u64,
    /// How many of them each role has won and lost.
    pub decided: PerRole<Decided>,
    /// How many joint moves a game took on average.
    pub mean_plies: f64,
    scales: PerRole<Scale>,
}

/// How a value becomes an estimate of the payoff.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Scale {
    /// The odds of a win are the exponential of `slope·(value − middle)`.
    slope: f64,
    middle: f64,
    /// No value is larger.
    largest: f64,
}

impl Scale {
    /// The scale for values of games that were won and lost: the odds are those of two normal
    /// distributions of equal variance.
    fn new(judged: &[(f64, bool)], largest: f64) -> Self {
        let mean = |won: bool| {
            let values = judged.iter().filter(|game| game.1 == won).map(|game| game.0);
            let (n, sum) = values.fold((0u32, 0.0), |(n, sum), value| (n + 1, sum + value));
            (n > 0).then(|| sum / f64::from(n))
        };
        let flat = Scale { slope: 0.0, middle: 0.0, largest };
        let (Some(won), Some(lost)) = (mean(true), mean(false)) else { return flat };
        let deviation = |&(value, is_won): &(f64, bool)| {
            let mean = if is_won { won } else { lost };
            (value - mean) * (value - mean)
        };
        let variance = judged.iter().map(deviation).sum::<f64>() / judged.len() as f64;
        // Where all games are alike, a small variance stands in for none.
        let variance = variance.max((won - lost) * (won - lost) / 16.0).max(f64::MIN_POSITIVE);
        Scale { slope: (won - lost) / variance, middle: f64::midpoint(won, lost), largest }
    }

    /// The estimate. A little of it is linear in the value, so that of two values far out the larger one
    /// stays larger.
    fn estimate(self, value: f64) -> f32 {
        const LINEAR: f64 = 0.02;
        let likely = 1.0 / (1.0 + (-self.slope * (value - self.middle)).exp());
        let linear = 0.5 + 0.5 * (value / self.largest).clamp(-1.0, 1.0);
        ((1.0 - LINEAR) * likely + LINEAR * linear) as f32
    }
}

impl Heuristic {
    /// The function that follows from the games kept.
    pub(super) fn new(elements: &Elements, ledger: &Ledger) -> Self {
        let roles = || Role::all(ledger.decided.n_roles());
        let term = |(element, counted): (usize, &Counted)| {
            let weight = |role| ledger.weight(element, counted.importance(), role);
            Term {
                counted: counted.clone(),
                most: ledger.most.get(element).copied().unwrap_or(0),
                weights: roles().map(weight).collect::<Vec<_>>().into(),
                seen: roles().map(|role| ledger.seen(element, role)).collect::<Vec<_>>().into(),
            }
        };
        let terms: Vec<Term> = elements.list.iter().enumerate().map(term).collect();
        let scale = |role| {
            let weights: Vec<f64> = terms.iter().map(|term| term.weights[role]).collect();
            let sizes = terms.iter().map(|term| term.weights[role].abs() * f64::from(term.most));
            let largest = sizes.sum::<f64>().max(f64::MIN_POSITIVE);
            Scale::new(&ledger.judged(&weights, role), largest)
        };
        Heuristic {
            scales: roles().map(scale).collect::<Vec<_>>().into(),
            n_games: ledger.n_games,
            decided: ledger.decided.clone(),
            mean_plies: ledger.mean_plies(),
            terms,
        }
    }

    /// The payoff that a role may expect in a state of some value, in `0.0..=1.0`.
    pub(crate) fn estimate(&self, role: Role, value: f64) -> f32 {
        self.scales[role].estimate(value)
    }

    /// Whether it tells nothing: every state has the same value for every role.
    pub fn is_blank(&self) -> bool {
        self.terms.iter().all(|term| term.weights.iter().all(|&weight| weight == 0.0))
    }

    /// What it rests on, in a sentence.
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
    /// What a row adds to the value of a state, for each role, row after row.
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

    /// What the function is made of.
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
            // Rows that were met just now follow below.
            if (row as usize) < n_known.min(self.weights.len() / n_roles) {
                let weights = &self.weights[row as usize * n_roles..][..n_roles];
                let pairs = self.values.iter_mut().zip(weights);
                pairs.for_each(|(value, &weight)| *value += f64::from(weight));
            }
        }
        if self.weights.len() < self.rows.len() * n_roles {
            self.weigh_new_rows();
            return self.values(state);
        }
        &self.values
    }

    /// A sum over elements is a sum over rows, since each element only counts them.
    fn weigh_new_rows(&mut self) {
        let n_roles = self.heuristic.decided.n_roles();
        self.elements.catch_up(&self.rows);
        for row in (self.weights.len() / n_roles) as u32..self.rows.len() as u32 {
            for role in Role::all(n_roles) {
                // Rows of their own that were never met before have no weight.
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
