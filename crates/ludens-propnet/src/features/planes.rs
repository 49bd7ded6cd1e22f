//! The values of all gates of a net in all sampled states: a bit-sliced evaluation.

use crate::net::{Block, Gate, Signal};
use crate::network::Network;
use crate::scalar::Cone;

use super::sample::Sample;
use super::wiring::Wiring;

/// A plane for each gate: one bit for each sampled state.
pub(super) struct Planes {
    words: usize,
    values: Vec<u64>,
    /// The buffer for a gate's new value.
    new_value: Vec<u64>,
}

impl Planes {
    /// Evaluates the cone of legality and next states, if one role makes no move and the others make
    /// those of the sampled playouts.
    pub fn without_role(wiring: &Wiring<'_>, sample: &Sample, cone: &Cone, role: usize) -> Self {
        let n_gates = wiring.network.net.gates.len();
        let words = sample.words;
        let mut planes =
            Planes { words, values: vec![0; n_gates * words], new_value: vec![0; words] };
        planes.plane_mut(0).fill(u64::MAX);
        for (fluent, &gate) in wiring.fluent_gates.iter().enumerate().filter(|(_, gate)| **gate > 0)
        {
            planes.plane_mut(gate as usize).copy_from_slice(sample.plane(fluent));
        }
        for (state, does) in sample.moves_of_others(role) {
            let gate = wiring.does_gates[does as usize] as usize;
            if gate > 0 {
                planes.plane_mut(gate)[state / 64] |= 1 << (state % 64);
            }
        }
        planes.evaluate(wiring, cone);
        planes
    }

    /// The cone of legality and next states.
    pub fn cone(network: &Network) -> Cone {
        Cone::of(&network.net, network.legal.iter().chain(&network.next).copied())
    }

    /// The value of a gate in all states.
    pub fn plane(&self, gate: usize) -> &[u64] {
        &self.values[gate * self.words..][..self.words]
    }

    /// The value of a gate in all states, mutable.
    pub fn plane_mut(&mut self, gate: usize) -> &mut [u64] {
        &mut self.values[gate * self.words..][..self.words]
    }

    /// The states in which a signal holds.
    pub fn signal(&self, signal: Signal) -> Vec<u64> {
        let flip = if signal.is_negated() { u64::MAX } else { 0 };
        self.plane(signal.gate()).iter().map(|word| word ^ flip).collect()
    }

    fn evaluate(&mut self, wiring: &Wiring<'_>, cone: &Cone) {
        let net = &wiring.network.net;
        let mut blocks = net.blocks.iter().peekable();
        for gate in (0..net.gates.len()).filter(|&gate| cone.contains(gate)) {
            while blocks.next_if(|block| block.end <= gate).is_some() {}
            // Loop gates start false, and their definitions come later.
            if matches!(net.gates[gate], Gate::And(_) | Gate::Or(_)) {
                self.update(wiring, gate);
            }
            if let Some(block) = blocks.next_if(|block| block.end == gate + 1) {
                self.iterate(wiring, block);
            }
        }
    }

    /// Evaluates a block to its least fixpoint.
    fn iterate(&mut self, wiring: &Wiring<'_>, block: &Block) {
        let gates = &wiring.network.net.gates;
        let is_inner = |gate: &usize| matches!(gates[*gate], Gate::And(_) | Gate::Or(_));
        while block.loops.iter().fold(false, |grown, &(gate, _)| self.update(wiring, gate) | grown)
        {
            for gate in (block.first..block.end).filter(is_inner) {
                self.update(wiring, gate);
            }
        }
    }

    /// Computes a gate that reads others; returns whether its value has changed.
    pub fn update(&mut self, wiring: &Wiring<'_>, gate: usize) -> bool {
        self.compute(wiring, gate);
        let old = &mut self.values[gate * self.words..][..self.words];
        let has_changed = old != &self.new_value[..];
        old.copy_from_slice(&self.new_value);
        has_changed
    }

    fn compute(&mut self, wiring: &Wiring<'_>, gate: usize) {
        let is_and = matches!(wiring.network.net.gates[gate], Gate::And(_));
        self.new_value.fill(if is_and { u64::MAX } else { 0 });
        for part in wiring.fan_in(gate) {
            let flip = if part.is_negated() { u64::MAX } else { 0 };
            let plane = &self.values[part.gate() * self.words..][..self.words];
            for (out, word) in self.new_value.iter_mut().zip(plane) {
                *out = if is_and { *out & (word ^ flip) } else { *out | (word ^ flip) };
            }
        }
    }
}
