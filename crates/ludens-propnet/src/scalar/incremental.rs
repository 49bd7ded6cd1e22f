//! Incremental evaluation: only changes since the last state are propagated.
//!
//! Counting the literals that each gate still needs is a technique of the players Sancho and ggplib.
//! Here nodes are visited in topological order, so that each receives all changes before it
//! notifies its readers, and none changes twice.

use std::ops::Range;

use super::layout::Phase;
use super::memory::Memory;
use super::wiring::{Count, Wiring};
use crate::network::Network;

/// The cost of a node besides its edges, in edges.
const NODE_COST: u64 = 6;

/// Nodes with at most this many readers notify them without branches: whether a change matters to a
/// reader cannot be predicted, and a misprediction costs as much as several notifications.
const MAX_BRANCHLESS: usize = 24;

/// The incremental evaluator.
#[derive(Debug)]
pub struct Incremental {
    wiring: Wiring,
    /// The memory with no fluent and no move, fully propagated.
    blank: Memory,
}

impl Incremental {
    /// The evaluator of a network; `None` if the network does not allow it.
    pub fn new(network: &Network) -> Option<Self> {
        let wiring = Wiring::new(network)?;
        let mut blank = Memory::blank(&wiring);
        propagate(&wiring, &mut blank, |_| true);
        Some(Incremental { wiring, blank })
    }

    /// Scratch memory.
    pub fn memory(&self) -> Memory {
        self.blank.clone()
    }

    /// Whether a state is terminal; fills in which moves are legal there.
    pub fn look(&self, memory: &mut Memory, state: &[u64], legal: &mut [u64]) -> bool {
        set_state(&self.wiring, memory, state);
        propagate(&self.wiring, memory, |phase| phase == Phase::Look);
        memory.read(&self.wiring.regions.legal, legal);
        let word = &memory.words[self.wiring.regions.terminal.start];
        word.holds() & 1 == 1
    }

    /// Fills in which goals hold in a state.
    pub fn goals(&self, memory: &mut Memory, state: &[u64], goals: &mut [u64]) {
        set_state(&self.wiring, memory, state);
        propagate(&self.wiring, memory, |phase| phase != Phase::Next);
        memory.read(&self.wiring.regions.goals, goals);
    }

    /// The state after some moves.
    pub fn next(&self, memory: &mut Memory, state: &[u64], does: &[u32], next: &mut [u64]) {
        set_state(&self.wiring, memory, state);
        set_does(&self.wiring, memory, does);
        propagate(&self.wiring, memory, |phase| phase != Phase::Goals);
        memory.read(&self.wiring.regions.next, next);
    }

    /// Computes everything that does not depend on moves.
    pub fn prepare(&self, memory: &mut Memory, state: &[u64]) {
        set_state(&self.wiring, memory, state);
        propagate(&self.wiring, memory, |_| true);
    }
}

/// Sets the fluents of a state, and propagates the changes.
fn set_state(wiring: &Wiring, memory: &mut Memory, state: &[u64]) {
    for (i, &word) in wiring.regions.fluents.clone().zip(state) {
        if memory.words[i].satisfied != word {
            memory.words[i].satisfied = word;
            propagate_word(wiring, memory, i);
        }
    }
}

/// Sets some moves, and propagates the changes.
fn set_does(wiring: &Wiring, memory: &mut Memory, does: &[u32]) {
    let first = wiring.regions.does.start as u32 * 64;
    let mut old = std::mem::take(&mut memory.does);
    for &id in &old {
        memory.words[id as usize / 64].satisfied &= !(1 << (id % 64));
    }
    for &does in does {
        let id = first + does;
        memory.words[id as usize / 64].satisfied |= 1 << (id % 64);
    }
    for &id in &old {
        propagate_word(wiring, memory, id as usize / 64);
    }
    old.clear();
    old.extend(does.iter().map(|does| first + does));
    for &id in &old {
        propagate_word(wiring, memory, id as usize / 64);
    }
    memory.does = old;
}

