//! The tree of Descent and of best-first minimax: expanded states, with a value for each joint move.
//!
//! Values are payoff vectors, backed up by max-n (Luckhardt and Irani 1986): where one role decides, the value
//! of a state is that of the move it prefers. A state is *proven* if its value no longer depends on estimates,
//! and *closed* if nothing below it is left to search (completion and resolution in Cohen-Solal 2021).
//! Equal states after equally many moves are one node, so that the graph has no cycles.

mod back_up;

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};

use ludens_core::{Game, Move, Role};

/// What is left to search below a state. Later variants know more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// There are states that were never expanded.
    Open,
    /// There are none, but the value depends on estimates.
    Closed,
    /// The value is exact.
    Proven,
}

/// The number of a node.
pub type NodeId = u32;

/// The number of an edge, counted over all nodes.
pub type EdgeId = u32;

/// An edge that leads to no expanded state.
const NONE: NodeId = NodeId::MAX;

/// Estimates keep this distance from the highest and lowest payoff, so that proven wins and losses always
/// outweigh estimated ones.
const MARGIN: f32 = 0.001;

/// An expanded state.
#[derive(Clone, Debug)]
pub struct Node<S> {
    /// The state.
    pub state: S,
    /// How many joint moves were made before it.
    pub ply: u32,
    /// The role that decides; `None` if several do.
    pub decider: Option<Role>,
    /// What is left to search below it.
    pub status: Status,
    /// After how many joint moves the game ends in the line that its value comes from; 0 if the value is an
    /// estimate.
    pub end: u32,
    first: EdgeId,
    n_edges: u32,
}

/// A joint move in an expanded state, with what is known about the next state.
#[derive(Clone, Copy, Debug)]
struct Edge {
    child: NodeId,
    visits: u32,
    end: u32,
    status: Status,
}

/// A state to be added, with the outcomes of its joint moves. Estimates are payoffs of moves that do not end
/// the game.
#[derive(Clone, Copy, Debug)]
pub struct Expansion<'a> {
    /// The role that decides; `None` if several do.
    pub decider: Option<Role>,
    /// The joint moves, one after the other.
    pub joints: &'a [Move],
    /// For each of them what is left to search after it; terminal states are proven.
    pub statuses: &'a [Status],
    /// The payoffs after each of them.
    pub values: &'a [f32],
}

/// Expanded states and their joint moves.
#[derive(Clone, Debug)]
pub struct Tree<S> {
    /// The lowest and the highest payoff of each role.
    bounds: Vec<(f32, f32)>,
    haste: f32,
    nodes: Vec<Node<S>>,
    /// The value of each node, one payoff for each role.
    node_values: Vec<f32>,
    edges: Vec<Edge>,
    /// The joint move and the value of each edge.
    moves: Vec<Move>,
    edge_values: Vec<f32>,
    /// Nodes by a hash of state and ply.
    table: HashMap<u64, NodeId>,
}

impl<S: Clone + Eq + Hash> Tree<S> {
    /// An empty tree for a game. `haste` is the largest bonus for a quick win.
    pub fn new<G: Game<State = S>>(game: &G, haste: f32) -> Self {
        let roles = Role::all(game.roles().len());
        Tree::with_bounds(roles.map(|role| game.payoff_range(role)).collect(), haste)
    }

    fn with_bounds(bounds: Vec<(f32, f32)>, haste: f32) -> Self {
        Tree {
            bounds,
            haste,
            nodes: Vec::new(),
            node_values: Vec::new(),
            edges: Vec::new(),
            moves: Vec::new(),
            edge_values: Vec::new(),
            table: HashMap::new(),
        }
    }

