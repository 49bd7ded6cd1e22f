//! Networks of gates: what a ground description computes from fluents and moves.
//!
//! Gates are n-ary conjunctions and disjunctions over literals, equal gates are one gate, and
//! constants are folded as the net is built. Gates are numbered so that each reads only earlier
//! ones; rules that depend on themselves form blocks, which are repeated to their least fixpoint.

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
    /// Always true; the first gate and no other.
    True,
    /// A fluent.
    Fluent(u32),
    /// A move of a role.
    Does(u32),
    /// An atom that depends on itself; its block says how.
    Loop,
    /// All must hold.
    And(Box<[Signal]>),
    /// One must hold.
    Or(Box<[Signal]>),
}

/// Gates that are evaluated again and again until nothing changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The first gate of the block.
    pub first: usize,
    /// One past its last gate.
    pub end: usize,
    /// The loop gates, each with its definition.
    pub loops: Vec<(usize, Signal)>,
}

/// Gates, each numbered by its place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Net {
    /// The gates; each reads earlier ones only, except for loops.
    pub gates: Vec<Gate>,
    /// The blocks in order; they do not overlap.
    pub blocks: Vec<Block>,
}

/// Makes a net in which equal gates are one gate.
struct NetBuilder {
    net: Net,
    known: FxHashMap<Gate, usize>,
}

impl NetBuilder {
    fn new() -> Self {
        let mut builder = NetBuilder { net: Net::default(), known: FxHashMap::default() };
        builder.add(Gate::True);
        builder
    }

    fn len(&self) -> usize {
        self.net.gates.len()
    }

    fn add(&mut self, gate: Gate) -> Signal {
        if let Some(&known) = self.known.get(&gate) {
            return Signal::of(known);
        }
        self.known.insert(gate.clone(), self.len());
        self.net.gates.push(gate);
        Signal::of(self.len() - 1)
    }

    fn add_loop(&mut self) -> Signal {
        self.net.gates.push(Gate::Loop);
        Signal::of(self.len() - 1)
    }

    /// The conjunction of some signals.
    fn and(&mut self, signals: Vec<Signal>) -> Signal {
        match fold(signals, Signal::TRUE) {
            Folded::Constant(signal) => signal,
            Folded::Gate(parts) => self.add(Gate::And(parts)),
        }
    }

    /// The disjunction of some signals.
    fn or(&mut self, signals: Vec<Signal>) -> Signal {
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

/// Drops neutral and duplicate inputs; the opposite of the neutral one, or a signal together with
/// its negation, decides.
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
    fn constants_fold_and_equal_gates_are_one() {
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
