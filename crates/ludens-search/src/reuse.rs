//! Reusing the subtree below a node for the next move.

use std::ops::Range;

use crate::tree::{NodeId, Tree};

/// The nodes and edges that were kept when a tree was pruned, and their new numbers. Nodes stay in order,
/// so that moving them reads and writes memory sequentially.
#[derive(Debug)]
pub struct Kept {
    /// The new number of each old node, `NodeId::NONE` if it was pruned.
    nodes: Vec<NodeId>,
    /// The old indices of the edges, in their new order.
    edges: Vec<Range<usize>>,
}

impl Kept {
    /// The new number of a node; `None` if it was pruned.
    pub fn node(&self, old: NodeId) -> Option<NodeId> {
        self.nodes.get(old.index()).copied().filter(|&new| new != NodeId::NONE)
    }

    /// The old numbers of the kept nodes, in order.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter(|(_, new)| **new != NodeId::NONE).map(|(old, _)| NodeId(old as u32))
    }

    /// The old indices of the edges, in their new order.
    pub fn edges(&self) -> impl Iterator<Item = usize> + '_ {
        self.edges.iter().cloned().flatten()
    }

    fn add_edges(&mut self, edges: Range<usize>) {
        match self.edges.last_mut() {
            _ if edges.is_empty() => {}
            Some(last) if last.end == edges.start => last.end = edges.end,
            _ => self.edges.push(edges),
        }
    }
}

impl Tree {
    /// Keeps the nodes reachable from a node. Returns the new numbers.
    pub(crate) fn retain(&mut self, root: NodeId) -> Kept {
        let mut kept = Kept { nodes: self.reachable(root), edges: Vec::new() };
        let (mut n_kept, mut n_edges) = (0, 0);
        for old in 0..self.n_nodes() {
            if kept.nodes[old] == NodeId::NONE {
                continue;
            }
            kept.nodes[old] = NodeId(n_kept);
            n_kept += 1;
            let edges = self.all_edges(NodeId(old as u32));
            n_edges += edges.len();
            kept.add_edges(edges);
        }
        self.rebuild(&kept, (n_kept as usize, n_edges));
        kept
    }

    /// The nodes reachable from a node; `NodeId::NONE` for each other node.
    fn reachable(&self, root: NodeId) -> Vec<NodeId> {
        let mut reached = vec![NodeId::NONE; self.n_nodes()];
        reached[root.index()] = root;
        let mut open = vec![root];
        let joints = self.joints_by_node();
        while let Some(id) = open.pop() {
            let joint = joints.of(id).iter().copied();
            for child in self.children(id).chain(joint) {
                if std::mem::replace(&mut reached[child.index()], child) == NodeId::NONE {
                    open.push(child);
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::HandTree;
    use ludens_core::{Move, Role};

    #[test]
    fn only_the_subtree_is_kept() {
        let subscribe = |tree: &mut Tree| {
            tree.keep_amaf();
            tree.keep_codes();
        };
        let mut hand = HandTree::keeping(subscribe);
        let path = hand.path.clone();
        hand.learn_amaf(&path, &[], [1.0, 0.25]);
        hand.count(hand.below, &[4, 6], [1.0, 0.25]);
        let end = hand.tree.add();
        hand.tree.link(hand.below, &[4, 6], end);
        hand.tree.prove(end, &[1.0, 0.25]);
        let below = (hand.tree.mv(6), hand.tree.edge(6).visits);
        hand.tree.set_priors(hand.below, &[1.0, 0.25, 0.75]);
        let kept = hand.tree.retain(hand.below);
        assert_eq!(kept.nodes().collect::<Vec<_>>(), [hand.below, end]);
        assert_eq!(kept.node(hand.root), None);
        assert_eq!((kept.node(hand.below), kept.node(end)), (Some(NodeId(0)), Some(NodeId(1))));
        assert_eq!(kept.edges().collect::<Vec<_>>(), [4, 5, 6]);
        let (tree, root) = (&hand.tree, NodeId(0));
        assert!(tree.keeps_codes() && tree.records_moves());
        assert_eq!((tree.n_nodes(), tree.n_edges(), tree.node(root).visits), (2, 3, 1));
        assert_eq!((tree.range(root, Role(0)), tree.range(root, Role(1))), (0..1, 1..3));
        assert_eq!((tree.mv(2), tree.edge(2).visits), below);
        assert_eq!((tree.amaf(1), tree.amaf(2)), ((0.0, 0.0), (1.0, 0.25)));
        assert_eq!(tree.codes(1..3), [4, 5]);
        assert_eq!(tree.priors(1..3), [0.25, 0.75]);
        assert_eq!(tree.child(root, &[0, 2]), Some(NodeId(1)));
        assert_eq!(tree.child(root, &[0, 1]), None);
        assert_eq!(tree.proven(NodeId(1)), Some(&[1.0, 0.25][..]));
        assert_eq!((tree.proven(root), tree.decider(root)), (None, Some(Role(1))));
    }

    #[test]
    fn joint_moves_transpositions_and_cycles_are_kept() {
        let mut tree = Tree::new(2);
        let moves = [1, 2].map(Move);
        let ids: Vec<NodeId> = (0..5).map(|_| tree.add()).collect();
        for &id in &ids {
            tree.expand(id, [&moves[..], &moves].into_iter());
        }
        let edges = |id: NodeId, a: u32, b: u32| [id.0 * 4 + a, id.0 * 4 + 2 + b];
        // 0 leads to 1 and 2; 1 leads to 3 by two joint moves, 3 to 1 and to itself; 4 is unreachable.
        for (from, a, b, to) in [
            (0, 0, 0, 1),
            (0, 1, 0, 2),
            (1, 0, 1, 3),
            (1, 1, 0, 3),
            (3, 0, 0, 1),
            (3, 1, 1, 3),
            (4, 0, 0, 1),
        ] {
            tree.link(ids[from], &edges(ids[from], a, b), ids[to]);
        }
        let kept = tree.retain(ids[1]);
        assert_eq!(kept.nodes().collect::<Vec<_>>(), [ids[1], ids[3]]);
        let child = |id: u32, a, b| tree.child(NodeId(id), &edges(NodeId(id), a, b));
        assert_eq!((child(0, 0, 1), child(0, 1, 0)), (Some(NodeId(1)), Some(NodeId(1))));
        assert_eq!((child(1, 0, 0), child(1, 1, 1)), (Some(NodeId(0)), Some(NodeId(1))));
        assert_eq!((child(0, 0, 0), child(1, 1, 0)), (None, None));
    }
}
