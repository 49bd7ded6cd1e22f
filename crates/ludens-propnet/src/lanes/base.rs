//! The network as a circuit of two-input gates, and the sizes of its cones.

use super::layout::Layout;
use crate::circuit::{Circuit, Lit, Slot};
use crate::network::Network;
use crate::passes::{Inputs, Loop, Lowering, Signals};
use crate::scalar::Cone;

/// The network as a circuit, which does not depend on how moves are chosen.
pub(super) struct Base {
    lowering: Lowering,
    pub circuit: Circuit,
    /// The signals that depend on the state only.
    pub state: Signals,
    /// The next state after the moves of `does`.
    pub next: Signals,
    /// The distance in slots between the loops of `next` and those of `state`: a network in which
    /// signals of the state depend on moves needs both.
    loop_shift: u32,
}

impl Base {
    pub(super) fn new(network: &Network, layout: &Layout, loops: u32) -> Self {
        let lowering = Lowering::of(network, Inputs { does: layout.does, loops });
        let mut circuit = Circuit::default();
        let is_does = |i: u32| (layout.does..layout.does + network.does.len() as u32).contains(&i);
        let state = lowering.write(&mut circuit, |circuit, slot| match slot {
            Slot::Frame(i) if is_does(i) => Lit::FALSE,
            other => circuit.load(other),
        });
        let loop_shift = if state_depends_on_moves(network) { n_loops(network) } else { 0 };
        let mut base = Base { lowering, circuit, state, next: Signals::default(), loop_shift };
        let mut circuit = std::mem::take(&mut base.circuit);
        base.next = base.write_next(&mut circuit, layout, network, &[]);
        base.circuit = circuit;
        base
    }

    /// Writes the next state after moves: those that were `made`, or those in memory.
    pub(super) fn write_next(
        &self,
        circuit: &mut Circuit,
        layout: &Layout,
        network: &Network,
        made: &[Lit],
    ) -> Signals {
        let first_loop = layout.refuted + 1;
        let is_loop = |i: u32| (first_loop..first_loop + n_loops(network)).contains(&i);
        let mut signals = self.lowering.write(circuit, |circuit, slot| match slot {
            Slot::Frame(i) if is_loop(i) => circuit.load(Slot::Frame(i + self.loop_shift)),
            Slot::Frame(i) => match made.get((i - layout.does) as usize) {
                Some(&made) => made,
                None => circuit.load(slot),
            },
            other => circuit.load(other),
        });
        if self.loop_shift > 0 {
            let n_blocks = network.net.blocks.len() as u32;
            for l in &mut signals.loops {
                l.slot += self.loop_shift;
                l.block += n_blocks;
            }
        }
        signals
    }

    /// The loops of both kinds of signals, for programs that compute both.
    pub(super) fn loops(&self, next: &Signals) -> Vec<Loop> {
        let state = self.state.loops.iter().filter(|_| self.loop_shift > 0);
        state.chain(&next.loops).copied().collect()
    }
}

/// The sizes of the cones of the outputs, in gates.
pub(super) struct Costs {
    terminal: usize,
    legal: usize,
    /// Of `terminal` and `legal`.
    look: usize,
    pub goals: usize,
    /// Of `goals` and `terminal`.
    end: usize,
    pub next: usize,
}

impl Costs {
    pub(super) fn new(base: &Base) -> Self {
        let Signals { terminal, legal, goals, .. } = &base.state;
        let n_gates = |lits: &[Lit]| base.circuit.n_gates(lits);
        Costs {
            terminal: n_gates(terminal),
            legal: n_gates(legal),
            look: n_gates(&[&terminal[..], legal].concat()),
            goals: n_gates(goals),
            end: n_gates(&[&terminal[..], goals].concat()),
            next: n_gates(&base.next.next),
        }
    }

    /// The approximate cost of a step, without drawing.
    pub(super) fn step(&self) -> usize {
        self.look + self.next
    }

    /// The gates computed twice if terminal states are found before legal moves.
    pub(super) fn judging_first(&self) -> usize {
        self.terminal + self.legal - self.look
    }

    /// The gates of payoffs beyond those of `terminal`.
    pub(super) fn judging_payoffs(&self) -> usize {
        self.end - self.terminal
    }
}

/// The number of slots for loops.
pub(super) fn n_loops(network: &Network) -> u32 {
    network.net.blocks.iter().map(|block| block.loops.len() as u32).sum()
}

/// Whether legality, goals or terminal depend on moves, which valid rules do not.
fn state_depends_on_moves(network: &Network) -> bool {
    let goals = network.goals.iter().map(|goal| goal.signal);
    let outputs = network.legal.iter().copied().chain([network.terminal]).chain(goals);
    Cone::of(&network.net, outputs).reads_moves(&network.net)
}
