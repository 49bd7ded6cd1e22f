//! Seats of many matches whose searches share one evaluator.

use std::sync::Arc;

use ludens_arena::clock::Pace;
use ludens_arena::play::{Request, Task, Thinker};
use ludens_core::Game;
use ludens_search::{Member, Pool, Pooling};

/// A thinker whose searches share an evaluator. Other agents think in turn.
pub(super) struct PooledThinker<G: Game> {
    pool: Pool<G>,
}

impl<G: Game> PooledThinker<G> {
    /// A thinker for a game.
    pub(super) fn new(game: Arc<G>) -> Self {
        PooledThinker { pool: Pool::new(game) }
    }

    /// Answers the requests of all agents with the given pooling.
    fn think_in(&mut self, pooling: Pooling, requests: &mut [Request<'_, G>], pace: &Pace<'_>) {
        let Some(task) = requests.first().map(|request| request.task) else { return };
        let (begin, budget) = (pace.clock.now(), pace.budget());
        let mut members = Vec::new();
        let mut places = Vec::new();
        for (place, request) in requests.iter_mut().enumerate() {
            if Pooling::of_agent(request.agent) == pooling {
                places.push(place);
                members.push(Member { agent: &mut *request.agent, state: request.state });
            }
        }
        let reports = match task {
            Task::Prepare => self.pool.prepare(&mut members, &budget),
            Task::Choose => self.pool.think(&mut members, &budget),
        };
        let passed = pace.clock.now().saturating_duration_since(begin);
        let time = passed / places.len().max(1) as u32;
        for (place, report) in places.into_iter().zip(reports) {
            requests[place].answer(report, time);
        }
    }
}

impl<G: Game> Thinker<G> for PooledThinker<G> {
    fn think_all(&mut self, requests: &mut [Request<'_, G>], pace: &Pace<'_>) {
        let mut poolings = Vec::new();
        for request in requests.iter_mut() {
            let pooling = Pooling::of_agent(request.agent);
            if pooling == Pooling::Alone {
                request.think(pace);
            } else if !poolings.contains(&pooling) {
                poolings.push(pooling);
            }
        }
        for pooling in poolings {
            self.think_in(pooling, requests, pace);
        }
    }
}
