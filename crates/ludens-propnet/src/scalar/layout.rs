//! The layout of a network's gates as nodes of a wiring.
//!
//! Nodes are bits of words. Fluents come first, then moves, so that a state is copied word by word;
//! then the answers, so that they are read word by word; then the gates, each after those it reads,
//! grouped by question, so that a question visits some words only. A gate that is only an answer is
//! placed among the answers.

mod sort;

use std::ops::Range;

use super::cone::Cone;
use super::wiring::Count;
use crate::net::Signal;
use crate::network::Network;
use sort::Sorter;

/// The phase of a gate: which questions need it. Each phase reads earlier ones, but `Goals` does
/// not read `Next`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    /// Terminal states and legal moves need it, and perhaps others too.
    Look,
    /// The next state and the payoffs need it.
    Shared,
    /// Only the next state needs it.
    Next,
    /// Only the payoffs need it.
    Goals,
}

/// How many hubs a conjunction can have.
pub const MAX_HUBS: usize = 2;

/// A conjunction or disjunction with its node; loops and answers are conjunctions of one signal.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    /// Whether all literals must hold, not one of them.
    pub all: bool,
    /// What it reads.
    pub literals: &'a [Signal],
    /// Literals that many conjunctions read; whole words of readers are notified at once.
    pub hubs: [Option<Signal>; MAX_HUBS],
    /// Its node.
    pub id: u32,
    /// The block it belongs to.
    pub block: Option<u32>,
}

/// Words of nodes that are visited together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// Their phase.
    pub phase: Phase,
    /// Which words.
    pub words: Range<usize>,
    /// The block that they are, if they depend on each other.
    pub block: Option<u32>,
}

/// The words of inputs and answers.
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
    /// The first bit says whether the game is over.
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
    /// The node of each gate that another one reads; for others the value means nothing.
    pub ids: Vec<u32>,
    /// The block that each gate is in; `u32::MAX` for gates outside all blocks.
    pub blocks: Vec<u32>,
    /// The order in which words are visited.
    pub segments: Vec<Segment>,
    /// Inputs and answers.
    pub regions: Regions,
    /// How many words there are.
    pub n_words: usize,
}

impl<'a> Layout<'a> {
    /// The layout of a network; `None` if legality depends on moves, or if a gate reads more than
    /// can be counted.
    pub fn new(network: &'a Network) -> Option<Self> {
        let largest = network.net.gates.iter().map(|gate| gate.parts().len()).max();
        if largest.is_some_and(|largest| largest > Count::MAX as usize) {
            return None;
        }
        Some(Sorter::new(network, &phases(network)?).place())
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
        // Answers may be constant, so the constant is always there.
        _ if gate == Signal::TRUE.gate() => Some(Phase::Look),
        (true, ..) => Some(Phase::Look),
        (_, true, true) => Some(Phase::Shared),
        (_, true, _) => Some(Phase::Next),
        (.., goals) => goals.then_some(Phase::Goals),
    };
    Some((0..net.gates.len()).map(phase).collect())
}
