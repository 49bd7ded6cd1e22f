//! The tree of a search.
//!
//! A node is a position, and for each role it has an edge for each legal move, with its statistics. Every
//! role selects independently (decoupled selection), so that simultaneous moves are not a special case; a
//! role with one legal move has no decision, and nothing is counted for it. The tree does not depend on the
//! game: `Search` holds positions and rules.

mod chosen;
mod edge;
mod keep;
mod subscriptions;
mod visits;

use std::cmp::Ordering;
use std::ops::Range;

use hashbrown::HashMap;
use ludens_core::{Move, Role};
use rustc_hash::FxBuildHasher;

use crate::amaf::Amaf;
pub use chosen::Chosen;
pub use edge::Edge;
pub(crate) use keep::SMALL_TREE;

/// A node, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// No node has this number.
    pub(crate) const NONE: NodeId = NodeId(u32::MAX >> 1);

    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Node {
    /// The number of visits, including those in progress.
    pub visits: u32,
    /// The index of its first edge; if several roles decide, that of its first entry in `ends`.
    first: u32,
    /// The number of moves of the decider, and in the lowest byte its role, or `SEVERAL` if several roles
    /// decide. Nodes are so small that four of them share a cache line.
    decision: u32,
    /// The index of its proven payoffs.
    proven: u32,
}

impl Node {
    #[inline]
    fn decider(&self) -> u8 {
        self.decision as u8
    }

    #[inline]
    fn has_one_decider(&self) -> bool {
        self.decider() != SEVERAL
    }

    /// The number of moves of the only decider.
    #[inline]
    fn n_moves(&self) -> usize {
        (self.decision >> DECIDER_BITS) as usize
    }
}

const NONE: u32 = u32::MAX;
const SEVERAL: u8 = u8::MAX;
const DECIDER_BITS: u32 = u8::BITS;

/// Nodes and edges.
#[derive(Clone, Debug)]
pub struct Tree {
    n_roles: usize,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// The moves of the edges.
    moves: Vec<Move>,
    /// For each node with several deciders, the start of its edges and the end of those of each role.
    ends: Vec<u32>,
    /// The payoffs of proven nodes, one for each role.
    payoffs: Vec<f32>,
    /// The children by joint moves of several deciders.
    joints: HashMap<(NodeId, u64), NodeId, FxBuildHasher>,
    /// The keys of moves, if a policy subscribes to them, by edge.
    codes: Option<Vec<u32>>,
    /// Estimates of an evaluation function, if a policy subscribes to them, by edge.
    estimates: Option<Vec<f32>>,
    /// Prior probabilities of moves by edge, `NAN` for none; allocated when an evaluator gives any.
    priors: Option<Vec<f32>>,
    /// All-moves-as-first statistics, if a policy subscribes to them, by edge.
    pub(crate) amaf: Option<Amaf>,
    /// Whether a policy learns from the moves of playouts.
    records_moves: bool,
}

impl Tree {
    /// An empty tree for a number of roles. Before it has nodes, policies subscribe to the data it keeps
    /// besides visits and payoffs.
    pub fn new(n_roles: usize) -> Self {
        Tree {
            n_roles,
            nodes: Vec::new(),
            edges: Vec::new(),
            moves: Vec::new(),
            ends: Vec::new(),
            payoffs: Vec::new(),
            joints: HashMap::default(),
            codes: None,
            estimates: None,
            priors: None,
            amaf: None,
            records_moves: false,
        }
    }

