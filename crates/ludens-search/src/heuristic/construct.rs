//! The construction of an evaluation function within a budget: a few random games to select elements, and as
//! many games as possible to weight them.
//!
//! The latter are simulations of a tree search (or uniformly random), because what happens in the games of
//! good players matters more.

use std::sync::Arc;

use ludens_core::{Budget, Game, Rng};

use super::census::CensusPlayouts;
use super::elements::Elements;
use super::function::{Heuristic, HeuristicFunction};
use super::rows::Rows;
use super::select::{N_COMPARED, Selection, find_changing, find_varying};
use crate::drive::{Batch, Driver, Job};
use crate::evaluator::{Evaluated, Evaluator};
use crate::playout_policy::Chain;
use crate::search::Settings;
use crate::searcher::Searcher;
use crate::tree_policy::{Ucb, Unvisited};
use crate::watch::Watch;

/// The parameters of the construction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Construction {
    /// Whether games are simulations of a tree search rather than uniformly random.
    pub guided: bool,
    /// Weight of exploration in the tree search.
    pub exploration: f64,
}

impl Default for Construction {
    fn default() -> Self {
        Construction { guided: true, exploration: 0.7 }
    }
}

/// The memory limit of the guiding tree.
const TREE_BYTES: usize = 256 << 20;

/// The number of games without another limit.
const MAX_GAMES: u64 = 100_000;

/// While there are few games, a batch has one game for this many finished ones.
const FINISHED_PER_PENDING: u64 = 4;

impl Construction {
    /// Constructs an evaluation function for games from a state. A unit of the budget is a game.
    pub fn build<G: Game>(
        &self,
        game: &Arc<G>,
        start: &G::State,
        budget: &Budget,
        seed: u64,
    ) -> HeuristicFunction<G> {
        self.begin(game, start, budget, seed).function()
    }

    /// Starts the construction, with as many games as the budget allows.
    pub(super) fn begin<G: Game>(
        &self,
        game: &Arc<G>,
        start: &G::State,
        budget: &Budget,
        seed: u64,
    ) -> Trainer<G> {
        let (mut rows, mut rng) = (Rows::new(Arc::clone(game)), Rng::new(seed));
        let changing = find_changing(&mut rows, (game, start), (budget, &mut rng));
        let varying = find_varying(&mut rows, (game, start), (budget, &mut rng));
        let mut elements = Elements::new(Selection { changing, varying });
        elements.add_new_rows(&rows);
        let census = CensusPlayouts::new(game, rows, elements);
        let mut searcher = self.searcher(game, census.capacity());
        searcher.rng = rng;
        searcher.search.set_root(start);
        let (driver, guided) = (Driver::default(), self.guided);
        let mut trainer = Trainer { guided, n_played: 0, searcher, census, driver };
        // The games that select elements count against the budget too.
        let games = budget.iterations.unwrap_or(MAX_GAMES).saturating_sub(N_COMPARED as u64 + 1);
        trainer.play(games.max(1), budget);
        trainer
    }

    /// The tree search whose simulations are counted. Leaves are selected one after the other, not in
    /// lockstep: the function of a seed depends on it.
    fn searcher<G: Game>(&self, game: &Arc<G>, capacity: usize) -> Searcher<G> {
        let settings = Settings { max_bytes: TREE_BYTES, ..Settings::default() };
        let (exploration, unvisited) = (self.exploration, Unvisited::First);
        let policy = Box::new(Ucb { exploration, unvisited });
        let batch = Batch { initial: 1, lockstep: false, ..Batch::growing(capacity) };
        let searcher = Searcher::new(Arc::clone(game), policy, Chain::default(), settings, 0);
        Searcher { batch: Some(batch), ..searcher }
    }
}

/// The state of a construction that can be resumed.
pub(super) struct Trainer<G: Game> {
    /// Whether games are simulations of the search.
    guided: bool,
    n_played: u64,
    searcher: Searcher<G>,
    census: CensusPlayouts<G>,
    driver: Driver<G>,
}

impl<G: Game> Trainer<G> {
    /// Plays as many more games as the budget allows.
    pub(super) fn resume(&mut self, budget: &Budget) {
        self.play(budget.iterations.unwrap_or(MAX_GAMES), budget);
    }

    /// The function from the games so far.
    pub(super) fn function(&self) -> HeuristicFunction<G> {
        let CensusPlayouts { rows, elements, ledger, .. } = &self.census;
        let heuristic = Heuristic::new(elements, ledger);
        HeuristicFunction::new(rows.clone(), elements.clone(), heuristic)
    }

    /// Plays `games` more games, or until the budget is spent.
    fn play(&mut self, games: u64, budget: &Budget) {
        if !self.guided {
            return self.play_randomly(games, budget);
        }
        let mut jobs = [Job { searcher: &mut self.searcher, simulations: games, n_done: 0 }];
        self.driver.drive(&mut jobs, &mut self.census, budget, &mut Watch::none());
        self.n_played += jobs[0].n_done;
    }

    /// Plays uniformly random games from the start state.
    fn play_randomly(&mut self, games: u64, budget: &Budget) {
        let (mut evaluated, target) = (Evaluated::default(), self.n_played.saturating_add(games));
        let Searcher { search, rng, .. } = &mut self.searcher;
        let start = search.state(search.root());
        while self.n_played < target && !budget.is_over() {
            let capacity = self.census.capacity() as u64;
            let batch = (self.n_played / FINISHED_PER_PENDING).clamp(1, capacity);
            let batch = batch.min(target - self.n_played);
            (0..batch).for_each(|_| self.census.add(0, start, std::iter::empty()));
            evaluated.clear();
            self.census.run(rng, &mut evaluated);
            self.n_played += batch;
        }
    }
}
