//! The layout of a network's gates as nodes of a wiring.
//!
//! Nodes are bits of words. Fluents come first, then moves, so that a state is copied word by word;
//! then the outputs, so that they are read word by word; then the gates in topological order,
//! grouped by query, so that a query visits only some words. A gate that only an output reads is
//! placed among the outputs.

mod sort;

use std::ops::Range;

use super::cone::Cone;
use super::wiring::Count;
use crate::net::Signal;
use crate::network::Network;
use sort::Sorter;

/// The phase of a gate: the queries that need it. Each phase reads earlier ones, but `Goals` does
/// not read `Next`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    /// Terminal states and legal moves need it, and perhaps other queries too.
    Look,
    /// The next state and the payoffs need it.
    Shared,
    /// Only the next state needs it.
    Next,
    /// Only the payoffs need it.
    Goals,
}

/// The maximum number of hubs of a conjunction.
pub const MAX_HUBS: usize = 2;

/// A conjunction or disjunction with its node; loops and outputs are conjunctions of one signal.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    /// Whether it is a conjunction.
    pub all: bool,
    /// The literals that it reads.
    pub literals: &'a [Signal],
    /// Literals that many conjunctions read; whole words of readers are notified at once.
    pub hubs: [Option<Signal>; MAX_HUBS],
    /// Its node.
    pub id: u32,
    /// Its block.
    pub block: Option<u32>,
}

/// Words of nodes that are visited together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// Their phase.
    pub phase: Phase,
    /// The words.
    pub words: Range<usize>,
    /// Their block, if they depend on each other.
    pub block: Option<u32>,
}

/// The words of inputs and outputs.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// The fluents.
    pub fluents: Range<usize>,
    /// The moves made.
    pub does: Range<usize>,
    /// Which moves are legal.
    pub legal: Range<usize>,
    /// The next state.
    pub next: Range<usize>,
    /// Which payoffs hold.
    pub goals: Range<usize>,
    /// The first bit is set if the state is terminal.
    pub terminal: Range<usize>,
}

impl Regions {
    fn new(network: &Network) -> Self {
        let mut end = 0;
        let mut region = |bits: usize| {
            let start = end;
            end += bits.div_ceil(64);
            start..end
        };
        Regions {
            fluents: region(network.fluents.len()),
            does: region(network.does.len()),
            legal: region(network.legal.len()),
            next: region(network.next.len()),
            goals: region(network.goals.len()),
            terminal: region(1),
        }
    }
}

/// The layout of all nodes.
pub struct Layout<'a> {
    /// The conjunctions and disjunctions.
    pub cells: Vec<Cell<'a>>,
    /// The node of each gate that another one reads; unspecified for others.
    pub ids: Vec<u32>,
    /// The block of each gate; `u32::MAX` for gates outside all blocks.
    pub blocks: Vec<u32>,
    /// The order in which words are visited.
    pub segments: Vec<Segment>,
    /// Inputs and outputs.
    pub regions: Regions,
    /// The number of words.
    pub n_words: usize,
}

impl<'a> Layout<'a> {
    /// The layout of a network; `None` if legality depends on moves, or if the fan-in of a gate
    /// exceeds the counter.
    pub fn new(network: &'a Network) -> Option<Self> {
        let largest = network.net.gates.iter().map(|gate| gate.fan_in().len()).max();
        if largest.is_some_and(|largest| largest > Count::MAX as usize) {
            return None;
        }
        Some(Sorter::new(network, &phases(network)?).assign_nodes())
    }
}

/// The phase of each gate that is needed.
fn phases(network: &Network) -> Option<Vec<Option<Phase>>> {
    let net = &network.net;
    let look = Cone::of(net, network.legal.iter().copied().chain([network.terminal]));
    let goals = Cone::of(net, network.goals.iter().map(|goal| goal.signal));
    let next = Cone::of(net, network.next.iter().copied());
    if look.reads_moves(net) || goals.reads_moves(net) {
        return None;
    }
    let phase = |gate| match (look.contains(gate), next.contains(gate), goals.contains(gate)) {
        // Outputs may be constant, so the constant is always needed.
        _ if gate == Signal::TRUE.gate() => Some(Phase::Look),
        (true, ..) => Some(Phase::Look),
        (_, true, true) => Some(Phase::Shared),
        (_, true, _) => Some(Phase::Next),
        (.., goals) => goals.then_some(Phase::Goals),
    };
    Some((0..net.gates.len()).map(phase).collect())
}
