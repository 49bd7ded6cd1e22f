//! A network as nodes that propagate changes to each other.
//!
//! Each node counts the literals it needs: a conjunction of `n` starts at `-n`, a disjunction at
//! -1, every literal that holds adds one, and the node holds as long as its count is not negative.
//! So a change adds or subtracts one, and matters only if the count crosses zero. Literals that
//! very many conjunctions read (whose turn it is) are not counted: each word of nodes
//! has a mask of the nodes that they allow.

mod build;

use std::ops::Range;

use super::layout::{Layout, MAX_HUBS, Regions, Segment};
use crate::network::Network;
use build::build;

/// The number of literals that a node has, less those that it needs.
pub type Count = i16;

/// The fan-out of a node.
#[derive(Clone, Copy, Debug, Default)]
pub struct Node {
    /// The start of the nodes that read it, in `Wiring::edges`.
    pub first: u32,
    /// The start of the nodes that read its negation.
    pub negated: u32,
    /// Their end.
    pub end: u32,
    /// One more than its index in `Wiring::bundles`, or 0.
    pub bundle: u32,
}

/// The rare parts of a fan-out.
#[derive(Clone, Debug, Default)]
pub struct Bundle {
    /// The words it allows, in `Wiring::wide`.
    pub wide: Range<usize>,
    /// The blocks that read it, in `Wiring::feeds`.
    pub feeds: Range<usize>,
}

/// Many edges at once: the nodes of a word that a hub or its negation allows.
#[derive(Clone, Copy, Debug)]
pub struct Wide {
    /// The word.
    pub word: u32,
    /// The index of the hub in `Cell::hubs` of these nodes.
    pub hub: u32,
    /// The nodes in the word.
    pub mask: u64,
}

/// A literal that a block reads from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Feed {
    /// The block.
    pub block: u32,
    /// Whether it reads the negation.
    pub negated: bool,
}

/// The nodes of a network and their fan-out.
#[derive(Clone, Debug, Default)]
pub struct Wiring {
    /// All nodes.
    pub nodes: Vec<Node>,
    /// The rare parts of their fan-out.
    pub bundles: Vec<Bundle>,
    /// The readers, by node: twice the node, and one more if it reads the negation.
    pub edges: Vec<u32>,
    /// The words of readers, by node.
    pub wide: Vec<Wide>,
    /// The blocks that read, by node.
    pub feeds: Vec<Feed>,
    /// The order of propagation.
    pub segments: Vec<Segment>,
    /// The loops of each block.
    pub loops: Vec<Vec<u32>>,
    /// Inputs and outputs.
    pub regions: Regions,
    /// The counts when no node holds.
    pub counts: Vec<Count>,
    /// The masks when no node holds.
    pub allowed: Vec<[u64; MAX_HUBS]>,
}

impl Wiring {
    /// The wiring of a network; `None` if the network does not allow it.
    pub fn new(network: &Network) -> Option<Self> {
        Layout::new(network).map(|layout| build(layout, network))
    }
}
