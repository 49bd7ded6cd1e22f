//! The states that follow many states at once, and what can be said about them.
//!
//! A tree search that adds many leaves in one go needs for each of them what `play` and `look` say.
//! Here 256 of them are computed by the same planes.

use std::sync::Arc;

use ludens_core::{Move, Role};

use super::engine::{Code, LaneEngine};
use super::plane::{LaneMemory, Plane};
use super::programs::Task;
use super::supply::{Ended, LanePayoffs};
use super::transpose::{gather, put_all};
use crate::engine::ones;
use crate::game::Bits;

/// A state, and the moves that all roles make there.
pub type Played<'a> = (&'a Bits, &'a [Move]);

/// The states that follow some states and moves, in the same order. A buffer, filled again and again.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Successors {
    n_roles: usize,
    words: usize,
    states: Vec<u64>,
    terminal: Vec<bool>,
    payoffs: Vec<f32>,
    /// Legal moves, state after state and role after role, and where those of a role end.
    legal: Vec<Move>,
    legal_ends: Vec<u32>,
}

impl Successors {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.terminal.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.terminal.is_empty()
    }

    /// The fluents of a state, 64 to a word.
    pub fn state(&self, i: usize) -> &[u64] {
        &self.states[i * self.words..][..self.words]
    }

    /// Whether a state is terminal.
    pub fn is_terminal(&self, i: usize) -> bool {
        self.terminal[i]
    }

    /// What a terminal state is worth to each role; 0 in other states.
    pub fn payoffs(&self, i: usize) -> &[f32] {
        &self.payoffs[i * self.n_roles..][..self.n_roles]
    }

    /// The legal moves of a role, in ascending order; none in terminal states.
    pub fn legal(&self, i: usize, role: Role) -> &[Move] {
        let place = i * self.n_roles + role.index();
        let start = place.checked_sub(1).map_or(0, |before| self.legal_ends[before]);
        &self.legal[start as usize..self.legal_ends[place] as usize]
    }

    fn clear(&mut self) {
        self.states.clear();
        self.terminal.clear();
        self.payoffs.clear();
        self.legal.clear();
        self.legal_ends.clear();
    }
}

/// Works successors out.
pub(super) struct Expansion<C> {
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
}

/// Stands for no place.
const NONE: u32 = u32::MAX;

impl<C: Code> Expansion<C> {
    pub(super) fn new(engine: &Arc<LaneEngine<C>>) -> Self {
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
        }
    }

    /// Fills in what follows some states and moves.
    pub(super) fn run(&mut self, played: &[Played<'_>], out: &mut Successors) {
        out.clear();
        out.n_roles = self.engine.network.roles.len();
        out.words = self.engine.network.fluents.len().div_ceil(64);
        for played in played.chunks(Plane::LANES) {
            self.play(played);
            self.look(played.len(), out);
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

    /// Says what there is to be said about the states of the first `n` lanes.
    fn look(&mut self, n: usize, out: &mut Successors) {
        self.engine.run(Task::Look, &mut self.memory);
        let terminal = self.plane(self.engine.programs.layout.terminal) & Plane::first(n);
        self.note_states(n, out);
        self.note_payoffs(n, terminal, out);
        self.note_legal(n, terminal, out);
    }

    fn plane(&self, slot: u32) -> Plane {
        self.memory.frame[slot as usize]
    }

    fn note_states(&self, n: usize, out: &mut Successors) {
        let first = out.states.len();
        out.states.resize(first + n * out.words, 0);
        if out.words > 0 {
            gather(&self.memory.state, out.words, &mut out.states[first..]);
        }
    }

    fn note_payoffs(&mut self, n: usize, terminal: Plane, out: &mut Successors) {
        let first = out.payoffs.len();
        out.payoffs.resize(first + n * out.n_roles, 0.0);
        out.terminal.extend((0..n).map(|lane| terminal.get(lane)));
        if terminal.is_zero() {
            return;
        }
        self.engine.run(Task::Goals, &mut self.memory);
        let network = &self.engine.network;
        let goals = self.engine.programs.layout.goals as usize;
        let goals = &self.memory.frame[goals..][..network.goals.len()];
        self.payoffs.read(&network.goals, &Ended { lanes: terminal, finished: terminal, goals });
        terminal.for_each_lane(|lane| {
            let place = first + lane * out.n_roles;
            out.payoffs[place..][..out.n_roles].copy_from_slice(self.payoffs.of(lane));
        });
    }

    fn note_legal(&mut self, n: usize, terminal: Plane, out: &mut Successors) {
        let does = &self.engine.network.does;
        let words = does.len().div_ceil(64);
        let first = self.engine.programs.layout.legal as usize;
        let planes = &self.memory.frame[first..][..does.len()];
        if words > 0 {
            gather(planes, words, &mut self.legal[..n * words]);
        }
        for lane in 0..n {
            let all = &self.legal[lane * words..][..words];
            let mut legal = ones(if terminal.get(lane) { &[] } else { all }).peekable();
            for &end in &self.role_ends {
                while let Some(place) = legal.next_if(|&place| place < end) {
                    out.legal.push(does[place].1);
                }
                out.legal_ends.push(out.legal.len() as u32);
            }
        }
    }
}
