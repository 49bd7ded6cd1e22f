//! The agent `zero`: tree search with a network, which is given or learnt in the start clock.

use std::sync::Arc;
use std::time::Duration;

use ludens_core::{Budget, Game};
use ludens_search::{
    Agent, Batch, Chain, FirstPlay, Mcts, Parallel, Puct, Report, Searcher, Settings, Sharing,
    Watch,
};

use crate::encoder::Encoder;
use crate::evaluator::NetworkEvaluator;
use crate::learner::{Learner, Learning};
use crate::network::Network;
use crate::weights::Weights;

/// How `zero` searches.
#[derive(Clone, PartialEq, Debug)]
pub struct ZeroSearch {
    /// The weight of exploration.
    pub exploration: f64,
    /// How much less than its siblings an unvisited move counts.
    pub reduction: f64,
    /// How many visits may be in progress; 0 begins with one and grows slowly.
    pub batch: usize,
    /// The number of threads, which share one tree.
    pub n_threads: usize,
    /// The other settings.
    pub search: Settings,
}

/// The leaves that a network evaluates at once.
const CAPACITY: usize = 64;

impl ZeroSearch {
    /// The search with a network.
    pub fn agent<G: Game>(
        &self,
        game: &Arc<G>,
        encoder: &Arc<Encoder>,
        weights: &Arc<Weights>,
    ) -> Box<dyn Agent<G>> {
        let searcher = || {
            let first = FirstPlay::BelowMean(self.reduction);
            let puct = Box::new(Puct { exploration: self.exploration, first });
            let chain = Chain::new(Vec::new());
            let mut searcher =
                Searcher::new(Arc::clone(game), puct, chain, self.search, self.batch);
            searcher.batch.get_or_insert(Batch::growing_slowly(CAPACITY));
            searcher
        };
        let (game, encoder, weights) = (Arc::clone(game), Arc::clone(encoder), Arc::clone(weights));
        let make = move || {
            let (game, encoder) = (Arc::clone(&game), Arc::clone(&encoder));
            let network = Network::new(Arc::clone(&weights));
            Box::new(NetworkEvaluator::new(game, encoder, network, CAPACITY)) as _
        };
        if self.n_threads > 1 {
            let (n, sharing) = (self.n_threads, Sharing::Tree);
            return Box::new(Parallel::with_evaluator(
                searcher,
                &(Arc::new(make) as _),
                n,
                sharing,
            ));
        }
        Box::new(Mcts::with_evaluator(searcher(), Arc::new(make)))
    }
}

/// Search with a network that is learnt in the start clock; until then it is another agent.
pub struct Zero<G: Game> {
    game: Arc<G>,
    search: ZeroSearch,
    learning: Learning,
    /// Plays as long as nothing is learnt.
    fallback: Box<dyn Agent<G>>,
    learner: Option<Learner<G>>,
    agent: Option<Box<dyn Agent<G>>>,
    remarks: Vec<String>,
    seed: u64,
}

impl<G: Game> Zero<G> {
    /// An agent that has learnt nothing yet.
    pub fn new(
        game: Arc<G>,
        search: ZeroSearch,
        learning: Learning,
        fallback: Box<dyn Agent<G>>,
    ) -> Self {
        let (learner, agent, remarks, seed) = (None, None, Vec::new(), 0);
        Zero { game, search, learning, fallback, learner, agent, remarks, seed }
    }

    /// Learns until the budget is over. Units of work are simulations of self-play.
    fn learn(&mut self, budget: &Budget) {
        if self.learner.is_none() {
            let learning = Learning { seed: self.seed, ..self.learning.clone() };
            self.learner = Learner::new(&self.game, learning);
        }
        let Some(learner) = &mut self.learner else {
            self.remarks = vec![
                "the facts and moves of this game are not known in advance: `zero` cannot learn it"
                    .to_owned(),
            ];
            return;
        };
        let (whole, began) = (budget.time_left(), std::time::Instant::now());
        let (mut n_steps, mut games) = (0, 0);
        while !budget.is_over() {
            let by_time = whole.map_or(0.0, |whole| share(began.elapsed(), whole));
            let n_done = learner.played().simulations;
            let by_units = budget.iterations.map_or(0.0, |n| n_done as f64 / n.max(1) as f64);
            if by_units >= 1.0 || whole.is_none() && budget.iterations.is_none() {
                break;
            }
            let iteration = learner.iterate(by_time.max(by_units), budget);
            (n_steps, games) = (iteration.n_steps, iteration.played.games);
        }
        if n_steps > 0 {
            let agent = self.search.agent(&self.game, learner.encoder(), &learner.weights());
            self.agent = Some(agent);
            self.remarks =
                vec![format!("learnt from {games} games of self-play in {n_steps} steps")];
        }
    }
}

/// The share of a whole.
fn share(part: Duration, whole: Duration) -> f64 {
    part.as_secs_f64() / whole.as_secs_f64().max(1e-9)
}

/// The part of the start clock that is left for building the search.
const RESERVE: f64 = 0.05;

impl<G: Game> Agent<G> for Zero<G> {
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        self.agent.as_mut().unwrap_or(&mut self.fallback).think(state, budget, watch)
    }

    fn expect(&mut self, time: Option<Duration>, units: Option<u64>) {
        self.fallback.expect(time, units);
    }

    fn prepare(&mut self, state: &G::State, budget: &Budget) -> Report {
        let learning = budget.part(1.0 - RESERVE);
        self.learn(&learning);
        match &mut self.agent {
            Some(agent) => {
                agent.think(state, &budget.clone().with_iterations(1), &mut Watch::none())
            }
            None => self.fallback.prepare(state, budget),
        }
    }

    fn remarks(&self) -> Vec<String> {
        self.remarks.clone()
    }

    fn advance(&mut self, joint: &[ludens_core::Move]) {
        self.agent.as_mut().unwrap_or(&mut self.fallback).advance(joint);
    }

    fn begin(&mut self, seed: u64) {
        self.seed = seed;
        (self.learner, self.agent) = (None, None);
        self.remarks.clear();
        self.fallback.begin(seed);
    }
}
