//! UCB1 (Auer, Cesa-Bianchi and Fischer 2002), which makes a tree search UCT (Kocsis and Szepesvári
//! 2006): mean payoff plus c·√(ln t / p).

use ludens_core::Rng;

use super::counts::Tables;
use super::{Choice, TreePolicy, Unvisited, highest, untried};

/// Upper confidence bounds.
#[derive(Clone, Debug)]
pub struct Ucb {
    /// Weight of the exploration term.
    pub exploration: f64,
    /// The score of moves without visits.
    pub unvisited: Unvisited,
}

impl TreePolicy for Ucb {
    fn select(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize {
        if let Some(place) = untried(choice, self.unvisited, rng) {
            return place;
        }
        let tables = Tables::get();
        let scale = self.exploration * tables.root_log(choice.visits);
        highest(choice, self.unvisited, rng, |_, edge| {
            // The same as value/p + c·√(ln t)/√p, with a single table lookup.
            let root = tables.root(edge.visits);
            (edge.value * root + scale) * root
        })
    }

    fn fresh(&self) -> Box<dyn TreePolicy> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::HandTree;
    use ludens_testkit::chi_square::chi_square;

    fn hand() -> HandTree {
        let mut hand = HandTree::new();
        // Ten visits; ln 10 = 2.3026.
        hand.visit(1, 0.6, 6);
        hand.visit(2, 0.5, 3);
        hand.visit(3, 0.0, 1);
        hand
    }

    fn choice(hand: &HandTree, exploration: f64) -> u32 {
        let mut ucb = Ucb { exploration, unvisited: Unvisited::First };
        hand.choice(&mut ucb, &mut Rng::new(1))
    }

    #[test]
    fn scores_are_those_of_the_formula() {
        // √(ln 10 / p) = 0.6195, 0.8761, 1.5174 for p = 6, 3, 1.
        let hand = hand();
        // Without exploration the means 0.6, 0.5, 0 decide.
        assert_eq!(choice(&hand, 0.0), 1);
        // 0.6 + 0.3·0.6195 = 0.7858; 0.5 + 0.3·0.8761 = 0.7628; 0.3·1.5174 = 0.4552.
        assert_eq!(choice(&hand, 0.3), 1);
        // 0.6 + 0.4·0.6195 = 0.8478; 0.5 + 0.4·0.8761 = 0.8504; 0.4·1.5174 = 0.6070.
        assert_eq!(choice(&hand, 0.4), 2);
        // 1.2195; 1.3761; 1.5174.
        assert_eq!(choice(&hand, 1.0), 3);
    }

    #[test]
    fn visits_in_progress_are_virtual_losses() {
        let mut hand = hand();
        hand.tree.begin_visit(hand.root, &[1, 3]);
        // ln 11 = 2.3979, √(ln 11 / p) = 0.6322 for p = 6 and 0.7743 for p = 4:
        // 0.6 + 0.4·0.6322 = 0.8529; 1.5 / 4 + 0.4·0.7743 = 0.6847.
        assert_eq!(choice(&hand, 0.4), 1);
        // With its payoff of 1 the score is 2.5 / 4 + 0.4·0.7743 = 0.9347; a cancelled visit does not count.
        hand.tree.end_visit(hand.root, &[1, 3], &[1.0, 0.0]);
        assert_eq!(choice(&hand, 0.4), 2);
        hand.tree.begin_visit(hand.root, &[1, 3]);
        let in_progress = *hand.tree.edge(1);
        hand.tree.cancel_visit(hand.root, &[1, 3]);
        assert_eq!((in_progress.visits, hand.tree.edge(1).visits), (5, 4));
        assert_eq!(hand.tree.node(hand.root).visits, 11);
    }

    #[test]
    fn untried_moves_come_first_and_equally_often() {
        let mut hand = HandTree::new();
        hand.visit(2, 1.0, 5);
        let mut ucb = Ucb { exploration: 0.4, unvisited: Unvisited::First };
        let mut rng = Rng::new(5);
        let mut counts = [0; 3];
        (0..30_000).for_each(|_| counts[hand.choice(&mut ucb, &mut rng) as usize - 1] += 1);
        let fit = chi_square(&counts, &[1.0, 0.0, 1.0]);
        assert!(fit.fits(), "{counts:?}: {fit:?}");
    }

    #[test]
    fn first_play_urgency_takes_the_place_of_a_score() {
        let mut hand = HandTree::new();
        hand.visit(1, 0.6, 4);
        // 0.6 + 0.4·√(ln 4 / 4) = 0.8355.
        let choice = |worth| {
            let mut ucb = Ucb { exploration: 0.4, unvisited: Unvisited::Worth(worth) };
            hand.choice(&mut ucb, &mut Rng::new(1))
        };
        assert_eq!(choice(0.83), 1);
        assert_eq!(choice(0.84), 2);
    }

    #[test]
    fn proven_losses_are_skipped_as_long_as_there_is_another_move() {
        let mut hand = hand();
        hand.tree.lose(1);
        assert_eq!(choice(&hand, 0.4), 1);
        hand.tree.lose(0);
        assert_eq!(choice(&hand, 0.4), 3);
        hand.tree.lose(2);
        assert!((1..=3).contains(&choice(&hand, 0.4)));
    }
}
