//! Progressive bias (Chaslot, Winands, van den Herik, Uiterwijk and Bouzy 2008): UCB1 plus w·H / (n + 1),
//! where H is the estimate of an evaluation function for a move with n visits. It dominates in nodes with
//! few visits, and fades as visits grow.

use ludens_core::Rng;

use super::counts::Tables;
use super::{Choice, TreePolicy, Unvisited, highest, untried};
use crate::tree::Tree;

/// Upper confidence bounds with a fading bias by an evaluation function.
#[derive(Clone, Debug)]
pub struct ProgressiveBias {
    /// Weight of the exploration term.
    pub exploration: f64,
    /// Weight of the evaluation function (w).
    pub weight: f64,
    /// The score of moves without visits.
    pub unvisited: Unvisited,
}

impl TreePolicy for ProgressiveBias {
    fn select(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize {
        if let Some(place) = untried(choice, self.unvisited, rng) {
            return place;
        }
        let tables = Tables::get();
        let scale = self.exploration * tables.root_log(choice.visits);
        let estimates = choice.tree.estimates(choice.first..choice.first + choice.edges.len());
        highest(choice, self.unvisited, rng, |i, edge| {
            let estimate = estimates.get(i).map_or(0.0, |&estimate| f64::from(estimate));
            let root = tables.root(edge.visits);
            let bias = self.weight * estimate / (f64::from(edge.visits) + 1.0);
            (edge.value * root + scale) * root + bias
        })
    }

    fn subscribe(&self, tree: &mut Tree) {
        tree.keep_estimates();
    }

    fn fresh(&self) -> Box<dyn TreePolicy> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::HandTree;
    use ludens_core::Role;

    #[test]
    fn scores_are_those_of_the_formula() {
        let mut hand = HandTree::keeping(Tree::keep_estimates);
        hand.visit(1, 0.6, 6);
        hand.visit(2, 0.5, 3);
        hand.visit(3, 0.0, 1);
        hand.tree.estimate(hand.root, Role(0), &[0.2, 0.4, 0.9]);
        let choice = |weight| {
            let unvisited = Unvisited::First;
            let mut policy = ProgressiveBias { exploration: 0.0, weight, unvisited };
            hand.choice(&mut policy, &mut Rng::new(1))
        };
        // The means are 0.6, 0.5 and 0; the function adds w · 0.2 / 7, w · 0.4 / 4 and w · 0.9 / 2.
        assert_eq!(choice(0.0), 1);
        assert_eq!(choice(1.0), 1); // 0.629; 0.6; 0.45
        assert_eq!(choice(1.42), 2); // 0.641; 0.642; 0.639
        assert_eq!(choice(2.0), 3); // 0.657; 0.7; 0.9
    }

    #[test]
    fn the_tree_keeps_estimates_for_it() {
        let policy = ProgressiveBias { exploration: 0.4, weight: 5.0, unvisited: Unvisited::First };
        assert!(HandTree::keeping(|tree| policy.subscribe(tree)).tree.keeps_estimates());
    }

    #[test]
    fn without_a_function_it_is_ucb() {
        let mut hand = HandTree::new();
        hand.visit(1, 0.6, 6);
        hand.visit(2, 0.5, 3);
        hand.visit(3, 0.0, 1);
        let mut policy =
            ProgressiveBias { exploration: 0.4, weight: 5.0, unvisited: Unvisited::First };
        // The second has the highest bound, as in the test of UCB1.
        assert_eq!(hand.choice(&mut policy, &mut Rng::new(1)), 2);
    }
}
