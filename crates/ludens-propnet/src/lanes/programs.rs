//! The programs that playouts consist of, and where they find their planes.

use super::leaves::{Leaves, Shared, When};
use crate::circuit::{Circuit, Lit, Slot};
use crate::network::Network;
use crate::passes::{Inputs, Lowering, Signals};
use crate::program::{Gates, Program};
use crate::select::Choice;

/// The first slots of what the frame holds.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The moves made, one slot for each of the network's `does`.
    pub does: u32,
    /// The legal moves, likewise.
    pub legal: u32,
    /// The payoffs, one slot for each of the network's `goals`.
    pub goals: u32,
    /// Where the game is over.
    pub terminal: u32,
    /// Where a role has no legal move.
    pub stuck: u32,
    /// Where a number is still to be drawn.
    pub open: u32,
    /// Where a game is over and stays as it is.
    pub frozen: u32,
    /// Where the guesses behind shared leaves are wrong.
    pub doubt: u32,
    /// Random bits for the choices.
    pub random: std::ops::Range<u32>,
    /// The choices that are made at every step.
    pub choices: Vec<Choice>,
    /// The length of the frame.
    pub len: u32,
}

/// All that is computed for playouts of a network.
#[derive(Clone, Debug)]
pub struct LanePrograms {
    /// Where things are.
    pub layout: Layout,
    /// State to `terminal` and `legal`.
    pub look: Program,
    /// State to `goals`.
    pub goals: Program,
    /// State and `does` to the next state.
    pub next: Program,
    /// State to `terminal`, `stuck` and the counts of the choices.
    pub count: Program,
    /// Random bits to numbers drawn; repeated until `open` is empty.
    pub draw: Program,
    /// Numbers drawn to the next state.
    pub advance: Program,
    /// Whether `advance` leaves the lanes of `frozen` as they are. That costs time at every step,
    /// but where payoffs are dear, games that are over can wait until there are many of them.
    pub holds: bool,
}

impl LanePrograms {
    /// The programs of a network.
    pub fn of(network: &Network, gates: Gates, leaves: &Leaves) -> Self {
        let n_does = network.does.len() as u32;
        let n_loops = network.net.blocks.iter().map(|block| block.loops.len() as u32).sum::<u32>();
        let mut len = 0;
        let mut take = |n: u32| {
            len += n;
            len - n
        };
        let (does, legal, goals) = (take(n_does), take(n_does), take(network.goals.len() as u32));
        let (terminal, stuck, open, frozen) = (take(1), take(1), take(1), take(1));
        let doubt = take(1);
        let loops = take(n_loops);
        let sizes: Vec<usize> = leaves.choices.iter().map(Vec::len).collect();
        let random = take(sizes.iter().map(|&n| Choice::width(n)).sum());
        let mut next_random = random;
        let choice = |n_leaves| {
            let choice = Choice::new(n_leaves, next_random, &mut len);
            next_random += choice.width;
            choice
        };
        let choices: Vec<Choice> = sizes.into_iter().map(choice).collect();
        let random = random..next_random;
        let layout = Layout {
            does,
            legal,
            goals,
            terminal,
            stuck,
            open,
            frozen,
            doubt,
            random,
            choices,
            len,
        };
        let lowering = Lowering::of(network, Inputs { does, loops });
        Builder { network, leaves, lowering, layout, gates }.build()
    }

    /// How many gates a step of play computes.
    pub fn n_gates(&self) -> usize {
        self.count.n_gates() + self.advance.n_gates()
    }
}

struct Builder<'a> {
    network: &'a Network,
    leaves: &'a Leaves,
    lowering: Lowering,
    layout: Layout,
    gates: Gates,
}

