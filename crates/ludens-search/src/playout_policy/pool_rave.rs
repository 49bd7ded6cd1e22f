//! `PoolRave` (Rimmel, Teytaud and Teytaud 2010; the form of Duguépéroux et al. 2016): with some probability a
//! playout move is one of the N best by the RAVE statistics of the node where the playout starts, or of
//! the closest ancestor with enough visits.

use ludens_core::{Move, Rng, Turn};

use super::PlayoutPolicy;
use super::rave_moves::RaveMoves;
use crate::episode::Path;
use crate::tree::Tree;

/// A pool of good moves.
#[derive(Clone, Debug)]
pub struct PoolRave {
    /// The number of moves in the pool (N).
    pub size: usize,
    /// The probability that a move comes from the pool (p).
    pub probability: f64,
    /// The minimum number of visits of the node.
    pub reference: u32,
    pools: RaveMoves,
}

impl PoolRave {
    /// A policy without pools; `shared` is whether all roles share the statistics of a move.
    pub fn new(size: usize, probability: f64, reference: u32, shared: bool) -> Self {
        PoolRave { size, probability, reference, pools: RaveMoves::new(shared) }
    }
}

impl PlayoutPolicy for PoolRave {
    fn begin(&mut self, tree: &Tree, path: &Path, game: usize) {
        let size = self.size;
        self.pools.begin((tree, path, game), f64::from(self.reference), |rated| {
            // A stable sort keeps the order of moves with equal means.
            rated.sort_by(|a, b| b.mean().total_cmp(&a.mean()));
            rated.truncate(size);
        });
    }

    fn choose(&mut self, turn: &Turn<'_>, _: Option<&[Move]>, rng: &mut Rng) -> Option<usize> {
        if rng.unit() >= self.probability {
            return None;
        }
        let pool = self.pools.still_legal(turn);
        (!pool.is_empty()).then(|| pool[rng.below(pool.len())])
    }

    fn subscribe(&self, tree: &mut Tree) {
        tree.keep_amaf();
    }

    fn fresh(&self) -> Box<dyn PlayoutPolicy> {
        Box::new(PoolRave::new(self.size, self.probability, self.reference, self.pools.shared))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::{HandTree, draws, turn};
    use ludens_testkit::chi_square::chi_square;

    /// Role 0's means in the root are 0.5, 0.9 and 0.2; role 1 has no statistics.
    fn hand() -> HandTree {
        let mut hand = HandTree::keeping(Tree::keep_amaf);
        hand.visit(2, 0.5, 10);
        hand.note_amaf(1, 0.5, 4);
        hand.note_amaf(2, 0.9, 2);
        hand.note_amaf(3, 0.2, 9);
        hand
    }

    #[test]
    fn the_pool_has_the_best_moves_of_a_node_visited_often_enough() {
        let hand = hand();
        let pool = |size, reference, role: u8| {
            let mut policy = PoolRave::new(size, 1.0, reference, false);
            policy.begin(&hand.tree, &hand.path, 0);
            let legal = [1, 2, 3, 4, 5].map(Move);
            let options = policy.pools.still_legal(&turn(role, &legal, &[]));
            options.iter().map(|&i| legal[i].0).collect::<Vec<_>>()
        };
        assert_eq!(pool(1, 10, 0), [2]);
        assert_eq!(pool(2, 10, 0), [1, 2]);
        assert_eq!(pool(9, 10, 0), [1, 2, 3]);
        // Ten visits are not enough, and role 1 has decided nowhere yet.
        assert!(pool(2, 11, 0).is_empty());
        assert!(pool(2, 10, 1).is_empty() && pool(2, 0, 1).is_empty());
    }

    #[test]
    fn moves_come_from_the_pool_with_the_given_probability() {
        let hand = hand();
        let mut policy = PoolRave::new(2, 0.7, 10, false);
        policy.begin(&hand.tree, &hand.path, 0);
        let legal = [1, 2, 3, 4].map(Move);
        let counts = draws(&mut policy, &turn(0, &legal, &[]), None);
        let fit = chi_square(&counts, &[0.35, 0.35, 0.0, 0.0, 0.3]);
        assert!(fit.fits(), "{counts:?}: {fit:?}");
        // Moves that are no longer legal are left out, and the policy has no opinion if none is left.
        let counts = draws(&mut policy, &turn(0, &legal[1..], &[]), None);
        assert!(chi_square(&counts, &[0.7, 0.0, 0.0, 0.3]).fits(), "{counts:?}");
        assert_eq!(draws(&mut policy, &turn(0, &legal[2..], &[]), None), [0, 0, 60_000]);
    }

    #[test]
    fn each_playout_has_its_own_pool() {
        let hand = hand();
        let mut policy = PoolRave::new(2, 1.0, 10, false);
        policy.begin(&hand.tree, &hand.path, 3);
        let legal = [1, 2].map(Move);
        assert!(policy.pools.still_legal(&turn(0, &legal, &[])).is_empty());
        let third = Turn { game: 3, ..turn(0, &legal, &[]) };
        assert_eq!(policy.pools.still_legal(&third), [0, 1]);
        policy.begin(&hand.tree, &Path::new(2), 3);
        assert!(policy.pools.still_legal(&third).is_empty());
    }
}
