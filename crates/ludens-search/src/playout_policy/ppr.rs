//! PPR, playout pruning with RAVE (Duguépéroux, Mazyad, Teytaud and Dehos 2016, algorithm 1): before a
//! playout, moves whose RAVE win rate is not above a threshold are pruned, by the statistics of the last
//! node on the path with a minimum share of all simulations. Each playout move is drawn from the remaining
//! ones with probability p, and otherwise from the last part of the list of legal moves. The list of the
//! paper is shared: its win rates are those of the role that plays the move, and both roles draw from it.

use ludens_core::{Move, Rng, Turn};

use super::PlayoutPolicy;
use super::rave_moves::RaveMoves;
use crate::episode::Path;
use crate::tree::Tree;

/// Playouts from which bad moves are pruned.
#[derive(Clone, Debug)]
pub struct Ppr {
    /// The minimum share of all simulations of the node (`T_n`).
    pub share: f64,
    /// The minimum win rate of a move (`T_w'`).
    pub threshold: f32,
    /// The probability that a move comes from the list (p).
    pub probability: f64,
    lists: RaveMoves,
}

impl Ppr {
    /// A policy without lists; `shared` is whether all roles share the statistics of a move.
    pub fn new(share: f64, threshold: f32, probability: f64, shared: bool) -> Self {
        Ppr { share, threshold, probability, lists: RaveMoves::new(shared) }
    }
}

impl PlayoutPolicy for Ppr {
    fn begin(&mut self, tree: &Tree, path: &Path, game: usize) {
        let simulations = path.steps().next().map_or(0, |(root, _)| tree.node(root).visits);
        // A node that was never visited has no statistics, however small the share.
        let least = (self.share * f64::from(simulations)).max(1.0);
        let threshold = self.threshold;
        self.lists.begin((tree, path, game), least, |rated| {
            rated.retain(|rated| rated.mean() > threshold);
        });
    }

    fn choose(&mut self, turn: &Turn<'_>, _: Option<&[Move]>, rng: &mut Rng) -> Option<usize> {
        let draw = rng.unit();
        if draw <= self.probability {
            let list = self.lists.still_legal(turn);
            if !list.is_empty() {
                return Some(list[rng.below(list.len())]);
            }
        }
        // The last (1 − ξ) part of the possible moves, which is never empty.
        let n = turn.legal.len();
        let first = ((draw * n as f64) as usize).min(n - 1);
        Some(first + rng.below(n - first))
    }

    fn subscribe(&self, tree: &mut Tree) {
        tree.keep_amaf();
    }