impl Builder<'_> {
    fn build(mut self) -> LanePrograms {
        let mut circuit = Circuit::default();
        let signals = self.lowering.write(&mut circuit, Circuit::load);
        let look = self.looks(&signals);
        let goals = numbered(&signals.goals, |i| Slot::Frame(self.layout.goals + i));
        let next = numbered(&signals.next, Slot::Next);
        let mut program = |outputs: &[(Lit, Slot)]| {
            Program::new(&circuit, &signals.loops, outputs, self.gates, &mut self.layout.len)
        };
        let (looks, goals, next) = (program(&look), program(&goals), program(&next));
        let draw = self.draw();
        let holds = goals.n_gates() > next.n_gates() / 8 + 4 * self.network.fluents.len();
        let (count, advance) = self.step(circuit, &signals, holds);
        LanePrograms { layout: self.layout, look: looks, goals, next, count, draw, advance, holds }
    }

    fn looks(&self, signals: &Signals) -> Vec<(Lit, Slot)> {
        let mut outputs = numbered(&signals.legal, |i| Slot::Frame(self.layout.legal + i));
        outputs.push((signals.terminal[0], Slot::Frame(self.layout.terminal)));
        outputs
    }

    /// The programs before and after a number is drawn.
    fn step(
        &mut self,
        mut circuit: Circuit,
        signals: &Signals,
        holds: bool,
    ) -> (Program, Program) {
        let mut outputs = vec![(signals.terminal[0], Slot::Frame(self.layout.terminal))];
        let made = self.choose(&mut circuit, signals, &mut outputs);
        let first = self.layout.does;
        let signals = self.lowering.write(&mut circuit, |circuit, slot| match slot {
            Slot::Frame(i) if (first..first + made.len() as u32).contains(&i) => {
                made[(i - first) as usize]
            }
            other => circuit.load(other),
        });
        let mut next = numbered(&signals.next, Slot::Next);
        if holds {
            let frozen = circuit.load(Slot::Frame(self.layout.frozen));
            for (lit, fluent) in next.iter_mut().zip(0..) {
                let now = circuit.load(Slot::State(fluent));
                lit.0 = circuit.choose(frozen, now, lit.0);
            }
        }
        let mut programs = Program::sequence(
            &circuit,
            &signals.loops,
            &[&outputs, &next],
            self.gates,
            &mut self.layout.len,
        );
        let advance = programs.pop().expect("there are two programs");
        (programs.pop().expect("there are two programs"), advance)
    }

    /// Whether each of `does` is made. Appends what must be known before.
    fn choose(
        &self,
        circuit: &mut Circuit,
        signals: &Signals,
        outputs: &mut Vec<(Lit, Slot)>,
    ) -> Vec<Lit> {
        let mut made = vec![Lit::FALSE; self.network.does.len()];
        let mut none = Vec::with_capacity(self.leaves.choices.len());
        for (choice, leaves) in self.layout.choices.iter().zip(&self.leaves.choices) {
            let mut lits = Vec::with_capacity(leaves.len());
            for leaf in leaves {
                let legal: Vec<Lit> =
                    leaf.iter().map(|shared| self.legal(circuit, signals, shared)).collect();
                lits.push(circuit.any(&legal));
            }
            let tree = choice.count(circuit, &lits, outputs);
            none.push(tree.none);
            for (picked, leaf) in choice.descend(circuit, &tree).into_iter().zip(leaves) {
                for shared in leaf {
                    let guards = shared.guards.into_iter().flatten();
                    let meant = guards.fold(picked, |meant, guard| {
                        let guard = circuit.load(Slot::State(guard));
                        circuit.and(meant, guard)
                    });
                    let made = &mut made[shared.does as usize];
                    *made = circuit.or(*made, meant);
                }
            }
        }
        for shared in &self.leaves.forced {
            let legal = self.legal(circuit, signals, shared);
            let made = &mut made[shared.does as usize];
            *made = circuit.or(*made, legal);
        }
        outputs.push((self.stuck(circuit, signals, &none), Slot::Frame(self.layout.stuck)));
        outputs.push((self.doubt(circuit), Slot::Frame(self.layout.doubt)));
        made
    }

    /// Where a move is legal and stands in the leaf.
    fn legal(&self, circuit: &mut Circuit, signals: &Signals, shared: &Shared) -> Lit {
        let legal = signals.legal[shared.does as usize];
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
    fn stuck(&self, circuit: &mut Circuit, signals: &Signals, none: &[Lit]) -> Lit {
        let mut stuck = Lit::FALSE;
        for (role_idx, turns) in self.leaves.turns.iter().enumerate() {
            let is_own = |shared: &&Shared| {
                self.network.does[shared.does as usize].0.index() == role_idx
            };
            let forced = self.leaves.forced.iter().find(is_own);
            let mut without = match (self.leaves.others[role_idx], forced) {
                (Some(choice), _) => none[choice],
                (None, Some(shared)) => !self.legal(circuit, signals, shared),
                (None, None) => Lit::TRUE,
            };
            if !turns.is_empty() {
                let own_turn = self.own_turn(circuit, role_idx);
                without = circuit.choose(own_turn, none[0], without);
            }
            stuck = circuit.or(stuck, without);
        }
        stuck
    }

    /// Where it is not exactly one role's turn, or where fluents hold that should exclude each other.
    fn doubt(&self, circuit: &mut Circuit) -> Lit {
        let mut doubt = Lit::FALSE;
        let turn = (!self.leaves.alone.is_empty()).then_some(&self.leaves.alone);
        for group in turn.into_iter().chain(&self.leaves.at_most_one) {
            let (mut one, mut two) = (Lit::FALSE, Lit::FALSE);
            for &fluent in group {
                let holds = circuit.load(Slot::State(fluent));
                let both = circuit.and(one, holds);
                two = circuit.or(two, both);
                one = circuit.or(one, holds);
            }
            doubt = circuit.or(doubt, two);
            if Some(group) == turn {
                doubt = circuit.or(doubt, !one);
            }
        }
        doubt
    }

    fn draw(&mut self) -> Program {
        let (mut circuit, mut outputs) = (Circuit::default(), Vec::new());
        let choices = self.layout.choices.iter();
        let open: Vec<Lit> = choices.map(|c| c.draw(&mut circuit, &mut outputs)).collect();
        outputs.push((circuit.any(&open), Slot::Frame(self.layout.open)));
        Program::new(&circuit, &[], &outputs, self.gates, &mut self.layout.len)
    }
}

fn numbered(lits: &[Lit], slot: impl Fn(u32) -> Slot) -> Vec<(Lit, Slot)> {
    lits.iter().zip(0..).map(|(&lit, i)| (lit, slot(i))).collect()
}
