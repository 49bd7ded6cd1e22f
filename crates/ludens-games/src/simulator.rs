//! Playouts at the speed of the rules: no views, and no lists of moves where nobody looks at them.

use std::collections::VecDeque;
use std::sync::Arc;

use ludens_core::{
    Chooser, Drawn, Move, Outcomes, Payoffs, Playout, Rng, Role, Simulator, StateFeatures, Tally,
    Turn, Weighing,
};

use crate::duel::Duel;
use crate::rules::{Guide, Outcome, Rules};

/// Runs playouts of a native game, some of them in turns.
pub struct NativeSimulator<R: Rules> {
    game: Arc<Duel<R>>,
    legal: Vec<Move>,
    moves: Vec<Move>,
    desk: R::Desk,
    drawn: [Drawn; 2],
    offered: VecDeque<(u32, R::Board)>,
}

/// A playout under way.
struct Lane<B> {
    tag: u32,
    plies: u32,
    board: B,
}

impl<R: Rules> NativeSimulator<R> {
    /// How many starts wait at most: enough to keep whoever offers them busy.
    const ROOM: usize = 64;

    /// A simulator for a game.
    pub fn new(game: Arc<Duel<R>>) -> Self {
        let (legal, moves, offered) = (Vec::new(), Vec::new(), VecDeque::new());
        let (desk, drawn) = (R::Desk::default(), Default::default());
        NativeSimulator { game, legal, moves, desk, drawn, offered }
    }

    /// Plays a uniformly random game and records it: the same as [`Simulator::run`] with the
    /// uniform policy, but no lists of moves are made.
    pub fn record(&mut self, start: &R::State, rng: &mut Rng) -> Playout {
        let (rules, noop, moves) = (self.game.rules(), self.game.noop(), &mut self.moves);
        let mut is_first = rules.mover(start) == 0;
        moves.clear();
        let mut note = |m: Move| {
            moves.extend(if is_first { [m, noop] } else { [noop, m] });
            is_first = !is_first;
        };
        let mut board = rules.board(start);
        loop {
            if let Some(outcome) = rules.random_ply(&mut board, rng, &mut note) {
                return playout(moves, outcome);
            }
        }
    }

    /// Plays one game whose moves are drawn by weights.
    fn draw(&mut self, start: &R::State, weighing: &dyn Weighing, rng: &mut Rng) -> Playout {
        let weights = [Role(0), Role(1)].map(|role| weighing.weights(role));
        let versions = [Role(0), Role(1)].map(|role| weighing.version(role));
        let (rules, noop, moves) = (self.game.rules(), self.game.noop(), &mut self.moves);
        let (mut is_first, mut plies) = (rules.mover(start) == 0, 0);
        moves.clear();
        self.drawn.iter_mut().for_each(Drawn::clear);
        let guide = Guide { desk: &mut self.desk, rng, drawn: &mut self.drawn, versions };
        let outcome = if weighing.wants_moves() {
            rules.draw_playout(start, weights, guide, |m| {
                moves.extend(if is_first { [m, noop] } else { [noop, m] });
                is_first = !is_first;
                plies += 1;
            })
        } else {
            rules.draw_playout(start, weights, guide, |_| plies += 1)
        };
        Playout { plies, ..playout(moves, outcome) }
    }

    /// Plays one game, which the policy knows by a number.
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
                return playout(&self.moves, outcome);
            }
            let mut joint = [noop; 2];
            // A forced move is not a decision: policies are not asked.
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

/// The record of a finished game.
fn playout(moves: &[Move], outcome: Outcome) -> Playout {
    let payoffs = Payoffs::from(outcome.payoffs().to_vec());
    Playout { payoffs, moves: moves.to_vec(), plies: moves.len() as u32 / 2, finished: true }
}

/// Plays uniformly random games from all starts, as many in turns as the rules like, and hands
/// each start's tag to `ended`, with how the game ended and after how many moves.
fn play_all<R: Rules>(
    rules: &R,
    mut starts: impl Iterator<Item = (u32, R::Board)>,
    rng: &mut Rng,
    mut ended: impl FnMut(u32, Outcome, u32),
) {
    let begin = |(tag, board)| Lane { tag, plies: 0, board };
    let mut lanes: Vec<Lane<R::Board>> = starts.by_ref().take(R::AT_ONCE).map(begin).collect();
    while !lanes.is_empty() {
        let mut at = 0;
        while let Some(lane) = lanes.get_mut(at) {
            let Some(outcome) = rules.random_ply(&mut lane.board, rng, &mut |_| ()) else {
                lane.plies += 1;
                at += 1;
                continue;
            };
            ended(lane.tag, outcome, lane.plies);
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
        if let [start] = starts
            && let Some(weighing) = chooser.weighing(0, 2, self.game.n_codes() as usize)
        {
            out.push(self.draw(start, weighing, rng));
            return weighing.drawn(0, &self.drawn);
        }
        let starts = starts.iter().enumerate();
        out.extend(starts.map(|(game, start)| self.play(start, game, chooser, rng)));
    }

    fn tally(&mut self, starts: &[&R::State], playouts: u64, rng: &mut Rng, out: &mut [Tally]) {
        let rules = self.game.rules();
        for (start, tally) in starts.iter().zip(out) {
            let board = rules.board(start);
            let starts = (0..playouts).map(|_| (0, board.clone()));
            play_all(rules, starts, rng, |_, outcome, plies| {
                tally.add(&outcome.payoffs(), plies, true);
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
        play_all(self.game.rules(), self.offered.drain(..), rng, |tag, outcome, plies| {
            out.add(tag, plies, true, &outcome.payoffs());
        });
    }

    fn abandon(&mut self) {
        self.offered.clear();
    }
}
