//! All moves as first (Gelly and Silver, 2007): a move that is played anywhere later in a simulation
//! counts as if it had been played in the node.

use ludens_core::Move;

use crate::counting::count;
use crate::episode::Episode;
use crate::tree::Tree;

/// How often each edge's move was played in its node or later, and the sum of its role's payoffs.
#[derive(Clone, Debug, Default)]
pub struct Amaf {
    stats: Vec<(f32, f32)>,
    seen: Seen,
}

/// The moves of each role that were met in the simulation that is being learnt from.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// For each role, the simulation in which each move was met last.
    met: Vec<Vec<u32>>,
    simulation: u32,
}

impl Seen {
    fn begin(&mut self) {
        self.simulation = self.simulation.wrapping_add(1);
        if self.simulation == 0 {
            self.met.iter_mut().for_each(|met| met.fill(0));
            self.simulation = 1;
        }
    }

    #[inline]
    fn insert(&mut self, role_idx: usize, mv: Move) {
        let met = &mut self.met[role_idx];
        if met.len() <= mv.index() {
            met.resize(mv.index() + 1, 0);
        }
        met[mv.index()] = self.simulation;
    }

    #[inline]
    fn contains(&self, role_idx: usize, mv: Move) -> bool {
        self.met[role_idx].get(mv.index()) == Some(&self.simulation)
    }
}

impl Amaf {
    /// No statistics.
    pub fn new(n_roles: usize) -> Self {
        let seen = Seen { met: vec![Vec::new(); n_roles], simulation: 0 };
        Amaf { stats: Vec::new(), seen }
    }

    /// Forgets all, keeping memory.
    pub fn clear(&mut self) {
        self.stats.clear();
    }

    /// Makes room for so many edges.
    pub fn resize(&mut self, n_edges: usize) {
        self.stats.resize(n_edges, (0.0, 0.0));
    }

    /// How often an edge's move was played, and what that was worth.
    #[inline]
    pub fn of(&self, edge: usize) -> (f32, f32) {
        self.stats[edge]
    }

    /// Keeps the statistics of some edges, in a new order.
    pub(crate) fn keep(&mut self, edges: impl Iterator<Item = usize>) {
        self.stats = edges.map(|edge| self.stats[edge]).collect();
    }

    /// How many bytes it holds.
    pub fn bytes(&self) -> usize {
        self.stats.capacity() * 8
            + self.seen.met.iter().map(|met| met.capacity() * 4).sum::<usize>()
    }

    /// Learns from a simulation: from its end to its beginning, so that each node sees the moves
    /// made in it and after it.
    pub(crate) fn learn(&mut self, tree: &Tree, episode: &Episode<'_>) {
        self.seen.begin();
        for joint in episode.moves.chunks_exact(tree.n_roles()) {
            for (role_idx, &mv) in joint.iter().enumerate() {
                self.seen.insert(role_idx, mv);
            }
        }
        for (node, chosen) in episode.path.steps().rev() {
            for (role, edge) in tree.each_chosen(node, chosen) {
                self.seen.insert(role.index(), tree.mv(edge));
            }
            for (role, &payoff) in ludens_core::Role::all(tree.n_roles()).zip(episode.payoffs) {
                let range = tree.range(node, role);
                if range.len() < 2 {
                    continue;
                }
                for (&mv, stats) in tree.moves(node, role).iter().zip(&mut self.stats[range]) {
                    if self.seen.contains(role.index(), mv) {
                        count(stats, payoff);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::Path;
    use crate::testgames::{HandTree, joints};
    use ludens_core::Role;

    fn stats(tree: &Tree, edges: &[usize]) -> Vec<(f32, f32)> {
        edges.iter().map(|&edge| tree.amaf(edge)).collect()
    }

    #[test]
    fn moves_made_in_a_node_or_later_count() {
        let mut hand = HandTree::keeping(Tree::keep_amaf);
        let path = hand.path.clone();
        // Tree 2, 5; playout 3, 4, 1: role 0 has played all its moves, role 1 both of its own.
        hand.learn_amaf(&path, &joints(&[(3, 0), (0, 4), (1, 0)]), [1.0, 0.0]);
        assert_eq!(stats(&hand.tree, &[0, 1, 2]), [(1.0, 1.0); 3]);
        assert_eq!(stats(&hand.tree, &[5, 6]), [(1.0, 0.0); 2]);
        // Tree 2, 5; playout 1: neither 3 nor 4 is played.
        hand.learn_amaf(&path, &joints(&[(1, 0)]), [0.25, 0.75]);
        assert_eq!(stats(&hand.tree, &[0, 1, 2]), [(2.0, 1.25), (2.0, 1.25), (1.0, 1.0)]);
        assert_eq!(stats(&hand.tree, &[5, 6]), [(1.0, 0.0), (2.0, 0.75)]);
    }

    #[test]
    fn the_move_of_another_role_does_not_count() {
        let mut hand = HandTree::keeping(Tree::keep_amaf);
        let path = hand.path.clone();
        // Role 1 plays what role 0 could have played, and the other way round.
        hand.learn_amaf(&path, &joints(&[(4, 0), (0, 1)]), [1.0, 0.0]);
        assert_eq!(stats(&hand.tree, &[0, 1, 2]), [(0.0, 0.0), (1.0, 1.0), (0.0, 0.0)]);
        assert_eq!(stats(&hand.tree, &[5, 6]), [(0.0, 0.0), (1.0, 0.0)]);
    }

    #[test]
    fn a_move_counts_once_and_not_below_where_it_was_made() {
        let mut tree = Tree::new(1);
        tree.keep_amaf();
        let moves = [1, 2].map(Move);
        let ids = [tree.add(), tree.add()];
        for id in ids {
            tree.expand(id, [&moves[..]].into_iter());
        }
        let mut path = Path::new(1);
        path.push(ids[0], &[0]);
        path.push(ids[1], &[3]);
        let mut amaf = tree.amaf.take().expect("it is wanted");
        let (moves, payoffs, facts) = (&[Move(2); 3], &[0.5], &crate::testgames::hand_facts);
        let episode = Episode { tree: &tree, path: &path, game: 0, moves, payoffs, facts };
        amaf.learn(&tree, &episode);
        tree.amaf = Some(amaf);
        // The move 1 of the root is none of the node below; 2 is played four times and counts once.
        assert_eq!(stats(&tree, &[0, 1, 2, 3]), [(1.0, 0.5), (1.0, 0.5), (0.0, 0.0), (1.0, 0.5)]);
        assert_eq!(tree.range(ids[1], Role(0)), 2..4);
    }

    #[test]
    fn simulations_beyond_the_counter_do_not_mix() {
        let mut seen = Seen { met: vec![Vec::new()], simulation: u32::MAX - 1 };
        seen.begin();
        seen.insert(0, Move(3));
        assert!(seen.contains(0, Move(3)));
        seen.begin();
        assert!(!seen.contains(0, Move(3)) && !seen.contains(0, Move(2)));
    }
}
