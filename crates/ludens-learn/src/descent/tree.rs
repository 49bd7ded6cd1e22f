//! The tree of Descent and of best-first minimax: expanded states, with a value for each joint move.
//!
//! Values are payoff vectors, backed up by max-n (Luckhardt and Irani 1986): where one role decides, the value
//! of a state is that of the move it prefers. A state is *proven* if its value no longer depends on estimates,
//! and *closed* if nothing below it is left to search (completion and resolution in Cohen-Solal 2021).
//! Equal states after equally many moves are one node, so that the graph has no cycles.

use std::cmp::Ordering;
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

/// A game that ends after this many moves loses half of the bonus for a quick end.
const HALF_LENGTH: f32 = 50.0;

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

    /// What a network is to learn about a node: its value, with the bonus for a quick end.
    pub fn target(&self, id: NodeId) -> impl Iterator<Item = f32> {
        let end = self.node(id).end;
        self.value(id).iter().map(move |&value| self.hastened(value, end))
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

    /// The best edge of a node among those that satisfy a condition. Where several roles decide, none is
    /// better than another: the one that was chosen least often.
    pub fn best(&self, id: NodeId, allowed: impl Fn(EdgeId) -> bool) -> Option<EdgeId> {
        let edges = self.edges(id).filter(|&edge| allowed(edge));
        match self.node(id).decider {
            // Of equal edges the first.
            Some(role) => edges.rev().max_by(|&a, &b| self.compare(role, a, b)),
            None => edges.min_by_key(|&edge| self.visits(edge)),
        }
    }

    /// The best edge of a node below which something is left to search.
    pub fn best_open(&self, id: NodeId) -> Option<EdgeId> {
        self.best(id, |edge| self.edge_status(edge) == Status::Open)
    }

    /// Compares two edges for a role; `Greater` means that `a` is preferred. Proven wins come first and proven
    /// losses last, then the value counts. With the same value a role prefers the edge that is worse for the
    /// others, in the order of the roles, as in the classical max-n search.
    pub fn compare(&self, role: Role, a: EdgeId, b: EdgeId) -> Ordering {
        let standing = self.standing(role, a).cmp(&self.standing(role, b));
        let own = standing
            .then_with(|| self.worth(role, a).total_cmp(&self.worth(role, b)));
        own.then_with(|| {
            let others = Role::all(self.n_roles()).filter(|&other| other != role);
            let orders = others.map(|other| self.worth(other, b).total_cmp(&self.worth(other, a)));
            orders.fold(Ordering::Equal, Ordering::then)
        })
    }

    /// 1 after a proven win of a role, −1 after a proven loss, otherwise 0.
    pub fn standing(&self, role: Role, edge: EdgeId) -> i8 {
        let (low, high) = self.bounds[role.index()];
        let value = self.edge_value(edge)[role.index()];
        match self.edge_status(edge) {
            Status::Proven if value >= high => 1,
            Status::Proven if value <= low => -1,
            _ => 0,
        }
    }

    fn worth(&self, role: Role, edge: EdgeId) -> f32 {
        self.hastened(self.edge_value(edge)[role.index()], self.edges[edge as usize].end)
    }

    /// A payoff with the bonus for a quick end: good payoffs shrink and bad ones grow with the length of the
    /// game (the depth heuristic of Cohen-Solal 2020, within the range of payoffs).
    fn hastened(&self, value: f32, end: u32) -> f32 {
        let share = end as f32 / (end as f32 + HALF_LENGTH);
        value - self.haste * (2.0 * value - 1.0) * share
    }

    /// Computes value and status of a node from its edges.
    pub fn back_up(&mut self, id: NodeId) {
        match self.node(id).decider {
            Some(role) => self.back_up_best(id, role),
            None => self.back_up_mean(id),
        }
    }

    fn back_up_best(&mut self, id: NodeId, role: Role) {
        let best = self.best(id, |_| true).expect("an expanded state has a move");
        let (from, n_roles) = (best as usize * self.n_roles(), self.n_roles());
        let place = id as usize * n_roles;
        self.node_values[place..place + n_roles]
            .copy_from_slice(&self.edge_values[from..from + n_roles]);
        let won = self.standing(role, best) == 1;
        let status = if won { Status::Proven } else { self.least_status(id) };
        let end = self.edges[best as usize].end;
        let node = &mut self.nodes[id as usize];
        (node.status, node.end) = (status, end);
    }

    /// Where several roles decide at once, minimax is not defined: the value is the mean over joint moves, as
    /// if all roles played at random, and it is never proven.
    fn back_up_mean(&mut self, id: NodeId) {
        let (n_roles, edges) = (self.n_roles(), self.edges(id));
        let share = 1.0 / edges.len() as f32;
        let place = id as usize * n_roles;
        self.node_values[place..place + n_roles].fill(0.0);
        for edge in edges {
            let values = &self.edge_values[edge as usize * n_roles..][..n_roles];
            let sums = self.node_values[place..place + n_roles].iter_mut().zip(values);
            sums.for_each(|(sum, value)| *sum += share * value);
        }
        let status = self.least_status(id).min(Status::Closed);
        self.nodes[id as usize].status = status;
    }

    fn least_status(&self, id: NodeId) -> Status {
        let statuses = self.edges(id).map(|edge| self.edge_status(edge));
        statuses.min().expect("an expanded state has a move")
    }

    /// Backs up the values at the end of a path of nodes and edges.
    pub fn back_up_path(&mut self, path: &[(NodeId, EdgeId)]) {
        for &(node, edge) in path.iter().rev() {
            if let Some(child) = self.child(edge) {
                self.copy_to_edge(child, edge);
            }
            self.back_up(node);
        }
    }

    fn copy_to_edge(&mut self, child: NodeId, edge: EdgeId) {
        let n_roles = self.n_roles();
        let (from, to) = (child as usize * n_roles, edge as usize * n_roles);
        self.edge_values[to..to + n_roles]
            .copy_from_slice(&self.node_values[from..from + n_roles]);
        let Node { status, end, .. } = *self.node(child);
        let edge = &mut self.edges[edge as usize];
        (edge.status, edge.end) = (status, end);
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
