//! The programs of playouts, and the slots of their planes.

use std::sync::{Arc, OnceLock};

use super::base::{Base, Costs};
use super::layout::Layout;
use super::leaves::{Leaves, Shared, When};
use super::task::Task;
use crate::circuit::{Circuit, Lit, Slot};
use crate::network::Network;
use crate::program::{Gates, Program};

/// The programs of a network. Each is compiled from the circuit on first use.
pub struct LanePrograms {
    /// The layout of the frame.
    pub layout: Layout,
    /// Whether `Advance` leaves the lanes of `frozen` unchanged. That costs time at every step, but
    /// if payoffs are expensive, finished playouts can wait until there are many.
    pub freezes: bool,
    /// Whether terminal states are found before anything else is computed, so that other starts can
    /// replace them at once. That pays off if `terminal` shares little with the legal moves.
    pub judges_first: bool,
    /// Whether payoffs are computed at every step, together with `terminal`.
    pub judges_payoffs: bool,
    network: Arc<Network>,
    gates: Gates,
    /// How moves are chosen.
    pub leaves: Leaves,
    base: Arc<Base>,
    single: [OnceLock<Planned>; 4],
    step: OnceLock<Step>,
    recorded_step: OnceLock<Step>,
}

/// A program, and the part of the frame that it must not overwrite.
pub struct Planned {
    /// The program.
    pub program: Program,
    /// Slots from here on are free.
    pub frame_len: u32,
}

/// The programs of a step, which share values.
struct Step {
    count: Planned,
    draw: Planned,
    payoffs: Planned,
    advance: Planned,
}

impl LanePrograms {
    /// The programs of a network, with a leaf for each move.
    pub fn new(network: Arc<Network>, gates: Gates) -> Self {
        let leaves = Leaves::plain(&network);
        let (layout, loops) = Layout::new(&network, &leaves);
        let base = Base::new(&network, &layout, loops);
        let costs = Costs::new(&base);
        let freezes = costs.goals > costs.next / 8 + 4 * network.fluents.len();
        let judges_first = costs.judging_first() * 16 <= costs.step();
        LanePrograms {
            layout,
            freezes,
            judges_first,
            judges_payoffs: judges_first
                && !freezes
                && costs.judging_payoffs() * 16 <= costs.step(),
            network,
            gates,
            leaves,
            base: Arc::new(base),
            single: Default::default(),
            step: OnceLock::new(),
            recorded_step: OnceLock::new(),
        }
    }

    /// The same programs with choices between the given leaves.
    #[must_use]
    pub fn with_leaves(&self, leaves: Leaves) -> Self {
        LanePrograms {
            layout: Layout::new(&self.network, &leaves).0,
            freezes: self.freezes,
            judges_first: self.judges_first,
            judges_payoffs: self.judges_payoffs,
            network: Arc::clone(&self.network),
            gates: self.gates,
            leaves,
            base: Arc::clone(&self.base),
            single: Default::default(),
            step: OnceLock::new(),
            recorded_step: OnceLock::new(),
        }
    }

    /// The program of a task.
    pub fn program(&self, task: Task) -> &Planned {
        let step = || self.step.get_or_init(|| self.plan_step(false));
        let recorded = || self.recorded_step.get_or_init(|| self.plan_step(true));
        match task {
            Task::Look => self.single[0].get_or_init(|| self.plan(&self.look(), self.layout.len)),
            Task::Goals => self.single[1].get_or_init(|| self.plan(&self.goals(), self.layout.len)),
            Task::Next => self.single[2].get_or_init(|| self.plan_next()),
            Task::Judge => self.single[3].get_or_init(|| self.plan(&self.judge(), self.layout.len)),
            Task::Count => &step().count,
            Task::Draw => &step().draw,
            Task::Payoffs => &step().payoffs,
            Task::Advance => &step().advance,
            Task::CountForRecord => &recorded().count,
            Task::DrawForRecord => &recorded().draw,
            Task::PayoffsForRecord => &recorded().payoffs,
            Task::Record => &recorded().advance,
        }
    }

