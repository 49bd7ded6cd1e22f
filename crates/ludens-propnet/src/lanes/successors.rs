//! The states that follow many states at once, and what can be said about them.
//!
//! A tree search that adds many leaves in one go needs for each of them what `play` and `look` say.
//! Here 256 of them are computed by the same planes.

use std::sync::Arc;

use ludens_core::{Move, Role, Views};

use super::engine::{Code, LaneEngine};
use super::plane::{LaneMemory, Plane};
use super::programs::Task;
use super::supply::{Ended, LanePayoffs};
use super::transpose::{gather, put_all};
use crate::bits::Bits;
use crate::engine::ones;

/// A state, and the moves that all roles make there.
pub type Played<'a> = (&'a Bits, &'a [Move]);

/// The states that follow some states and moves, in the same order, and what can be seen in them. A
/// buffer, filled again and again.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Successors {
    words: usize,
    states: Vec<u64>,
    /// What there is to see in the states.
    pub views: Views,
}

impl Successors {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.views.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.views.is_empty()
    }

    /// The fluents of a state, 64 to a word.
    pub fn state(&self, i: usize) -> &[u64] {
        &self.states[i * self.words..][..self.words]
    }

    /// Whether a state is terminal.
    pub fn is_terminal(&self, i: usize) -> bool {
        self.views.is_terminal(i)
    }

    /// What a terminal state is worth to each role; 0 in other states.
    pub fn payoffs(&self, i: usize) -> &[f32] {
        self.views.payoffs(i)
    }

    /// The legal moves of a role, in ascending order; none in terminal states.
    pub fn legal(&self, i: usize, role: Role) -> &[Move] {
        self.views.legal(i).nth(role.index()).unwrap_or_default()
    }
}

/// Works successors out.
pub(crate) struct Expansion<C> {
    engine: Arc<LaneEngine<C>>,
    memory: LaneMemory,
    /// The place of each role's moves among the network's `does`, role after role.
    does: Vec<u32>,
    /// Which planes of moves are not empty.
    made: Vec<u32>,
    /// Legal moves of each lane, as bits of `does`.
    legal: Vec<u64>,
    role_ends: Vec<usize>,
    payoffs: LanePayoffs,
    /// A payoff of 0 for each role.
    nothing: Vec<f32>,
    /// States that were computed last.
    next: Vec<u64>,
}

/// Stands for no place.
const NONE: u32 = u32::MAX;

impl<C: Code> Expansion<C> {
    pub(crate) fn new(engine: &Arc<LaneEngine<C>>) -> Self {
        let network = &engine.network;
        let mut does = vec![NONE; network.roles.len() * network.moves.len()];
        for (&(role, m), place) in network.does.iter().zip(0..) {
            does[role.index() * network.moves.len() + m.index()] = place;
        }
        Expansion {
            engine: Arc::clone(engine),
            memory: engine.memory(),
            does,
            made: Vec::new(),
            legal: vec![0; Plane::LANES * network.does.len().div_ceil(64)],
            role_ends: network.does_of_roles().iter().map(|range| range.end).collect(),
            payoffs: LanePayoffs::new(network.roles.len()),
            nothing: vec![0.0; network.roles.len()],
            next: Vec::new(),
        }
    }

    /// Fills in what follows some states and moves.
    pub(super) fn run(&mut self, played: &[Played<'_>], out: &mut Successors) {
        out.states.clear();
        out.views.clear(self.engine.network.roles.len());
        out.words = self.engine.network.fluents.len().div_ceil(64);
        for played in played.chunks(Plane::LANES) {
            self.play(played);
            let first = out.states.len();
            out.states.resize(first + played.len() * out.words, 0);
            if out.words > 0 {
                gather(&self.memory.state, out.words, &mut out.states[first..]);
            }
            self.look(played.len(), &mut out.views);
        }
    }

    /// Says what there is to see in some states.
    pub(crate) fn look_at(&mut self, states: &[&Bits], views: &mut Views) {
        views.clear(self.engine.network.roles.len());
        for states in states.chunks(Plane::LANES) {
            put_all(states.iter().map(|state| state.words()), &mut self.memory.state);
            self.look(states.len(), views);
        }
    }

    /// Makes one joint move in each of some states; these stand one after the other.
    pub(crate) fn move_on(&mut self, states: &mut [Bits], joints: &[Move]) {
        let n_roles = self.engine.network.roles.len();
        let words = self.engine.network.fluents.len().div_ceil(64);
        let joints = joints.chunks(Plane::LANES * n_roles);
        for (states, joints) in states.chunks_mut(Plane::LANES).zip(joints) {
            let played: Vec<Played<'_>> = states.iter().zip(joints.chunks(n_roles)).collect();
            self.play(&played);
            self.next.resize(states.len() * words, 0);
            if words > 0 {
                gather(&self.memory.state, words, &mut self.next);
            }
            for (state, next) in states.iter_mut().zip(self.next.chunks(words.max(1))) {
                state.copy_words(next);
            }
        }
    }

    /// Makes the moves.
    fn play(&mut self, played: &[Played<'_>]) {
        let first = self.engine.programs.layout.does;
        put_all(played.iter().map(|(state, _)| state.words()), &mut self.memory.state);
        for slot in self.made.drain(..) {
            self.memory.frame[slot as usize] = Plane::ZERO;
        }
        let n_moves = self.engine.network.moves.len();
        for (lane, (_, joint)) in played.iter().enumerate() {
            for (role_idx, m) in joint.iter().enumerate() {
                let does = self.does.get(role_idx * n_moves + m.index()).copied().unwrap_or(NONE);
                if does != NONE {
                    self.memory.frame[(first + does) as usize].set(lane, true);
                    self.made.push(first + does);
                }
            }
        }
        self.engine.run(Task::Next, &mut self.memory);
        self.memory.step();
    }

    /// Says what there is to see in the states of the first `n` lanes.
    fn look(&mut self, n: usize, views: &mut Views) {
        self.engine.run(Task::Look, &mut self.memory);
        let terminal = self.plane(self.engine.programs.layout.terminal) & Plane::first(n);
        self.read_payoffs(terminal);
        let does = &self.engine.network.does;
        let words = does.len().div_ceil(64);
        let first = self.engine.programs.layout.legal as usize;
        if words > 0 {
            let planes = &self.memory.frame[first..][..does.len()];
            gather(planes, words, &mut self.legal[..n * words]);
        }
        for lane in 0..n {
            let over = terminal.get(lane);
            views.begin(over, if over { self.payoffs.of(lane) } else { &self.nothing });
            let all = &self.legal[lane * words..][..words];
            let mut legal = ones(if over { &[] } else { all }).peekable();
            for &end in &self.role_ends {
                let next = || legal.next_if(|&place| place < end);
                views.add_legal(std::iter::from_fn(next).map(|place| does[place].1));
            }
        }
    }

    fn plane(&self, slot: u32) -> Plane {
        self.memory.frame[slot as usize]
    }

    /// Reads what terminal states are worth.
    fn read_payoffs(&mut self, terminal: Plane) {
        if terminal.is_zero() {
            return;
        }
        self.engine.run(Task::Goals, &mut self.memory);
        let network = &self.engine.network;
        let goals = self.engine.programs.layout.goals as usize;
        let goals = &self.memory.frame[goals..][..network.goals.len()];
        self.payoffs.read(&network.goals, &Ended::by_rules(terminal, goals));
    }
}
