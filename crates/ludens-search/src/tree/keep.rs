//! Moving what is kept when a tree is cut down.

use std::ops::Range;

use ludens_core::Role;

use super::{Edge, NONE, Node, NodeId, Tree};
use crate::reuse::Kept;

impl Tree {
    /// All edges of an expanded node.
    pub(crate) fn all_edges(&self, id: NodeId) -> Range<usize> {
        let first = self.range(id, Role(0)).start;
        first..self.range(id, Role((self.n_roles - 1) as u8)).end
    }

    /// Where joint moves of several deciders lead, sorted.
    pub(crate) fn joints_by_node(&self) -> Vec<(NodeId, NodeId)> {
        let mut joints: Vec<_> = self.joints.iter().map(|(&(id, _), &to)| (id, to)).collect();
        joints.sort_unstable();
        joints
    }

    /// Builds the tree anew from some of its nodes, in a new order.
    pub(crate) fn rebuild(&mut self, order: &[NodeId], kept: &Kept) {
        let mut tree = Tree::new(self.n_roles, self.needs);
        for &old in order {
            let node = tree.adopt(self, old, kept);
            tree.nodes.push(node);
        }
        let joints = self.joints.iter();
        let follow = |(&(id, joint), &to): (&(NodeId, u64), &NodeId)| {
            Some(((kept.node(id)?, joint), kept.node(to)?))
        };
        tree.joints = joints.filter_map(follow).collect();
        tree.codes = self.codes.as_ref().map(|codes| kept.edges().map(|i| codes[i]).collect());
        let estimates = self.estimates.as_ref();
        tree.estimates = estimates.map(|known| kept.edges().map(|i| known[i]).collect());
        tree.amaf = self.amaf.take();
        tree.amaf.iter_mut().for_each(|amaf| amaf.keep(kept.edges()));
        *self = tree;
    }

    /// Takes over the edges and the value of a node of another tree.
    fn adopt(&mut self, other: &Tree, id: NodeId, kept: &Kept) -> Node {
        let mut node = *other.node(id);
        if let Some(payoffs) = other.settled(id) {
            node.settled = self.payoffs.len() as u32;
            self.payoffs.extend_from_slice(payoffs);
        }
        if node.first == NONE {
            return node;
        }
        let (edges, shift) = (other.all_edges(id), self.edges.len());
        if node.is_alone() {
            node.first = shift as u32;
        } else {
            let ends = &other.ends[node.first as usize..][..=self.n_roles];
            node.first = self.ends.len() as u32;
            self.ends.extend(ends.iter().map(|&end| (end as usize - edges.start + shift) as u32));
        }
        let follow = |edge: &Edge| {
            let mut edge = *edge;
            edge.lead_to(edge.child().and_then(|child| kept.node(child)).unwrap_or(NodeId::NONE));
            edge
        };
        self.moves.extend_from_slice(&other.moves[edges.clone()]);
        self.edges.extend(other.edges[edges].iter().map(follow));
        node
    }
}
