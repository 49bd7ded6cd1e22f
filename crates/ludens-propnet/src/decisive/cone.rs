//! Gates with their inputs replaced: first all of them, then those that depend on a few inputs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::net::{Gate, Net, NetBuilder, Signal};

/// The gates on which some signals depend.
pub(super) struct Cone<'a> {
    net: &'a Net,
    /// The gates in topological order.
    gates: Vec<usize>,
    /// For each gate of the net, those of the cone that read it.
    readers: Vec<Vec<usize>>,
}

impl<'a> Cone<'a> {
    /// The cone of some signals; `None` if they depend on recursive rules.
    pub fn of(net: &'a Net, signals: &[Signal]) -> Option<Self> {
        let mut readers = vec![Vec::new(); net.gates.len()];
        let mut seen: FxHashSet<usize> = signals.iter().map(|signal| signal.gate()).collect();
        let mut open: Vec<usize> = seen.iter().copied().collect();
        while let Some(gate) = open.pop() {
            match &net.gates[gate] {
                Gate::Loop => return None,
                Gate::And(parts) | Gate::Or(parts) => {
                    for part in parts {
                        readers[part.gate()].push(gate);
                        if seen.insert(part.gate()) {
                            open.push(part.gate());
                        }
                    }
                }
                Gate::True | Gate::Fluent(_) | Gate::Does(_) => {}
            }
        }
        let mut gates: Vec<usize> = seen.into_iter().collect();
        gates.sort_unstable();
        Some(Cone { net, gates, readers })
    }

    /// The fluents of the cone, with their gates.
    pub fn fluents(&self) -> impl Iterator<Item = (usize, usize)> {
        let fluent = |&gate: &usize| match self.net.gates[gate] {
            Gate::Fluent(fluent) => Some((gate, fluent as usize)),
            _ => None,
        };
        self.gates.iter().filter_map(fluent)
    }

    /// The gates of those `does` that belong to the cone.
    pub fn gates_of_does(&self) -> FxHashMap<u32, usize> {
        let does = |&gate: &usize| match self.net.gates[gate] {
            Gate::Does(does) => Some((does, gate)),
            _ => None,
        };
        self.gates.iter().filter_map(does).collect()
    }
}

/// Where gates are built, as long as it does not take too much work.
pub(super) struct Workshop {
    pub net: NetBuilder,
    /// How many inputs of gates may still be built.
    pub work: usize,
}

impl Workshop {
    /// A gate whose inputs have these values; `None` if there is too much work.
    fn build(&mut self, gate: &Gate, value: impl Fn(Signal) -> Signal) -> Option<Signal> {
        let (Gate::And(parts) | Gate::Or(parts)) = gate else { return Some(Signal::TRUE) };
        self.work = self.work.checked_sub(parts.len())?;
        let parts: Vec<Signal> = parts.iter().map(|&part| value(part)).collect();
        let is_and = matches!(gate, Gate::And(_));
        Some(if is_and { self.net.and(parts) } else { self.net.or(parts) })
    }
}

/// A cone with other inputs.
pub(super) struct Replaced<'a> {
    cone: &'a Cone<'a>,
    /// What replaces each gate of the net; those outside the cone are not used.
    values: Vec<Signal>,
    /// Signals that are known to be false.
    never: &'a FxHashSet<Signal>,
}

impl<'a> Replaced<'a> {
    /// The cone with fluents and moves replaced; what `input` does not replace stays.
    pub fn new(
        cone: &'a Cone<'a>,
        input: impl Fn(&Gate) -> Option<Signal>,
        never: &'a FxHashSet<Signal>,
        workshop: &mut Workshop,
    ) -> Option<Self> {
        let values = vec![Signal::TRUE; cone.net.gates.len()];
        let mut replaced = Replaced { cone, values, never };
        for &gate in &cone.gates {
            let value = match &cone.net.gates[gate] {
                inner @ (Gate::And(_) | Gate::Or(_)) => {
                    workshop.build(inner, |part| replaced.signal(part))?
                }
                leaf => input(leaf).unwrap_or(Signal::of(gate)),
            };
            replaced.values[gate] = replaced.folded(value);
        }
        Some(replaced)
    }

    /// What replaces a signal.
    pub fn signal(&self, signal: Signal) -> Signal {
        self.values[signal.gate()].negated_if(signal.is_negated())
    }

    /// The same with some more inputs replaced.
    pub fn vary(&self, inputs: &[(usize, Signal)], workshop: &mut Workshop) -> Option<Variant<'_>> {
        let mut variant = Variant { base: self, changed: FxHashMap::default() };
        let mut open = BinaryHeap::new();
        let set = |variant: &mut Variant<'_>, open: &mut BinaryHeap<_>, gate: usize, value| {
            let value = self.folded(value);
            if value != self.values[gate] {
                variant.changed.insert(gate, value);
                open.extend(self.cone.readers[gate].iter().map(|&reader| Reverse(reader)));
            }
        };
        for &(gate, value) in inputs {
            set(&mut variant, &mut open, gate, value);
        }
        // Gates are numbered in topological order: the parts of the smallest one are known.
        while let Some(Reverse(gate)) = open.pop() {
            while open.peek() == Some(&Reverse(gate)) {
                open.pop();
            }
            let value = workshop.build(&self.cone.net.gates[gate], |part| variant.signal(part))?;
            set(&mut variant, &mut open, gate, value);
        }
        Some(variant)
    }

    fn folded(&self, value: Signal) -> Signal {
        match value {
            _ if self.never.contains(&value) => Signal::FALSE,
            _ if self.never.contains(&!value) => Signal::TRUE,
            value => value,
        }
    }
}

/// A cone in which few gates differ from another one.
pub(super) struct Variant<'a> {
    base: &'a Replaced<'a>,
    changed: FxHashMap<usize, Signal>,
}

impl Variant<'_> {
    /// What replaces a signal.
    pub fn signal(&self, signal: Signal) -> Signal {
        match self.changed.get(&signal.gate()) {
            Some(&value) => value.negated_if(signal.is_negated()),
            None => self.base.signal(signal),
        }
    }
}
