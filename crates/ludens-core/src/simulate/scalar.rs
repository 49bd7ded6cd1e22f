//! Playouts one after the other.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{Chooser, Features, Limit, Outcomes, Playout, Simulator, Tally, Turn, Uniform};
use crate::game::{Game, View};
use crate::rng::Rng;
use crate::role::{Move, Role};

/// Plays one game after the other with the game's own `look` and `play`.
pub struct ScalarSimulator<G: Game> {
    game: Arc<G>,
    view: View,
    playout: Playout,
    offered: VecDeque<(u32, G::State)>,
    limit: Limit,
}

impl<G: Game> ScalarSimulator<G> {
    /// The maximum number of waiting starts: enough to keep the caller busy.
    const ROOM: usize = 64;

    /// A simulator for a game.
    pub fn new(game: Arc<G>) -> Self {
        ScalarSimulator {
            game,
            view: View::default(),
            playout: Playout::default(),
            offered: VecDeque::new(),
            limit: Limit::default(),
        }
    }

    /// Runs one playout into `self.playout`; policies identify it by the number `game`.
    fn play(&mut self, start: &G::State, game: usize, chooser: &mut dyn Chooser, rng: &mut Rng) {
        let mut state = start.clone();
        let n_roles = self.game.roles().len();
        let playout = &mut self.playout;
        playout.moves.clear();
        playout.plies = 0;
        loop {
            self.game.look(&state, &mut self.view);
            let stuck = self.view.legal.iter().any(Vec::is_empty);
            let late = playout.plies == self.limit.plies;
            if self.view.terminal || stuck || late {
                playout.finished = self.view.terminal;
                if late && !playout.finished {
                    self.limit.cut.judge(&*self.game, &state, &mut self.view);
                }
                playout.payoffs.clone_from(&self.view.payoffs);
                return;
            }
            let made = playout.moves.len();
            for (role, legal) in self.view.legal.entries() {
                // A forced move is not a decision: policies are not called.
                let chosen = if let [_] = legal[..] {
                    0
                } else {
                    let features = &StateFeatures { game: &*self.game, state: &state, role };
                    let history = &playout.moves[..made];
                    chooser.choose(&Turn { game, role, legal, history, n_roles, features }, rng)
                };
                playout.moves.push(legal[chosen]);
            }
            self.game.play(&mut state, &playout.moves[made..]);
            playout.plies += 1;
        }
    }
}

/// The features of the moves of a role in a state, as the game defines them.
pub struct StateFeatures<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// The state.
    pub state: &'a G::State,
    /// The role.
    pub role: Role,
}

impl<G: Game> Features for StateFeatures<'_, G> {
    fn code(&self, m: Move) -> u32 {
        self.game.code(self.state, self.role, m)
    }

    fn codes(&self, moves: &[Move], out: &mut Vec<u32>) {
        self.game.codes(self.state, self.role, moves, out);
    }

    fn facts(&self, out: &mut Vec<u32>) {
        if let Some(vocabulary) = self.game.vocabulary() {
            vocabulary.fact_ids(self.state, out);
        }
    }
}

impl<G: Game> Simulator<G> for ScalarSimulator<G> {
    fn lanes(&self) -> usize {
        1
    }

    fn limit(&mut self, limit: Limit) {
        self.limit = limit;
    }

    fn run(
        &mut self,
        starts: &[&G::State],
        chooser: &mut dyn Chooser,
        rng: &mut Rng,
        out: &mut Vec<Playout>,
    ) {
        for (game, start) in starts.iter().enumerate() {
            self.play(start, game, chooser, rng);
            out.push(self.playout.clone());
        }
    }

    fn tally(&mut self, starts: &[&G::State], playouts: u64, rng: &mut Rng, out: &mut [Tally]) {
        for (start, tally) in starts.iter().zip(out) {
            for _ in 0..playouts {
                self.play(start, 0, &mut Uniform, rng);
                let Playout { payoffs, plies, finished, .. } = &self.playout;
                tally.add(payoffs.as_slice(), *plies, *finished);
            }
        }
    }

    fn room(&self) -> usize {
        Self::ROOM - self.offered.len()
    }

    fn offer(&mut self, tag: u32, start: &G::State) {
        debug_assert!(self.room() > 0, "starts are offered where there is room");
        self.offered.push_back((tag, start.clone()));
    }

    fn advance(&mut self, rng: &mut Rng, out: &mut Outcomes) {
        if let Some((tag, start)) = self.offered.pop_front() {
            self.play(&start, 0, &mut Uniform, rng);
            let Playout { payoffs, plies, finished, .. } = &self.playout;
            out.add(tag, *plies, *finished, payoffs.as_slice());
        }
    }

    fn abandon(&mut self) {
        self.offered.clear();
    }
}
