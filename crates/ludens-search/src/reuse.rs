//! Keeping what is below a node when the game goes on.

use std::ops::Range;

use crate::tree::{NodeId, Tree};

/// Which nodes and edges were kept when a tree was cut down, and where they are now.
#[derive(Debug)]
pub struct Kept {
    /// The new number of each old node.
    nodes: Vec<Option<NodeId>>,
    /// The old places of the edges, in their new order.
    edges: Vec<Range<usize>>,
}

impl Kept {
    /// What became of a node.
    pub fn node(&self, old: NodeId) -> Option<NodeId> {
        self.nodes.get(old.index()).copied().flatten()
    }

    /// The old places of the edges, in their new order.
    pub fn edges(&self) -> impl Iterator<Item = usize> + '_ {
        self.edges.iter().cloned().flatten()
    }
}

impl Tree {
    /// Keeps what can be reached from a node, which becomes the first one. Gives back the old nodes
    /// in their new order, and what became of everything.
    pub(crate) fn retain(&mut self, root: NodeId) -> (Vec<NodeId>, Kept) {
        let order = self.reachable(root);
        let mut kept = Kept { nodes: vec![None; self.n_nodes()], edges: Vec::new() };
        for (new, old) in order.iter().enumerate() {
            kept.nodes[old.index()] = Some(NodeId(new as u32));
        }
        let old_edges = order.iter().filter(|&&old| self.is_expanded(old));
        kept.edges = old_edges.map(|&old| self.all_edges(old)).collect();
        self.rebuild(&order, &kept);
        (order, kept)
    }

    /// The nodes that can be reached from one, in the order of a walk by levels.
    fn reachable(&self, root: NodeId) -> Vec<NodeId> {
        let mut met = vec![false; self.n_nodes()];
        met[root.index()] = true;
        let mut order = vec![root];
        let joints = self.joints_by_node();
        let mut next = 0;
        while let Some(&id) = order.get(next) {
            next += 1;
            let from = joints.partition_point(|(node, _)| *node < id);
            let joint = joints[from..].iter().take_while(|(node, _)| *node == id);
            for child in self.children(id).chain(joint.map(|&(_, child)| child)) {
                if !std::mem::replace(&mut met[child.index()], true) {
                    order.push(child);
                }
            }
        }
        order
    }
}
