//! Tree search that an evaluation function guides (Mańdziuk and Świechowski 2012, section 3.3, third and
//! fourth use).

use std::sync::Arc;

use ludens_core::{Budget, Game, Move};

use super::{FIRST_THOUGHT, Lesson, remark};
use crate::agent::{Agent, Report};
use crate::drive::Job;
use crate::evaluator::LeafHeuristic;
use crate::heuristic::function::HeuristicFunction;
use crate::searcher::Searcher;
use crate::watch::Watch;

/// What the evaluation function is used for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Guidance {
    /// Whether it says in which order moves are tried. The tree policy must try them in order.
    pub ordered: bool,
    /// The share of playouts in whose place it says what a leaf is worth.
    pub replaced: f64,
    /// This part of the start clock goes into it, and the rest into the tree.
    pub learning: f64,
}

/// A tree search with an evaluation function.
pub struct Guided<G: Game> {
    game: Arc<G>,
    agent: Box<dyn Agent<G>>,
    lesson: Lesson<G>,
    guidance: Guidance,
    seed: u64,
    ready: Option<HeuristicFunction<G>>,
}

impl<G: Game> Guided<G> {
    /// Guides the tree searches of an agent, be it one or one for each thread.
    pub fn new(
        game: Arc<G>,
        agent: Box<dyn Agent<G>>,
        lesson: Lesson<G>,
        guidance: Guidance,
    ) -> Self {
        Guided { game, agent, lesson, guidance, seed: 0, ready: None }
    }

    fn guide_by(&mut self, function: HeuristicFunction<G>) {
        // A function that tells nothing would only add noise.
        let useful = !function.heuristic().is_blank();
        let Guidance { ordered, replaced, .. } = self.guidance;
        for searcher in self.agent.searchers() {
            let orders = useful && (ordered || searcher.search.tree().keeps_estimates());
            searcher.search.order_by(orders.then(|| function.clone()));
            let leaf = || LeafHeuristic { function: function.clone(), replace: replaced };
            searcher.heuristic = (useful && replaced > 0.0).then(leaf);
        }
        self.ready = Some(function);
    }

    /// Makes the function unless it is ready. Returns what is left of the budget.
    fn prepare_function(&mut self, state: &G::State, budget: &Budget) -> Budget {
        let mut rest = budget.clone();
        if self.ready.is_none() {
            let part = budget.part(FIRST_THOUGHT);
            self.guide_by(self.lesson.recall(&self.game, state, &part, self.seed));
            rest.iterations = budget.part(1.0 - FIRST_THOUGHT).iterations;
        }
        rest
    }

    /// Makes the function in a part of the start clock. Returns from how many games, and what is left
    /// of the budget.
    fn learn(&mut self, state: &G::State, budget: &Budget) -> (u64, Budget) {
        let learning = self.guidance.learning;
        let part = budget.part(learning);
        self.guide_by(self.lesson.learn(&self.game, state, &part, self.seed));
        let mut rest = budget.clone();
        rest.iterations = budget.part(1.0 - learning).iterations;
        (self.ready.as_ref().map_or(0, |known| known.heuristic().n_games), rest)
    }
}

impl<G: Game> Agent<G> for Guided<G> {
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        let rest = self.prepare_function(state, budget);
        self.agent.think(state, &rest, watch)
    }

    fn prepare(&mut self, state: &G::State, budget: &Budget) -> Report {
        let (learnt, rest) = self.learn(state, budget);
        let mut report = self.agent.think(state, &rest, &mut Watch::none());
        report.iterations += learnt;
        report
    }

    fn remarks(&self) -> Vec<String> {
        self.ready.as_ref().map_or(Vec::new(), |known| remark(&*self.game, known))
    }

    fn advance(&mut self, joint: &[Move]) {
        self.agent.advance(joint);
    }

    fn begin(&mut self, seed: u64) {
        self.lesson.forget();
        (self.seed, self.ready) = (seed, None);
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
        let rest = self.prepare_function(state, budget);
        self.agent.join(state, &rest)
    }

    fn join_to_prepare(&mut self, state: &G::State, budget: &Budget) -> Option<Job<'_, G>> {
        let (learnt, rest) = self.learn(state, budget);
        let job = self.agent.join(state, &rest)?;
        Some(Job { n_done: job.n_done + learnt, ..job })
    }
}