    /// Clears the tree, keeping the allocations.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.moves.clear();
        self.ends.clear();
        self.payoffs.clear();
        self.joints.clear();
        self.codes.iter_mut().for_each(Vec::clear);
        self.estimates.iter_mut().for_each(Vec::clear);
        self.priors = None;
        self.amaf.iter_mut().for_each(Amaf::clear);
    }

    /// How many roles there are.
    pub fn n_roles(&self) -> usize {
        self.n_roles
    }

    /// The number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The number of edges.
    pub fn n_edges(&self) -> usize {
        self.edges.len()
    }

    /// The number of edges that fit before reallocation.
    pub(crate) fn edge_room(&self) -> usize {
        self.edges.capacity()
    }

    /// A node.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Whether a node is expanded.
    #[inline]
    pub fn is_expanded(&self, id: NodeId) -> bool {
        self.node(id).first != NONE
    }

    /// Whether the value of a node is proven.
    #[inline]
    pub fn is_proven(&self, id: NodeId) -> bool {
        self.node(id).proven != NONE
    }

    /// Whether a node is expanded and its value is not proven.
    #[inline]
    pub(crate) fn is_open(&self, id: NodeId) -> bool {
        let node = self.node(id);
        node.first != NONE && node.proven == NONE
    }

    /// The proven payoff of each role in a node, if its value is proven.
    pub fn proven(&self, id: NodeId) -> Option<&[f32]> {
        let first = self.node(id).proven as usize;
        (first != NONE as usize).then(|| &self.payoffs[first..][..self.n_roles])
    }

    /// The role that decides alone in a node; `None` if several do.
    #[inline]
    pub fn decider(&self, id: NodeId) -> Option<Role> {
        let node = self.node(id);
        node.has_one_decider().then_some(Role(node.decider()))
    }

    /// The range of a role's edges among all edges; tables of policies use the same indices.
    #[inline]
    pub fn range(&self, id: NodeId, role: Role) -> Range<usize> {
        let node = &self.nodes[id.index()];
        if node.first == NONE {
            return 0..0;
        }
        if !node.has_one_decider() {
            return self.range_of_several(node, role);
        }
        // Roles that do not decide have one move each.
        let (first, n) = (node.first as usize + role.index(), node.n_moves());
        match role.0.cmp(&node.decider()) {
            Ordering::Less => first..first + 1,
            Ordering::Equal => first..first + n,
            Ordering::Greater => first + n - 1..first + n,
        }
    }

    #[cold]
    fn range_of_several(&self, node: &Node, role: Role) -> Range<usize> {
        let bounds = &self.ends[node.first as usize + role.index()..][..2];
        bounds[0] as usize..bounds[1] as usize
    }

    /// The role that decides alone in an expanded node, and the range of its edges; `None` if several do.
    #[inline]
    pub(crate) fn decision(&self, id: NodeId) -> Option<(Role, Range<usize>)> {
        let node = &self.nodes[id.index()];
        let first = node.first as usize + node.decider() as usize;
        let range = first..first + node.n_moves();
        node.has_one_decider().then_some((Role(node.decider()), range))
    }

    /// All edges.
    #[inline]
    pub(crate) fn all(&self) -> &[Edge] {
        &self.edges
    }

    /// The edges of a role.
    #[inline]
    pub fn edges(&self, id: NodeId, role: Role) -> &[Edge] {
        &self.edges[self.range(id, role)]
    }

    /// An edge by its index.
    pub fn edge(&self, edge: usize) -> &Edge {
        &self.edges[edge]
    }

    /// The moves of a role's edges.
    #[inline]
    pub fn moves(&self, id: NodeId, role: Role) -> &[Move] {
        &self.moves[self.range(id, role)]
    }

    /// The move of an edge, by its index.
    #[inline]
    pub fn mv(&self, edge: usize) -> Move {
        self.moves[edge]
    }

    /// The keys of the moves of a range of edges; empty if the tree keeps none.
    pub fn codes(&self, range: Range<usize>) -> &[u32] {
        self.codes.as_ref().map_or(&[], |codes| &codes[range])
    }

    /// How often the move of an edge was played in its node or later, and the sum of its role's payoffs.
    #[inline]
    pub fn amaf(&self, edge: usize) -> (f32, f32) {
        self.amaf.as_ref().map_or((0.0, 0.0), |amaf| amaf.of(edge))
    }

    /// Adds a node, which is not expanded.
    pub fn add(&mut self) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let node = Node { visits: 0, first: NONE, decision: SEVERAL.into(), proven: NONE };
        self.nodes.push(node);
        id
    }

    /// Expands a node with the legal moves of each role; none may be empty.
    pub fn expand<'a>(&mut self, id: NodeId, legal: impl Iterator<Item = &'a [Move]>) {
        let (mut first, first_end) = (self.edges.len(), self.ends.len());
        let (mut decider, mut n_deciders, mut n_moves) = (0, 0, 1);
        self.ends.push(first as u32);
        for (role, moves) in Role::all(self.n_roles).zip(legal) {
            if moves.len() > 1 {
                n_deciders += 1;
                (decider, n_moves) = (role.0, moves.len() as u32);
            }
            self.moves.extend_from_slice(moves);
            self.ends.push(self.moves.len() as u32);
        }
        self.edges.resize(self.moves.len(), Edge::NEW);
        if n_deciders > 1 {
            (decider, n_moves, first) = (SEVERAL, 0, first_end);
        } else {
            self.ends.truncate(first_end);
        }
        assert!(n_moves < 1 << (u32::BITS - DECIDER_BITS), "the number of moves fits");
        let node = &mut self.nodes[id.index()];
        (node.first, node.decision) = (first as u32, n_moves << DECIDER_BITS | u32::from(decider));
        if let Some(amaf) = &mut self.amaf {
            amaf.resize(self.edges.len());
        }
        if let Some(estimates) = &mut self.estimates {
            estimates.resize(self.edges.len(), 0.0);
        }
        if let Some(priors) = &mut self.priors {
            priors.resize(self.edges.len(), f32::NAN);
        }
    }

    /// Sets the estimates of a role's moves, if a policy subscribes to them.
    pub(crate) fn estimate(&mut self, id: NodeId, role: Role, values: &[f32]) {
        let range = self.range(id, role);
        if let Some(estimates) = &mut self.estimates {
            estimates[range].copy_from_slice(values);
        }
    }

    /// The estimates of the moves of a range of edges, in `0.0..=1.0`; empty if the tree keeps none.
    #[inline]
    pub(crate) fn estimates(&self, range: Range<usize>) -> &[f32] {
        self.estimates.as_ref().map_or(&[], |estimates| &estimates[range])
    }

    /// Sets the prior probabilities of a node's moves, role after role.
    pub fn set_priors(&mut self, id: NodeId, given: &[f32]) {
        let (range, n_edges) = (self.all_edges(id), self.edges.len());
        assert_eq!(range.len(), given.len(), "a prior for each legal move");
        let priors = self.priors.get_or_insert_with(|| vec![f32::NAN; n_edges]);
        priors[range].copy_from_slice(given);
    }

    /// The prior probabilities of the moves of a range of edges; empty if no evaluator gave any.
    #[inline]
    pub fn priors(&self, range: Range<usize>) -> &[f32] {
        let priors = self.priors.as_ref().map_or(&[][..], |priors| &priors[range]);
        if priors.first().is_some_and(|first| first.is_nan()) { &[] } else { priors }
    }

    /// Whether an evaluator gave priors for a node.
    pub(crate) fn has_priors(&self, id: NodeId) -> bool {
        !self.priors(self.all_edges(id)).is_empty()
    }

    /// The keys of all edges, to which those of a node that was just expanded are to be appended.
    pub(crate) fn codes_mut(&mut self) -> Option<&mut Vec<u32>> {
        self.codes.as_mut()
    }

    /// Records that the value of a node is proven.
    pub fn prove(&mut self, id: NodeId, payoffs: &[f32]) {
        if self.node(id).proven == NONE {
            self.nodes[id.index()].proven = self.payoffs.len() as u32;
            self.payoffs.extend_from_slice(payoffs);
        }
    }

    /// Marks a move as a proven loss.
    pub fn lose(&mut self, edge: usize) {
        self.edges[edge].lose();
    }

    /// The child of a joint move, if it is linked.
    #[inline]
    pub fn child<'a>(&self, id: NodeId, chosen: impl Into<Chosen<'a>>) -> Option<NodeId> {
        let (node, chosen) = (self.node(id), chosen.into());
        if !node.has_one_decider() {
            return self.joints.get(&(id, self.joint(id, chosen))).copied();
        }
        self.edges[chosen.by(Role(node.decider()))].child()
    }

    /// Sets the child of a joint move.
    pub fn link<'a>(&mut self, id: NodeId, chosen: impl Into<Chosen<'a>>, child: NodeId) {
        let (decider, chosen) = (self.node(id).decider(), chosen.into());
        if decider == SEVERAL {
            let joint = self.joint(id, chosen);
            self.joints.insert((id, joint), child);
        } else {
            self.edges[chosen.by(Role(decider))].set_child(child);
        }
    }

    /// A joint move as one number: the choices of the roles as digits. Numbers that do not fit wrap around;
    /// then joint moves could be confused, which needs more than 10¹⁹ of them.
    fn joint(&self, id: NodeId, chosen: Chosen<'_>) -> u64 {
        self.each_chosen(id, chosen).fold(0u64, |joint, (role, edge)| {
            let range = self.range(id, role);
            let digit = (edge - range.start) as u64;
            joint.wrapping_mul(range.len() as u64).wrapping_add(digit)
        })
    }

    /// The children of a node, in the order of the edges.
    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.edges[self.all_edges(id)].iter().filter_map(Edge::child)
    }

    /// How many bytes the tree holds.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.edges.capacity() * size_of::<Edge>()
            + (self.moves.capacity() + self.ends.capacity() + self.payoffs.capacity()) * 4
            + self.joints.capacity() * (size_of::<((NodeId, u64), NodeId)>() + 1) * 8 / 7
            + self.codes.as_ref().map_or(0, |codes| codes.capacity() * 4)
            + self.estimates.as_ref().map_or(0, |estimates| estimates.capacity() * 4)
            + self.priors.as_ref().map_or(0, |priors| priors.capacity() * 4)
            + self.amaf.as_ref().map_or(0, Amaf::bytes)
    }
}
