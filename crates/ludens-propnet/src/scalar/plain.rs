//! Plain evaluation of all gates in the cone of a query.

use super::code::Code;
use super::cone::Cone;
use super::values::Values;
use crate::net::{Gate, Signal};
use crate::network::Network;

/// The plain evaluator.
#[derive(Debug)]
pub struct Plain {
    n_gates: usize,
    /// Whether legality depends on the moves made.
    circular: bool,
    /// The gate of each fluent and of each move of a role.
    fluents: Vec<u32>,
    does: Vec<u32>,
    /// The code of each query; `goals` and `next` without the gates of `look`.
    look: Code,
    goals: Code,
    next: Code,
    /// The outputs.
    legal: Vec<Signal>,
    terminal: Signal,
    payoffs: Vec<Signal>,
    successors: Vec<Signal>,
}

impl Plain {
    /// The evaluator of a network.
    pub fn new(network: &Network) -> Self {
        let net = &network.net;
        let outputs = network.legal.iter().copied().chain([network.terminal]);
        let look = Cone::of(net, outputs);
        let payoffs: Vec<Signal> = network.goals.iter().map(|goal| goal.signal).collect();
        let goals = Cone::of(net, payoffs.iter().copied());
        let next = Cone::of(net, network.next.iter().copied());
        // If legality depends on moves, the next state needs it again.
        let circular = look.reads_moves(net);
        let shared = Some(&look).filter(|_| !circular);
        // Inputs without a gate are set in an unused slot after the last gate.
        let unread = net.gates.len() as u32;
        let mut fluents = vec![unread; network.fluents.len()];
        let mut does = vec![unread; network.does.len()];
        for (gate, kind) in net.gates.iter().enumerate() {
            match kind {
                Gate::Fluent(i) => fluents[*i as usize] = gate as u32,
                Gate::Does(i) => does[*i as usize] = gate as u32,
                _ => {}
            }
        }
        Plain {
            n_gates: net.gates.len(),
            circular,
            fluents,
            does,
            goals: Code::new(net, &goals, Some(&look)),
            next: Code::new(net, &next, shared),
            look: Code::new(net, &look, None),
            legal: network.legal.clone(),
            terminal: network.terminal,
            payoffs,
            successors: network.next.clone(),
        }
    }

    /// Scratch memory.
    pub fn values(&self) -> Values {
        Values::new(self.n_gates + 1, self.fluents.len())
    }

    /// Whether a state is terminal; fills in which moves are legal there.
    pub fn look(&self, values: &mut Values, state: &[u64], legal: &mut [u64]) -> bool {
        self.evaluate_look(values, state);
        values.pack(&self.legal, legal);
        values.read(self.terminal)
    }

    /// Fills in which goals hold in a state.
    pub fn goals(&self, values: &mut Values, state: &[u64], goals: &mut [u64]) {
        self.evaluate_look(values, state);
        self.goals.run(values);
        values.pack(&self.payoffs, goals);
    }

    /// The state after some moves.
    pub fn next(&self, values: &mut Values, state: &[u64], does: &[u32], next: &mut [u64]) {
        self.evaluate_look(values, state);
        let gates = || does.iter().map(|&does| self.does[does as usize] as usize);
        gates().for_each(|gate| values.set(gate, true));
        self.next.run(values);
        values.pack(&self.successors, next);
        gates().for_each(|gate| values.set(gate, false));
        values.is_look_valid &= !self.circular;
    }

    /// Evaluates a state in advance.
    pub fn prepare(&self, values: &mut Values, state: &[u64]) {
        self.evaluate_look(values, state);
    }

    /// Evaluates the gates of `look`, unless they are up to date.
    fn evaluate_look(&self, values: &mut Values, state: &[u64]) {
        for (i, &word) in state.iter().enumerate() {
            let mut changed = std::mem::replace(&mut values.state[i], word) ^ word;
            while changed != 0 {
                let bit = changed.trailing_zeros() as usize;
                values.set(self.fluents[i * 64 + bit] as usize, word >> bit & 1 == 1);
                changed &= changed - 1;
                values.is_look_valid = false;
            }
        }
        if !values.is_look_valid {
            self.look.run(values);
            values.is_look_valid = true;
        }
    }
}
