//! Progressive unpruning (Chaslot, Winands, van den Herik, Uiterwijk and Bouzy 2008): in a node
//! that was visited seldom only its first moves are open to a policy; others follow one by one. Moves must
//! stand in an order that says something, such as that of an evaluation function.

use ludens_core::Rng;

use super::{Choice, TreePolicy};
use crate::episode::Episode;
use crate::reuse::Kept;
use crate::tree::Tree;

/// A policy that sees more and more moves.
pub struct Unpruning {
    /// How many moves are open from the beginning; at least one.
    first: usize,
    policy: Box<dyn TreePolicy>,
}

/// The next move is opened after so many visits (A of the paper)…
const VISITS: f64 = 50.0;

/// …and each one after it when there are so many times as many (B).
const GROWTH: f64 = 1.3;

impl Unpruning {
    /// Opens so many moves at once.
    pub fn new(first: usize, policy: Box<dyn TreePolicy>) -> Self {
        Unpruning { first: first.max(1), policy }
    }

    /// How many moves are open after so many visits.
    fn n_open(&self, visits: u32) -> usize {
        let times = f64::from(visits) / VISITS;
        let more = if times < 1.0 { 0.0 } else { 1.0 + times.log(GROWTH).floor() };
        self.first.saturating_add(more as usize)
    }
}

impl TreePolicy for Unpruning {
    fn select(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize {
        let n_open = self.n_open(choice.visits).min(choice.edges.len());
        if n_open == 1 {
            return 0;
        }
        self.policy.select(&Choice { edges: &choice.edges[..n_open], ..*choice }, rng)
    }

    fn subscribe(&self, tree: &mut Tree) {
        self.policy.subscribe(tree);
    }

    fn learn(&mut self, episode: &Episode<'_>, full: bool) {
        self.policy.learn(episode, full);
    }

    fn grows(&self) -> bool {
        self.policy.grows()
    }

    fn retain(&mut self, kept: &Kept) {
        self.policy.retain(kept);
    }

    fn clear(&mut self) {
        self.policy.clear();
    }

    fn bytes(&self) -> usize {
        self.policy.bytes()
    }

    fn fresh(&self) -> Box<dyn TreePolicy> {
        Box::new(Unpruning::new(self.first, self.policy.fresh()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::HandTree;
    use crate::tree_policy::{Ucb, Unvisited};

    fn unpruning(first: usize) -> Unpruning {
        Unpruning::new(first, Box::new(Ucb { exploration: 0.4, unvisited: Unvisited::InOrder }))
    }

    #[test]
    fn moves_are_opened_as_the_paper_says() {
        let policy = unpruning(5);
        // 50 · 1.3 = 65 and 50 · 1.3² = 84.5.
        let opened = [0, 49, 50, 64, 66, 84, 85].map(|visits| policy.n_open(visits));
        assert_eq!(opened, [5, 5, 6, 6, 7, 7, 8]);
    }

    #[test]
    fn closed_moves_are_not_chosen_and_open_ones_come_in_order() {
        let mut hand = HandTree::new();
        let mut policy = unpruning(1);
        let mut rng = Rng::new(1);
        // The first move loses all the time, and yet there is no other for 50 visits.
        for visits in 0..50 {
            assert_eq!(hand.choice(&mut policy, &mut rng), 1, "after {visits} visits");
            hand.visit(1, 0.0, 1);
        }
        assert_eq!(hand.choice(&mut policy, &mut rng), 2);
        hand.visit(2, 1.0, 14);
        assert_eq!(hand.choice(&mut policy, &mut rng), 2, "after 64 visits");
        hand.visit(2, 1.0, 2);
        assert_eq!(hand.choice(&mut policy, &mut rng), 3);
        // A policy that may see all moves from the beginning is not held back.
        let fresh = HandTree::new();
        let mut open = unpruning(3);
        assert_eq!(fresh.choice(&mut open, &mut rng), 1);
        assert_eq!(hand.choice(&mut open, &mut rng), 3);
    }
}
