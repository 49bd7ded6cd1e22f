//! Size statistics of a network.

use ludens_propnet::net::Gate;
use ludens_propnet::{Network, latches};

/// Size statistics of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NetworkSize {
    /// Fluents.
    pub fluents: usize,
    /// Distinct moves, counted once for all roles.
    pub moves: usize,
    /// Moves of roles.
    pub does: usize,
    /// All gates.
    pub gates: usize,
    /// Gates that are fluents, moves or the constant.
    pub inputs: usize,
    /// Conjunctions.
    pub ands: usize,
    /// Disjunctions.
    pub ors: usize,
    /// Recursive atoms.
    pub loops: usize,
    /// The total number of inputs of conjunctions and disjunctions.
    pub reads: usize,
    /// Groups of gates that are iterated to a fixpoint.
    pub blocks: usize,
    /// Fluents that provably change at most once in a game.
    pub latches: usize,
    /// Bytes of a state.
    pub state_bytes: usize,
}

impl From<&Network> for NetworkSize {
    fn from(network: &Network) -> Self {
        let mut size = NetworkSize {
            fluents: network.fluents.len(),
            moves: network.moves.len(),
            does: network.does.len(),
            gates: network.net.gates.len(),
            blocks: network.net.blocks.len(),
            latches: latches(network).len(),
            state_bytes: network.fluents.len().div_ceil(64) * size_of::<u64>(),
            ..NetworkSize::default()
        };
        for gate in &network.net.gates {
            let (kind, reads) = match gate {
                Gate::True | Gate::Fluent(_) | Gate::Does(_) => (&mut size.inputs, 0),
                Gate::Loop => (&mut size.loops, 0),
                Gate::And(parts) => (&mut size.ands, parts.len()),
                Gate::Or(parts) => (&mut size.ors, parts.len()),
            };
            *kind += 1;
            size.reads += reads;
        }
        size
    }
}
