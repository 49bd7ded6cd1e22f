//! Playouts that keep their scratch memory from ply to ply and draw moves from bit sets.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use ludens_core::{
    Chooser, Cut, Limit, Move, Outcomes, PerRole, Playout, Rng, Simulator, StateFeatures, Tally,
    Turn, View,
};

use super::draw::{draw, nth_one};
use super::{Scalar, Scratch};
use crate::bits::{Bits, ones};
use crate::game::PropGame;
use crate::network::Network;

/// Runs one playout after the other, with the same draws as [`ludens_core::ScalarSimulator`].
pub struct ScalarPlayouts {
    engine: Arc<Scalar>,
    game: Arc<PropGame>,
    /// The range of each role in the network's `does`.
    ranges: Vec<Range<usize>>,
    playout: Current,
    /// The scratch memory at the start, which is copied instead of propagating changes back.
    start: Scratch,
    /// The moves made, if they are recorded.
    moves: Vec<Move>,
    choices: PerRole<Vec<Move>>,
    offered: VecDeque<(u32, Bits)>,
    limit: Limit,
}

/// A playout in progress.
struct Current {
    scratch: Scratch,
    state: Bits,
    next: Bits,
    legal: Vec<u64>,
    does: Vec<u32>,
    goals: Vec<u64>,
    view: View,
    plies: u32,
}

impl ScalarPlayouts {
    /// The number of starts that can wait, enough to keep the caller busy.
    const ROOM: usize = 64;

    /// A simulator for a game.
    pub fn new(engine: Arc<Scalar>, game: Arc<PropGame>) -> Self {
        let network = &game.network;
        let n_roles = network.roles.len();
        let playout = Current {
            scratch: engine.scratch(),
            state: Bits::empty(network.fluents.len()),
            next: Bits::empty(network.fluents.len()),
            legal: vec![0; network.does.len().div_ceil(64)],
            does: Vec::with_capacity(n_roles),
            goals: vec![0; network.goals.len().div_ceil(64)],
            view: View::default(),
            plies: 0,
        };
        ScalarPlayouts {
            ranges: network.does_of_roles(),
            start: engine.scratch(),
            playout,
            moves: Vec::new(),
            choices: PerRole::filled(n_roles, Vec::new()),
            offered: VecDeque::new(),
            limit: Limit::default(),
            engine,
            game,
        }
    }

    fn begin(&mut self, start: &Bits) {
        self.playout.state.words_mut().copy_from_slice(start.words());
        self.playout.plies = 0;
    }

    /// Runs a uniformly random playout; returns whether it ended by the rules.
    fn play(&mut self, rng: &mut Rng) -> bool {
        while !self.playout.look(&self.engine) {
            if self.is_cut() {
                return false;
            }
            if !draw(&self.playout.legal, &self.ranges, rng, &mut self.playout.does) {
                self.playout.view.clear(self.ranges.len());
                return false;
            }
            self.playout.step(&self.engine);
        }
        self.playout.pay(&self.engine, &self.game.network);
        true
    }

    /// Whether the playout has reached the limit; then its payoffs are set.
    fn is_cut(&mut self) -> bool {
        let is_cut = self.playout.plies == self.limit.plies;
        if is_cut {
            match self.limit.cut {
                Cut::Goal => self.playout.pay(&self.engine, &self.game.network),
                Cut::Nothing | Cut::Draw => self.playout.view.clear(self.ranges.len()),
            }
            self.limit.cut.fill(&mut self.playout.view);
        }
        is_cut
    }

    /// Runs a playout by a policy and records the moves; returns whether it ended by the rules.
    fn play_by(&mut self, number: usize, chooser: &mut dyn Chooser, rng: &mut Rng) -> bool {
        self.moves.clear();
        while !self.playout.look(&self.engine) {
            if self.is_cut() {
                return false;
            }
            if !self.choose(number, chooser, rng) {
                self.playout.view.clear(self.ranges.len());
                return false;
            }
            self.playout.step(&self.engine);
        }
        self.playout.pay(&self.engine, &self.game.network);
        true
    }

