//! RAVE (Gelly and Silver 2007; the form of Duguépéroux et al. 2016): the mean payoff is mixed with the mean
//! of all simulations in which the move was played here or later, with β = √(R / (R + 3n)).

use ludens_core::Rng;

use super::{Choice, TreePolicy, Unvisited, highest, log_visits, untried};
use crate::tree::Tree;

/// Rapid action value estimation.
#[derive(Clone, Debug)]
pub struct Rave {
    /// The number of visits after which the mean outweighs the estimate (R).
    pub equivalence: f64,
    /// Weight of the exploration term (K).
    pub exploration: f64,
    /// The score of moves without visits.
    pub unvisited: Unvisited,
}

impl TreePolicy for Rave {
    fn select(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize {
        if let Some(place) = untried(choice, self.unvisited, rng) {
            return place;
        }
        let (tree, first) = (choice.tree, choice.first);
        let explore = self.exploration > 0.0;
        let log = if explore { log_visits(choice) } else { 0.0 };
        highest(choice, self.unvisited, rng, |i, edge| {
            let n = f64::from(edge.visits);
            let mean = edge.value / n;
            let (plays, value) = tree.amaf(first + i);
            let estimate = if plays > 0.0 { f64::from(value / plays) } else { mean };
            let beta = (self.equivalence / (self.equivalence + 3.0 * n)).sqrt();
            let bonus = if explore { self.exploration * (log / n).sqrt() } else { 0.0 };
            (1.0 - beta) * mean + beta * estimate + bonus
        })
    }

    fn subscribe(&self, tree: &mut Tree) {
        tree.keep_amaf();
    }

    fn fresh(&self) -> Box<dyn TreePolicy> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::HandTree;

    fn choice(hand: &HandTree, equivalence: f64, exploration: f64) -> u32 {
        let mut rave = Rave { equivalence, exploration, unvisited: Unvisited::First };
        hand.choice(&mut rave, &mut Rng::new(1))
    }

    /// R = 130, so that β = √(130 / 520) = 1/2 after 130 visits and √(130 / 3640) = 0.1890 after 1170.
    #[test]
    fn means_and_estimates_are_mixed() {
        let mut hand = HandTree::keeping(Tree::keep_amaf);
        hand.visit(1, 0.4, 130);
        hand.visit(2, 0.5, 130);
        hand.visit(3, 0.45, 1170);
        hand.note_amaf(1, 0.6, 5);
        hand.note_amaf(2, 0.48, 7);
        hand.note_amaf(3, 0.5, 3);
        // (0.4 + 0.6) / 2 = 0.5; (0.5 + 0.48) / 2 = 0.49; 0.811·0.45 + 0.189·0.5 = 0.4595.
        assert_eq!(choice(&hand, 130.0, 0.0), 1);
        // R = 0 leaves the means alone: 0.4, 0.5, 0.45.
        assert_eq!(choice(&hand, 0.0, 0.0), 2);
        // Three more estimates of 1 make that of move 3 0.75: 0.811·0.45 + 0.189·0.75 = 0.5067.
        hand.note_amaf(3, 1.0, 3);
        assert_eq!(choice(&hand, 130.0, 0.0), 3);
        // K = 1, ln 1430 = 7.2654: 0.5 + √(7.2654/130) = 0.7364; 0.49 + 0.2364; 0.5067 + 0.0788.
        assert_eq!(choice(&hand, 130.0, 1.0), 1);
    }

    #[test]
    fn a_move_without_estimate_has_its_mean() {
        let mut hand = HandTree::keeping(Tree::keep_amaf);
        hand.visit(1, 0.5, 10);
        hand.visit(2, 0.4, 10);
        hand.visit(3, 0.3, 10);
        hand.note_amaf(3, 0.45, 10);
        assert_eq!(choice(&hand, 130.0, 0.0), 1);
    }
}
