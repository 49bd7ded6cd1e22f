//! Which fluents are near an input of a net.
//!
//! A way leads up from the input through gates that read it, then down to another input. Each gate
//! on it costs the logarithm of the number of its parts: who shares a condition of two is nearer
//! than who is one of a hundred alternatives. Of fluents at the same distance, those come first
//! to which there are more ways: two of the same length together are one bit shorter.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::net::{Gate, Signal};

use super::wiring::Wiring;

/// A distance of one bit: the choice between two parts.
pub(super) const BIT: u32 = 16;

/// A fluent and how far away it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Near {
    /// The length of the shortest way.
    pub distance: u32,
    /// How far it seems with all ways together.
    pub combined: u32,
    /// The fluent.
    pub fluent: u32,
}

/// Looks for fluents that are near.
pub(super) struct Proximity<'a> {
    wiring: &'a Wiring<'a>,
    open: BinaryHeap<Reverse<(u32, bool, u32)>>,
    /// In which walk each gate was last met on the way up and on the way down.
    met: [Vec<u32>; 2],
    number: u32,
    /// The ways that have been looked at in this walk.
    ways: usize,
    max_ways: usize,
}

/// Nobody is near beyond that.
const MAX_DISTANCE: u32 = 14 * BIT;
/// Alternatives are this much farther apart than what must hold together.
const ALTERNATIVE: u32 = BIT;
/// The parts of larger gates are not near each other.
const MAX_PARTS: usize = 64;
/// No more ways to fluents than this are found, and no more fluents than that are near.
const MAX_FOUND: usize = 256;
const MAX_NEAR: usize = 48;
/// So many ways are looked at for each move, and in all.
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

    /// The fluents that are near inputs, the nearest first.
    pub fn around(&mut self, inputs: impl Iterator<Item = u32>) -> Vec<Near> {
        self.begin();
        inputs.filter(|&gate| gate > 0).for_each(|gate| self.meet(0, true, gate));
        self.found()
    }

    /// The fluents that a signal depends on, the nearest first.
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

    /// What alternatives cost more than what must hold together.
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

/// Each fluent once, the nearest first.
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
