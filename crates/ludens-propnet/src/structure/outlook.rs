//! What may still happen in a game of one role: dead ends, and moves that are needed.
//!
//! Signals are relaxed: each may be true, may be false, or both, in some state that follows (as in the delete relaxation of
//! planning, Hoffmann and Nebel 2001, but for negations too). Exactly one move is made in each step, so gates are
//! evaluated for each move in a lane of its own, and a fluent changes only if it does so in the lane of a move that may be
//! legal. Fluents of a state from which the goal cannot become true are a dead end.

use std::sync::Arc;

use ludens_core::{Move, Outlook, Role};

use super::guide::counters;
use crate::net::{Gate, Signal};
use crate::network::Network;

/// Networks with more words in all lanes are too slow for it.
const MAX_WORDS: usize = 1 << 20;

/// The lanes of a word in which a signal may be true and may be false.
#[derive(Clone, Copy, Default)]
struct May {
    be_true: u64,
    be_false: u64,
}

impl May {
    const BOTH: May = May { be_true: !0, be_false: !0 };

    fn crisp(holds: bool) -> May {
        if holds { May { be_true: !0, be_false: 0 } } else { May { be_true: 0, be_false: !0 } }
    }

    fn negated_if(self, negate: bool) -> May {
        if negate { May { be_true: self.be_false, be_false: self.be_true } } else { self }
    }
}

struct Relaxation {
    network: Arc<Network>,
    goals: Vec<Signal>,
    /// What the goals need, each a fluent that must be false (`negated`) or true.
    needs: Vec<Signal>,
    /// Facts that only count moves may hold and may not.
    counters: Vec<u32>,
    /// Where the words of each gate begin. Gates that do not depend on moves have one word.
    begin: Vec<usize>,
    may: Vec<May>,
    fluents: Vec<May>,
    /// The moves that may be legal at some time.
    active: Vec<u64>,
}

/// The outlook on the best goal of the only role.
pub(super) fn outlook(network: &Arc<Network>) -> Option<Box<dyn Outlook>> {
    if network.roles.len() != 1 {
        return None;
    }
    let goals = network.best_goals(Role(0));
    let net = &network.net;
    let n_words = network.does.len().div_ceil(64);
    let mut depends = vec![false; net.gates.len()];
    let mut begin = Vec::with_capacity(net.gates.len() + 1);
    begin.push(0);
    for (i, gate) in net.gates.iter().enumerate() {
        depends[i] = match gate {
            Gate::Does(_) | Gate::Loop => true,
            Gate::And(parts) | Gate::Or(parts) => parts.iter().any(|part| depends[part.gate()]),
            Gate::True | Gate::Fluent(_) => false,
        };
        begin.push(begin[i] + if depends[i] { n_words } else { 1 });
    }
    let n_all = begin[net.gates.len()];
    if n_all > MAX_WORDS {
        return None;
    }
    let needs = if let [goal] = goals[..] { needs(network, goal) } else { Vec::new() };
    Some(Box::new(Relaxation {
        goals,
        needs,
        counters: counters(network),
        begin,
        may: vec![May::default(); n_all],
        fluents: vec![May::default(); network.fluents.len()],
        active: vec![0; n_words],
        network: Arc::clone(network),
    }))
}

/// The fluents and negated fluents of which a signal is the conjunction; empty if it has other parts.
fn needs(network: &Network, signal: Signal) -> Vec<Signal> {
    let (mut found, mut open) = (Vec::new(), vec![signal]);
    while let Some(signal) = open.pop() {
        match &network.net.gates[signal.gate()] {
            Gate::Fluent(_) => found.push(signal),
            Gate::And(parts) if !signal.is_negated() => open.extend(parts),
            Gate::Or(parts) if signal.is_negated() => open.extend(parts.iter().map(|&part| !part)),
            _ => {}
        }
    }
    found
}

impl Relaxation {
    /// The lanes of a word in which a signal may be true and may be false.
    fn of(&self, signal: Signal, word: usize) -> May {
        let gate = signal.gate();
        let (begin, end) = (self.begin[gate], self.begin[gate + 1]);
        let place = if end - begin == 1 { begin } else { begin + word };
        self.may[place].negated_if(signal.is_negated())
    }

    /// Evaluates all gates.
    fn evaluate(&mut self) {
        for gate in 0..self.network.net.gates.len() {
            let (begin, end) = (self.begin[gate], self.begin[gate + 1]);
            for place in begin..end {
                self.may[place] = self.value(gate, place - begin);
            }
        }
    }

