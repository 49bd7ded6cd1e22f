//! Evaluates and advances batches of states: 256 states share the planes.

use ludens_core::{Move, Views};

use super::engine::{Code, LaneEngine};
use super::plane::{LaneMemory, Plane};
use super::supply::{Ended, LanePayoffs};
use super::task::Task;
use super::transpose::{gather, load_states};
use crate::bits::{Bits, ones};
use crate::network::Network;

/// The buffers of a batch of states.
pub(super) struct Batch {
    memory: LaneMemory,
    /// The network's `does` by role and move.
    does: Vec<u32>,
    /// The slots of `does` that the last batch has set.
    made: Vec<u32>,
    /// Legal moves of each lane, as bits of `does`.
    legal: Vec<u64>,
    role_ends: Vec<usize>,
    payoffs: LanePayoffs,
    /// A payoff of 0 for each role.
    zero_payoffs: Vec<f32>,
    next: Vec<u64>,
}

/// A move that the role can never make.
const NONE: u32 = u32::MAX;

impl Batch {
    pub(super) fn new(network: &Network, memory: LaneMemory) -> Self {
        let mut does = vec![NONE; network.roles.len() * network.moves.len()];
        for (&(role, m), does_idx) in network.does.iter().zip(0..) {
            does[role.index() * network.moves.len() + m.index()] = does_idx;
        }
        Batch {
            memory,
            does,
            made: Vec::new(),
            legal: vec![0; Plane::LANES * network.does.len().div_ceil(64)],
            role_ends: network.does_of_roles().iter().map(|range| range.end).collect(),
            payoffs: LanePayoffs::new(network.roles.len()),
            zero_payoffs: vec![0.0; network.roles.len()],
            next: Vec::new(),
        }
    }

    /// Fills in the views of some states.
    pub(super) fn look<C: Code>(
        &mut self,
        engine: &LaneEngine<C>,
        states: &[&Bits],
        views: &mut Views,
    ) {
        views.clear(engine.network.roles.len());
        for states in states.chunks(Plane::LANES) {
            load_states(states.iter().map(|state| state.words()), &mut self.memory.state);
            self.look_lanes(engine, states.len(), views);
        }
    }

    /// Makes one joint move in each of some states; `joints` holds them one after the other.
    pub(super) fn play<C: Code>(
        &mut self,
        engine: &LaneEngine<C>,
        states: &mut [Bits],
        joints: &[Move],
    ) {
        let n_roles = engine.network.roles.len();
        let words = engine.network.fluents.len().div_ceil(64);
        let joints = joints.chunks(Plane::LANES * n_roles);
        for (states, joints) in states.chunks_mut(Plane::LANES).zip(joints) {
            load_states(states.iter().map(Bits::words), &mut self.memory.state);
            self.set_does(engine, joints);
            engine.run(Task::Next, &mut self.memory);
            self.memory.step();
            self.next.resize(states.len() * words, 0);
            if words > 0 {
                gather(&self.memory.state, words, &mut self.next);
            }
            for (state, next) in states.iter_mut().zip(self.next.chunks(words.max(1))) {
                state.copy_words(next);
            }
        }
    }

    /// Puts the moves of each lane into the planes of `does`.
    fn set_does<C: Code>(&mut self, engine: &LaneEngine<C>, joints: &[Move]) {
        let first = engine.programs.layout.does;
        for slot in self.made.drain(..) {
            self.memory.frame[slot as usize] = Plane::ZERO;
        }
        let (n_roles, n_moves) = (engine.network.roles.len(), engine.network.moves.len());
        for (lane, joint) in joints.chunks(n_roles).enumerate() {
            for (role_idx, m) in joint.iter().enumerate() {
                let does = self.does.get(role_idx * n_moves + m.index()).copied().unwrap_or(NONE);
                if does != NONE {
                    self.memory.frame[(first + does) as usize].set(lane, true);
                    self.made.push(first + does);
                }
            }
        }
    }

    /// Adds the views of the states in the first `n` lanes.
    fn look_lanes<C: Code>(&mut self, engine: &LaneEngine<C>, n: usize, views: &mut Views) {
        engine.run(Task::Look, &mut self.memory);
        let layout = &engine.programs.layout;
        let terminal = self.memory.frame[layout.terminal as usize] & Plane::first(n);
        let does = &engine.network.does;
        let words = does.len().div_ceil(64);
        if words > 0 {
            let planes = &self.memory.frame[layout.legal as usize..][..does.len()];
            gather(planes, words, &mut self.legal[..n * words]);
        }
        self.read_payoffs(engine, terminal);
        for lane in 0..n {
            let is_terminal = terminal.get(lane);
            views.begin(
                is_terminal,
                if is_terminal { self.payoffs.of(lane) } else { &self.zero_payoffs },
            );
            let all = &self.legal[lane * words..][..words];
            let mut legal = ones(if is_terminal { &[] } else { all }).peekable();
            for &end in &self.role_ends {
                let next = || legal.next_if(|&i| i < end);
                views.add_legal(std::iter::from_fn(next).map(|i| does[i].1));
            }
        }
    }

    /// Reads the payoffs of terminal states.
    fn read_payoffs<C: Code>(&mut self, engine: &LaneEngine<C>, terminal: Plane) {
        if terminal.is_zero() {
            return;
        }
        engine.run(Task::Goals, &mut self.memory);
        let goals = engine.programs.layout.goals as usize;
        let goals = &self.memory.frame[goals..][..engine.network.goals.len()];
        self.payoffs.read(&engine.network.goals, &Ended::by_rules(terminal, goals));
    }
}
