//! A network as text: one gate per line, then its outputs.

use ludens_core::Role;
use ludens_propnet::Network;
use ludens_propnet::net::{Block, Gate, Signal};

use super::Sink;

/// Prints a network.
pub(super) fn print(network: &Network, print: &mut Sink<'_>) -> anyhow::Result<()> {
    let mut blocks = network.net.blocks.iter().peekable();
    let mut block: Option<&Block> = None;
    for (i, gate) in network.net.gates.iter().enumerate() {
        if block.is_some_and(|block| block.end == i) {
            print("; end of the block")?;
            block = None;
        }
        if let Some(begun) = blocks.next_if(|block| block.first == i) {
            print(&format!("; block g{}..g{}: iterated to a fixpoint", i, begun.end - 1))?;
            block = Some(begun);
        }
        print(&format!("g{i} = {}", gate_text(network, block, i, gate)))?;
    }
    if block.is_some() {
        print("; end of the block")?;
    }
    print_outputs(network, print)
}

fn gate_text(network: &Network, block: Option<&Block>, i: usize, gate: &Gate) -> String {
    match gate {
        Gate::True => "constant".to_owned(),
        Gate::Fluent(i) => format!("(true {})", network.fluents[*i as usize]),
        Gate::Does(i) => format!("(does {})", does_text(network, *i as usize)),
        Gate::Loop => {
            let mut loops = block.into_iter().flat_map(|block| &block.loops);
            let definition = loops.find(|(gate, _)| *gate == i);
            format!("loop {}", definition.map_or(String::new(), |&(_, signal)| name(signal)))
        }
        Gate::And(parts) => format!("and {}", names(parts)),
        Gate::Or(parts) => format!("or {}", names(parts)),
    }
}

fn print_outputs(network: &Network, print: &mut Sink<'_>) -> anyhow::Result<()> {
    for &fluent in &network.initial {
        print(&format!("(init {})", network.fluents[fluent as usize]))?;
    }
    for (i, &signal) in network.legal.iter().enumerate() {
        print(&format!("(legal {}) = {}", does_text(network, i), name(signal)))?;
    }
    for (fluent, &signal) in network.fluents.iter().zip(&network.next) {
        print(&format!("(next {fluent}) = {}", name(signal)))?;
    }
    for goal in &network.goals {
        let role = role_text(network, goal.role);
        print(&format!("(goal {role} {}) = {}", goal.value, name(goal.signal)))?;
    }
    print(&format!("terminal = {}", name(network.terminal)))
}

fn role_text(network: &Network, role: Role) -> &str {
    &network.roles[role.index()]
}

fn does_text(network: &Network, i: usize) -> String {
    let (role, m) = network.does[i];
    format!("{} {}", role_text(network, role), network.moves[m.index()])
}

/// A signal by the number of its gate; constants by their value.
fn name(signal: Signal) -> String {
    match signal {
        Signal::TRUE => "yes".to_owned(),
        Signal::FALSE => "no".to_owned(),
        _ => format!("{}g{}", if signal.is_negated() { "!" } else { "" }, signal.gate()),
    }
}

fn names(signals: &[Signal]) -> String {
    signals.iter().map(|&signal| name(signal)).collect::<Vec<_>>().join(" ")
}
