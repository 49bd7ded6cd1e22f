//! From a budget to an evaluation function: some games to select by, as many as possible to weigh by.
//!
//! The games to weigh by are simulations of a tree search (or uniformly random ones), because what
//! happens in the games of good players matters more.

use std::sync::Arc;

use ludens_core::{Budget, Game, Rng};

use super::census::CensusPlayouts;
use super::elements::Elements;
use super::function::{Heuristic, HeuristicFunction};
use super::rows::Rows;
use super::select::{COMPARED, Selection, find_changing, find_varying};
use crate::drive::{Batch, Driver, Job};
use crate::evaluator::{Evaluated, Evaluator};
use crate::playout_policy::Chain;
use crate::search::Settings;
use crate::searcher::Searcher;
use crate::tree_policy::{Ucb, Unvisited};
use crate::watch::Watch;

/// How an evaluation function is made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Construction {
    /// Whether games are simulations of a tree search; otherwise they are uniformly random.
    pub guided: bool,
    /// Weight of exploration in the tree search.
    pub exploration: f64,
}

impl Default for Construction {
    fn default() -> Self {
        Construction { guided: true, exploration: 0.7 }
    }
}

/// The tree that guides the games may hold so many bytes.
const TREE_BYTES: usize = 256 << 20;

/// With no other limit, so many games are played.
const MOST_GAMES: u64 = 100_000;

/// While there are few games, there are so many finished ones for each one under way.
const GAMES_EACH: u64 = 4;

impl Construction {
    /// An evaluation function for the games that begin with a state. A unit of the budget is a game.
    pub fn build<G: Game>(
        &self,
        game: &Arc<G>,
        start: &G::State,
        budget: &Budget,
        seed: u64,
    ) -> HeuristicFunction<G> {
        self.begin(game, start, budget, seed).function()
    }

    /// A site where an evaluation function is made, with as many games as the budget allows.
    pub(super) fn begin<G: Game>(
        &self,
        game: &Arc<G>,
        start: &G::State,
        budget: &Budget,
        seed: u64,
    ) -> Site<G> {
        let (mut rows, mut rng) = (Rows::new(Arc::clone(game)), Rng::new(seed));
        let changing = find_changing(&mut rows, (game, start), (budget, &mut rng));
        let varying = find_varying(&mut rows, (game, start), (budget, &mut rng));
        let mut elements = Elements::new(Selection { changing, varying });
        elements.catch_up(&rows);
        let census = CensusPlayouts::new(game, rows, elements);
        let mut searcher = self.searcher(game, census.capacity());
        searcher.rng = rng;
        searcher.search.set_root(start);
        let (driver, guided) = (Driver::default(), self.guided);
        let mut site = Site { guided, n_played: 0, searcher, census, driver };
        // The games to select by are paid for too.
        let games = budget.iterations.unwrap_or(MOST_GAMES).saturating_sub(COMPARED as u64 + 1);
        site.play(games.max(1), budget);
        site
    }

    /// The tree search whose simulations are counted. Descents are made one after the other, not in
    /// lockstep: the function that a seed gives depends on it.
    fn searcher<G: Game>(&self, game: &Arc<G>, capacity: usize) -> Searcher<G> {
        let settings = Settings { max_bytes: TREE_BYTES, ..Settings::default() };
        let (exploration, unvisited) = (self.exploration, Unvisited::First);
        let policy = Box::new(Ucb { exploration, unvisited });
        let batch = Batch { most: capacity, least: 1, lockstep: false };
        let searcher = Searcher::new(Arc::clone(game), policy, Chain::default(), settings, 0);
        Searcher { batch: Some(batch), ..searcher }
    }
}

/// Where an evaluation function is made.
pub(super) struct Site<G: Game> {
    /// Whether games are simulations of the search.
    guided: bool,
    n_played: u64,
    searcher: Searcher<G>,
    census: CensusPlayouts<G>,
    driver: Driver<G>,
}

impl<G: Game> Site<G> {
    /// Plays as many more games as a budget allows.
    pub(super) fn resume(&mut self, budget: &Budget) {
        self.play(budget.iterations.unwrap_or(MOST_GAMES), budget);
    }

    /// The function that follows from the games so far.
    pub(super) fn function(&self) -> HeuristicFunction<G> {
        let CensusPlayouts { rows, elements, ledger, .. } = &self.census;
        let heuristic = Heuristic::new(elements, ledger);
        HeuristicFunction::new(rows.clone(), elements.clone(), heuristic)
    }

    /// Plays so many more games, or until the budget is spent.
    fn play(&mut self, games: u64, budget: &Budget) {
        if !self.guided {
            return self.play_randomly(games, budget);
        }
        let mut jobs = [Job { searcher: &mut self.searcher, simulations: games, n_done: 0 }];
        self.driver.drive(&mut jobs, &mut self.census, budget, &mut Watch::none());
        self.n_played += jobs[0].n_done;
    }

    /// Plays uniformly random games from the beginning.
    fn play_randomly(&mut self, games: u64, budget: &Budget) {
        let (mut evaluated, enough) = (Evaluated::default(), self.n_played.saturating_add(games));
        let Searcher { search, rng, .. } = &mut self.searcher;
        let start = search.state(search.root());
        while self.n_played < enough && !budget.is_over() {
            let capacity = self.census.capacity() as u64;
            let batch = (self.n_played / GAMES_EACH).clamp(1, capacity);
            let batch = batch.min(enough - self.n_played);
            (0..batch).for_each(|_| self.census.add(0, start, std::iter::empty()));
            evaluated.clear();
            self.census.play(rng, &mut evaluated);
            self.n_played += batch;
        }
    }
}