    fn value(&self, gate: usize, word: usize) -> May {
        match &self.network.net.gates[gate] {
            Gate::True => May::crisp(true),
            Gate::Fluent(fluent) => self.fluents[*fluent as usize],
            Gate::Does(does) => {
                let lane = if *does as usize / 64 == word { 1 << (does % 64) } else { 0 };
                May { be_true: lane, be_false: !lane }
            }
            // What depends on itself is unknown.
            Gate::Loop => May::BOTH,
            Gate::And(parts) => {
                let all = |may: May, &part: &Signal| {
                    let part = self.of(part, word);
                    May {
                        be_true: may.be_true & part.be_true,
                        be_false: may.be_false | part.be_false,
                    }
                };
                parts.iter().fold(May::crisp(true), all)
            }
            Gate::Or(parts) => {
                let any = |may: May, &part: &Signal| {
                    let part = self.of(part, word);
                    May {
                        be_true: may.be_true | part.be_true,
                        be_false: may.be_false & part.be_false,
                    }
                };
                parts.iter().fold(May::crisp(false), any)
            }
        }
    }

    /// Sets the fluents to a state. Counters may have any value.
    fn set_state(&mut self, facts: &[u32]) {
        self.fluents.fill(May::crisp(false));
        for &fact in facts {
            self.fluents[fact as usize] = May::crisp(true);
        }
        for &counter in &self.counters {
            self.fluents[counter as usize] = May::BOTH;
        }
    }

    /// Marks the moves that may be legal.
    fn find_active(&mut self) {
        self.active.fill(0);
        for (does, &legal) in self.network.legal.iter().enumerate() {
            let (word, lane) = (does / 64, 1 << (does % 64));
            if self.of(legal, word).be_true & lane != 0 {
                self.active[word] |= lane;
            }
        }
    }

    /// In which ways a signal may come out after a move that may be legal.
    fn after_moves(&self, signal: Signal) -> (bool, bool) {
        let lanes = self.active.iter().enumerate().map(|(word, active)| {
            let may = self.of(signal, word);
            (may.be_true & active != 0, may.be_false & active != 0)
        });
        lanes.fold((false, false), |(t, f), (more_t, more_f)| (t | more_t, f | more_f))
    }

    /// Adds what fluents may be after one more step. Returns whether there was anything new.
    fn step(&mut self) -> bool {
        let mut changed = false;
        for fluent in 0..self.fluents.len() {
            let before = self.fluents[fluent];
            if before.be_true & before.be_false != 0 {
                continue;
            }
            let (be_true, be_false) = self.after_moves(self.network.next[fluent]);
            if (be_true && before.be_true == 0) || (be_false && before.be_false == 0) {
                self.fluents[fluent] = May::BOTH;
                changed = true;
            }
        }
        changed
    }

    fn may_end_well(&self) -> bool {
        let may = |signal: Signal| self.of(signal, 0).be_true != 0;
        may(self.network.terminal) && self.goals.iter().any(|&goal| may(goal))
    }

    /// The moves that may fulfil a need before anything else does.
    fn fulfilling(&self, need: Signal, out: &mut Vec<Move>) {
        let Gate::Fluent(fluent) = self.network.net.gates[need.gate()] else { return };
        let next = self.network.next[fluent as usize].negated_if(need.is_negated());
        out.clear();
        for (does, &(_, mv)) in self.network.does.iter().enumerate() {
            let (word, lane) = (does / 64, 1 << (does % 64));
            if self.of(next, word).be_true & self.active[word] & lane != 0 {
                out.push(mv);
            }
        }
    }
}

impl Outlook for Relaxation {
    fn is_open(&mut self, facts: &[u32]) -> bool {
        self.set_state(facts);
        loop {
            self.evaluate();
            if self.may_end_well() {
                return true;
            }
            self.find_active();
            if !self.step() {
                return false;
            }
        }
    }

    /// For each need that is not fulfilled yet, the moves that may fulfil it, while no other need changes.
    fn needed(&mut self, facts: &[u32], out: &mut Vec<Move>) {
        out.clear();
        if self.needs.is_empty() {
            return;
        }
        self.set_state(facts);
        let crisp: Vec<(u32, May)> = self
            .needs
            .iter()
            .filter_map(|need| {
                let Gate::Fluent(fluent) = self.network.net.gates[need.gate()] else { return None };
                Some((fluent, self.fluents[fluent as usize]))
            })
            .collect();
        let open: Vec<Signal> = self
            .needs
            .iter()
            .zip(&crisp)
            .filter_map(|(&need, (_, may))| {
                (may.negated_if(need.is_negated()).be_true == 0).then_some(need)
            })
            .collect();
        loop {
            self.evaluate();
            self.find_active();
            if !self.step() {
                break;
            }
        }
        for (fluent, may) in crisp {
            self.fluents[fluent as usize] = may;
        }
        self.evaluate();
        let mut moves = Vec::new();
        for need in open {
            self.fulfilling(need, &mut moves);
            if !moves.is_empty() && (out.is_empty() || moves.len() < out.len()) {
                std::mem::swap(out, &mut moves);
            }
        }
    }
}

#[cfg(test)]
mod tests;
