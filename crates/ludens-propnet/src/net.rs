//! Networks of gates, which compute a ground description from fluents and moves.
//!
//! Gates are n-ary conjunctions and disjunctions over literals, equal gates are shared (structural
//! hashing), and constants are folded as the net is built. Gates are in topological order; recursive
//! rules form blocks, which are iterated to their least fixpoint.

mod build;

pub use build::{Outputs, build};

use rustc_hash::FxHashMap;

/// A gate's output or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Signal(u32);

impl Signal {
    /// Always true: the output of gate 0.
    pub const TRUE: Signal = Signal(0);
    /// Always false.
    pub const FALSE: Signal = Signal(1);

    /// The output of a gate.
    pub fn of(gate: usize) -> Self {
        Signal((gate as u32) << 1)
    }

    /// The gate.
    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Always true, or always false.
    pub fn constant(value: bool) -> Self {
        if value { Signal::TRUE } else { Signal::FALSE }
    }

    /// This signal, negated if `negate`.
    #[must_use]
    pub fn negated_if(self, negate: bool) -> Self {
        Signal(self.0 ^ u32::from(negate))
    }

    /// The same signal after its gate has got another number.
    fn renumbered(self, numbers: &[usize]) -> Self {
        Signal::of(numbers[self.gate()]).negated_if(self.is_negated())
    }

    /// Whether the gate's output is negated.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::ops::Not for Signal {
    type Output = Signal;
    fn not(self) -> Signal {
        Signal(self.0 ^ 1)
    }
}

/// A gate.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Gate {
    /// Always true; only the first gate.
    True,
    /// A fluent.
    Fluent(u32),
    /// A move of a role.
    Does(u32),
    /// An atom that depends on itself; its definition is in its block.
    Loop,
    /// Conjunction.
    And(Box<[Signal]>),
    /// Disjunction.
    Or(Box<[Signal]>),
}

/// Gates that are iterated to their least fixpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The first gate of the block.
    pub first: usize,
    /// One past its last gate.
    pub end: usize,
    /// The loop gates, each with its definition.
    pub loops: Vec<(usize, Signal)>,
}

/// Gates in topological order, except for loops.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Net {
    /// The gates; each reads only earlier ones, except for loops.
    pub gates: Vec<Gate>,
    /// The blocks in order; they do not overlap.
    pub blocks: Vec<Block>,
}

/// Builds a net in which equal gates are shared.
pub(crate) struct NetBuilder {
    net: Net,
    gate_ids: FxHashMap<Gate, usize>,
}

impl NetBuilder {
    fn new() -> Self {
        let mut builder = NetBuilder { net: Net::default(), gate_ids: FxHashMap::default() };
        builder.add(Gate::True);
        builder
    }

    /// A builder whose net has these gates already.
    pub(crate) fn extending(net: Net) -> Self {
        let is_shared = |(_, gate): &(usize, &Gate)| **gate != Gate::Loop;
        let ids = net.gates.iter().enumerate().filter(is_shared);
        let gate_ids = ids.map(|(id, gate)| (gate.clone(), id)).collect();
        NetBuilder { net, gate_ids }
    }

    /// The net with its first `n_kept` gates and those of the others on which some signals depend, which are
    /// renumbered.
    pub(crate) fn into_net(self, n_kept: usize, signals: &mut [Signal]) -> Net {
        let Net { gates, blocks } = self.net;
        let mut used = vec![false; gates.len()];
        used[..n_kept].fill(true);
        for signal in signals.iter() {
            used[signal.gate()] = true;
        }
        for (gate, parts) in gates.iter().enumerate().skip(n_kept).rev() {
            if let (true, Gate::And(parts) | Gate::Or(parts)) = (used[gate], parts) {
                parts.iter().for_each(|part| used[part.gate()] = true);
            }
        }
        let mut numbers = vec![0; gates.len()];
        let mut net = Net { gates: Vec::new(), blocks };
        for (gate, mut inner) in gates.into_iter().enumerate().filter(|&(gate, _)| used[gate]) {
            numbers[gate] = net.gates.len();
            if let Gate::And(parts) | Gate::Or(parts) = &mut inner {
                parts.iter_mut().for_each(|part| *part = part.renumbered(&numbers));
            }
            net.gates.push(inner);
        }
        for signal in signals {
            *signal = signal.renumbered(&numbers);
        }
        net
    }

    fn len(&self) -> usize {
        self.net.gates.len()
    }

    pub(crate) fn add(&mut self, gate: Gate) -> Signal {
        if let Some(&id) = self.gate_ids.get(&gate) {
            return Signal::of(id);
        }
        self.gate_ids.insert(gate.clone(), self.len());
        self.net.gates.push(gate);
        Signal::of(self.len() - 1)
    }

    fn add_loop(&mut self) -> Signal {
        self.net.gates.push(Gate::Loop);
        Signal::of(self.len() - 1)
    }

    /// The conjunction of some signals.
    pub(crate) fn and(&mut self, signals: Vec<Signal>) -> Signal {
        match fold(signals, Signal::TRUE) {
            Folded::Constant(signal) => signal,
            Folded::Gate(parts) => self.add(Gate::And(parts)),
        }
    }

    /// The disjunction of some signals.
    pub(crate) fn or(&mut self, signals: Vec<Signal>) -> Signal {
        match fold(signals, Signal::FALSE) {
            Folded::Constant(signal) => signal,
            Folded::Gate(parts) => self.add(Gate::Or(parts)),
        }
    }
}

enum Folded {
    Constant(Signal),
    Gate(Box<[Signal]>),
}

/// Drops neutral and duplicate inputs; the negation of the neutral one, or a signal together with
/// its negation, makes the gate constant.
fn fold(mut signals: Vec<Signal>, neutral: Signal) -> Folded {
    signals.sort_unstable();
    signals.dedup();
    signals.retain(|&signal| signal != neutral);
    let opposite = |pair: &[Signal]| pair[0].gate() == pair[1].gate();
    if signals.contains(&!neutral) || signals.windows(2).any(opposite) {
        return Folded::Constant(!neutral);
    }
    match signals[..] {
        [] => Folded::Constant(neutral),
        [single] => Folded::Constant(single),
        _ => Folded::Gate(signals.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_folded_and_equal_gates_are_shared() {
        let mut net = NetBuilder::new();
        let (a, b) = (net.add(Gate::Fluent(0)), net.add(Gate::Fluent(1)));
        assert_eq!(net.and(vec![a, Signal::TRUE]), a);
        assert_eq!(net.and(vec![a, !a]), Signal::FALSE);
        assert_eq!(net.or(vec![a, Signal::TRUE, b]), Signal::TRUE);
        assert_eq!(net.or(vec![]), Signal::FALSE);
        assert_eq!(net.and(vec![a, b, a]), net.and(vec![b, a]));
        assert_ne!(net.and(vec![a, b]), net.or(vec![a, b]));
    }
}