    /// The number of gates of a step.
    pub fn n_gates(&self) -> usize {
        let tasks = [Task::Count, Task::Draw, Task::Advance];
        tasks.iter().map(|&task| self.program(task).program.n_gates()).sum()
    }

    fn look(&self) -> Vec<(Lit, Slot)> {
        let mut outputs = numbered(&self.base.state.legal, |i| Slot::Frame(self.layout.legal + i));
        outputs.push((self.base.state.terminal[0], Slot::Frame(self.layout.terminal)));
        outputs
    }

    fn goals(&self) -> Vec<(Lit, Slot)> {
        numbered(&self.base.state.goals, |i| Slot::Frame(self.layout.goals + i))
    }

    fn judge(&self) -> Vec<(Lit, Slot)> {
        let mut outputs = if self.judges_payoffs { self.goals() } else { Vec::new() };
        outputs.push((self.base.state.terminal[0], Slot::Frame(self.layout.terminal)));
        outputs
    }

    /// A program for outputs that depend on the state only.
    fn plan(&self, outputs: &[(Lit, Slot)], mut frame_len: u32) -> Planned {
        let (circuit, loops) = (&self.base.circuit, &self.base.state.loops);
        let program = Program::new(circuit, loops, outputs, self.gates, &mut frame_len);
        Planned { program, frame_len }
    }

    fn plan_next(&self) -> Planned {
        let mut frame_len = self.layout.len;
        let (circuit, loops) = (&self.base.circuit, &self.base.next.loops);
        let outputs = numbered(&self.base.next.next, Slot::Next);
        let program = Program::new(circuit, loops, &outputs, self.gates, &mut frame_len);
        Planned { program, frame_len }
    }

    /// The programs of a step. Tasks between counting and advancing preserve the values that these
    /// share.
    fn plan_step(&self, records: bool) -> Step {
        let mut circuit = self.base.circuit.clone();
        let mut outputs = Vec::new();
        if !self.judges_first || records {
            let terminal = Slot::Frame(self.layout.terminal);
            outputs.push((self.base.state.terminal[0], terminal));
        }
        let made = self.choose(&mut circuit, &mut outputs);
        let signals = self.base.write_next(&mut circuit, &self.layout, &self.network, &made);
        let mut next = numbered(&signals.next, Slot::Next);
        if self.freezes {
            let frozen = circuit.load(Slot::Frame(self.layout.frozen));
            for (lit, fluent) in next.iter_mut().zip(0..) {
                let now = circuit.load(Slot::State(fluent));
                lit.0 = circuit.choose(frozen, now, lit.0);
            }
        }
        if records {
            next.extend(numbered(&made, |i| Slot::Frame(self.layout.does + i)));
        }
        let mut frame_len = self.layout.len;
        let outputs = [&outputs[..], &next[..]];
        let loops = self.base.loops(&signals);
        let programs = Program::sequence(&circuit, &loops, &outputs, self.gates, &mut frame_len);
        let mut programs = programs.into_iter().map(|program| Planned { program, frame_len });
        let mut next_program = || programs.next().expect("there are two programs");
        Step {
            count: next_program(),
            advance: next_program(),
            draw: self.draw(frame_len),
            payoffs: self.plan(&self.goals(), frame_len),
        }
    }

    /// Whether each of `does` is made. Appends the outputs that must be computed before.
    fn choose(&self, circuit: &mut Circuit, outputs: &mut Vec<(Lit, Slot)>) -> Vec<Lit> {
        let mut made = vec![Lit::FALSE; self.network.does.len()];
        let mut none = Vec::with_capacity(self.leaves.choices.len());
        for (choice, leaves) in self.layout.choices.iter().zip(&self.leaves.choices) {
            let mut lits = Vec::with_capacity(leaves.len());
            for leaf in leaves {
                let legal: Vec<Lit> =
                    leaf.iter().map(|shared| self.legal(circuit, shared)).collect();
                lits.push(circuit.any(&legal));
            }
            let tree = choice.count(circuit, &lits, outputs);
            none.push(tree.none);
            for (picked, leaf) in choice.descend(circuit, &tree).into_iter().zip(leaves) {
                for shared in leaf {
                    let guards = shared.guards.into_iter().flatten();
                    let selected = guards.fold(picked, |selected, guard| {
                        let guard = circuit.load(Slot::State(guard));
                        circuit.and(selected, guard)
                    });
                    let made = &mut made[shared.does as usize];
                    *made = circuit.or(*made, selected);
                }
            }
        }
        for shared in &self.leaves.forced {
            let legal = self.legal(circuit, shared);
            let made = &mut made[shared.does as usize];
            *made = circuit.or(*made, legal);
        }
        outputs.push((self.stuck(circuit, &none), Slot::Frame(self.layout.stuck)));
        outputs.push((self.refuted(circuit), Slot::Frame(self.layout.refuted)));
        made
    }

