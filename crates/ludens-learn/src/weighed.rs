//! Search with a network or with playouts, whichever tells more about a game.

use std::time::Duration;

use ludens_core::{Budget, Game, Move};
use ludens_search::{Agent, Report, Watch};

use crate::playout_mix::OUTWEIGHED;
use crate::published::Published;

/// Plays by a network, unless its training found playouts to be worth more than [`OUTWEIGHED`].
pub struct Weighed<G: Game> {
    /// Searches with the network.
    pub network: Box<dyn Agent<G>>,
    /// Searches with playouts.
    pub playouts: Box<dyn Agent<G>>,
    /// The network, and what playouts are worth beside it; both may change.
    pub published: Published,
}

impl<G: Game> Weighed<G> {
    fn is_outweighed(&self) -> bool {
        self.published.share() > OUTWEIGHED
    }

    /// Who plays now.
    fn agent(&mut self) -> &mut dyn Agent<G> {
        if self.is_outweighed() { &mut *self.playouts } else { &mut *self.network }
    }
}

impl<G: Game> Agent<G> for Weighed<G> {
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        self.agent().think(state, budget, watch)
    }

    fn expect(&mut self, time: Option<Duration>, units: Option<u64>) {
        self.network.expect(time, units);
        self.playouts.expect(time, units);
    }

    fn ponder(&mut self, state: &G::State, budget: &Budget) {
        self.agent().ponder(state, budget);
    }

    fn remarks(&self) -> Vec<String> {
        let remark = || {
            let percent = 100.0 * self.published.share();
            format!("plays by playouts: they are worth {percent:.0} % beside the network")
        };
        self.is_outweighed().then(remark).into_iter().collect()
    }

    /// The square of what playouts are worth: after 6 s of learning on one thread, networks beside which it was 0.5 or
    /// less had 56 to 100 % against `uct` with 0.1 s a move in 12 of 14 games, the others 6 to 72 % in 7 games; with
    /// this weight of playouts in their values.
    fn handicap(&self) -> f64 {
        f64::from(self.published.share()).clamp(0.0, 1.0).powi(2)
    }

    fn advance(&mut self, joint: &[Move]) {
        self.agent().advance(joint);
    }

    fn begin(&mut self, seed: u64) {
        self.network.begin(seed);
        self.playouts.begin(seed);
    }
}