    /// Lets a policy choose a move for each role; returns false if a role has none.
    fn choose(&mut self, number: usize, chooser: &mut dyn Chooser, rng: &mut Rng) -> bool {
        let ScalarPlayouts { game, ranges, playout, moves, choices, .. } = self;
        choices.iter_mut().for_each(Vec::clear);
        for does in ones(&playout.legal) {
            let (role, m) = game.network.does[does];
            choices[role].push(m);
        }
        if choices.iter().any(Vec::is_empty) {
            return false;
        }
        let made = moves.len();
        playout.does.clear();
        for (role, legal) in choices.entries() {
            // A forced move is not a decision of the policy.
            let chosen = if let [_] = legal[..] {
                0
            } else {
                let features = &StateFeatures { game: &**game, state: &playout.state, role };
                let (game, history, n_roles) = (number, &moves[..made], ranges.len());
                chooser.choose(&Turn { game, role, legal, history, n_roles, features }, rng)
            };
            moves.push(legal[chosen]);
            playout.does.push(nth_one(&playout.legal, &ranges[role.index()], chosen as u32));
        }
        true
    }
}

impl Current {
    fn look(&mut self, engine: &Scalar) -> bool {
        engine.look(&mut self.scratch, self.state.words(), &mut self.legal)
    }

    fn step(&mut self, engine: &Scalar) {
        let Current { scratch, state, next, does, .. } = self;
        engine.next(scratch, state.words(), does, next.words_mut());
        std::mem::swap(state, next);
        self.plies += 1;
    }

    fn pay(&mut self, engine: &Scalar, network: &Network) {
        let Current { scratch, state, goals, view, .. } = self;
        engine.goals(scratch, state.words(), goals);
        view.clear(network.roles.len());
        for goal in ones(goals).map(|goal| &network.goals[goal]) {
            view.pay(goal.role, goal.value as f32 / 100.0);
        }
    }
}

impl Simulator<PropGame> for ScalarPlayouts {
    fn lanes(&self) -> usize {
        1
    }

    fn limit(&mut self, limit: Limit) {
        self.limit = limit;
    }

    fn run(
        &mut self,
        starts: &[&Bits],
        chooser: &mut dyn Chooser,
        rng: &mut Rng,
        out: &mut Vec<Playout>,
    ) {
        for (number, start) in starts.iter().enumerate() {
            self.begin(start);
            let finished = self.play_by(number, chooser, rng);
            let (payoffs, plies) = (self.playout.view.payoffs.clone(), self.playout.plies);
            out.push(Playout { payoffs, moves: self.moves.clone(), plies, finished });
        }
    }

    fn tally(&mut self, starts: &[&Bits], playouts: u64, rng: &mut Rng, out: &mut [Tally]) {
        for (start, tally) in starts.iter().zip(out) {
            if playouts > 1 {
                self.engine.prepare(&mut self.start, start.words());
            }
            for _ in 0..playouts {
                self.begin(start);
                if playouts > 1 {
                    self.playout.scratch.copy_from(&self.start);
                }
                let finished = self.play(rng);
                tally.add(self.playout.view.payoffs.as_slice(), self.playout.plies, finished);
            }
        }
    }

    fn room(&self) -> usize {
        Self::ROOM - self.offered.len()
    }

    fn offer(&mut self, tag: u32, start: &Bits) {
        debug_assert!(self.offered.len() < Self::ROOM, "starts are offered only if there is room");
        self.offered.push_back((tag, start.clone()));
    }

    fn advance(&mut self, rng: &mut Rng, out: &mut Outcomes) {
        if let Some((tag, start)) = self.offered.pop_front() {
            self.begin(&start);
            let finished = self.play(rng);
            out.add(tag, self.playout.plies, finished, self.playout.view.payoffs.as_slice());
        }
    }

    fn abandon(&mut self) {
        self.offered.clear();
    }
}
