//! The programs that playouts consist of, and where they find their planes.

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
    pub fn of(network: &Network, gates: Gates) -> Self {
        let n_does = network.does.len() as u32;
        let n_loops = network.net.blocks.iter().map(|block| block.loops.len() as u32).sum::<u32>();
        let mut len = 0;
        let mut take = |n: u32| {
            len += n;
            len - n
        };
        let (does, legal, goals) = (take(n_does), take(n_does), take(network.goals.len() as u32));
        let (terminal, stuck, open, frozen) = (take(1), take(1), take(1), take(1));
        let loops = take(n_loops);
        let sizes: Vec<usize> = network.does_of_roles().iter().map(ExactSizeIterator::len).collect();
        let random = take(sizes.iter().map(|&n| Choice::width(n)).sum());
        let mut next_random = random;
        let choice = |n_leaves| {
            let choice = Choice::new(n_leaves, next_random, &mut len);
            next_random += choice.width;
            choice
        };
        let choices: Vec<Choice> = sizes.into_iter().map(choice).collect();
        let random = random..next_random;
        let layout =
            Layout { does, legal, goals, terminal, stuck, open, frozen, random, choices, len };
        let lowering = Lowering::of(network, Inputs { does, loops });
        Builder { network, lowering, layout, gates }.build()
    }

    /// How many gates a step of play computes.
    pub fn n_gates(&self) -> usize {
        self.count.n_gates() + self.advance.n_gates()
    }
}

struct Builder<'a> {
    network: &'a Network,
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
        let mut stuck = Lit::FALSE;
        let mut outputs = vec![(signals.terminal[0], Slot::Frame(self.layout.terminal))];
        let mut made = Vec::with_capacity(self.network.does.len());
        for (choice, does) in self.layout.choices.iter().zip(self.network.does_of_roles()) {
            let tree = choice.count(&mut circuit, &signals.legal[does], &mut outputs);
            stuck = circuit.or(stuck, tree.none);
            made.extend(choice.descend(&mut circuit, &tree));
        }
        outputs.push((stuck, Slot::Frame(self.layout.stuck)));
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
