//! Moving the kept nodes and edges when a tree is pruned.

use std::ops::Range;

use ludens_core::Role;

use super::{Edge, NONE, Node, NodeId, Tree};
use crate::reuse::Kept;

/// A tree with fewer nodes keeps its room when it is pruned.
pub(crate) const SMALL_TREE: usize = 4096;

/// The children by joint moves of several deciders, grouped by parent.
pub(crate) struct JointsByNode {
    /// For each node, the end of its children; they begin at the end of the node before.
    ends: Vec<u32>,
    children: Vec<NodeId>,
}

impl JointsByNode {
    /// The children of a node by joint moves.
    pub(crate) fn of(&self, id: NodeId) -> &[NodeId] {
        if self.children.is_empty() {
            return &[];
        }
        let begin = id.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.children[begin as usize..self.ends[id.index()] as usize]
    }
}

impl Tree {
    /// All edges of a node; none if it is not expanded.
    pub(crate) fn all_edges(&self, id: NodeId) -> Range<usize> {
        let first = self.range(id, Role(0)).start;
        first..self.range(id, Role((self.n_roles - 1) as u8)).end
    }

    /// The children by joint moves of several deciders, grouped by a counting sort.
    pub(crate) fn joints_by_node(&self) -> JointsByNode {
        if self.joints.is_empty() {
            return JointsByNode { ends: Vec::new(), children: Vec::new() };
        }
        let mut begins = vec![0; self.n_nodes()];
        for (id, _) in self.joints.keys() {
            begins[id.index()] += 1;
        }
        let mut sum = 0;
        for begin in &mut begins {
            sum += std::mem::replace(begin, sum);
        }
        let mut children = vec![NodeId::NONE; self.joints.len()];
        for (&(id, _), &child) in &self.joints {
            // At the end, each begin has become an end.
            let place = &mut begins[id.index()];
            children[*place as usize] = child;
            *place += 1;
        }
        JointsByNode { ends: begins, children }
    }

    /// Rebuilds the tree from the kept nodes, of which there are `n_nodes` with `n_edges` edges.
    pub(crate) fn rebuild(&mut self, kept: &Kept, (n_nodes, n_edges): (usize, usize)) {
        let mut tree = Tree::new(self.n_roles);
        tree.records_moves = self.records_moves;
        // A small tree will be as large again soon; a large one may not, and would take much memory.
        let is_small = self.n_nodes() < SMALL_TREE;
        let room = |n_kept: usize, n_before: usize| if is_small { n_before } else { n_kept };
        tree.nodes.reserve_exact(room(n_nodes, self.nodes.len()));
        tree.edges.reserve_exact(room(n_edges, self.edges.len()));
        tree.moves.reserve_exact(room(n_edges, self.edges.len()));
        for old in kept.nodes() {
            let node = tree.copy_node(self, old, kept);
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
        let priors = self.priors.as_ref();
        tree.priors = priors.map(|known| kept.edges().map(|i| known[i]).collect());
        tree.amaf = self.amaf.take();
        tree.amaf.iter_mut().for_each(|amaf| amaf.keep(kept.edges()));
        *self = tree;
    }

    /// Copies the edges and the proven value of a node of another tree.
    fn copy_node(&mut self, other: &Tree, id: NodeId, kept: &Kept) -> Node {
        let mut node = *other.node(id);
        if let Some(payoffs) = other.proven(id) {
            node.proven = self.payoffs.len() as u32;
            self.payoffs.extend_from_slice(payoffs);
        }
        if node.first == NONE {
            return node;
        }
        let (edges, shift) = (other.all_edges(id), self.edges.len());
        if node.has_one_decider() {
            node.first = shift as u32;
        } else {
            let ends = &other.ends[node.first as usize..][..=self.n_roles];
            node.first = self.ends.len() as u32;
            self.ends.extend(ends.iter().map(|&end| (end as usize - edges.start + shift) as u32));
        }
        let follow = |edge: &Edge| {
            let mut edge = *edge;
            edge.set_child(edge.child().and_then(|child| kept.node(child)).unwrap_or(NodeId::NONE));
            edge
        };
        self.moves.extend_from_slice(&other.moves[edges.clone()]);
        self.edges.extend(other.edges[edges].iter().map(follow));
        node
    }
}
