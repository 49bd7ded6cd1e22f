//! The rules as a graph with coloured vertices and labelled edges: its automorphisms are the symmetries of
//! the rules.

use rustc_hash::FxHashMap;

use crate::net::{Gate, Signal};
use crate::network::Network;

/// A coloured graph. Vertices are roles, facts, moves of roles, goals, and the gates on which outputs
/// depend, in this order; edges have labels and a direction.
pub(super) struct Graph {
    /// The kind of each vertex.
    pub kinds: Vec<u64>,
    starts: Vec<u32>,
    edges: Vec<Edge>,
}

/// One end of an edge, as the other end sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    /// What the edge means, its direction, and whether its signal is negated.
    pub label: u32,
    /// The vertex at the other end.
    pub vertex: u32,
}

/// What an edge means; negated signals have the next number.
mod label {
    pub const INPUT: u32 = 0;
    pub const NEXT: u32 = 2;
    pub const LEGAL: u32 = 4;
    pub const LOOP: u32 = 6;
    pub const GOAL: u32 = 8;
    pub const OF_ROLE: u32 = 10;
    pub const TERMINAL: u32 = 12;
    /// Added for the end that the edge points to.
    pub const REVERSE: u32 = 14;
}

/// The kinds of vertices; goals have their value added.
mod kind {
    pub const ROLE: u64 = 0;
    pub const FACT: u64 = 1;
    pub const DOES: u64 = 2;
    pub const TRUE: u64 = 3;
    pub const AND: u64 = 4;
    pub const OR: u64 = 5;
    pub const LOOP: u64 = 6;
    pub const TERMINAL: u64 = 7;
    pub const GOAL: u64 = 8;
}

impl Graph {
    /// The graph of all rules of a network.
    pub(super) fn new(network: &Network) -> Self {
        let mut builder = Builder::new(network);
        builder.add_moves();
        builder.add_outcomes();
        builder.finish()
    }

    /// The graph of the rules about legal moves and next states, without goals and ends.
    pub(super) fn of_moves(network: &Network) -> Self {
        let mut builder = Builder::new(network);
        builder.add_moves();
        builder.finish()
    }

    /// The number of vertices.
    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The edges of a vertex, in both directions, sorted.
    pub(super) fn edges(&self, vertex: usize) -> &[Edge] {
        &self.edges[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// The number of ends of edges: the work of visiting every vertex with its edges.
    pub(super) fn n_ends(&self) -> usize {
        self.edges.len()
    }
}

struct Builder<'a> {
    network: &'a Network,
    kinds: Vec<u64>,
    edges: Vec<(u32, Edge)>,
    /// The vertex of each gate that was reached.
    vertices: FxHashMap<usize, u32>,
    definitions: FxHashMap<usize, Signal>,
    /// Gates whose inputs are still to be added.
    pending: Vec<usize>,
}

impl<'a> Builder<'a> {
    fn new(network: &'a Network) -> Self {
        let (n_roles, n_facts) = (network.roles.len(), network.fluents.len());
        let mut kinds = vec![kind::ROLE; n_roles];
        kinds.resize(n_roles + n_facts, kind::FACT);
        kinds.resize(n_roles + n_facts + network.does.len(), kind::DOES);
        let definitions = network.net.blocks.iter().flat_map(|block| &block.loops).copied();
        Builder {
            network,
            kinds,
            edges: Vec::new(),
            vertices: FxHashMap::default(),
            definitions: definitions.collect(),
            pending: Vec::new(),
        }
    }

    fn fact(&self, fact: usize) -> u32 {
        (self.network.roles.len() + fact) as u32
    }

    fn does(&self, does: usize) -> u32 {
        (self.network.roles.len() + self.network.fluents.len() + does) as u32
    }

    fn add_vertex(&mut self, kind: u64) -> u32 {
        self.kinds.push(kind);
        self.kinds.len() as u32 - 1
    }

