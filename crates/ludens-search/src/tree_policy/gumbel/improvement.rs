//! The improved policy: priors and the values that a search has found.

use super::super::Choice;

/// How values improve priors: the logarithm of a prior plus σ(q), where
/// σ(q) = (`visits` + the most visits of a move) · `values` · q (Danihelka et al. 2022, equation 8).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Improvement {
    /// The paper's `c_visit`.
    pub visits: f64,
    /// The paper's `c_scale`.
    pub values: f64,
}

/// The prior of a move of the root; all are equal without priors.
pub(super) fn prior(choice: &Choice<'_>, i: usize) -> f64 {
    let place = choice.first + i;
    let prior = choice.tree.priors(place..place + 1).first();
    prior.map_or(1.0, |&prior| f64::from(prior)).max(MIN_PRIOR)
}

/// The smallest prior whose logarithm is used.
const MIN_PRIOR: f64 = 1e-12;

impl Improvement {
    /// The score of each move of a role: logarithms of probabilities, up to a constant. The value of a
    /// move without visits is the mean of the others by their priors. A proven loss has value 0.
    pub fn scores(&self, choice: &Choice<'_>, scores: &mut Vec<f64>) {
        scores.clear();
        scores.extend((0..choice.edges.len()).map(|i| prior(choice, i).ln()));
        self.add_values(choice, scores);
    }

    /// Adds σ(q) of each move to the logarithms of the priors.
    pub(super) fn add_values(&self, choice: &Choice<'_>, scores: &mut [f64]) {
        let (mut sum, mut weight, mut most) = (0.0, 0.0, 0);
        for (i, edge) in choice.edges.iter().enumerate().filter(|(_, edge)| edge.visits > 0) {
            sum += prior(choice, i) * edge.mean();
            weight += prior(choice, i);
            most = most.max(edge.visits);
        }
        let unvisited = if weight > 0.0 { sum / weight } else { 0.0 };
        let scale = (self.visits + f64::from(most)) * self.values;
        for (score, edge) in scores.iter_mut().zip(choice.edges) {
            let value = match edge.visits {
                _ if edge.is_lost() => 0.0,
                0 => unvisited,
                _ => edge.mean(),
            };
            *score += scale * value;
        }
    }

    /// The probability of each move of a role under the improved policy.
    pub fn policy(&self, choice: &Choice<'_>, probabilities: &mut Vec<f64>) {
        self.scores(choice, probabilities);
        let max = probabilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for score in &mut *probabilities {
            *score = (*score - max).exp();
        }
        let sum: f64 = probabilities.iter().sum();
        for probability in probabilities {
            *probability /= sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::Path;
    use crate::testgames::HandTree;
    use ludens_core::Role;

    #[test]
    fn scores_are_those_of_the_formula() {
        let mut hand = HandTree::new();
        hand.tree.set_priors(hand.root, &[0.5, 0.25, 0.25, 1.0]);
        hand.visit(1, 0.75, 4);
        hand.visit(2, 0.0, 1);
        let path = Path::new(2);
        let choice = Choice::new(&hand.tree, &path, hand.root, Role(0));
        let (mut scores, mut policy) = (Vec::new(), Vec::new());
        let improvement = Improvement { visits: 6.0, values: 0.5 };
        improvement.scores(&choice, &mut scores);
        // σ(q) = (6 + 4) · 0.5 · q; the third move counts as (0.5 · 0.75 + 0.25 · 0) / 0.75 = 0.5.
        let expected = [0.5f64.ln() + 3.75, 0.25f64.ln(), 0.25f64.ln() + 2.5];
        let differs = |(a, b): (&f64, &f64)| (a - b).abs() > 1e-6;
        assert!(!scores.iter().zip(&expected).any(differs), "{scores:?}");
        improvement.policy(&choice, &mut policy);
        assert!((policy.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((policy[0] / policy[2] - 2.0 * 1.25f64.exp()).abs() < 1e-5, "{policy:?}");
        hand.tree.lose(0);
        let choice = Choice::new(&hand.tree, &path, hand.root, Role(0));
        improvement.scores(&choice, &mut scores);
        assert!((scores[0] - 0.5f64.ln()).abs() < 1e-6, "a proven loss has value 0");
    }
}
