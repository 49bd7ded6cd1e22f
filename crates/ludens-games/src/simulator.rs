//! Playouts without views, and without move lists unless a policy needs them.

use std::collections::VecDeque;
use std::sync::Arc;

use ludens_core::{
    Chooser, Cut, DrawStats, FixedWeights, Limit, Move, Outcomes, Payoffs, Playout, Rng, Role,
    Simulator, StateFeatures, Tally, Turn,
};

use crate::duel::Duel;
use crate::rules::{Outcome, PlayoutContext, Rules};

/// Runs playouts of a native game, several interleaved.
pub struct NativeSimulator<R: Rules> {
    game: Arc<Duel<R>>,
    legal: Vec<Move>,
    moves: Vec<Move>,
    buffers: R::Buffers,
    stats: [DrawStats; 2],
    offered: VecDeque<(u32, R::Board)>,
    limit: Limit,
}

/// A running playout.
struct Lane<B> {
    tag: u32,
    plies: u32,
    board: B,
}

impl<R: Rules> NativeSimulator<R> {
    /// The maximum number of waiting starts.
    const ROOM: usize = 64;

    /// A simulator for a game.
    pub fn new(game: Arc<Duel<R>>) -> Self {
        let (legal, moves, offered) = (Vec::new(), Vec::new(), VecDeque::new());
        let (buffers, stats) = (R::Buffers::default(), Default::default());
        NativeSimulator { game, legal, moves, buffers, stats, offered, limit: Limit::default() }
    }

    /// Runs a uniformly random playout and records it, as [`Simulator::run`] with the uniform policy, but
    /// without move lists.
    pub fn record(&mut self, start: &R::State, rng: &mut Rng) -> Playout {
        let (rules, noop, moves) = (self.game.rules(), self.game.noop(), &mut self.moves);
        let mut is_first = rules.mover(start) == 0;
        moves.clear();
        let mut note = |m: Move| {
            moves.extend(if is_first { [m, noop] } else { [noop, m] });
            is_first = !is_first;
        };
        let (mut board, mut plies) = (rules.board(start), 0);
        loop {
            if let Some(outcome) = rules.random_ply(&mut board, rng, &mut note) {
                return playout(moves, outcome.into());
            }
            if plies == self.limit.plies {
                // The last move only showed that the game was not over; it is not part of the playout.
                moves.truncate(moves.len() - 2);
                return playout(moves, PlayoutResult::cut::<R>(self.limit.cut));
            }
            plies += 1;
        }
    }

    /// Runs one weighted playout.
    fn draw(&mut self, start: &R::State, policy: &dyn FixedWeights, rng: &mut Rng) -> Playout {
        let weights = [Role(0), Role(1)].map(|role| policy.weights(role));
        let versions = [Role(0), Role(1)].map(|role| policy.version(role));
        let (rules, noop, moves) = (self.game.rules(), self.game.noop(), &mut self.moves);
        let (mut is_first, mut plies) = (rules.mover(start) == 0, 0);
        moves.clear();
        self.stats.iter_mut().for_each(DrawStats::clear);
        let context =
            PlayoutContext { buffers: &mut self.buffers, rng, stats: &mut self.stats, versions };
        let outcome = if policy.wants_moves() {
            rules.draw_playout(start, weights, context, |m| {
                moves.extend(if is_first { [m, noop] } else { [noop, m] });
                is_first = !is_first;
                plies += 1;
            })
        } else {
            rules.draw_playout(start, weights, context, |_| plies += 1)
        };
        Playout { plies, ..playout(moves, outcome.into()) }
    }

    /// Runs one playout by a policy, which identifies it by the number `game`.
    fn play(
        &mut self,
        start: &R::State,
        game: usize,
        chooser: &mut dyn Chooser,
        rng: &mut Rng,
    ) -> Playout {
        let (rules, noop) = (self.game.rules(), self.game.noop());
        let (mut state, mut mover) = (start.clone(), rules.mover(start));
        self.moves.clear();
        loop {
            self.legal.clear();
            if let Some(outcome) = rules.look(&state, &mut self.legal) {
                return playout(&self.moves, outcome.into());
            }
            if self.moves.len() as u32 / 2 == self.limit.plies {
                return playout(&self.moves, PlayoutResult::cut::<R>(self.limit.cut));
            }
            let mut joint = [noop; 2];
            // A forced move is not a decision: the policy is not called.
            joint[mover] = if let [forced] = self.legal[..] {
                forced
            } else {
                let role = Role(mover as u8);
                let features = &StateFeatures { game: &*self.game, state: &state, role };
                let (legal, history) = (&self.legal, &self.moves);
                let turn = Turn { game, role, legal, history, n_roles: 2, features };
                self.legal[chooser.choose(&turn, rng)]
            };
            self.moves.extend(joint);
            rules.make(&mut state, joint[mover]);
            mover = 1 - mover;
        }
    }
}

