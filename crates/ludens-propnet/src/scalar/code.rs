//! Code for plain evaluation: gates in topological order.

use super::cone::Cone;
use super::values::Values;
use crate::net::{Block, Gate, Net, Signal};

/// Gates in topological order, flat in memory.
#[derive(Clone, Debug, Default)]
pub struct Code {
    steps: Vec<Step>,
    inputs: Vec<Signal>,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    op: Op,
    /// The gate, or for `Repeat` the step to jump to.
    at: u32,
    /// The end of its inputs in `inputs`; they start at the end of those of the step before.
    end: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Op {
    And,
    Or,
    /// Sets loop gates to false; the inputs are pairs of loop and definition.
    Reset,
    /// Copies definitions into loop gates, and jumps back if that changed anything.
    Repeat,
}

impl Code {
    /// The code for some gates without those that are `done` already.
    pub fn new(net: &Net, cone: &Cone, done: Option<&Cone>) -> Code {
        let is_needed = |gate| cone.contains(gate) && !done.is_some_and(|done| done.contains(gate));
        let mut code = Code::default();
        let mut blocks = net.blocks.iter().peekable();
        let mut gate = 0;
        while gate < net.gates.len() {
            if let Some(block) = blocks.next_if(|block| block.first == gate) {
                if is_needed(block.first) {
                    code.add_block(net, block, cone);
                }
                gate = block.end;
                continue;
            }
            if is_needed(gate) {
                code.add_gate(net, gate);
            }
            gate += 1;
        }
        code
    }

    fn add(&mut self, op: Op, at: usize) {
        self.steps.push(Step { op, at: at as u32, end: self.inputs.len() as u32 });
    }

    fn add_gate(&mut self, net: &Net, gate: usize) {
        let op = match &net.gates[gate] {
            Gate::And(_) => Op::And,
            Gate::Or(_) => Op::Or,
            Gate::True | Gate::Fluent(_) | Gate::Does(_) | Gate::Loop => return,
        };
        let first = self.inputs.len();
        self.inputs.extend_from_slice(net.gates[gate].fan_in());
        // Most gates are false most of the time: positive literals decide a conjunction soonest,
        // negative ones a disjunction.
        self.inputs[first..].sort_by_key(|part| part.is_negated() == (op == Op::And));
        self.add(op, gate);
    }

    fn add_block(&mut self, net: &Net, block: &Block, cone: &Cone) {
        let pairs =
            || block.loops.iter().flat_map(|&(gate, definition)| [Signal::of(gate), definition]);
        self.inputs.extend(pairs());
        self.add(Op::Reset, block.first);
        let back = self.steps.len();
        let gates = (block.first..block.end).filter(|&gate| cone.contains(gate));
        gates.for_each(|gate| self.add_gate(net, gate));
        self.inputs.extend(pairs());
        self.add(Op::Repeat, back);
    }

    /// Evaluates the gates.
    pub fn run(&self, values: &mut Values) {
        values.work += (self.steps.len() + self.inputs.len()) as u64;
        let (mut at, mut first) = (0, 0);
        while let Some(step) = self.steps.get(at) {
            at += 1;
            let inputs = &self.inputs[first..step.end as usize];
            first = step.end as usize;
            match step.op {
                Op::And => {
                    let value = inputs.iter().all(|&input| values.read(input));
                    values.set(step.at as usize, value);
                }
                Op::Or => {
                    let value = inputs.iter().any(|&input| values.read(input));
                    values.set(step.at as usize, value);
                }
                Op::Reset => {
                    inputs.chunks_exact(2).for_each(|pair| values.set(pair[0].gate(), false));
                }
                Op::Repeat => {
                    if copy(inputs, values) {
                        let (back, start) =
                            (step.at as usize, self.steps[step.at as usize - 1].end);
                        values.work += (at - back + first - start as usize) as u64;
                        (at, first) = (back, start as usize);
                    }
                }
            }
        }
    }
}

/// Copies definitions into loops; returns whether that changed anything.
fn copy(pairs: &[Signal], values: &mut Values) -> bool {
    let mut changed = false;
    for pair in pairs.chunks_exact(2) {
        let value = values.read(pair[1]);
        changed |= values.read(pair[0]) != value;
        values.set(pair[0].gate(), value);
    }
    changed
}
