//! Conjunctions of facts on which goals and the end of the game depend, such as the lines of connect four.

use ludens_core::Conjunction;
use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::flat_inputs;
use crate::net::{Gate, Signal};
use crate::network::Network;

/// More conjunctions than this are not worth their time.
const MAX_CONJUNCTIONS: usize = 4096;

/// The conjunctions of at least `min_facts` facts, and of nothing else, in the cone of goals and terminal.
/// Each belongs to the disjunction that reads it; the order is that of groups and facts.
pub(super) fn find(network: &Network, min_facts: usize) -> Vec<Conjunction> {
    let definitions: FxHashMap<usize, Signal> =
        network.net.blocks.iter().flat_map(|block| &block.loops).copied().collect();
    let outputs = network.goals.iter().map(|goal| goal.signal).chain([network.terminal]);
    let mut pending: Vec<usize> = outputs.map(Signal::gate).collect();
    let mut reached: FxHashSet<usize> = pending.iter().copied().collect();
    // The smallest disjunction that reads a conjunction says most about it.
    let mut groups: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
    while let Some(gate) = pending.pop() {
        let is_or = matches!(network.net.gates[gate], Gate::Or(_));
        let mut inputs = flat_inputs(network, gate);
        inputs.extend(definitions.get(&gate));
        for signal in &inputs {
            if is_or && !signal.is_negated() {
                let group = (inputs.len(), gate);
                groups
                    .entry(signal.gate())
                    .and_modify(|old| *old = group.min(*old))
                    .or_insert(group);
            }
            if reached.insert(signal.gate()) {
                pending.push(signal.gate());
            }
        }
    }
    let mut found: Vec<(usize, Vec<u32>)> = Vec::new();
    for &gate in &reached {
        if let Some(facts) = facts_of(network, gate).filter(|facts| facts.len() >= min_facts) {
            found.push((groups.get(&gate).map_or(gate, |&(_, group)| group), facts));
        }
    }
    if found.len() > MAX_CONJUNCTIONS {
        return Vec::new();
    }
    numbered(found)
}

/// The facts of a conjunction that has no other inputs.
fn facts_of(network: &Network, gate: usize) -> Option<Vec<u32>> {
    matches!(network.net.gates[gate], Gate::And(_)).then_some(())?;
    let fact = |signal: Signal| match network.net.gates[signal.gate()] {
        Gate::Fluent(fluent) if !signal.is_negated() => Some(fluent),
        _ => None,
    };
    let mut facts = flat_inputs(network, gate).into_iter().map(fact).collect::<Option<Vec<_>>>()?;
    facts.sort_unstable();
    Some(facts)
}

/// Groups numbered from 0, in the order of their gates.
fn numbered(mut found: Vec<(usize, Vec<u32>)>) -> Vec<Conjunction> {
    found.sort_unstable();
    let mut numbers: Vec<usize> = found.iter().map(|&(group, _)| group).collect();
    numbers.dedup();
    let number = |group| numbers.partition_point(|&other| other < group) as u32;
    found.into_iter().map(|(group, facts)| Conjunction { group: number(group), facts }).collect()
}
