//! An agent with a number of simulations of its own.

use std::time::Duration;

use ludens_core::{Budget, Game, Move};
use ludens_search::{Agent, Report, Watch};

/// An agent that makes a fixed number of simulations a move.
pub(super) struct Limited<G: Game> {
    agent: Box<dyn Agent<G>>,
    simulations: u64,
}

impl<G: Game> Limited<G> {
    /// The agent with this limit, or the agent itself if there is none.
    pub fn boxed(agent: Box<dyn Agent<G>>, simulations: Option<u64>) -> Box<dyn Agent<G>> {
        match simulations {
            Some(simulations) => Box::new(Limited { agent, simulations }),
            None => agent,
        }
    }
}

impl<G: Game> Agent<G> for Limited<G> {
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        let budget = budget.clone().with_iterations(self.simulations);
        self.agent.think(state, &budget, watch)
    }

    fn expect(&mut self, time: Option<Duration>, _: Option<u64>) {
        self.agent.expect(time, Some(self.simulations));
    }

    fn prepare(&mut self, state: &G::State, budget: &Budget) -> Report {
        self.agent.prepare(state, budget)
    }

    fn advance(&mut self, joint: &[Move]) {
        self.agent.advance(joint);
    }

    fn begin(&mut self, seed: u64) {
        self.agent.begin(seed);
    }
}
