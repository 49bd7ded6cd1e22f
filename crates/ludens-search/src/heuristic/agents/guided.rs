//! Tree search guided by an evaluation function (Mańdziuk and Świechowski 2012, section 3.3, third and
//! fourth use).

use std::sync::Arc;

use ludens_core::{Budget, Game, Move};

use super::{FIRST_MOVE_SHARE, Lesson, remark};
use crate::agent::{Agent, Report};
use crate::drive::Job;
use crate::evaluator::LeafHeuristic;
use crate::heuristic::function::HeuristicFunction;
use crate::searcher::Searcher;
use crate::watch::Watch;

/// The uses of the evaluation function.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Guidance {
    /// Whether it orders the moves. The tree policy must select unvisited moves in order.
    pub ordered: bool,
    /// The share of leaves that it evaluates in place of a playout.
    pub replaced: f64,
    /// The share of the start clock for learning it; the rest goes into the tree.
    pub learning: f64,
}

/// A tree search with an evaluation function.
pub struct Guided<G: Game> {
    game: Arc<G>,
    agent: Box<dyn Agent<G>>,
    lesson: Lesson<G>,
    guidance: Guidance,
    seed: u64,
    function: Option<HeuristicFunction<G>>,
}

impl<G: Game> Guided<G> {
    /// Guides the tree searches of an agent, of which there may be one for each thread.
    pub fn new(
        game: Arc<G>,
        agent: Box<dyn Agent<G>>,
        lesson: Lesson<G>,
        guidance: Guidance,
    ) -> Self {
        Guided { game, agent, lesson, guidance, seed: 0, function: None }
    }

    fn guide_by(&mut self, function: HeuristicFunction<G>) {
        // A constant function would only add noise.
        let useful = !function.heuristic().is_blank();
        let Guidance { ordered, replaced, .. } = self.guidance;
        for searcher in self.agent.searchers() {
            let orders = useful && (ordered || searcher.search.tree().keeps_estimates());
            searcher.search.order_by(orders.then(|| function.clone()));
            let leaf = || LeafHeuristic { function: function.clone(), replace: replaced };
            searcher.heuristic = (useful && replaced > 0.0).then(leaf);
        }
        self.function = Some(function);
    }

    /// Learns the function unless it was learnt before. Returns the rest of the budget.
    fn ensure_function(&mut self, state: &G::State, budget: &Budget) -> Budget {
        let mut rest = budget.clone();
        if self.function.is_none() {
            let part = budget.part(FIRST_MOVE_SHARE);
            self.guide_by(self.lesson.recall(&self.game, state, &part, self.seed));
            rest.iterations = budget.part(1.0 - FIRST_MOVE_SHARE).iterations;
        }
        rest
    }

    /// Learns the function in a part of the start clock. Returns the number of simulations, and the rest of
    /// the budget.
    fn learn(&mut self, state: &G::State, budget: &Budget) -> (u64, Budget) {
        let learning = self.guidance.learning;
        let part = budget.part(learning);
        self.guide_by(self.lesson.learn(&self.game, state, &part, self.seed));
        let mut rest = budget.clone();
        rest.iterations = budget.part(1.0 - learning).iterations;
        (self.function.as_ref().map_or(0, |function| function.heuristic().n_games), rest)
    }
}

impl<G: Game> Agent<G> for Guided<G> {
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        let rest = self.ensure_function(state, budget);
        self.agent.think(state, &rest, watch)
    }

    fn prepare(&mut self, state: &G::State, budget: &Budget) -> Report {
        let (learnt, rest) = self.learn(state, budget);
        let mut report = self.agent.think(state, &rest, &mut Watch::none());
        report.iterations += learnt;
        report
    }

    fn ponder(&mut self, state: &G::State, budget: &Budget) {
        self.agent.ponder(state, budget);
    }

    fn remarks(&self) -> Vec<String> {
        self.function.as_ref().map_or(Vec::new(), |function| remark(&*self.game, function))
    }

    fn advance(&mut self, joint: &[Move]) {
        self.agent.advance(joint);
    }

    fn begin(&mut self, seed: u64) {
        self.lesson.forget();
        (self.seed, self.function) = (seed, None);
        for searcher in self.agent.searchers() {
            searcher.search.order_by(None);
            searcher.heuristic = None;
        }
        self.agent.begin(seed);
    }

    fn searchers(&mut self) -> &mut [Searcher<G>] {
        self.agent.searchers()
    }

    fn join(&mut self, state: &G::State, budget: &Budget) -> Option<Job<'_, G>> {
        let rest = self.ensure_function(state, budget);
        self.agent.join(state, &rest)
    }

    fn join_to_prepare(&mut self, state: &G::State, budget: &Budget) -> Option<Job<'_, G>> {
        let (learnt, rest) = self.learn(state, budget);
        let job = self.agent.join(state, &rest)?;
        Some(Job { n_done: job.n_done + learnt, ..job })
    }
}
