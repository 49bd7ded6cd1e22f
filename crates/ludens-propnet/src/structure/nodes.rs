//! The values of all gates in a state, computed plainly.

use crate::net::{Gate, Net, Signal};

/// The values of all gates, given those of fluents and moves.
pub(super) struct Values {
    values: Vec<bool>,
}

impl Values {
    /// For a net.
    pub(super) fn new(net: &Net) -> Self {
        Values { values: vec![false; net.gates.len()] }
    }

    /// Evaluates all gates for the fluents and moves that hold.
    pub(super) fn evaluate(&mut self, net: &Net, fluents: &[bool], does: &[bool]) {
        let mut blocks = net.blocks.iter().peekable();
        let mut gate = 0;
        while gate < net.gates.len() {
            let Some(block) = blocks.next_if(|block| block.first == gate) else {
                self.values[gate] = self.value(&net.gates[gate], fluents, does);
                gate += 1;
                continue;
            };
            // The least fixpoint: from false upwards.
            self.values[block.first..block.end].fill(false);
            let mut changed = true;
            while changed {
                for gate in block.first..block.end {
                    if net.gates[gate] != Gate::Loop {
                        self.values[gate] = self.value(&net.gates[gate], fluents, does);
                    }
                }
                changed = false;
                for &(gate, definition) in &block.loops {
                    let holds = self.is_true(definition);
                    changed |= holds != self.values[gate];
                    self.values[gate] = holds;
                }
            }
            gate = block.end;
        }
    }

    fn value(&self, gate: &Gate, fluents: &[bool], does: &[bool]) -> bool {
        match gate {
            Gate::True => true,
            Gate::Fluent(fluent) => fluents[*fluent as usize],
            Gate::Does(i) => does[*i as usize],
            Gate::Loop => false,
            Gate::And(inputs) => inputs.iter().all(|&signal| self.is_true(signal)),
            Gate::Or(inputs) => inputs.iter().any(|&signal| self.is_true(signal)),
        }
    }

    /// Whether a signal is true.
    pub(super) fn is_true(&self, signal: Signal) -> bool {
        self.values[signal.gate()] != signal.is_negated()
    }

    /// The gates that are true, in ascending order.
    pub(super) fn true_gates(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.values).filter(|&(_, &value)| value).map(|(gate, _)| gate)
    }
}
