//! All moves as first (Gelly and Silver, 2007): a move that is played anywhere later in a simulation
//! counts as if it had been played in the node.

use ludens_core::Move;

use crate::counting::count;
use crate::episode::Episode;
use crate::tree::Tree;

/// For each edge, the plays of its move in the node or later, and the sum of its role's payoffs.
#[derive(Clone, Debug, Default)]
pub struct Amaf {
    stats: Vec<(f32, f32)>,
    seen: Seen,
}

/// The moves of each role that were played in the current simulation, from the end up to the current node.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// For each role, the last simulation in which each move was played.
    last: Vec<Vec<u32>>,
    simulation: u32,
}

impl Seen {
    fn begin(&mut self) {
        self.simulation = self.simulation.wrapping_add(1);
        if self.simulation == 0 {
            self.last.iter_mut().for_each(|last| last.fill(0));
            self.simulation = 1;
        }
    }

    #[inline]
    fn insert(&mut self, role_idx: usize, mv: Move) {
        let last = &mut self.last[role_idx];
        if last.len() <= mv.index() {
            last.resize(mv.index() + 1, 0);
        }
        last[mv.index()] = self.simulation;
    }

    #[inline]
    fn contains(&self, role_idx: usize, mv: Move) -> bool {
        self.last[role_idx].get(mv.index()) == Some(&self.simulation)
    }
}

impl Amaf {
    /// No statistics.
    pub fn new(n_roles: usize) -> Self {
        let seen = Seen { last: vec![Vec::new(); n_roles], simulation: 0 };
        Amaf { stats: Vec::new(), seen }
    }

    /// Removes all statistics, keeping the allocations.
    pub fn clear(&mut self) {
        self.stats.clear();
    }

    /// Grows to `n_edges` edges.
    pub fn resize(&mut self, n_edges: usize) {
        self.stats.resize(n_edges, (0.0, 0.0));
    }

    /// The plays of an edge's move, and the sum of the payoffs.
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
            + self.seen.last.iter().map(|last| last.capacity() * 4).sum::<usize>()
    }

    /// Learns from a simulation: from its end to its beginning, so that the moves made in a node and after
    /// it count for the node.
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
    fn moves_of_other_roles_do_not_count() {
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
        let mut amaf = tree.amaf.take().expect("the tree keeps it");
        let (moves, payoffs, facts) = (&[Move(2); 3], &[0.5], &crate::testgames::hand_facts);
        let episode = Episode { tree: &tree, path: &path, game: 0, moves, payoffs, facts };
        amaf.learn(&tree, &episode);
        tree.amaf = Some(amaf);
        // The move 1 in the root does not count below it; 2 is played four times and counts once.
        assert_eq!(stats(&tree, &[0, 1, 2, 3]), [(1.0, 0.5), (1.0, 0.5), (0.0, 0.0), (1.0, 0.5)]);
        assert_eq!(tree.range(ids[1], Role(0)), 2..4);
    }

    #[test]
    fn simulations_do_not_mix_when_the_counter_wraps() {
        let mut seen = Seen { last: vec![Vec::new()], simulation: u32::MAX - 1 };
        seen.begin();
        seen.insert(0, Move(3));
        assert!(seen.contains(0, Move(3)));
        seen.begin();
        assert!(!seen.contains(0, Move(3)) && !seen.contains(0, Move(2)));
    }
}
