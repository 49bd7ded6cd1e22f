//! Cones: the gates on which signals depend.

use crate::net::{Gate, Net, Signal};

/// The gates on which some signals depend; a block is included as a whole or not at all.
#[derive(Clone, Debug)]
pub struct Cone(Vec<bool>);

impl Cone {
    /// The gates on which `outputs` depend.
    pub fn of(net: &Net, outputs: impl IntoIterator<Item = Signal>) -> Self {
        let block_of = block_of_gates(net);
        let mut needed = vec![false; net.gates.len()];
        let mut entered = vec![false; net.blocks.len()];
        let mut open: Vec<usize> = outputs.into_iter().map(Signal::gate).collect();
        while let Some(gate) = open.pop() {
            if std::mem::replace(&mut needed[gate], true) {
                continue;
            }
            open.extend(net.gates[gate].fan_in().iter().map(|part| part.gate()));
            let i = block_of[gate] as usize;
            let Some(block) = net.blocks.get(i) else { continue };
            if !std::mem::replace(&mut entered[i], true) {
                open.extend(block.first..block.end);
                open.extend(block.loops.iter().map(|(_, definition)| definition.gate()));
            }
        }
        Cone(needed)
    }

    /// Whether a gate is in the cone.
    pub fn contains(&self, gate: usize) -> bool {
        self.0[gate]
    }

    /// Whether the signals depend on the moves made.
    pub fn reads_moves(&self, net: &Net) -> bool {
        let mut gates = net.gates.iter().zip(&self.0);
        gates.any(|(gate, &needed)| needed && matches!(gate, Gate::Does(_)))
    }
}

/// The block of each gate; `u32::MAX` for gates outside all blocks.
pub fn block_of_gates(net: &Net) -> Vec<u32> {
    let mut block_of = vec![u32::MAX; net.gates.len()];
    for (i, block) in net.blocks.iter().enumerate() {
        block_of[block.first..block.end].fill(i as u32);
    }
    block_of
}

impl Gate {
    /// The signals that a conjunction or disjunction reads.
    pub(super) fn fan_in(&self) -> &[Signal] {
        match self {
            Gate::And(parts) | Gate::Or(parts) => parts,
            Gate::True | Gate::Fluent(_) | Gate::Does(_) | Gate::Loop => &[],
        }
    }
}
