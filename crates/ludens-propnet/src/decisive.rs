//! Decisive moves: a network in which a role that can win at once has no other moves.
//!
//! A move is decisive if it ends the game with the highest payoff of its role (Teytaud and Teytaud 2010). Whether a
//! move is decisive is a function of the present state: the next state after this move and the forced moves of the
//! others, put into `terminal` and `goal`. Most moves change few fluents, so that only gates that depend on them
//! are built for each move.

mod cone;
mod forced;

use std::ops::Range;
use std::sync::Arc;

use ludens_core::Role;
use rustc_hash::FxHashSet;

use crate::lanes::sample;
use crate::net::{Gate, Net, NetBuilder, Signal};
use crate::network::Network;
use cone::{Cone, Replaced, Workshop};
use forced::Alone;

/// How many inputs of gates may be built in search of decisive moves.
const MAX_WORK: usize = 1_000_000;

/// How many times the inputs of all gates the new network may have: playouts would become too slow.
const MAX_GROWTH: usize = 8;

/// A small network may grow by this many inputs in any case.
const MIN_GROWTH: usize = 2_000;

/// The network in which a role has only decisive moves wherever it has one. `None` if no move can be decisive, or if
/// that is too expensive to find out: where the end of the game depends on recursive rules or on large parts of the
/// state.
///
/// Only states count in which the others have no choice.
pub fn decisive(network: &Arc<Network>) -> Option<Network> {
    let workshop = Workshop { net: NetBuilder::extending(network.net.clone()), work: MAX_WORK };
    let never = alternatives(&network.net, network.terminal);
    let mut search = Search { network, workshop, never };
    let mut legal = network.legal.clone();
    let alone = Alone::of_roles(network, &sample(network));
    let roles = network.does_of_roles().into_iter().zip(alone).enumerate();
    for (role_idx, (moves, alone)) in roles {
        let Some(alone) = alone else { continue };
        let wins = search.wins(role_idx, moves.clone(), &alone)?;
        let net = &mut search.workshop.net;
        let any = net.or(wins.clone());
        for (does, win) in moves.zip(wins) {
            let allowed = net.or(vec![win, !any]);
            legal[does] = net.and(vec![legal[does], allowed]);
        }
    }
    if legal == network.legal {
        return None;
    }
    let net = search.workshop.net.into_net(network.net.gates.len(), &mut legal);
    let (before, after) = (n_inputs(&network.net), n_inputs(&net));
    let is_small = after <= (before * MAX_GROWTH).max(before + MIN_GROWTH);
    is_small.then(|| Network { net, legal, ..Network::clone(network) })
}

/// The number of inputs of all gates.
fn n_inputs(net: &Net) -> usize {
    let n_inputs = |gate: &Gate| match gate {
        Gate::And(parts) | Gate::Or(parts) => parts.len(),
        Gate::True | Gate::Fluent(_) | Gate::Does(_) | Gate::Loop => 0,
    };
    net.gates.iter().map(n_inputs).sum()
}

/// The signals of which a signal is the disjunction, itself included: where it is false, all are.
fn alternatives(net: &Net, signal: Signal) -> FxHashSet<Signal> {
    let (mut found, mut open) = (FxHashSet::default(), vec![signal]);
    while let Some(signal) = open.pop() {
        if !found.insert(signal) {
            continue;
        }
        match &net.gates[signal.gate()] {
            Gate::Or(parts) if !signal.is_negated() => open.extend(parts),
            Gate::And(parts) if signal.is_negated() => open.extend(parts.iter().map(|&part| !part)),
            _ => {}
        }
    }
    found
}

/// The search for decisive moves.
struct Search<'a> {
    network: &'a Network,
    workshop: Workshop,
    /// Signals that are false in all states that are not terminal. Most of what would end the game does not change
    /// with a move, and is false after it as it was before.
    never: FxHashSet<Signal>,
}

impl Search<'_> {
    /// Where each move of a role is decisive where it decides alone. `None` if it takes too much work.
    fn wins(&mut self, role_idx: usize, moves: Range<usize>, alone: &Alone) -> Option<Vec<Signal>> {
        let Search { network, workshop, never } = self;
        let goals = network.best_goals(Role(role_idx as u8));
        let after = Cone::of(&network.net, &[&[network.terminal][..], &goals].concat())?;
        let next = |fluent: usize| network.next[fluent];
        let roots: Vec<Signal> = after.fluents().map(|(_, fluent)| next(fluent)).collect();
        let now = Cone::of(&network.net, &roots)?;
        // First without a move of the role.
        let does = |gate: &Gate| match gate {
            Gate::Does(does) => Some(Signal::constant(alone.forced.contains(does))),
            _ => None,
        };
        let nothing = FxHashSet::default();
        let made = Replaced::new(&now, does, &nothing, workshop)?;
        let becomes = |gate: &Gate| match gate {
            Gate::Fluent(fluent) => Some(made.signal(next(*fluent as usize))),
            _ => None,
        };
        let ended = Replaced::new(&after, becomes, never, workshop)?;
        let (gates, conditions) =
            (now.gates_of_does(), alone.conditions(network, &mut workshop.net));
        let mut wins = Vec::with_capacity(moves.len());
        for does in moves {
            let gate = gates.get(&(does as u32));
            let inputs: Vec<_> = gate.map(|&gate| (gate, Signal::TRUE)).into_iter().collect();
            let made = made.vary(&inputs, workshop)?;
            workshop.work = workshop.work.checked_sub(roots.len())?;
            let inputs: Vec<_> =
                after.fluents().map(|(gate, fluent)| (gate, made.signal(next(fluent)))).collect();
            let ended = ended.vary(&inputs, workshop)?;
            let won: Vec<Signal> = goals.iter().map(|&goal| ended.signal(goal)).collect();
            let mut parts = vec![ended.signal(network.terminal), workshop.net.or(won)];
            parts.push(network.legal[does]);
            parts.extend(&conditions);
            wins.push(workshop.net.and(parts));
        }
        Some(wins)
    }
}

#[cfg(test)]
mod tests;
