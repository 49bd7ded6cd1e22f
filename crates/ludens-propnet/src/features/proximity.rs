//! Distances from an input of a net to fluents.
//!
//! A path leads up from the input through gates that read it, then down to another input. Each gate
//! on it costs the logarithm of its fan-in: a signal that shares a condition with one
//! other is closer than one of a hundred alternatives. Of fluents at the same distance, those with
//! more paths come first: two paths of the same length count as one that is one bit shorter.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::net::{Gate, Signal};

use super::wiring::Wiring;

/// A distance of one bit: the choice between two inputs.
pub(super) const BIT: u32 = 16;

/// A fluent and its distance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Neighbour {
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
    /// The search that last reached each gate on the way down and on the way up.
    reached: [Vec<u32>; 2],
    search: u32,
    /// The paths examined in this search.
    paths: usize,
    max_paths: usize,
}

/// Fluents beyond this distance are not close.
const MAX_DISTANCE: u32 = 14 * BIT;
/// The extra distance of disjuncts over conjuncts.
const ALTERNATIVE: u32 = BIT;
/// The inputs of larger gates are not close to each other.
const MAX_FAN_IN: usize = 64;
/// How many paths to fluents are collected, and how many fluents are kept.
const MAX_FOUND: usize = 256;
const MAX_NEIGHBOURS: usize = 48;
/// How many paths are examined for each move, and for all moves.
const MAX_PATHS: usize = 4000;
const PATH_BUDGET: usize = 8_000_000;
const MIN_PATHS: usize = 400;

impl<'a> Proximity<'a> {
    pub fn new(wiring: &'a Wiring<'a>) -> Self {
        let never = vec![0; wiring.network.net.gates.len()];
        let max_paths = PATH_BUDGET / wiring.network.does.len().max(1);
        Proximity {
            wiring,
            open: BinaryHeap::new(),
            reached: [never.clone(), never],
            search: 0,
            paths: 0,
            max_paths: max_paths.clamp(MIN_PATHS, MAX_PATHS),
        }
    }

    /// The fluents close to inputs, the closest first.
    pub fn around(&mut self, inputs: impl Iterator<Item = u32>) -> Vec<Neighbour> {
        self.reset();
        inputs.filter(|&gate| gate > 0).for_each(|gate| self.reach(0, true, gate));
        self.neighbours()
    }

    /// The fluents that a signal depends on, the closest first.
    pub fn below(&mut self, signal: Signal) -> Vec<Neighbour> {
        self.reset();
        self.reach(0, false, signal.gate() as u32);
        self.neighbours()
    }

    fn reset(&mut self) {
        self.search += 1;
        self.paths = 0;
        self.open.clear();
    }

    fn reach(&mut self, distance: u32, up: bool, gate: u32) {
        self.paths += 1;
        if distance <= MAX_DISTANCE && self.reached[usize::from(up)][gate as usize] != self.search {
            self.open.push(Reverse((distance, up, gate)));
        }
    }

    fn neighbours(&mut self) -> Vec<Neighbour> {
        let mut paths = Vec::new();
        while let Some(Reverse((distance, up, gate))) = self.open.pop() {
            let gates = &self.wiring.network.net.gates;
            if let (false, Gate::Fluent(fluent)) = (up, &gates[gate as usize]) {
                paths.push((*fluent, distance));
                continue;
            }
            let reached = &mut self.reached[usize::from(up)][gate as usize];
            if std::mem::replace(reached, self.search) == self.search {
                continue;
            }
            if up {
                self.go_up(distance, gate);
            } else {
                self.go_down(distance + self.cost(gate), gate);
            }
            if paths.len() >= MAX_FOUND || self.paths > self.max_paths {
                break;
            }
        }
        combined(paths)
    }

    fn go_up(&mut self, distance: u32, gate: u32) {
        let wiring = self.wiring;
        for &reader in wiring.readers.targets(gate) {
            let distance = distance + self.cost(reader);
            self.reach(distance, true, reader);
            self.go_down(distance + self.detour(reader), reader);
        }
    }

    fn go_down(&mut self, distance: u32, gate: u32) {
        let wiring = self.wiring;
        let fan_in = wiring.fan_in(gate as usize);
        if fan_in.len() <= MAX_FAN_IN {
            for part in fan_in {
                self.reach(distance, false, part.gate() as u32);
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
        let n_parts = self.wiring.fan_in(gate as usize).len().max(1);
        ((n_parts as f32).log2() * BIT as f32) as u32
    }
}

/// Each fluent once, the closest first.
fn combined(mut paths: Vec<(u32, u32)>) -> Vec<Neighbour> {
    paths.sort_unstable();
    let near = |paths: &[(u32, u32)]| {
        let (fluent, distance) = paths[0];
        let weight = |(_, distance): &(u32, u32)| (-f64::from(*distance) / f64::from(BIT)).exp2();
        let combined = -paths.iter().map(weight).sum::<f64>().log2() * f64::from(BIT);
        Neighbour { distance, combined: combined.round().max(0.0) as u32, fluent }
    };
    let mut near: Vec<Neighbour> = paths.chunk_by(|a, b| a.0 == b.0).map(near).collect();
    near.sort_unstable();
    near.truncate(MAX_NEIGHBOURS);
    near
}
