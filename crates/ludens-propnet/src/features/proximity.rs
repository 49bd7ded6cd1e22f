//! Distances from an input of a net to fluents.
//!
//! A path leads up from the input through gates that read it, then down to another input. Each gate
//! on it costs the logarithm of its number of parts: a signal that shares a condition with one
//! other is closer than one of a hundred alternatives. Of fluents at the same distance, those with
//! more paths come first: two paths of the same length count as one that is one bit shorter.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::net::{Gate, Signal};

use super::wiring::Wiring;

/// A distance of one bit: the choice between two parts.
pub(super) const BIT: u32 = 16;

/// A fluent and how far away it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Near {
    /// The length of the shortest path.
    pub distance: u32,
    /// The effective distance over all paths.
    pub combined: u32,
    /// The fluent.
    pub fluent: u32,
}

/// Searches for close fluents.
pub(super) struct Proximity<'a> {
    wiring: &'a Wiring<'a>,
    open: BinaryHeap<Reverse<(u32, bool, u32)>>,
    /// The search in which each gate was last reached on the way up and on the way down.
    met: [Vec<u32>; 2],
    number: u32,
    /// The paths examined in this search.
    ways: usize,
    max_ways: usize,
}

/// Fluents beyond this distance are not close.
const MAX_DISTANCE: u32 = 14 * BIT;
/// The extra distance of alternatives over conjuncts.
const ALTERNATIVE: u32 = BIT;
/// The parts of larger gates are not close to each other.
const MAX_PARTS: usize = 64;
/// How many paths to fluents are found, and how many fluents are kept.
const MAX_FOUND: usize = 256;
const MAX_NEAR: usize = 48;
/// How many paths are examined for each move, and in all.
const MAX_WAYS: usize = 4000;
const ALL_WAYS: usize = 8_000_000;
const MIN_WAYS: usize = 400;

impl<'a> Proximity<'a> {
    pub fn new(wiring: &'a Wiring<'a>) -> Self {
        let never = vec![0; wiring.network.net.gates.len()];
        let max_ways = ALL_WAYS / wiring.network.does.len().max(1);
        Proximity {
            wiring,
            open: BinaryHeap::new(),
            met: [never.clone(), never],
            number: 0,
            ways: 0,
            max_ways: max_ways.clamp(MIN_WAYS, MAX_WAYS),
        }
    }

    /// The fluents close to inputs, the closest first.
    pub fn around(&mut self, inputs: impl Iterator<Item = u32>) -> Vec<Near> {
        self.begin();
        inputs.filter(|&gate| gate > 0).for_each(|gate| self.meet(0, true, gate));
        self.found()
    }

    /// The fluents that a signal depends on, the closest first.
    pub fn below(&mut self, signal: Signal) -> Vec<Near> {
        self.begin();
        self.meet(0, false, signal.gate() as u32);
        self.found()
    }

    fn begin(&mut self) {
        self.number += 1;
        self.ways = 0;
        self.open.clear();
    }

    fn meet(&mut self, distance: u32, up: bool, gate: u32) {
        self.ways += 1;
        if distance <= MAX_DISTANCE && self.met[usize::from(up)][gate as usize] != self.number {
            self.open.push(Reverse((distance, up, gate)));
        }
    }

    fn found(&mut self) -> Vec<Near> {
        let mut ways = Vec::new();
        while let Some(Reverse((distance, up, gate))) = self.open.pop() {
            let gates = &self.wiring.network.net.gates;
            if let (false, Gate::Fluent(fluent)) = (up, &gates[gate as usize]) {
                ways.push((*fluent, distance));
                continue;
            }
            let met = &mut self.met[usize::from(up)][gate as usize];
            if std::mem::replace(met, self.number) == self.number {
                continue;
            }
            if up {
                self.go_up(distance, gate);
            } else {
                self.go_down(distance + self.cost(gate), gate);
            }
            if ways.len() >= MAX_FOUND || self.ways > self.max_ways {
                break;
            }
        }
        combined(ways)
    }

    fn go_up(&mut self, distance: u32, gate: u32) {
        let wiring = self.wiring;
        for &reader in wiring.readers.targets(gate) {
            let distance = distance + self.cost(reader);
            self.meet(distance, true, reader);
            self.go_down(distance + self.detour(reader), reader);
        }
    }

    fn go_down(&mut self, distance: u32, gate: u32) {
        let wiring = self.wiring;
        let parts = wiring.parts(gate as usize);
        if parts.len() <= MAX_PARTS {
            for part in parts {
                self.meet(distance, false, part.gate() as u32);
            }
        }
    }

    /// The extra cost of alternatives.
    fn detour(&self, gate: u32) -> u32 {
        match self.wiring.network.net.gates[gate as usize] {
            Gate::Or(_) => ALTERNATIVE,
            _ => 0,
        }
    }

    fn cost(&self, gate: u32) -> u32 {
        let n_parts = self.wiring.parts(gate as usize).len().max(1);
        ((n_parts as f32).log2() * BIT as f32) as u32
    }
}

/// Each fluent once, the closest first.
fn combined(mut ways: Vec<(u32, u32)>) -> Vec<Near> {
    ways.sort_unstable();
    let near = |ways: &[(u32, u32)]| {
        let (fluent, distance) = ways[0];
        let weight = |(_, distance): &(u32, u32)| (-f64::from(*distance) / f64::from(BIT)).exp2();
        let together = -ways.iter().map(weight).sum::<f64>().log2() * f64::from(BIT);
        Near { distance, combined: together.round().max(0.0) as u32, fluent }
    };
    let mut near: Vec<Near> = ways.chunk_by(|a, b| a.0 == b.0).map(near).collect();
    near.sort_unstable();
    near.truncate(MAX_NEAR);
    near
}
