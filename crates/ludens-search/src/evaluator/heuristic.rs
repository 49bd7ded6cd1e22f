//! An evaluation function in place of playouts (Mańdziuk and Świechowski 2012, section 3.3, fourth use).

use ludens_core::{Chooser, Game, Views};

use super::{Demand, Evaluated, Evaluation, Evaluator, Leaf, Policies};
use crate::heuristic::HeuristicFunction;

/// How a search uses its evaluation function for leaves.
pub struct LeafHeuristic<G: Game> {
    /// The function.
    pub function: HeuristicFunction<G>,
    /// The probability that a leaf is evaluated by the function instead of the other evaluator.
    pub replace: f64,
}

/// Evaluates some leaves by the evaluation functions of their searches, and the others by another
/// evaluator. Searches without a function are not affected.
pub struct HeuristicLeaves<G: Game, E> {
    others: E,
    tags: Vec<u32>,
    search_idxs: Vec<usize>,
    states: Vec<G::State>,
    game: Option<std::sync::Arc<G>>,
    views: Views,
    payoffs: Vec<f32>,
}

impl<G: Game, E: Evaluator<G>> HeuristicLeaves<G, E> {
    /// Evaluation functions, with `others` for the other leaves.
    pub fn new(others: E) -> Self {
        HeuristicLeaves {
            others,
            tags: Vec::new(),
            search_idxs: Vec::new(),
            states: Vec::new(),
            game: None,
            views: Views::default(),
            payoffs: Vec::new(),
        }
    }

    /// Evaluates the leaves accepted for evaluation functions.
    fn evaluate(&mut self, policies: &mut [Policies<'_, G>], out: &mut Evaluated) {
        let Some(game) = &self.game else { return };
        let states: Vec<&G::State> = self.states.iter().collect();
        game.look_many(&states, &mut self.views);
        for (i, (&tag, &search_idx)) in self.tags.iter().zip(&self.search_idxs).enumerate() {
            let terminal = self.views.is_terminal(i);
            self.payoffs.clear();
            self.payoffs.extend_from_slice(self.views.payoffs(i));
            let heuristic = policies[search_idx].heuristic.as_mut().filter(|_| !terminal);
            if let Some(heuristic) = heuristic {
                heuristic.function.estimate(&self.states[i], self.payoffs.iter_mut());
            }
            out.add(tag, &Evaluation { terminal, ..Evaluation::of(&self.payoffs) });
        }
    }

    fn clear(&mut self) {
        self.tags.clear();
        self.search_idxs.clear();
        self.states.clear();
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for HeuristicLeaves<G, E> {
    fn capacity(&self) -> usize {
        self.others.capacity()
    }

    fn room(&self) -> usize {
        self.others.room()
    }

    fn wants_views(&self) -> bool {
        self.others.wants_views()
    }

    fn begin(&mut self, demand: &Demand) {
        self.others.begin(demand);
    }

    fn offer(&mut self, tag: u32, leaf: &Leaf<'_, G>, policies: &mut Policies<'_, G>) {
        let replaced = match &policies.heuristic {
            // The root is offered for its priors, which an evaluation function does not provide.
            Some(heuristic) if !leaf.path.is_empty() => policies.rng.unit() < heuristic.replace,
            _ => false,
        };
        if !replaced {
            return self.others.offer(tag, leaf, policies);
        }
        if !policies.chain.is_uniform() {
            policies.chain.begin(leaf.tree(), leaf.path, leaf.game);
        }
        if self.game.is_none() {
            self.game = Some(std::sync::Arc::clone(leaf.search.game()));
        }
        self.tags.push(tag);
        self.search_idxs.push(leaf.search_idx);
        self.states.push(leaf.state.clone());
    }

    fn collect(&mut self, policies: &mut [Policies<'_, G>], out: &mut Evaluated) {
        if !self.tags.is_empty() {
            self.evaluate(policies, out);
            self.clear();
        }
        self.others.collect(policies, out);
    }

    fn abandon(&mut self) {
        self.clear();
        self.others.abandon();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::Nim;

    /// Counts how often its leaves are discarded.
    struct Others {
        n_abandoned: u32,
    }

    impl Evaluator<Nim> for Others {
        fn capacity(&self) -> usize {
            1
        }

        fn room(&self) -> usize {
            1
        }

        fn offer(&mut self, _: u32, _: &Leaf<'_, Nim>, _: &mut Policies<'_, Nim>) {}

        fn collect(&mut self, _: &mut [Policies<'_, Nim>], _: &mut Evaluated) {}

        fn abandon(&mut self) {
            self.n_abandoned += 1;
        }
    }

    #[test]
    fn abandoning_discards_the_leaves_of_both_evaluators() {
        let mut leaves = HeuristicLeaves::new(Others { n_abandoned: 0 });
        leaves.tags.push(3);
        leaves.search_idxs.push(0);
        leaves.states.push((9, 0));
        leaves.abandon();
        assert!(
            leaves.tags.is_empty() && leaves.search_idxs.is_empty() && leaves.states.is_empty()
        );
        assert_eq!(leaves.others.n_abandoned, 1);
    }
}
