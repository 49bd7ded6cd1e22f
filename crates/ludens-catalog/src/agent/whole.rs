//! Searches that need no policies.

use std::sync::Arc;

use ludens_core::Game;
use ludens_search::{Agent, Flat, Random};

use super::chosen::Chosen;

/// A search that needs no policies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Whole {
    /// Any legal move.
    Random,
    /// Flat Monte Carlo.
    Flat,
}

impl Whole {
    /// The agent for a game.
    pub(super) fn build<G: Game>(
        self,
        choice: &Chosen,
        game: Arc<G>,
        seed: u64,
    ) -> Box<dyn Agent<G>> {
        match self {
            Whole::Random => Box::new(Random::new(game, seed)),
            Whole::Flat => Box::new(Flat::new(game, choice.number("c"), seed)),
        }
    }
}
