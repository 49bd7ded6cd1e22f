//! One state at a time: the gates that a question needs, evaluated in order.

use std::sync::Arc;

use crate::engine::Engine;
use crate::net::{Block, Gate, Net, Signal};
use crate::network::Network;

/// The evaluator of one state at a time.
pub struct Scalar {
    network: Arc<Network>,
    /// The gate of each fluent and of each move of a role.
    fluent_gates: Vec<u32>,
    does_gates: Vec<u32>,
    look: Code,
    goals: Code,
    next: Code,
}

impl From<Arc<Network>> for Scalar {
    fn from(network: Arc<Network>) -> Self {
        let net = &network.net;
        let asked: Vec<Signal> = network.legal.iter().copied().chain([network.terminal]).collect();
        let goal_signals: Vec<Signal> = network.goals.iter().map(|goal| goal.signal).collect();
        let (look, _) = Code::new(net, &asked, None);
        let (goals, _) = Code::new(net, &goal_signals, None);
        let (next, _) = Code::new(net, &network.next, None);
        let (fluent_gates, does_gates) = input_gates(&network);
        Scalar { network, fluent_gates, does_gates, look, goals, next }
    }
}

/// The gate of each fluent and of each move of a role.
fn input_gates(network: &Network) -> (Vec<u32>, Vec<u32>) {
    let (mut fluents, mut does) = (vec![0; network.fluents.len()], vec![0; network.does.len()]);
    for (gate, kind) in network.net.gates.iter().enumerate() {
        match kind {
            Gate::Fluent(i) => fluents[*i as usize] = gate as u32,
            Gate::Does(i) => does[*i as usize] = gate as u32,
            _ => {}
        }
    }
    (fluents, does)
}

impl Scalar {
    fn set_state(&self, values: &mut [bool], state: &[u64]) {
        for (i, &gate) in self.fluent_gates.iter().enumerate() {
            values[gate as usize] = state[i / 64] >> (i % 64) & 1 == 1;
        }
    }
}

/// Packs the values of some signals into bits.
fn pack(values: &[bool], signals: impl Iterator<Item = Signal>, bits: &mut [u64]) {
    bits.fill(0);
    for (i, signal) in signals.enumerate() {
        bits[i / 64] |= u64::from(read(values, signal)) << (i % 64);
    }
}

impl Engine for Scalar {
    type Scratch = Vec<bool>;

    const NAME: &'static str = "scalar";

    fn scratch(&self) -> Vec<bool> {
        let mut values = vec![false; self.network.net.gates.len()];
        values[Signal::TRUE.gate()] = true;
        values
    }

    fn look(&self, values: &mut Vec<bool>, state: &[u64], legal: &mut [u64]) -> bool {
        self.set_state(values, state);
        self.look.run(values);
        pack(values, self.network.legal.iter().copied(), legal);
        read(values, self.network.terminal)
    }

    fn goals(&self, values: &mut Vec<bool>, state: &[u64], goals: &mut [u64]) {
        self.set_state(values, state);
        self.goals.run(values);
        pack(values, self.network.goals.iter().map(|goal| goal.signal), goals);
    }

    fn next(&self, values: &mut Vec<bool>, state: &[u64], does: &[u32], next: &mut [u64]) {
        self.set_state(values, state);
        let gates = || does.iter().map(|&does| self.does_gates[does as usize] as usize);
        gates().for_each(|gate| values[gate] = true);
        self.next.run(values);
        pack(values, self.network.next.iter().copied(), next);
        gates().for_each(|gate| values[gate] = false);
    }
}

/// Gates to be evaluated, in order, flat in memory.
#[derive(Clone, Debug, Default)]
pub struct Code {
    steps: Vec<Step>,
    inputs: Vec<Signal>,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    And {
        gate: u32,
        first: u32,
        end: u32,
    },
    Or {
        gate: u32,
        first: u32,
        end: u32,
    },
    /// Sets loop gates to false; `inputs` has pairs of loop and definition.
    Begin {
        first: u32,
        end: u32,
    },
    /// Copies definitions into loop gates, and goes back to `back` if that changed anything.
    Repeat {
        first: u32,
        end: u32,
        back: u32,
    },
}

