//! PUCT (Rosin 2011; the form of Silver et al. 2017): mean payoff plus c·P·√N / (1 + n), where P is the
//! share that a move was given beforehand. Without a network every move has the same share.

use ludens_core::Rng;

use super::{Choice, TreePolicy, Unvisited, highest};
use crate::tree::Edge;

/// Upper confidence bounds with shares given beforehand.
#[derive(Clone, Debug)]
pub struct Puct {
    /// Weight of the exploration term.
    pub exploration: f64,
    /// What a move that was never chosen is taken to be worth, before its share is added.
    pub first: f64,
}

impl TreePolicy for Puct {
    fn select(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize {
        let n_moves = choice.edges.len();
        let share = 1.0 / n_moves as f64;
        // At the first visit all scores are equal, and the choice is left to chance.
        let n = choice.visits;
        if n == 0 {
            return rng.below(n_moves);
        }
        let scale = self.exploration * share * f64::from(n).sqrt();
        let scored = Unvisited::Worth(self.first + scale);
        let bonus = |edge: &Edge| scale / (1.0 + f64::from(edge.visits));
        highest(choice, scored, rng, |_, edge| edge.mean() + bonus(edge))
    }

    fn fresh(&self) -> Box<dyn TreePolicy> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::HandTree;
    use crate::tree::Needs;
    use ludens_testkit::chi_square::chi_square;

    fn choice(hand: &HandTree, exploration: f64, first: f64) -> u32 {
        hand.choice(&mut Puct { exploration, first }, &mut Rng::new(1))
    }

    /// Nine visits, so that c·P·√N = c·(1/3)·3 = c.
    #[test]
    fn scores_are_those_of_the_formula() {
        let mut hand = HandTree::new(Needs::default());
        hand.visit(1, 0.6, 5);
        hand.visit(2, 0.4, 4);
        // 0.6 + c/6; 0.4 + c/5; first + c/1.
        assert_eq!(choice(&hand, 0.3, 0.0), 1); // 0.65; 0.46; 0.3
        assert_eq!(choice(&hand, 0.6, 0.0), 1); // 0.70; 0.52; 0.6
        assert_eq!(choice(&hand, 0.75, 0.0), 3); // 0.725; 0.55; 0.75
        assert_eq!(choice(&hand, 0.3, 0.4), 3); // 0.65; 0.46; 0.7
        hand.visit(3, 0.0, 1);
        // Ten visits: c·√10/3 = 1.0541·c, at c = 6: 0.6 + 6.3246/6 = 1.6541; 0.4 + 6.3246/5 = 1.6649; 3.1623.
        assert_eq!(choice(&hand, 6.0, 0.0), 3);
        hand.tree.lose(2);
        assert_eq!(choice(&hand, 6.0, 0.0), 2);
    }

    #[test]
    fn the_first_visit_is_left_to_chance() {
        let hand = HandTree::new(Needs::default());
        let mut rng = Rng::new(9);
        let mut counts = [0; 3];
        let mut puct = Puct { exploration: 1.0, first: 0.0 };
        (0..30_000).for_each(|_| counts[hand.choice(&mut puct, &mut rng) as usize - 1] += 1);
        assert!(chi_square(&counts, &[1.0; 3]).fits(), "{counts:?}");
    }
}
