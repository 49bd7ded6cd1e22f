//! The payoffs of all roles after each move of the root.
//!
//! A node in which one role decides keeps only the payoffs of that role, because selection needs no others.
//! Learning needs those of all roles, at the root.

use ludens_core::{Game, Role};

use super::Search;
use crate::episode::Path;
use crate::tree::{NodeId, Tree};

/// Sums of payoffs by moves of the only role that decides at the root.
#[derive(Clone, Debug, Default)]
pub(super) struct RootPayoffs {
    /// The root, and its decider; `None` if several roles decide there.
    root: Option<(NodeId, Role)>,
    /// The first edge of the decider.
    first: usize,
    visits: Vec<u32>,
    /// For each move, a sum for each role.
    sums: Vec<f64>,
}

impl RootPayoffs {
    /// A search from this root begins.
    fn begin(&mut self, tree: &Tree, root: NodeId) {
        let decider = tree.decider(root).filter(|_| tree.is_expanded(root));
        self.root = decider.map(|decider| (root, decider));
        let range = decider.map_or(0..0, |decider| tree.range(root, decider));
        self.first = range.start;
        self.visits.clear();
        self.visits.resize(range.len(), 0);
        self.sums.clear();
        self.sums.resize(range.len() * tree.n_roles(), 0.0);
    }

    /// Adds the payoffs of a visit.
    pub(super) fn add(&mut self, path: &Path, payoffs: &[f32]) {
        let Some((root, decider)) = self.root else { return };
        let Some((_, chosen)) = path.steps().next().filter(|&(node, _)| node == root) else {
            return;
        };
        let place = chosen.by(decider) - self.first;
        self.visits[place] += 1;
        let sums = self.sums[place * payoffs.len()..].iter_mut().zip(payoffs);
        sums.for_each(|(sum, &payoff)| *sum += f64::from(payoff));
    }
}

impl<G: Game> Search<G> {
    /// Keeps the payoffs of all roles at the root from the next search on, for [`Search::value_by`].
    pub fn keep_root_payoffs(&mut self) {
        self.root_payoffs.get_or_insert_default();
    }

    pub(super) fn begin_root_payoffs(&mut self) {
        if let Some(payoffs) = &mut self.root_payoffs {
            payoffs.begin(&self.tree, self.root);
        }
    }

    /// The payoff of a role if moves are made by a policy: the proven one, or the mean of the moves that were
    /// visited. The policy is that of the only role that decides, or of the role itself if several decide.
    /// `None` if no move with a probability was visited.
    pub fn value_by(&self, policy: &[f64], role: Role) -> Option<f64> {
        if let Some(proven) = self.tree.proven(self.root) {
            return Some(f64::from(proven[role.index()]));
        }
        let decider = self.tree.decider(self.root);
        let mean = |place: usize| match (decider, &self.root_payoffs) {
            (Some(decider), Some(kept)) if decider != role => {
                let visits = *kept.visits.get(place).filter(|&&visits| visits > 0)?;
                let n_roles = self.tree.n_roles();
                Some(kept.sums[place * n_roles + role.index()] / f64::from(visits))
            }
            _ => {
                let edge = self.tree.edges(self.root, role).get(place)?;
                (edge.visits > 0).then(|| edge.mean())
            }
        };
        let (mut sum, mut weight) = (0.0, 0.0);
        for (place, &probability) in policy.iter().enumerate() {
            if let Some(mean) = mean(place) {
                sum += probability * mean;
                weight += probability;
            }
        }
        (weight > 0.0).then(|| sum / weight)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::evaluator::{FnEvaluator, Position, Value};
    use crate::testgames::Nim;
    use crate::{Chain, FirstPlay, Growth, Job, Puct, Searcher, Settings, Watch, drive};
    use ludens_core::Budget;

    /// Payoffs of heaps, which do not add up to 1.
    fn value(heap: u32) -> [f32; 2] {
        [heap as f32 / 10.0, 1.0 - heap as f32 / 20.0]
    }

    #[test]
    fn every_role_has_a_value_under_a_policy() {
        let exploration = 100.0;
        let (growth, first) = (Growth::SquareRoot, FirstPlay::Constant(0.5));
        let puct = Box::new(Puct { exploration, growth, first });
        let (game, chain) = (Arc::new(Nim(9)), Chain::new(Vec::new()));
        let mut searcher = Searcher::new(game, puct, chain, Settings::default(), 1);
        searcher.search.keep_root_payoffs();
        searcher.begin(1);
        searcher.set_root(&(9, 0));
        let mut evaluator = FnEvaluator::new(1, |positions: &[Position<(u32, usize)>]| {
            let of = |position: &Position<(u32, usize)>| Value {
                payoffs: value(position.state.0).to_vec(),
                priors: Vec::new(),
            };
            positions.iter().map(of).collect()
        });
        // So much exploration visits each of the three moves once.
        let mut jobs = [Job { searcher: &mut searcher, simulations: 3, n_done: 0 }];
        drive(&mut jobs, &mut evaluator, &Budget::unlimited(), &mut Watch::none());
        let policy = [0.5, 0.25, 0.25];
        for role in Role::all(2) {
            let of_heap = |heap| f64::from(value(heap)[role.index()]);
            let expected = 0.5 * of_heap(8) + 0.25 * of_heap(7) + 0.25 * of_heap(6);
            let found = searcher.search.value_by(&policy, role).unwrap();
            assert!((found - expected).abs() < 1e-6, "{role:?}: {found} {expected}");
            assert_eq!(searcher.search.value_by(&[0.0; 3], role), None);
        }
        // A search without another visit has no payoffs of the role that waits.
        searcher.search.begin(1);
        assert_eq!(searcher.search.value_by(&policy, Role(1)), None);
    }
}
