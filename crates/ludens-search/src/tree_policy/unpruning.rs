//! Progressive unpruning (Chaslot, Winands, van den Herik, Uiterwijk and Bouzy 2008): in a node with few
//! visits only the first moves are available to a policy; others are added one by one. Moves must be in a
//! meaningful order, such as that of an evaluation function.

use ludens_core::Rng;

use super::{Choice, TreePolicy};
use crate::episode::Episode;
use crate::reuse::Kept;
use crate::tree::Tree;

/// A policy to which more and more moves are available.
pub struct Unpruning {
    /// The number of moves available from the beginning; at least one.
    first: usize,
    policy: Box<dyn TreePolicy>,
}

/// The number of visits after which the first move is added (A of the paper).
const FIRST_VISITS: f64 = 50.0;

/// The factor of visits between two additions (B of the paper).
const GROWTH: f64 = 1.3;

impl Unpruning {
    /// A policy to which the `first` moves are available from the beginning.
    pub fn new(first: usize, policy: Box<dyn TreePolicy>) -> Self {
        Unpruning { first: first.max(1), policy }
    }

    /// The number of available moves after `visits` visits.
    fn n_available(&self, visits: u32) -> usize {
        let times = f64::from(visits) / FIRST_VISITS;
        let more = if times < 1.0 { 0.0 } else { 1.0 + times.log(GROWTH).floor() };
        self.first.saturating_add(more as usize)
    }
}

impl TreePolicy for Unpruning {
    fn select(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize {
        let n_available = self.n_available(choice.visits).min(choice.edges.len());
        if n_available == 1 {
            return 0;
        }
        self.policy.select(&Choice { edges: &choice.edges[..n_available], ..*choice }, rng)
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
    fn moves_are_added_as_in_the_paper() {
        let policy = unpruning(5);
        // 50 · 1.3 = 65 and 50 · 1.3² = 84.5.
        let opened = [0, 49, 50, 64, 66, 84, 85].map(|visits| policy.n_available(visits));
        assert_eq!(opened, [5, 5, 6, 6, 7, 7, 8]);
    }

    #[test]
    fn pruned_moves_are_not_selected_and_others_are_added_in_order() {
        let mut hand = HandTree::new();
        let mut policy = unpruning(1);
        let mut rng = Rng::new(1);
        // The first move always loses, but no other is available for 50 visits.
        for visits in 0..50 {
            assert_eq!(hand.choice(&mut policy, &mut rng), 1, "after {visits} visits");
            hand.visit(1, 0.0, 1);
        }
        assert_eq!(hand.choice(&mut policy, &mut rng), 2);
        hand.visit(2, 1.0, 14);
        assert_eq!(hand.choice(&mut policy, &mut rng), 2, "after 64 visits");
        hand.visit(2, 1.0, 2);
        assert_eq!(hand.choice(&mut policy, &mut rng), 3);
        // With all moves available from the beginning, nothing is pruned.
        let fresh = HandTree::new();
        let mut open = unpruning(3);
        assert_eq!(fresh.choice(&mut open, &mut rng), 1);
        assert_eq!(hand.choice(&mut open, &mut rng), 3);
    }
}
