//! The connections of a net in both directions: fan-in and readers of each gate.

use ludens_gdl::graph::Graph;
use rustc_hash::FxHashMap;

use crate::net::{Gate, Signal};
use crate::network::Network;

/// The inputs of a net, and the readers of each gate.
pub(super) struct Wiring<'a> {
    pub network: &'a Network,
    /// The gates that read a gate; a loop gate reads its definition.
    pub readers: Graph,
    /// The fluents whose next value a gate computes.
    pub decides: Graph,
    /// The gate of each fluent; gate 0 if no gate reads the fluent.
    pub fluent_gates: Vec<u32>,
    /// The gate of each of `does`; gate 0 if no gate reads the move.
    pub does_gates: Vec<u32>,
    definitions: FxHashMap<usize, Signal>,
}

impl<'a> Wiring<'a> {
    pub fn new(network: &'a Network) -> Self {
        let gates = &network.net.gates;
        let loops = network.net.blocks.iter().flat_map(|block| block.loops.iter().copied());
        let mut wiring = Wiring {
            network,
            readers: Graph::new(0, &[]),
            decides: decisions(network),
            fluent_gates: vec![0; network.fluents.len()],
            does_gates: vec![0; network.does.len()],
            definitions: loops.collect(),
        };
        let mut edges = Vec::new();
        for (i, gate) in (0..).zip(gates) {
            match gate {
                Gate::Fluent(fluent) => wiring.fluent_gates[*fluent as usize] = i,
                Gate::Does(does) => wiring.does_gates[*does as usize] = i,
                _ => edges
                    .extend(wiring.fan_in(i as usize).iter().map(|part| (part.gate() as u32, i))),
            }
        }
        wiring.readers = Graph::new(gates.len(), &edges);
        wiring
    }

    /// The signals that a gate reads.
    pub fn fan_in(&self, gate: usize) -> &[Signal] {
        match &self.network.net.gates[gate] {
            Gate::And(fan_in) | Gate::Or(fan_in) => fan_in,
            Gate::Loop => self.definitions.get(&gate).map_or(&[], std::slice::from_ref),
            Gate::True | Gate::Fluent(_) | Gate::Does(_) => &[],
        }
    }

    /// The number of signals read by all gates, plus the number of gates.
    pub fn size(&self) -> usize {
        let gates = 0..self.network.net.gates.len();
        gates.map(|gate| 1 + self.fan_in(gate).len()).sum()
    }
}

fn decisions(network: &Network) -> Graph {
    let edge = |(fluent, signal): (u32, &Signal)| (signal.gate() as u32, fluent);
    let edges: Vec<_> = (0..).zip(&network.next).map(edge).collect();
    Graph::new(network.net.gates.len(), &edges)
}
