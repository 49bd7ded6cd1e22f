//! Playouts that keep their memory from ply to ply and draw moves from sets of bits.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use ludens_core::{
    Chooser, Cut, Limit, Move, Outcomes, PerRole, Playout, Rng, Simulator, StateFeatures, Tally,
    Turn, View,
};

use super::draw::{draw, nth_one};
use super::{Scalar, Scratch};
use crate::bits::Bits;
use crate::engine::{Engine, ones};
use crate::game::PropGame;

/// Plays one game after the other, with the same draws as [`ludens_core::ScalarSimulator`].
pub struct ScalarPlayouts {
    game: Arc<PropGame<Scalar>>,
    /// Which of the network's `does` belong to each role.
    ranges: Vec<Range<usize>>,
    desk: Desk,
    /// The memory as it is when playouts from a start begin, so that it need not go back.
    start: Scratch,
    /// The moves made, if they are recorded.
    moves: Vec<Move>,
    choices: PerRole<Vec<Move>>,
    offered: VecDeque<(u32, Bits)>,
    limit: Limit,
}

/// Where the playout is.
struct Desk {
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
    /// How many starts wait at most: enough to keep whoever offers them busy.
    const ROOM: usize = 64;

    /// A simulator for a game.
    pub fn new(game: Arc<PropGame<Scalar>>) -> Self {
        let network = &game.network;
        let n_roles = network.roles.len();
        let desk = Desk {
            scratch: game.engine.scratch(),
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
            start: game.engine.scratch(),
            desk,
            moves: Vec::new(),
            choices: PerRole::filled(n_roles, Vec::new()),
            offered: VecDeque::new(),
            limit: Limit::default(),
            game,
        }
    }

    fn begin(&mut self, start: &Bits) {
        self.desk.state.words_mut().copy_from_slice(start.words());
        self.desk.plies = 0;
    }

    /// Plays a uniformly random game to its end; whether it ended by its rules.
    fn play(&mut self, rng: &mut Rng) -> bool {
        while !self.desk.look(&self.game.engine) {
            if self.is_cut() {
                return false;
            }
            if !draw(&self.desk.legal, &self.ranges, rng, &mut self.desk.does) {
                self.desk.view.clear(self.ranges.len());
                return false;
            }
            self.desk.step(&self.game.engine);
        }
        self.desk.pay(&self.game);
        true
    }

    /// Whether the playout has gone on for as long as it may; then it has its payoffs.
    fn is_cut(&mut self) -> bool {
        let is_cut = self.desk.plies == self.limit.plies;
        if is_cut {
            match self.limit.cut {
                Cut::Goal => self.desk.pay(&self.game),
                Cut::Nothing | Cut::Draw => self.desk.view.clear(self.ranges.len()),
            }
            self.limit.cut.fill(&mut self.desk.view);
        }
        is_cut
    }

    /// Plays a game by a policy to its end and records the moves; whether it ended by its rules.
    fn play_by(&mut self, number: usize, chooser: &mut dyn Chooser, rng: &mut Rng) -> bool {
        self.moves.clear();
        while !self.desk.look(&self.game.engine) {
            if self.is_cut() {
                return false;
            }
            if !self.choose(number, chooser, rng) {
                self.desk.view.clear(self.ranges.len());
                return false;
            }
            self.desk.step(&self.game.engine);
        }
        self.desk.pay(&self.game);
        true
    }

    /// Lets a policy choose a move for each role; false if a role has none.
    fn choose(&mut self, number: usize, chooser: &mut dyn Chooser, rng: &mut Rng) -> bool {
        let ScalarPlayouts { game, ranges, desk, moves, choices, .. } = self;
        choices.iter_mut().for_each(Vec::clear);
        for does in ones(&desk.legal) {
            let (role, m) = game.network.does[does];
            choices[role].push(m);
        }
        if choices.iter().any(Vec::is_empty) {
            return false;
        }
        let made = moves.len();
        desk.does.clear();
        for (role, legal) in choices.entries() {
            // A forced move is not a decision: policies are not asked.
            let chosen = if let [_] = legal[..] {
                0
            } else {
                let features = &StateFeatures { game: &**game, state: &desk.state, role };
                let (game, history, n_roles) = (number, &moves[..made], ranges.len());
                chooser.choose(&Turn { game, role, legal, history, n_roles, features }, rng)
            };
            moves.push(legal[chosen]);
            desk.does.push(nth_one(&desk.legal, &ranges[role.index()], chosen as u32));
        }
        true
    }
}

impl Desk {
    fn look(&mut self, engine: &Scalar) -> bool {
        engine.look(&mut self.scratch, self.state.words(), &mut self.legal)
    }

    fn step(&mut self, engine: &Scalar) {
        let Desk { scratch, state, next, does, .. } = self;
        engine.next(scratch, state.words(), does, next.words_mut());
        std::mem::swap(state, next);
        self.plies += 1;
    }

    fn pay(&mut self, game: &PropGame<Scalar>) {
        let Desk { scratch, state, goals, view, .. } = self;
        game.engine.goals(scratch, state.words(), goals);
        view.clear(game.network.roles.len());
        for goal in ones(goals).map(|goal| &game.network.goals[goal]) {
            view.pay(goal.role, goal.value as f32 / 100.0);
        }
    }
}

impl<E: Engine> Simulator<PropGame<E>> for ScalarPlayouts {
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
            let (payoffs, plies) = (self.desk.view.payoffs.clone(), self.desk.plies);
            out.push(Playout { payoffs, moves: self.moves.clone(), plies, finished });
        }
    }

    fn tally(&mut self, starts: &[&Bits], playouts: u64, rng: &mut Rng, out: &mut [Tally]) {
        for (start, tally) in starts.iter().zip(out) {
            if playouts > 1 {
                self.game.engine.prepare(&mut self.start, start.words());
            }
            for _ in 0..playouts {
                self.begin(start);
                if playouts > 1 {
                    self.desk.scratch.copy_from(&self.start);
                }
                let finished = self.play(rng);
                tally.add(self.desk.view.payoffs.as_slice(), self.desk.plies, finished);
            }
        }
    }

    fn room(&self) -> usize {
        Self::ROOM - self.offered.len()
    }

    fn offer(&mut self, tag: u32, start: &Bits) {
        debug_assert!(self.offered.len() < Self::ROOM, "starts are offered where there is room");
        self.offered.push_back((tag, start.clone()));
    }

    fn advance(&mut self, rng: &mut Rng, out: &mut Outcomes) {
        if let Some((tag, start)) = self.offered.pop_front() {
            self.begin(&start);
            let finished = self.play(rng);
            out.add(tag, self.desk.plies, finished, self.desk.view.payoffs.as_slice());
        }
    }

    fn abandon(&mut self) {
        self.offered.clear();
    }
}