    fn fresh(&self) -> Box<dyn PlayoutPolicy> {
        Box::new(Ppr::new(self.share, self.threshold, self.probability, self.lists.shared))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::{HandTree, draws, turn};
    use ludens_testkit::chi_square::chi_square;

    /// 100 visits of the root. Role 0's means there are 0.5, 0.25 and 0.26. Role 1 has decided twice
    /// in the node below, where its means are 0.25 and 0.5.
    fn hand() -> HandTree {
        let mut hand = HandTree::keeping(Tree::keep_amaf);
        hand.visit(2, 0.5, 98);
        hand.note_amaf(1, 0.5, 4);
        hand.note_amaf(2, 0.25, 2);
        hand.note_amaf(3, 0.26, 9);
        let (root, below) = (hand.root, hand.below);
        for (edge, payoff) in [(5, 0.25), (6, 0.5)] {
            let mut path = Path::new(2);
            path.push(below, &[4, edge]);
            hand.count(root, &[1, 3], [0.5, 0.5]);
            hand.count(below, &[4, edge], [0.5, 0.5]);
            hand.learn_amaf(&path, &[], [0.0, payoff]);
        }
        hand
    }

    fn list(hand: &HandTree, share: f64, threshold: f32, role: u8) -> Vec<u32> {
        moves_left(Ppr::new(share, threshold, 0.8, false), hand, role)
    }

    fn moves_left(mut policy: Ppr, hand: &HandTree, role: u8) -> Vec<u32> {
        policy.begin(&hand.tree, &hand.path, 0);
        let legal = [1, 2, 3, 4, 5].map(Move);
        let options = policy.lists.still_legal(&turn(role, &legal, &[]));
        options.iter().map(|&i| legal[i].0).collect()
    }

    #[test]
    fn the_list_has_the_moves_above_the_threshold() {
        let hand = hand();
        assert_eq!(list(&hand, 0.01, 0.25, 0), [1, 3]);
        assert_eq!(list(&hand, 0.01, 0.3, 0), [1]);
        assert_eq!(list(&hand, 0.01, 0.1, 0), [1, 2, 3]);
        assert!(list(&hand, 0.01, 0.5, 0).is_empty());
        assert_eq!(list(&hand, 0.02, 0.25, 1), [5]);
        // Two visits of a hundred are less than a share of 0.03, and role 1 does not decide above.
        assert!(list(&hand, 0.03, 0.25, 1).is_empty());
    }

    #[test]
    fn a_shared_list_averages_the_statistics_of_all_roles() {
        // Both roles can play 3.
        let mut hand = HandTree::with_replies(Tree::keep_amaf, [3, 5]);
        hand.visit(2, 0.5, 10);
        hand.note_amaf(1, 0.5, 4);
        hand.note_amaf(3, 0.1, 3);
        let below = hand.below;
        let mut path = Path::new(2);
        path.push(below, &[4, 5]);
        hand.count(below, &[4, 5], [0.1, 0.9]);
        hand.learn_amaf(&path, &[], [0.1, 0.9]);
        // Its payoff was 0.1 for role 0 three times and 0.9 for role 1 once: 0.3 on average.
        let left = |threshold, shared, role| {
            moves_left(Ppr::new(0.01, threshold, 0.8, shared), &hand, role)
        };
        for role in [0, 1] {
            assert_eq!(left(0.25, true, role), [1, 3]);
            assert_eq!(left(0.31, true, role), [1]);
        }
        assert_eq!((left(0.25, false, 0), left(0.25, false, 1)), (vec![1], vec![3]));
    }

    /// The formula: with probability p a move of the list, otherwise one of the last (1 − ξ) part.
    fn check(legal: &[u32], probability: f64, expected: &[f64]) {
        let hand = hand();
        let mut policy = Ppr::new(0.01, 0.25, probability, false);
        policy.begin(&hand.tree, &hand.path, 0);
        let legal: Vec<Move> = legal.iter().copied().map(Move).collect();
        let counts = draws(&mut policy, &turn(0, &legal, &[]), None);
        let expected = [expected, &[0.0]].concat();
        let fit = chi_square(&counts, &expected);
        assert!(fit.fits(), "{legal:?}: {counts:?} are not {expected:?}: {fit:?}");
    }

    #[test]
    fn moves_are_drawn_as_algorithm_1_says() {
        // ξ > 0.8 of four moves leaves the last one.
        check(&[1, 2, 3, 4], 0.8, &[0.4, 0.0, 0.4, 0.2]);
        // ξ from 0.3 to 0.5 leaves the last three, to 0.75 the last two, to 1 the last.
        let (three, two) = (0.2 / 3.0, 0.25 / 2.0);
        check(&[1, 2, 3, 4], 0.3, &[0.15, three, 0.15 + three + two, three + two + 0.25]);
        // If no move of the list is legal, the same as for ξ above p: quarters for 4, 3, 2 and 1.
        let quarter = |n: f64| 0.25 / n;
        let last = [4.0, 3.0, 2.0, 1.0].map(quarter);
        let sums = [last[0], last[0] + last[1], last[0] + last[1] + last[2], last.iter().sum()];
        check(&[5, 6, 7, 8], 1.0, &sums);
    }
}
