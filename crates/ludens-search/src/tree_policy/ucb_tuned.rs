//! UCB1-Tuned (Auer, Cesa-Bianchi and Fischer 2002, section 4): the exploration term shrinks where
//! payoffs vary little.

use ludens_core::Rng;

use super::{Choice, TreePolicy, Unvisited, highest, log_visits, untried};
use crate::episode::Episode;
use crate::reuse::Kept;

/// Upper confidence bounds with measured variances.
#[derive(Clone, Debug)]
pub struct UcbTuned {
    /// Weight of the exploration term; 1 in the paper.
    pub exploration: f64,
    /// The score of moves without visits.
    pub unvisited: Unvisited,
    /// For each edge, the sum of the squared payoffs.
    squares: Vec<f64>,
}

impl UcbTuned {
    /// A policy without statistics.
    pub fn new(exploration: f64, unvisited: Unvisited) -> Self {
        UcbTuned { exploration, unvisited, squares: Vec::new() }
    }
}

impl TreePolicy for UcbTuned {
    fn select(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize {
        if let Some(place) = untried(choice, self.unvisited, rng) {
            return place;
        }
        let log = log_visits(choice);
        highest(choice, self.unvisited, rng, |i, edge| {
            let n = f64::from(edge.visits);
            let mean = edge.value / n;
            let squares = self.squares.get(choice.first + i).copied().unwrap_or(0.0);
            // Visits in progress count with payoff 0.
            let variance = squares / n - mean * mean + (2.0 * log / n).sqrt();
            mean + self.exploration * (log / n * variance.clamp(0.0, 0.25)).sqrt()
        })
    }

    fn learn(&mut self, episode: &Episode<'_>, _full: bool) {
        self.squares.resize(episode.tree.n_edges(), 0.0);
        for (node, chosen) in episode.path.steps() {
            for (role, edge) in episode.tree.each_chosen(node, chosen) {
                self.squares[edge] += f64::from(episode.payoffs[role.index()]).powi(2);
            }
        }
    }

    fn retain(&mut self, kept: &Kept) {
        let squares = |edge| self.squares.get(edge).copied().unwrap_or(0.0);
        self.squares = kept.edges().map(squares).collect();
    }

    fn clear(&mut self) {
        self.squares.clear();
    }

    fn bytes(&self) -> usize {
        self.squares.capacity() * size_of::<f64>()
    }

    fn fresh(&self) -> Box<dyn TreePolicy> {
        Box::new(UcbTuned::new(self.exploration, self.unvisited))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::HandTree;

    /// Counts a visit in which role 0 plays a move; the policy learns from it.
    fn visit(hand: &mut HandTree, policy: &mut UcbTuned, mv: u32, payoff: f32) {
        hand.visit(mv, payoff, 1);
        let (path, payoffs) = (hand.step(mv), [payoff, 1.0 - payoff]);
        policy.learn(&Episode { path: &path, ..hand.episode(&[], &payoffs) }, false);
    }

    /// Move 1 has 600 visits with a mean payoff of 0.515, move 2 has 400 with payoffs alternating between 0
    /// and 1, and move 3 has none. ln 1000 = 6.9078.
    fn choice(exploration: f64, payoffs: [f32; 2]) -> u32 {
        let mut hand = HandTree::new();
        let mut policy = UcbTuned::new(exploration, Unvisited::Worth(-1.0));
        for i in 0..600 {
            visit(&mut hand, &mut policy, 1, payoffs[i % 2]);
        }
        (0..400).for_each(|i| visit(&mut hand, &mut policy, 2, [0.0, 1.0][i % 2]));
        hand.choice(&mut policy, &mut Rng::new(1))
    }

    #[test]
    fn little_variance_is_little_exploration() {
        // √(2·6.9078/600) = 0.1517 is all the variance of move 1: 0.515 + √(6.9078/600·0.1517) = 0.5568.
        // Move 2 has 0.25 + …, cut to 0.25: 0.5 + √(6.9078/400·0.25) = 0.5657.
        assert_eq!(choice(1.0, [0.515, 0.515]), 2);
        // With payoffs of 0.03 and 1 move 1 has 0.2352 + 0.1517, cut to 0.25: 0.515 + 0.0536 = 0.5686.
        assert_eq!(choice(1.0, [0.03, 1.0]), 1);
        // Without exploration the means decide.
        assert_eq!(choice(0.0, [0.515, 0.515]), 1);
    }

    #[test]
    fn variances_between_the_bounds_are_used_as_they_are() {
        // Move 1 pays 0.415 or 0.615: 0.01 + 0.1517 = 0.1617, and 0.515 + √(6.9078/600·0.1617) = 0.5582.
        assert_eq!(choice(1.0, [0.415, 0.615]), 2);
        // It pays 0.215 or 0.815: 0.09 + 0.1517 = 0.2417, and 0.515 + √(6.9078/600·0.2417) = 0.5678.
        assert_eq!(choice(1.0, [0.215, 0.815]), 1);
    }

    #[test]
    fn squares_of_kept_edges_are_renumbered() {
        let mut hand = HandTree::new();
        let mut policy = UcbTuned::new(1.0, Unvisited::First);
        policy.learn(&hand.episode(&[], &[0.5, 0.25]), false);
        assert_eq!(policy.squares, [0.0, 0.25, 0.0, 0.0625, 0.25, 0.0, 0.0625]);
        let below = hand.below;
        policy.retain(&hand.tree.retain(below));
        assert_eq!(policy.squares, [0.25, 0.0, 0.0625]);
    }
}