    /// Removes all nodes, keeping the allocations.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.node_values.clear();
        self.edges.clear();
        self.moves.clear();
        self.edge_values.clear();
        self.table.clear();
    }

    /// The number of roles.
    pub fn n_roles(&self) -> usize {
        self.bounds.len()
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of joint moves of all nodes.
    pub fn n_edges(&self) -> usize {
        self.edges.len()
    }

    /// How many bytes it holds about, if a state has `state_bytes`.
    pub fn bytes(&self, state_bytes: usize) -> usize {
        let values = self.n_roles() * size_of::<f32>();
        let node = size_of::<Node<S>>() + state_bytes + values + 2 * size_of::<(u64, NodeId)>();
        let edge = size_of::<Edge>() + values + self.n_roles() * size_of::<Move>();
        self.nodes.len() * node + self.edges.len() * edge
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node<S> {
        &self.nodes[id as usize]
    }

    /// All nodes.
    pub fn ids(&self) -> std::ops::Range<NodeId> {
        0..self.nodes.len() as NodeId
    }

    /// The edges of a node.
    pub fn edges(&self, id: NodeId) -> std::ops::Range<EdgeId> {
        let node = self.node(id);
        node.first..node.first + node.n_edges
    }

    /// The payoffs that a node is worth.
    pub fn value(&self, id: NodeId) -> &[f32] {
        &self.node_values[id as usize * self.n_roles()..][..self.n_roles()]
    }

    /// The payoffs that an edge is worth.
    pub fn edge_value(&self, edge: EdgeId) -> &[f32] {
        &self.edge_values[edge as usize * self.n_roles()..][..self.n_roles()]
    }

    /// The joint move of an edge.
    pub fn joint(&self, edge: EdgeId) -> &[Move] {
        &self.moves[edge as usize * self.n_roles()..][..self.n_roles()]
    }

    /// How often an edge was chosen.
    pub fn visits(&self, edge: EdgeId) -> u32 {
        self.edges[edge as usize].visits
    }

    /// What is left to search after an edge.
    pub fn edge_status(&self, edge: EdgeId) -> Status {
        self.edges[edge as usize].status
    }

    /// The node to which an edge leads, if it was expanded.
    pub fn child(&self, edge: EdgeId) -> Option<NodeId> {
        Some(self.edges[edge as usize].child).filter(|&child| child != NONE)
    }

    /// The node of a state after a number of joint moves.
    pub fn find(&self, state: &S, ply: u32) -> Option<NodeId> {
        let id = *self.table.get(&key(state, ply))?;
        let node = self.node(id);
        (node.ply == ply && node.state == *state).then_some(id)
    }

    /// Adds a state that is not in the tree, with the outcomes of its joint moves.
    pub fn add(&mut self, state: S, ply: u32, expansion: Expansion<'_>) -> NodeId {
        let Expansion { decider, joints, statuses, values } = expansion;
        let (id, first) = (self.nodes.len() as NodeId, self.edges.len() as EdgeId);
        self.moves.extend_from_slice(joints);
        for (&status, values) in statuses.iter().zip(values.chunks_exact(self.bounds.len())) {
            let end = if status == Status::Proven { ply + 1 } else { 0 };
            self.edges.push(Edge { child: NONE, visits: 0, end, status });
            let payoff = |(&value, &(low, high)): (&f32, &(f32, f32))| match status {
                Status::Proven => value,
                _ => value.clamp(low + MARGIN * (high - low), high - MARGIN * (high - low)),
            };
            self.edge_values.extend(values.iter().zip(&self.bounds).map(payoff));
        }
        self.table.insert(key(&state, ply), id);
        let (status, n_edges) = (Status::Open, statuses.len() as u32);
        self.nodes.push(Node { state, ply, decider, status, end: 0, first, n_edges });
        self.node_values.extend(std::iter::repeat_n(0.0, self.bounds.len()));
        self.back_up(id);
        id
    }

    /// An edge leads to this node.
    pub fn link(&mut self, edge: EdgeId, child: NodeId) {
        self.edges[edge as usize].child = child;
    }

    /// Counts that an edge was chosen.
    pub fn visit(&mut self, edge: EdgeId) {
        self.edges[edge as usize].visits += 1;
    }

    /// Keeps only what is below a node, which becomes the first.
    pub fn keep_below(&mut self, root: NodeId) {
        let mut kept = vec![root];
        let mut places = HashMap::from([(root, 0)]);
        let mut next = 0;
        while let Some(&id) = kept.get(next) {
            for child in self.edges(id).filter_map(|edge| self.child(edge)) {
                places.entry(child).or_insert_with(|| {
                    kept.push(child);
                    kept.len() as NodeId - 1
                });
            }
            next += 1;
        }
        let empty = Tree::with_bounds(self.bounds.clone(), self.haste);
        let old = std::mem::replace(self, empty);
        for &id in &kept {
            self.copy_node(&old, id, &places);
        }
    }

    fn copy_node(&mut self, old: &Self, id: NodeId, places: &HashMap<NodeId, NodeId>) {
        let node = old.node(id);
        let first = self.edges.len() as EdgeId;
        for edge in old.edges(id) {
            let child = old.child(edge).map_or(NONE, |child| places[&child]);
            self.edges.push(Edge { child, ..old.edges[edge as usize] });
            self.moves.extend_from_slice(old.joint(edge));
            self.edge_values.extend_from_slice(old.edge_value(edge));
        }
        self.table.insert(key(&node.state, node.ply), self.nodes.len() as NodeId);
        self.nodes.push(Node { first, ..node.clone() });
        self.node_values.extend_from_slice(old.value(id));
    }
}

/// The key of a state after a number of joint moves; the same in every run.
fn key<S: Hash>(state: &S, ply: u32) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one((ply, state))
}