    fn connect(&mut self, from: u32, label: u32, to: u32) {
        self.edges.push((from, Edge { label, vertex: to }));
        self.edges.push((to, Edge { label: label + label::REVERSE, vertex: from }));
    }

    fn connect_signal(&mut self, from: u32, label: u32, signal: Signal) {
        let to = self.vertex(signal.gate());
        self.connect(from, label + u32::from(signal.is_negated()), to);
    }

    fn vertex(&mut self, gate: usize) -> u32 {
        let kind = match &self.network.net.gates[gate] {
            Gate::Fluent(fluent) => return self.fact(*fluent as usize),
            Gate::Does(does) => return self.does(*does as usize),
            Gate::True => kind::TRUE,
            Gate::And(_) => kind::AND,
            Gate::Or(_) => kind::OR,
            Gate::Loop => kind::LOOP,
        };
        if let Some(&vertex) = self.vertices.get(&gate) {
            return vertex;
        }
        let vertex = self.add_vertex(kind);
        self.vertices.insert(gate, vertex);
        self.pending.push(gate);
        vertex
    }

    fn add_moves(&mut self) {
        let network = self.network;
        for (i, &signal) in network.next.iter().enumerate() {
            self.connect_signal(self.fact(i), label::NEXT, signal);
        }
        for (i, (&signal, &(role, _))) in network.legal.iter().zip(&network.does).enumerate() {
            self.connect_signal(self.does(i), label::LEGAL, signal);
            self.connect(self.does(i), label::OF_ROLE, u32::from(role.0));
        }
    }

    fn add_outcomes(&mut self) {
        let network = self.network;
        for goal in &network.goals {
            let vertex = self.add_vertex(kind::GOAL.wrapping_add(goal.value as u64));
            self.connect(vertex, label::OF_ROLE, u32::from(goal.role.0));
            self.connect_signal(vertex, label::GOAL, goal.signal);
        }
        let terminal = self.add_vertex(kind::TERMINAL);
        self.connect_signal(terminal, label::TERMINAL, network.terminal);
    }

    /// Connects a gate with its inputs. A conjunction inside a conjunction counts as its inputs, and the
    /// same for disjunctions, because rules nest them in different ways on different sides of a board.
    fn add_inputs(&mut self, gate: usize) {
        let vertex = self.vertices[&gate];
        if let Some(&definition) = self.definitions.get(&gate) {
            self.connect_signal(vertex, label::LOOP, definition);
        }
        for signal in flat_inputs(self.network, gate) {
            self.connect_signal(vertex, label::INPUT, signal);
        }
    }

    fn finish(mut self) -> Graph {
        while let Some(gate) = self.pending.pop() {
            self.add_inputs(gate);
        }
        self.edges.sort_unstable();
        let mut starts = vec![0; self.kinds.len() + 1];
        for &(from, _) in &self.edges {
            starts[from as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        Graph {
            kinds: self.kinds,
            starts,
            edges: self.edges.into_iter().map(|(_, edge)| edge).collect(),
        }
    }
}

/// The inputs of a gate, with the inputs of gates of the same kind in their place, sorted.
pub(super) fn flat_inputs(network: &Network, gate: usize) -> Vec<Signal> {
    let gates = &network.net.gates;
    let is_and = matches!(gates[gate], Gate::And(_));
    let mut flat = Vec::new();
    let mut stack = vec![gate];
    while let Some(gate) = stack.pop() {
        let (Gate::And(inputs) | Gate::Or(inputs)) = &gates[gate] else { continue };
        for &signal in inputs {
            let nested = match &gates[signal.gate()] {
                Gate::And(_) => is_and,
                Gate::Or(_) => !is_and,
                _ => false,
            };
            if nested && !signal.is_negated() {
                stack.push(signal.gate());
            } else {
                flat.push(signal);
            }
        }
    }
    flat.sort_unstable();
    flat.dedup();
    flat
}
