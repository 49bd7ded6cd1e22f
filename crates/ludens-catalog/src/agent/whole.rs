//! Searches that need no policies.

use std::sync::Arc;

use ludens_core::Game;
use ludens_search::{
    Agent, EvenValue, Flat, MaxN, Minimax, Nested, Nrpa, NrpaOptions, PlayoutValue, Random, Solver,
    StateValue,
};

use super::chosen::Chosen;

/// A search that needs no policies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Whole {
    /// Any legal move.
    Random,
    /// Flat Monte Carlo.
    Flat,
    /// Minimax with α–β.
    Minimax,
    /// Max-n.
    MaxN,
    /// Nested Monte Carlo search.
    Nested,
    /// Nested rollout policy adaptation.
    Nrpa,
    /// Perfect play in small games.
    Solver,
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
            Whole::Minimax => {
                let value = value(choice, &game, seed);
                Box::new(Minimax::new(game, value, table_bytes(choice)))
            }
            Whole::MaxN => {
                let value = value(choice, &game, seed);
                Box::new(MaxN::new(game, value))
            }
            Whole::Nested => Box::new(Nested::new(game, choice.whole("level") as u32, seed)),
            Whole::Nrpa => Box::new(Nrpa::new(game, nrpa_options(choice), seed)),
            Whole::Solver => {
                let value = value(choice, &game, seed);
                Box::new(Solver::new(game, value, table_bytes(choice)))
            }
        }
    }
}

/// What states at the depth limit are worth.
fn value<G: Game>(choice: &Chosen, game: &Arc<G>, seed: u64) -> Box<dyn StateValue<G>> {
    match choice.whole("playouts") {
        0 => Box::new(EvenValue),
        n => Box::new(PlayoutValue::new(Arc::clone(game), n, seed)),
    }
}

fn table_bytes(choice: &Chosen) -> usize {
    usize::try_from(choice.whole("memory")).unwrap_or(usize::MAX)
}

pub(super) fn nrpa_options(choice: &Chosen) -> NrpaOptions {
    NrpaOptions {
        level: choice.whole("level") as u32,
        iterations: choice.whole("iterations") as u32,
        alpha: choice.float("alpha"),
    }
}
