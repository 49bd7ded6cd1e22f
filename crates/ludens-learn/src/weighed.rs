//! Search with a network, with playouts, or with both, whichever tells more about a game.

use std::sync::Arc;
use std::time::Duration;

use ludens_core::{Budget, Game, Move};
use ludens_search::{Agent, Report, Watch};

use crate::published::Published;
use crate::trial::{Searches, TrialTerms, Trials, Way};

/// Plays by a network, by the network and playouts, or by playouts alone, whichever is expected to be best with the time of
/// a move ([`Worth::best`](crate::Worth::best)).
pub struct Weighed<G: Game> {
    game: Arc<G>,
    searches: Searches<G>,
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
    /// Searches with a network, and what is known about it.
    pub fn new(game: Arc<G>, searches: Searches<G>, published: Published) -> Self {
        Weighed { game, searches, published, move_time: None, seed: 0 }
    }

    /// Plays trial games if there have not been enough.
    fn try_out(&mut self, start: &G::State, budget: &Budget) {
        let worth = self.published.worth();
        if worth.trials.network.is_some_and(|trial| trial.games >= ENOUGH_GAMES) {
            return;
        }
        let (max_move_time, seed) = (self.move_time, self.seed);
        let terms = TrialTerms { start, max_move_time, seed, budget };
        let trials = Trials::play(&*self.game, &mut self.searches, worth.playouts, &terms);
        self.published.note_trials(worth.trials.and(trials));
        for search in self.searches.each() {
            search.begin_again(seed);
        }
    }

    fn best(&self) -> Way {
        self.published.worth().best(self.move_time)
    }

    /// Who plays now.
    fn agent(&mut self) -> &mut dyn Agent<G> {
        let best = self.best();
        self.searches.by(best)
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
        for search in self.searches.each() {
            search.expect(time, units);
        }
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
        let percent = 100.0 * worth.playouts;
        let way = match self.best() {
            Way::Network => None,
            Way::Blend => Some("by the network and playouts"),
            Way::Playouts => Some("by playouts"),
        };
        let way =
            way.map(|way| format!("plays {way}: they are worth {percent:.0} % beside the network"));
        way.into_iter().chain(worth.trials.remarks()).collect()
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
        for search in self.searches.each() {
            search.begin(seed);
        }
    }
}