/// Propagates all changes in the segments of some phases.
fn propagate(wiring: &Wiring, memory: &mut Memory, is_needed: impl Fn(Phase) -> bool) {
    for segment in wiring.segments.iter().filter(|segment| is_needed(segment.phase)) {
        if let Some(block) = segment.block {
            propagate_block(wiring, memory, block as usize, segment.words.clone());
        } else {
            propagate_words(wiring, memory, segment.words.clone());
        }
    }
}

/// Propagates all changes in some words in one pass; returns whether there were any. Outside blocks
/// nodes notify only later ones, so that one pass is enough.
fn propagate_words(wiring: &Wiring, memory: &mut Memory, words: Range<usize>) -> bool {
    let mut any = false;
    for i in words.start / 64..words.end.div_ceil(64) {
        let from = u64::MAX << words.start.saturating_sub(i * 64);
        let to = u64::MAX >> (64 - (words.end - i * 64).min(64));
        loop {
            let pending = memory.pending[i] & from & to;
            if pending == 0 {
                break;
            }
            any = true;
            propagate_word(wiring, memory, i * 64 + pending.trailing_zeros() as usize);
            // Other words may be pending by now, this one is not.
            memory.pending[i] &= !(pending & pending.wrapping_neg());
        }
    }
    any
}

/// Computes the least fixpoint of a block. If values have only become true, propagation reaches it
/// from below. If something has become false, no value may be supported by loops only: they are
/// suppressed until all is propagated, and then become true if they still have support.
fn propagate_block(wiring: &Wiring, memory: &mut Memory, block: usize, words: Range<usize>) {
    const SUPPRESSED: Count = 2;
    if std::mem::take(&mut memory.lost_support[block]) {
        for &id in &wiring.loops[block] {
            if memory.counts[id as usize] >= 0 {
                memory.flip(id);
            }
            memory.counts[id as usize] -= SUPPRESSED;
        }
        while propagate_words(wiring, memory, words.clone()) {}
        for &id in &wiring.loops[block] {
            memory.counts[id as usize] += SUPPRESSED;
            if memory.counts[id as usize] >= 0 {
                memory.flip(id);
            }
        }
    }
    while propagate_words(wiring, memory, words.clone()) {}
}

/// Propagates the changes in a word.
fn propagate_word(wiring: &Wiring, memory: &mut Memory, i: usize) {
    loop {
        let word = &mut memory.words[i];
        let holds = word.holds();
        let changed = holds ^ word.propagated;
        if changed == 0 {
            return;
        }
        let bit = changed & changed.wrapping_neg();
        word.propagated ^= bit;
        notify(wiring, memory, i * 64 + bit.trailing_zeros() as usize, holds & bit != 0);
    }
}

/// Notifies the readers of a node that its value has changed to `holds`.
fn notify(wiring: &Wiring, memory: &mut Memory, id: usize, holds: bool) {
    let node = &wiring.nodes[id];
    let edges = &wiring.edges[node.first as usize..node.end as usize];
    memory.work += NODE_COST + edges.len() as u64;
    if edges.len() <= MAX_BRANCHLESS {
        for &edge in edges {
            memory.update_count(edge, holds);
        }
    } else {
        let (readers, negated) = edges.split_at((node.negated - node.first) as usize);
        let (up, down) = if holds { (readers, negated) } else { (negated, readers) };
        memory.add(up);
        memory.subtract(down);
    }
    if node.bundle > 0 {
        notify_bundle(wiring, memory, node.bundle as usize - 1, holds);
    }
}

/// Notifies whole words and blocks.
fn notify_bundle(wiring: &Wiring, memory: &mut Memory, bundle: usize, holds: bool) {
    let bundle = &wiring.bundles[bundle];
    memory.work += bundle.wide.len() as u64;
    for wide in &wiring.wide[bundle.wide.clone()] {
        let word = wide.word as usize;
        memory.words[word].allowed[wide.hub as usize] ^= wide.mask;
        memory.pending[word / 64] |= 1 << (word % 64);
    }
    for feed in &wiring.feeds[bundle.feeds.clone()] {
        memory.lost_support[feed.block as usize] |= feed.negated == holds;
    }
}
