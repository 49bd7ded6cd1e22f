//! Search with a network or with playouts, whichever tells more about a game.

use std::sync::Arc;
use std::time::Duration;

use ludens_core::{Budget, Game, Move};
use ludens_search::{Agent, Report, Watch};

use crate::published::Published;
use crate::trial::{Sides, Trial};

/// Plays by a network, unless a search with playouts is expected to be better with the time of a move
/// ([`Worth::lead`](crate::Worth::lead)).
pub struct Weighed<G: Game> {
    game: Arc<G>,
    network: Box<dyn Agent<G>>,
    playouts: Box<dyn Agent<G>>,
    published: Published,
    /// The time of a move, as far as it is known.
    move_time: Option<Duration>,
    seed: u64,
}

/// A trial of this many games is not repeated.
const ENOUGH_GAMES: u32 = 8;

/// The part of the start clock for trial games; the rest is for building the search.
const TRIAL_SHARE: f64 = 0.9;

impl<G: Game> Weighed<G> {
    /// A search with a network, and one with playouts.
    pub fn new(
        game: Arc<G>,
        network: Box<dyn Agent<G>>,
        playouts: Box<dyn Agent<G>>,
        published: Published,
    ) -> Self {
        Weighed { game, network, playouts, published, move_time: None, seed: 0 }
    }

    /// Plays trial games if there have not been enough.
    fn try_out(&mut self, start: &G::State, budget: &Budget) {
        let worth = self.published.worth();
        if worth.trial.is_some_and(|trial| trial.games >= ENOUGH_GAMES) {
            return;
        }
        let sides = Sides { network: &mut *self.network, playouts: &mut *self.playouts };
        let (game, limit) = (&*self.game, self.move_time);
        if let Some(trial) = Trial::play(game, start, sides, limit, self.seed, budget) {
            self.published.note_trial(worth.trial.map_or(trial, |known| known.and(trial)));
        }
        self.network.begin_again(self.seed);
        self.playouts.begin_again(self.seed);
    }

    fn is_outweighed(&self) -> bool {
        self.published.worth().lead(self.move_time) < 0.0
    }

    /// Who plays now.
    fn agent(&mut self) -> &mut dyn Agent<G> {
        if self.is_outweighed() { &mut *self.playouts } else { &mut *self.network }
    }
}

impl<G: Game> Agent<G> for Weighed<G> {
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        // The first move has the time of all others, unless they were announced.
        self.move_time = self.move_time.or_else(|| budget.time_left());
        self.agent().think(state, budget, watch)
    }

    fn expect(&mut self, time: Option<Duration>, units: Option<u64>) {
        self.move_time = time;
        self.network.expect(time, units);
        self.playouts.expect(time, units);
    }

    fn prepare(&mut self, state: &G::State, budget: &Budget) -> Report {
        self.try_out(state, &budget.part(TRIAL_SHARE));
        let first = budget.clone().with_iterations(1);
        self.agent().think(state, &first, &mut Watch::none())
    }

    fn ponder(&mut self, state: &G::State, budget: &Budget) {
        self.agent().ponder(state, budget);
    }

    fn remarks(&self) -> Vec<String> {
        let worth = self.published.worth();
        let trial = worth.trial.map(|trial| format!("the network was {trial}"));
        let percent = 100.0 * worth.playouts;
        let outweighed =
            || format!("plays by playouts: they are worth {percent:.0} % beside the network");
        self.is_outweighed().then(outweighed).into_iter().chain(trial).collect()
    }

    /// The square of what playouts are worth: after 6 s of learning on one thread, networks beside which it was 0.5 or
    /// less had 56 to 100 % against `uct` with 0.1 s a move in 12 of 14 games, the others 6 to 72 % in 7 games; with
    /// this weight of playouts in their values.
    fn handicap(&self) -> f64 {
        f64::from(self.published.worth().playouts).clamp(0.0, 1.0).powi(2)
    }

    fn advance(&mut self, joint: &[Move]) {
        self.agent().advance(joint);
    }

    fn begin(&mut self, seed: u64) {
        self.seed = seed;
        self.network.begin(seed);
        self.playouts.begin(seed);
    }
}