    /// Where a move is legal and belongs to the leaf.
    fn legal(&self, circuit: &mut Circuit, shared: &Shared) -> Lit {
        let legal = self.base.state.legal[shared.does as usize];
        match shared.when {
            When::Legal => legal,
            When::Turn(fluent) => {
                let turn = circuit.load(Slot::State(fluent));
                circuit.and(legal, turn)
            }
            When::OtherTurn => {
                let role = self.network.does[shared.does as usize].0;
                let own_turn = self.own_turn(circuit, role.index());
                circuit.and(legal, !own_turn)
            }
        }
    }

    /// Where it is a role's turn.
    fn own_turn(&self, circuit: &mut Circuit, role_idx: usize) -> Lit {
        let turns = self.leaves.turns[role_idx].iter();
        let turns: Vec<Lit> = turns.map(|&fluent| circuit.load(Slot::State(fluent))).collect();
        circuit.any(&turns)
    }

    /// Where a role has no legal move.
    fn stuck(&self, circuit: &mut Circuit, none: &[Lit]) -> Lit {
        let mut stuck = Lit::FALSE;
        for (role_idx, turns) in self.leaves.turns.iter().enumerate() {
            let is_own =
                |shared: &&Shared| self.network.does[shared.does as usize].0.index() == role_idx;
            let forced = self.leaves.forced.iter().find(is_own);
            let mut no_move = match (self.leaves.others[role_idx], forced) {
                (Some(choice), _) => none[choice],
                (None, Some(shared)) => !self.legal(circuit, shared),
                (None, None) => Lit::TRUE,
            };
            if !turns.is_empty() {
                let own_turn = self.own_turn(circuit, role_idx);
                no_move = circuit.choose(own_turn, none[0], no_move);
            }
            stuck = circuit.or(stuck, no_move);
        }
        stuck
    }

    /// Where it is not exactly one role's turn, or where fluents hold that should exclude each other.
    fn refuted(&self, circuit: &mut Circuit) -> Lit {
        let mut refuted = Lit::FALSE;
        let turn = (!self.leaves.exactly_one.is_empty()).then_some(&self.leaves.exactly_one);
        for group in turn.into_iter().chain(&self.leaves.at_most_one) {
            let (mut one, mut two) = (Lit::FALSE, Lit::FALSE);
            for &fluent in group {
                let holds = circuit.load(Slot::State(fluent));
                let both = circuit.and(one, holds);
                two = circuit.or(two, both);
                one = circuit.or(one, holds);
            }
            refuted = circuit.or(refuted, two);
            if Some(group) == turn {
                refuted = circuit.or(refuted, !one);
            }
        }
        refuted
    }

    fn draw(&self, mut frame_len: u32) -> Planned {
        let (mut circuit, mut outputs) = (Circuit::default(), Vec::new());
        let choices = self.layout.choices.iter();
        let open: Vec<Lit> = choices.map(|c| c.draw(&mut circuit, &mut outputs)).collect();
        outputs.push((circuit.any(&open), Slot::Frame(self.layout.open)));
        let program = Program::new(&circuit, &[], &outputs, self.gates, &mut frame_len);
        Planned { program, frame_len }
    }
}

fn numbered(lits: &[Lit], slot: impl Fn(u32) -> Slot) -> Vec<(Lit, Slot)> {
    lits.iter().zip(0..).map(|(&lit, i)| (lit, slot(i))).collect()
}