/// The result of a playout.
#[derive(Clone, Copy)]
struct PlayoutResult {
    payoffs: [f32; 2],
    finished: bool,
}

impl From<Outcome> for PlayoutResult {
    fn from(outcome: Outcome) -> Self {
        PlayoutResult { payoffs: outcome.payoffs(), finished: true }
    }
}

impl PlayoutResult {
    /// The result of a truncated playout.
    fn cut<R: Rules>(cut: Cut) -> Self {
        let payoff = match cut {
            Cut::Nothing => 0.0,
            Cut::Draw => Cut::HALF,
            Cut::Goal => R::UNDECIDED,
        };
        PlayoutResult { payoffs: [payoff; 2], finished: false }
    }
}

/// The record of a playout.
fn playout(moves: &[Move], PlayoutResult { payoffs, finished }: PlayoutResult) -> Playout {
    let payoffs = Payoffs::from(payoffs.to_vec());
    Playout { payoffs, moves: moves.to_vec(), plies: moves.len() as u32 / 2, finished }
}

/// Runs uniformly random playouts from all starts, interleaved, and calls `ended` with the tag of each
/// start, the result and the number of moves.
fn play_all<R: Rules>(
    rules: &R,
    limit: Limit,
    mut starts: impl Iterator<Item = (u32, R::Board)>,
    rng: &mut Rng,
    mut ended: impl FnMut(u32, PlayoutResult, u32),
) {
    let begin = |(tag, board)| Lane { tag, plies: 0, board };
    let mut lanes: Vec<Lane<R::Board>> = starts.by_ref().take(R::INTERLEAVED).map(begin).collect();
    while !lanes.is_empty() {
        let mut at = 0;
        while let Some(lane) = lanes.get_mut(at) {
            let result = match rules.random_ply(&mut lane.board, rng, &mut |_| ()) {
                Some(outcome) => outcome.into(),
                // The move only showed that the game was not over; it is not part of the playout.
                None if lane.plies == limit.plies => PlayoutResult::cut::<R>(limit.cut),
                None => {
                    lane.plies += 1;
                    at += 1;
                    continue;
                }
            };
            ended(lane.tag, result, lane.plies);
            match starts.next() {
                Some(start) => *lane = begin(start),
                None => drop(lanes.swap_remove(at)),
            }
        }
    }
}

impl<R: Rules> Simulator<Duel<R>> for NativeSimulator<R> {
    fn lanes(&self) -> usize {
        1
    }

    fn limit(&mut self, limit: Limit) {
        self.limit = limit;
    }

    fn run(
        &mut self,
        starts: &[&R::State],
        chooser: &mut dyn Chooser,
        rng: &mut Rng,
        out: &mut Vec<Playout>,
    ) {
        if chooser.is_uniform() {
            return out.extend(starts.iter().map(|start| self.record(start, rng)));
        }
        // Weighted playouts of the rules always run to the end.
        if let [start] = starts
            && self.limit == Limit::default()
            && let Some(policy) = chooser.fixed_weights(0, 2, self.game.n_codes() as usize)
        {
            out.push(self.draw(start, policy, rng));
            return policy.record_draws(0, &self.stats);
        }
        let starts = starts.iter().enumerate();
        out.extend(starts.map(|(game, start)| self.play(start, game, chooser, rng)));
    }

    fn tally(&mut self, starts: &[&R::State], playouts: u64, rng: &mut Rng, out: &mut [Tally]) {
        let rules = self.game.rules();
        for (start, tally) in starts.iter().zip(out) {
            let board = rules.board(start);
            let starts = (0..playouts).map(|_| (0, board.clone()));
            play_all(rules, self.limit, starts, rng, |_, result, plies| {
                tally.add(&result.payoffs, plies, result.finished);
            });
        }
    }

    fn room(&self) -> usize {
        Self::ROOM - self.offered.len()
    }

    fn offer(&mut self, tag: u32, start: &R::State) {
        debug_assert!(self.room() > 0, "starts are offered where there is room");
        self.offered.push_back((tag, self.game.rules().board(start)));
    }

    fn advance(&mut self, rng: &mut Rng, out: &mut Outcomes) {
        let (rules, starts) = (self.game.rules(), self.offered.drain(..));
        play_all(rules, self.limit, starts, rng, |tag, result, plies| {
            out.add(tag, plies, result.finished, &result.payoffs);
        });
    }

    fn abandon(&mut self) {
        self.offered.clear();
    }
}
