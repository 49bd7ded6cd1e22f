//! Monte Carlo tree search as an agent.

use std::sync::Arc;

use ludens_core::{Budget, Game};

use crate::agent::{Agent, Report};
use crate::drive::{Driver, Job};
use crate::evaluator::{Evaluator, HeuristicLeaves, Playouts};
use crate::playout_policy::Chain;
use crate::search::Settings;
use crate::searcher::Searcher;
use crate::tree_policy::TreePolicy;
use crate::watch::Watch;

/// Constructs evaluators, one for each thread or pool that needs one.
pub type MakeEvaluator<G> = Arc<dyn Fn() -> Box<dyn Evaluator<G>> + Send + Sync>;

/// The default evaluator of a game: playouts by the game's own simulator, and evaluation functions for the
/// searches that have one.
pub fn usual_evaluator<G: Game>(game: Arc<G>) -> Box<dyn Evaluator<G>> {
    Box::new(HeuristicLeaves::new(Playouts::new(game.simulator())))
}

/// Monte Carlo tree search.
pub struct Mcts<G: Game> {
    searcher: Searcher<G>,
    /// Constructed on demand: in a pool, many searches share one evaluator.
    evaluator: Option<Box<dyn Evaluator<G>>>,
    make: MakeEvaluator<G>,
    driver: Driver<G>,
}

impl<G: Game> Mcts<G> {
    /// An agent with the game's default evaluator. A batch of 0 means that the size is chosen for the search
    /// and the evaluator.
    pub fn new(
        game: Arc<G>,
        policy: Box<dyn TreePolicy>,
        chain: Chain,
        settings: Settings,
        batch: usize,
    ) -> Self {
        let of_game = Arc::clone(&game);
        let make = Arc::new(move || usual_evaluator(Arc::clone(&of_game)));
        Mcts::evaluated_by(Searcher::new(game, policy, chain, settings, batch), make)
    }

    /// An agent with another evaluator, which is never pooled.
    pub fn with_evaluator(mut searcher: Searcher<G>, make: MakeEvaluator<G>) -> Self {
        searcher.has_own_evaluator = true;
        Mcts::evaluated_by(searcher, make)
    }

    /// The same agent, but never pooled: for a game with other moves than that of the pool.
    #[must_use]
    pub fn alone(mut self) -> Self {
        self.searcher.has_own_evaluator = true;
        self
    }

    fn evaluated_by(searcher: Searcher<G>, make: MakeEvaluator<G>) -> Self {
        let evaluator = searcher.batch.is_none().then(|| make());
        let capacity = evaluator.as_ref().map_or(1, |evaluator| evaluator.capacity());
        let searcher = searcher.suited_to(capacity);
        Mcts { searcher, evaluator, make, driver: Driver::default() }
    }

    /// Its search.
    pub fn searcher(&self) -> &Searcher<G> {
        &self.searcher
    }

    /// Searches the root. Returns the number of simulations.
    fn search(&mut self, budget: &Budget, watch: &mut Watch<'_>) -> u64 {
        let Mcts { searcher, evaluator, make, driver } = self;
        let evaluator = evaluator.get_or_insert_with(|| make());
        let mut jobs = [Job::new(searcher, budget)];
        driver.drive(&mut jobs, &mut **evaluator, budget, watch);
        jobs[0].n_done
    }
}

impl<G: Game> Agent<G> for Mcts<G> {
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        let (mut iterations, before) = (0, self.searcher.search.plies());
        if self.searcher.set_root_within(state, budget) {
            iterations = self.search(budget, watch);
        }
        let plies = self.searcher.search.plies() - before;
        Report { plies, ..self.searcher.report_to(watch, iterations) }
    }

    /// Searches on, so that the tree is larger when the others have moved.
    fn ponder(&mut self, state: &G::State, budget: &Budget) {
        if self.searcher.set_root_between_moves(state, budget) {
            self.search(budget, &mut Watch::none());
        }
    }

    fn begin(&mut self, seed: u64) {
        self.searcher.begin(seed);
    }

    fn searchers(&mut self) -> &mut [Searcher<G>] {
        std::slice::from_mut(&mut self.searcher)
    }

    fn join(&mut self, state: &G::State, budget: &Budget) -> Option<Job<'_, G>> {
        let searches = self.searcher.set_root_within(state, budget);
        let job = Job::new(&mut self.searcher, budget);
        Some(if searches { job } else { Job { simulations: 0, ..job } })
    }
}
