//! The effects of a move in each of the sampled states.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::planes::Planes;
use super::wiring::Wiring;

/// A fluent whose next value depends on a move.
pub(super) struct Effect {
    /// The fluent.
    pub fluent: u32,
    /// The states in which the move makes a difference to it.
    pub differs: Vec<u64>,
    /// The states after which it holds.
    pub holds: Vec<u64>,
}

/// Makes moves in all states at once, and undoes them.
pub(super) struct Trials {
    queue: BinaryHeap<Reverse<u32>>,
    queued: Vec<bool>,
    /// The changed gates with their old values.
    changed: Vec<(u32, Vec<u64>)>,
    is_changed: Vec<bool>,
    /// Signals read so far, in units of 64 states.
    pub work: u64,
}

/// A move that takes more work than this gets no features, because it changes too much.
const MAX_WORK: u64 = 1 << 20;

impl Trials {
    pub fn new(wiring: &Wiring<'_>) -> Self {
        let n_gates = wiring.network.net.gates.len();
        let (queue, changed) = (BinaryHeap::new(), Vec::new());
        Trials {
            queue,
            queued: vec![false; n_gates],
            changed,
            is_changed: vec![false; n_gates],
            work: 0,
        }
    }

    /// The effects of a move where it is legal, by fluent; `None` if that takes too much work.
    ///
    /// Changes propagate from gate to gate. Recursive rules that lose support may keep each other
    /// alive here, which does no harm when choosing features.
    pub fn effects(
        &mut self,
        wiring: &Wiring<'_>,
        planes: &mut Planes,
        does: usize,
        legal: &[u64],
    ) -> Option<Vec<Effect>> {
        let gate = wiring.does_gates[does];
        if gate == 0 {
            return Some(Vec::new());
        }
        self.save(planes.plane(gate as usize).to_vec(), gate);
        planes.plane_mut(gate as usize).copy_from_slice(legal);
        self.queue_readers(wiring, gate);
        let is_done = self.run(wiring, planes, self.work + MAX_WORK);
        let effects = is_done.then(|| self.collect_effects(wiring, planes));
        self.undo(planes);
        effects
    }

    fn run(&mut self, wiring: &Wiring<'_>, planes: &mut Planes, max_work: u64) -> bool {
        while let Some(Reverse(gate)) = self.queue.pop() {
            self.queued[gate as usize] = false;
            let old =
                (!self.is_changed[gate as usize]).then(|| planes.plane(gate as usize).to_vec());
            self.work += (wiring.fan_in(gate as usize).len() * planes.plane(0).len()) as u64;
            if planes.update(wiring, gate as usize) {
                if let Some(old) = old {
                    self.save(old, gate);
                }
                self.queue_readers(wiring, gate);
            }
            if self.work > max_work {
                return false;
            }
        }
        true
    }

    fn save(&mut self, old: Vec<u64>, gate: u32) {
        self.is_changed[gate as usize] = true;
        self.changed.push((gate, old));
    }

    fn queue_readers(&mut self, wiring: &Wiring<'_>, gate: u32) {
        for &reader in wiring.readers.targets(gate) {
            if !std::mem::replace(&mut self.queued[reader as usize], true) {
                self.queue.push(Reverse(reader));
            }
        }
    }

    fn collect_effects(&self, wiring: &Wiring<'_>, planes: &Planes) -> Vec<Effect> {
        let mut effects = Vec::new();
        for (gate, old) in &self.changed {
            for &fluent in wiring.decides.targets(*gate) {
                let holds = planes.signal(wiring.network.next[fluent as usize]);
                let new = planes.plane(*gate as usize);
                let differs = old.iter().zip(new).map(|(old, new)| old ^ new).collect();
                effects.push(Effect { fluent, differs, holds });
            }
        }
        effects.sort_unstable_by_key(|effect| effect.fluent);
        effects
    }

    fn undo(&mut self, planes: &mut Planes) {
        for Reverse(gate) in self.queue.drain() {
            self.queued[gate as usize] = false;
        }
        for (gate, old) in self.changed.drain(..) {
            self.is_changed[gate as usize] = false;
            planes.plane_mut(gate as usize).copy_from_slice(&old);
        }
    }
}
