//! What a simulation leaves behind: the way through the tree, the moves of the playout, the payoffs.

use ludens_core::{Move, Role};

use crate::tree::{NodeId, Tree};

/// The way through the tree, from the root on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Path {
    n_roles: usize,
    nodes: Vec<NodeId>,
    /// The highest number of a node.
    latest: u32,
    /// The edge of each role, step after step.
    edges: Vec<u32>,
}

impl Path {
    /// An empty way in a game of so many roles.
    pub fn new(n_roles: usize) -> Self {
        Path { n_roles, ..Path::default() }
    }

    /// Forgets all steps, keeping memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.latest = 0;
    }

    /// Goes on from a node; the edges of all roles follow.
    #[inline]
    pub fn push(&mut self, node: NodeId) -> &mut Vec<u32> {
        self.latest = self.latest.max(node.0);
        self.nodes.push(node);
        &mut self.edges
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether the way leads through a node.
    #[inline]
    pub fn contains(&self, node: NodeId) -> bool {
        // Most nodes are younger than those above them.
        node.0 <= self.latest && self.nodes.contains(&node)
    }

    /// The nodes with the edges that the roles chose there, as places among all edges of the tree.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = (NodeId, &[u32])> + ExactSizeIterator {
        self.nodes.iter().copied().zip(self.edges.chunks_exact(self.n_roles.max(1)))
    }

    /// The edges that the roles chose last.
    pub fn last(&self) -> Option<&[u32]> {
        let start = self.edges.len().checked_sub(self.n_roles)?;
        Some(&self.edges[start..])
    }
}

/// A simulation that has ended: all there is to learn from.
#[derive(Clone, Copy)]
pub struct Episode<'a> {
    /// The tree, in which the simulation is counted already.
    pub tree: &'a Tree,
    /// The way through the tree.
    pub path: &'a Path,
    /// The number under which policies know the playout.
    pub game: usize,
    /// The joint moves of the playout, if they were recorded.
    pub moves: &'a [Move],
    /// What it was worth to each role.
    pub payoffs: &'a [f32],
}

impl Episode<'_> {
    /// Every move with its role and the role's payoff: those made in the tree, then those of the
    /// playout. Where a role had no choice in the tree, it learns nothing.
    pub fn each_move(&self, mut visit: impl FnMut(Role, Move, f32)) {
        let n_roles = self.tree.n_roles();
        for (node, chosen) in self.path.steps() {
            for (role, &edge) in Role::all(n_roles).zip(chosen) {
                if self.tree.range(node, role).len() > 1 {
                    visit(role, self.tree.mv(edge as usize), self.payoffs[role.index()]);
                }
            }
        }
        for joint in self.moves.chunks_exact(n_roles) {
            for (role, &mv) in Role::all(n_roles).zip(joint) {
                visit(role, mv, self.payoffs[role.index()]);
            }
        }
    }

    /// Every joint move with the one made just before it, if there is one; the first of the tree has
    /// none.
    pub fn each_pair(&self, mut visit: impl FnMut(Option<&[Move]>, &[Move])) {
        let n_roles = self.tree.n_roles();
        let mut previous: Vec<Move> = Vec::with_capacity(n_roles);
        let mut joint = Vec::with_capacity(n_roles);
        for (_, chosen) in self.path.steps() {
            joint.clear();
            joint.extend(chosen.iter().map(|&edge| self.tree.mv(edge as usize)));
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
    use crate::tree::Needs;

    #[test]
    fn moves_are_visited_with_their_roles_and_payoffs() {
        let hand = HandTree::new(Needs::default());
        let moves = joints(&[(3, 0), (0, 4)]);
        let mut visited = Vec::new();
        hand.episode(&moves, &[1.0, 0.25])
            .each_move(|role, mv, payoff| visited.push((role.0, mv.0, payoff)));
        let (a, b) = (1.0, 0.25);
        // In the tree the one that waits is left out.
        let expected = [(0, 2, a), (1, 5, b), (0, 3, a), (1, 0, b), (0, 0, a), (1, 4, b)];
        assert_eq!(visited, expected);
    }

    #[test]
    fn pairs_go_over_the_border_of_the_tree() {
        let hand = HandTree::new(Needs::default());
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
        let hand = HandTree::new(Needs::default());
        let (path, moves) = (Path::new(2), joints(&[(3, 0), (0, 4)]));
        let episode = Episode { path: &path, ..hand.episode(&moves, &[1.0, 0.0]) };
        let mut firsts = Vec::new();
        episode.each_pair(|previous, _| firsts.push(previous.map(|joint| joint[0])));
        assert_eq!(firsts, [None, Some(Move(3))]);
        assert_eq!(path.last(), None);
    }
}
