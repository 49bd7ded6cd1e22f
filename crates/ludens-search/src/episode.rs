//! The record of a simulation: the path through the tree, the moves of the playout, the payoffs.

use ludens_core::{Move, Role};

use crate::tree::{Chosen, NodeId, Tree};

/// A path through the tree, from the root on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Path {
    n_roles: usize,
    /// The highest node number.
    max_node: u32,
    /// The nodes, each with the chosen edge, or with the flag `EACH` and the index in `each` of the edges
    /// of all roles.
    steps: Vec<(NodeId, u32)>,
    /// The edges of all roles, for nodes with several deciders.
    each: Vec<u32>,
}

/// Marks an index in `each`.
const EACH: u32 = 1 << 31;

impl Path {
    /// An empty path in a game of `n_roles` roles.
    pub fn new(n_roles: usize) -> Self {
        Path { n_roles, ..Path::default() }
    }

    /// Removes all steps, keeping the allocations.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.each.clear();
        self.max_node = 0;
    }

    /// Adds a step from a node.
    #[inline]
    pub fn push<'a>(&mut self, node: NodeId, chosen: impl Into<Chosen<'a>>) {
        self.max_node = self.max_node.max(node.0);
        let edge = match chosen.into() {
            Chosen::Alone(edge) => edge,
            Chosen::Each(edges) => {
                self.each.extend_from_slice(edges);
                EACH | (self.each.len() - edges.len()) as u32
            }
        };
        self.steps.push((node, edge));
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether the path contains a node.
    #[inline]
    pub fn contains(&self, node: NodeId) -> bool {
        // Most nodes have higher numbers than their ancestors.
        node.0 <= self.max_node && self.steps.iter().any(|&(above, _)| above == node)
    }

    /// The nodes with their chosen edges.
    #[inline]
    pub fn steps(
        &self,
    ) -> impl DoubleEndedIterator<Item = (NodeId, Chosen<'_>)> + ExactSizeIterator {
        self.steps.iter().map(|&(node, edge)| (node, self.chosen(edge)))
    }

    /// The last step.
    pub fn last(&self) -> Option<(NodeId, Chosen<'_>)> {
        self.steps.last().map(|&(node, edge)| (node, self.chosen(edge)))
    }

    #[inline]
    fn chosen(&self, edge: u32) -> Chosen<'_> {
        if edge & EACH == 0 {
            return Chosen::Alone(edge);
        }
        Chosen::Each(&self.each[(edge & !EACH) as usize..][..self.n_roles])
    }
}

/// A finished simulation, from which policies learn.
#[derive(Clone, Copy)]
pub struct Episode<'a> {
    /// The tree, in which the simulation is already backed up.
    pub tree: &'a Tree,
    /// The path through the tree.
    pub path: &'a Path,
    /// The number by which policies identify the playout.
    pub game: usize,
    /// The joint moves of the playout, if they were recorded.
    pub moves: &'a [Move],
    /// The payoff of each role.
    pub payoffs: &'a [f32],
    /// The facts that hold in a node.
    pub facts: &'a Facts<'a>,
}

/// Appends the numbers of the facts that hold in a node, if the game numbers its facts; computed on demand.
pub type Facts<'a> = dyn Fn(NodeId, &mut Vec<u32>) + 'a;

impl Episode<'_> {
    /// Visits every move with its role and the role's payoff: those in the tree, then those of the playout.
    /// Forced moves in the tree are skipped.
    pub fn each_move(&self, mut visit: impl FnMut(Role, Move, f32)) {
        let n_roles = self.tree.n_roles();
        for (node, chosen) in self.path.steps() {
            for (role, edge) in self.tree.each_chosen(node, chosen) {
                if self.tree.range(node, role).len() > 1 {
                    visit(role, self.tree.mv(edge), self.payoffs[role.index()]);
                }
            }
        }
        for joint in self.moves.chunks_exact(n_roles) {
            for (role, &mv) in Role::all(n_roles).zip(joint) {
                visit(role, mv, self.payoffs[role.index()]);
            }
        }
    }

    /// Visits every joint move with its predecessor; the first one in the tree has none.
    pub fn each_pair(&self, mut visit: impl FnMut(Option<&[Move]>, &[Move])) {
        let n_roles = self.tree.n_roles();
        let mut previous: Vec<Move> = Vec::with_capacity(n_roles);
        let mut joint = Vec::with_capacity(n_roles);
        for (node, chosen) in self.path.steps() {
            joint.clear();
            joint.extend(self.tree.chosen_moves(node, chosen));
            visit((!previous.is_empty()).then_some(&previous[..]), &joint);
            std::mem::swap(&mut previous, &mut joint);
        }
        let mut before = (!previous.is_empty()).then_some(&previous[..]);
        for joint in self.moves.chunks_exact(n_roles) {
            visit(before, joint);
            before = Some(joint);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::{HandTree, joints};

    #[test]
    fn moves_are_visited_with_their_roles_and_payoffs() {
        let hand = HandTree::new();
        let moves = joints(&[(3, 0), (0, 4)]);
        let mut visited = Vec::new();
        hand.episode(&moves, &[1.0, 0.25])
            .each_move(|role, mv, payoff| visited.push((role.0, mv.0, payoff)));
        let (a, b) = (1.0, 0.25);
        // Forced moves in the tree are skipped.
        let expected = [(0, 2, a), (1, 5, b), (0, 3, a), (1, 0, b), (0, 0, a), (1, 4, b)];
        assert_eq!(visited, expected);
    }

    #[test]
    fn pairs_cross_from_the_tree_to_the_playout() {
        let hand = HandTree::new();
        let moves = joints(&[(3, 0), (0, 4)]);
        let mut pairs = Vec::new();
        hand.episode(&moves, &[1.0, 0.0]).each_pair(|previous, joint| {
            pairs.push((previous.map(<[Move]>::to_vec), joint.to_vec()));
        });
        let joint = |a, b| joints(&[(a, b)]);
        let expected = [
            (None, joint(2, 0)),
            (Some(joint(2, 0)), joint(0, 5)),
            (Some(joint(0, 5)), joint(3, 0)),
            (Some(joint(3, 0)), joint(0, 4)),
        ];
        assert_eq!(pairs, expected);
    }

    #[test]
    fn a_playout_from_the_root_has_no_move_before_its_first() {
        let hand = HandTree::new();
        let (path, moves) = (Path::new(2), joints(&[(3, 0), (0, 4)]));
        let episode = Episode { path: &path, ..hand.episode(&moves, &[1.0, 0.0]) };
        let mut firsts = Vec::new();
        episode.each_pair(|previous, _| firsts.push(previous.map(|joint| joint[0])));
        assert_eq!(firsts, [None, Some(Move(3))]);
        assert_eq!(path.last(), None);
    }
}