impl Code {
    /// The code that computes some signals, without the gates that are `done` already.
    pub fn new(net: &Net, outputs: &[Signal], done: Option<&Cone>) -> (Code, Cone) {
        let cone = Cone::of(net, outputs);
        let mut code = Code::default();
        let mut blocks = net.blocks.iter().peekable();
        let mut gate = 0;
        while gate < net.gates.len() {
            if let Some(block) = blocks.next_if(|block| block.first == gate) {
                if cone.0[block.first] && !done.is_some_and(|done| done.0[block.first]) {
                    code.add_block(net, block, &cone);
                }
                gate = block.end;
                continue;
            }
            if cone.0[gate] && !done.is_some_and(|done| done.0[gate]) {
                code.add_gate(net, gate);
            }
            gate += 1;
        }
        (code, cone)
    }

    /// How many gates are evaluated.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is nothing to evaluate.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    fn add_gate(&mut self, net: &Net, gate: usize) {
        let (parts, is_and) = match &net.gates[gate] {
            Gate::And(parts) => (parts, true),
            Gate::Or(parts) => (parts, false),
            Gate::True | Gate::Fluent(_) | Gate::Does(_) | Gate::Loop => return,
        };
        let first = self.inputs.len() as u32;
        self.inputs.extend_from_slice(parts);
        let (gate, end) = (gate as u32, self.inputs.len() as u32);
        self.steps.push(if is_and {
            Step::And { gate, first, end }
        } else {
            Step::Or { gate, first, end }
        });
    }

    fn add_block(&mut self, net: &Net, block: &Block, cone: &Cone) {
        let first = self.inputs.len() as u32;
        for &(gate, definition) in &block.loops {
            self.inputs.extend([Signal::of(gate), definition]);
        }
        let end = self.inputs.len() as u32;
        self.steps.push(Step::Begin { first, end });
        let back = self.steps.len() as u32;
        for gate in block.first..block.end {
            if cone.0[gate] {
                self.add_gate(net, gate);
            }
        }
        self.steps.push(Step::Repeat { first, end, back });
    }

    /// Evaluates the gates; `values` holds the inputs and gets the results, one for each gate.
    pub fn run(&self, values: &mut [bool]) {
        let mut at = 0;
        while let Some(&step) = self.steps.get(at) {
            at += 1;
            match step {
                Step::And { gate, first, end } => {
                    values[gate as usize] = self.range(first, end).iter().all(|&s| read(values, s));
                }
                Step::Or { gate, first, end } => {
                    values[gate as usize] = self.range(first, end).iter().any(|&s| read(values, s));
                }
                Step::Begin { first, end } => {
                    for pair in self.range(first, end).chunks_exact(2) {
                        values[pair[0].gate()] = false;
                    }
                }
                Step::Repeat { first, end, back } => {
                    let mut changed = false;
                    for pair in self.range(first, end).chunks_exact(2) {
                        let value = read(values, pair[1]);
                        changed |= values[pair[0].gate()] != value;
                        values[pair[0].gate()] = value;
                    }
                    if changed {
                        at = back as usize;
                    }
                }
            }
        }
    }

    fn range(&self, first: u32, end: u32) -> &[Signal] {
        &self.inputs[first as usize..end as usize]
    }
}

/// The value of a signal.
pub fn read(values: &[bool], signal: Signal) -> bool {
    values[signal.gate()] != signal.is_negated()
}

/// The gates that some signals depend on; blocks whole or not at all.
#[derive(Clone, Debug)]
pub struct Cone(Vec<bool>);

impl Cone {
    fn of(net: &Net, outputs: &[Signal]) -> Self {
        let mut block_of = vec![u32::MAX; net.gates.len()];
        for (i, block) in net.blocks.iter().enumerate() {
            block_of[block.first..block.end].fill(i as u32);
        }
        let mut needed = vec![false; net.gates.len()];
        let mut open: Vec<usize> = outputs.iter().map(|signal| signal.gate()).collect();
        while let Some(gate) = open.pop() {
            if std::mem::replace(&mut needed[gate], true) {
                continue;
            }
            if let Gate::And(parts) | Gate::Or(parts) = &net.gates[gate] {
                open.extend(parts.iter().map(|part| part.gate()));
            }
            if let Some(block) = net.blocks.get(block_of[gate] as usize) {
                open.extend(block.loops.iter().flat_map(|&(l, d)| [l, d.gate()]));
            }
        }
        Cone(needed)
    }
}
