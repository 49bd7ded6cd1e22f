//! The memory of incremental evaluation.

use std::ops::Range;

use super::layout::MAX_HUBS;
use super::wiring::{Count, Wiring};

/// 64 nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Word {
    /// The nodes whose counts are not negative; the inputs that hold.
    pub satisfied: u64,
    /// The values that were propagated to the readers.
    pub propagated: u64,
    /// The nodes that each of their hubs allows.
    pub allowed: [u64; MAX_HUBS],
}

impl Word {
    /// The nodes that hold.
    pub fn holds(&self) -> u64 {
        self.allowed.iter().fold(self.satisfied, |word, allowed| word & allowed)
    }
}

/// The last state, and everything derived from it.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The count of each node; inputs have none.
    pub counts: Vec<Count>,
    /// The values of nodes, and those that were propagated.
    pub words: Vec<Word>,
    /// Words with pending changes, 64 to a word.
    pub pending: Vec<u64>,
    /// Blocks in which true nodes may have lost their support.
    pub lost_support: Vec<bool>,
    /// The moves that are set.
    pub does: Vec<u32>,
    /// The work done so far, in units of reading a literal.
    pub work: u64,
}

impl Memory {
    /// Copies another one without allocating.
    pub fn copy_from(&mut self, other: &Memory) {
        self.counts.copy_from_slice(&other.counts);
        self.words.copy_from_slice(&other.words);
        self.pending.copy_from_slice(&other.pending);
        self.lost_support.copy_from_slice(&other.lost_support);
        self.does.clone_from(&other.does);
        self.work = other.work;
    }

    /// No node holds, and nothing is propagated yet.
    pub fn blank(wiring: &Wiring) -> Self {
        let satisfied = |counts: &[Count]| {
            let bits = counts.iter().enumerate().map(|(i, &count)| u64::from(count >= 0) << i);
            bits.fold(0, |word, bit| word | bit)
        };
        let counts = wiring.counts.chunks(64).map(satisfied);
        let words: Vec<Word> = counts
            .zip(&wiring.allowed)
            .map(|(satisfied, &allowed)| Word { satisfied, allowed, propagated: 0 })
            .collect();
        Memory {
            counts: wiring.counts.clone(),
            pending: vec![u64::MAX; words.len().div_ceil(64)],
            words,
            lost_support: vec![false; wiring.loops.len()],
            does: Vec::new(),
            work: 0,
        }
    }

    /// Reads the nodes of some words.
    pub fn read(&self, region: &Range<usize>, out: &mut [u64]) {
        for (out, word) in out.iter_mut().zip(&self.words[region.clone()]) {
            *out = word.holds();
        }
    }

    /// Records that the count of a node has crossed zero.
    pub fn flip(&mut self, id: u32) {
        let word = id as usize / 64;
        self.words[word].satisfied ^= 1 << (id % 64);
        self.pending[word / 64] |= 1 << (word % 64);
    }

    /// Adds one to the counts of some nodes.
    pub fn add(&mut self, edges: &[u32]) {
        for id in edges.iter().map(|edge| edge / 2) {
            let count = &mut self.counts[id as usize];
            *count += 1;
            if *count == 0 {
                self.flip(id);
            }
        }
    }

    /// Subtracts one from the counts of some nodes.
    pub fn subtract(&mut self, edges: &[u32]) {
        for id in edges.iter().map(|edge| edge / 2) {
            let count = &mut self.counts[id as usize];
            *count -= 1;
            if *count == -1 {
                self.flip(id);
            }
        }
    }

    /// Adds one to a count or subtracts one, without a branch.
    #[inline]
    pub fn update_count(&mut self, edge: u32, holds: bool) {
        let id = edge as usize / 2;
        let reads_negation = edge & 1 == 1;
        let old = self.counts[id];
        let new = old + 2 * Count::from(holds != reads_negation) - 1;
        self.counts[id] = new;
        let crossed = u64::from((old ^ new) < 0);
        self.words[id / 64].satisfied ^= crossed << (id % 64);
        self.pending[id / 4096] |= crossed << (id / 64 % 64);
    }
}
