//! Self-play: many games side by side, whose searches share one network.
//!
//! Every position that is searched becomes a record. Its policy is the improved policy of the search or its
//! visit counts ([`Choosing`]), its payoffs are r·z + (1 − r)·q, where z is the result of the game and q the
//! value of that policy by the means that the search found (Goldwaser and Thielscher 2020). With a solver, a game
//! ends as soon as its value is proven.

mod choosing;
mod proof;
mod table;

use std::sync::Arc;

use ludens_core::{Budget, Game, Move, Rng, Role, View};
use ludens_search::{
    Driver, FirstPlay, Growth, Improvement, Job, Puct, Searcher, Settings, TreePolicy, Watch,
};
use serde::{Deserialize, Serialize};

use crate::encoder::Encoder;
use crate::evaluator::NetworkEvaluator;
use crate::evidence::Outcome;
use crate::network::Network;
use crate::playout_mix::Mix;
use crate::replay::Format;
use crate::weights::Weights;
pub use choosing::{Choosing, PlayoutCap, VisitCounts};
pub(crate) use table::SavedTable;
use table::Table;

/// How games of self-play are played.
#[derive(Clone, PartialEq, Debug)]
pub struct SelfPlay {
    /// The simulations of a move.
    pub simulations: u64,
    /// How moves and policies follow from a search.
    pub choosing: Choosing,
    /// The weight of exploration by PUCT.
    pub exploration: f64,
    /// How exploration grows with visits.
    pub growth: Growth,
    /// How much less than its siblings an unvisited move counts.
    pub reduction: f64,
    /// Whether proven values are backed up and end games (MCTS-Solver, Winands et al. 2008).
    pub solver: bool,
    /// Whether the positions of a proof are learnt, from the proven one to the end of the game.
    pub proven_lines: bool,
    /// The maximum number of random moves at the beginning of a game.
    pub max_opening: usize,
    /// The weight of random playouts in the values of leaves; `None` for that which the evidence suggests.
    pub mix: Option<f32>,
    /// Whether results are compared with what network and playouts say, for the agents that play with the network.
    pub weighs_playouts: bool,
    /// The weight r of the result in the target, as opposed to the value that the search found.
    pub result: f32,
    /// A game without an end is cut after this many joint moves.
    pub max_plies: usize,
    /// The maximum number of bytes of the tree of one game.
    pub tree_bytes: usize,
}

impl Default for SelfPlay {
    fn default() -> Self {
        SelfPlay {
            simulations: 32,
            choosing: Choosing::Gumbel {
                n_considered: 16,
                improvement: Improvement { visits: 50.0, values: 0.2 },
            },
            exploration: 1.0,
            growth: Growth::SquareRoot,
            reduction: 0.1,
            solver: true,
            proven_lines: true,
            max_opening: 6,
            // Without playouts there are 12,039 games of hex in a minute instead of 3,275, and the network is not
            // seen to be weaker, when both play with playouts.
            mix: Some(0.0),
            weighs_playouts: true,
            result: 0.5,
            max_plies: 1000,
            tree_bytes: Settings::default().max_bytes,
        }
    }
}

impl SelfPlay {
    fn tree_policy(&self) -> Box<dyn TreePolicy> {
        let first = FirstPlay::BelowMean(self.reduction);
        let below = Puct { exploration: self.exploration, growth: self.growth, first };
        self.choosing.tree_policy(below, self.simulations)
    }

    /// A search as in self-play, with the random numbers of a seed.
    pub(crate) fn searcher<G: Game>(&self, game: &Arc<G>, seed: u64) -> Searcher<G> {
        let (solver, max_bytes) = (self.solver, self.tree_bytes);
        let search = Settings { solver, max_bytes, ..Settings::default() };
        let (policy, chain) = (self.tree_policy(), ludens_search::Chain::new(Vec::new()));
        let mut searcher = Searcher::new(Arc::clone(game), policy, chain, search, 1);
        searcher.search.keep_root_payoffs();
        searcher.begin(seed);
        searcher
    }
}

/// As many playouts as run side by side at the same cost.
const FULL_LANES: usize = 256;

/// What self-play has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Played {
    /// Finished games.
    pub games: u64,
    /// Of these, games that were cut.
    pub cut: u64,
    /// Joint moves of finished games.
    pub plies: u64,
    /// Simulations.
    pub simulations: u64,
}

impl std::ops::AddAssign for Played {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.cut += other.cut;
        self.plies += other.plies;
        self.simulations += other.simulations;
    }
}

/// Games that are played side by side by one thread at a time. Its games do not depend on the thread.
pub struct Group<G: Game> {
    settings: SelfPlay,
    game: Arc<G>,
    /// Where games begin.
    start: G::State,
    evaluator: NetworkEvaluator<G>,
    driver: Driver<G>,
    searchers: Vec<Searcher<G>>,
    tables: Vec<Table<G>>,
    /// What was done since it was last taken.
    played: Played,
    /// The records of finished games.
    records: Vec<Vec<u16>>,
    /// The joint moves of the last finished game, one after the other, and its payoffs unless it was cut.
    last: Option<(Vec<Move>, Option<Vec<f32>>)>,
    /// A position of each game that had a result, for evidence.
    outcomes: Vec<Outcome<G>>,
    scratch: table::Scratch,
}

/// A finished game of self-play, in the words of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct FinishedGame {
    /// The joint moves.
    pub moves: Vec<Vec<String>>,
    /// The payoffs; `None` if it was cut.
    pub payoffs: Option<Vec<f32>>,
    /// Whether it ended in a terminal position. Others ended when their value was proven.
    pub is_terminal: bool,
}

impl<G: Game> Group<G> {
    /// Games that begin with the random numbers of a seed.
    pub fn new(
        game: &Arc<G>,
        encoder: &Arc<Encoder>,
        weights: &Arc<Weights>,
        settings: &SelfPlay,
        n_games: usize,
        seed: u64,
    ) -> Self {
        let network = Network::new(Arc::clone(weights));
        let (own, encoder) = (Arc::clone(game), Arc::clone(encoder));
        let format = Format::of(&encoder);
        let n_playouts = (FULL_LANES / n_games.max(1)).max(1) as u64;
        let searcher = |i| settings.searcher(game, Rng::stream(seed, &[i, 0]).next_u64());
        let table = |i| Table::new(game, Rng::stream(seed, &[i, 1]), settings);
        Group {
            scratch: table::Scratch::new(Arc::clone(&encoder), format, game.roles().len()),
            evaluator: NetworkEvaluator::new(Arc::clone(game), encoder, network, n_games)
                .with_playouts(Mix { share: Some(settings.mix.unwrap_or(0.0)), n_playouts }),
            start: game.initial(),
            game: own,
            driver: Driver::default(),
            searchers: (0..n_games as u64).map(searcher).collect(),
            tables: (0..n_games as u64).map(table).collect(),
            played: Played::default(),
            records: Vec::new(),
            last: None,
            outcomes: Vec::new(),
            settings: settings.clone(),
        }
    }

    /// How many bytes its trees hold.
    pub fn tree_bytes(&self) -> usize {
        self.searchers.iter().map(|searcher| searcher.search.bytes()).sum()
    }

    /// Changes the weight of playouts.
    pub(crate) fn set_share(&mut self, share: f32) {
        self.evaluator.set_share(share);
    }

    /// Plays with these weights from now on.
    pub fn set_weights(&mut self, weights: &Arc<Weights>) {
        self.evaluator.set_weights(weights);
    }

    /// One joint move in every game. If the budget ends before, no move is made.
    pub fn play_round(&mut self, budget: &Budget) {
        self.advance_games(budget);
        let over = self.tables.iter_mut().filter(|table| table.is_over());
        over.for_each(|table| table.restart(&self.game, &self.start, &self.settings));
    }

    /// Plays the game in progress at every table to its end, unless the budget ends before.
    pub fn finish_games(&mut self, budget: &Budget) {
        while !self.is_over() && !budget.is_over() {
            self.advance_games(budget);
        }
    }

    /// Whether all games are over, so that others may begin.
    pub(crate) fn is_over(&self) -> bool {
        self.tables.iter().all(Table::is_over)
    }

    /// Games begin in this state from now on; those in progress are abandoned. They cannot be restored from
    /// a checkpoint, which knows the initial state alone.
    pub(crate) fn begin_in(&mut self, start: &G::State, seed: u64) {
        self.start = start.clone();
        self.last = None;
        self.begin_games(seed);
    }

    /// Begins another game at every table, with searches that begin with this seed.
    pub(crate) fn begin_games(&mut self, seed: u64) {
        self.restart_searches(seed);
        let tables = self.tables.iter_mut();
        tables.for_each(|table| table.restart(&self.game, &self.start, &self.settings));
    }

    /// One joint move in every game that is not over.
    fn advance_games(&mut self, budget: &Budget) {
        let Group { settings, evaluator, driver, searchers, tables, played, .. } = self;
        let mut jobs = Vec::with_capacity(tables.len());
        let in_progress = searchers.iter_mut().zip(tables.iter_mut());
        for (searcher, table) in in_progress.filter(|(_, table)| !table.is_over()) {
            let simulations = table.set_root(searcher, settings);
            jobs.push(Job { searcher, simulations, n_done: 0 });
        }
        driver.drive(&mut jobs, evaluator, budget, &mut Watch::none());
        played.simulations += jobs.iter().map(|job| job.n_done).sum::<u64>();
        drop(jobs);
        if budget.is_over() {
            return;
        }
        let in_progress = self.searchers.iter_mut().zip(&mut self.tables);
        for (searcher, table) in in_progress.filter(|(_, table)| !table.is_over()) {
            let ended = table.play(&self.game, searcher, &self.settings, &mut self.scratch);
            if let Some(end) = ended {
                self.played.games += 1;
                self.played.plies += table.n_plies() as u64;
                self.played.cut += u64::from(matches!(end, table::End::Cut));
                table.finish(&end, &self.settings, &self.scratch, &mut self.records);
                if self.settings.weighs_playouts {
                    self.outcomes.extend(table.outcome(&self.game, &self.start, &end));
                }
                self.last = Some((table.moves().to_vec(), end.payoffs()));
            }
        }
    }

    /// Discards all trees, so that the games continue as after a restart with this seed, and returns the
    /// games in progress.
    pub(crate) fn save(&mut self, seed: u64) -> Vec<SavedTable> {
        self.restart_searches(seed);
        self.tables.iter().map(Table::save).collect()
    }

    /// Continues games with searches that begin with this seed. Returns whether they are valid.
    pub(crate) fn restore(&mut self, saved: Vec<SavedTable>, seed: u64) -> bool {
        self.restart_searches(seed);
        let tables = saved.into_iter().map(|saved| Table::restore(&self.game, saved));
        let Some(tables) = tables.collect::<Option<Vec<_>>>() else { return false };
        let fits = tables.len() == self.tables.len();
        self.tables = tables;
        fits
    }

    fn restart_searches(&mut self, seed: u64) {
        for (i, searcher) in self.searchers.iter_mut().enumerate() {
            searcher.begin(Rng::stream(seed, &[i as u64]).next_u64());
        }
    }

    /// Takes the last finished game, if one was finished since the last time.
    pub fn take_game(&mut self) -> Option<FinishedGame> {
        let (moves, payoffs) = self.last.take()?;
        let (mut state, mut view) = (self.start.clone(), View::default());
        let mut names = Vec::new();
        for joint in moves.chunks(self.game.roles().len()) {
            let named = Role::all(joint.len()).zip(joint);
            names.push(named.map(|(role, &m)| self.game.move_name(role, m)).collect());
            self.game.play(&mut state, joint);
        }
        self.game.look(&state, &mut view);
        Some(FinishedGame { moves: names, payoffs, is_terminal: view.terminal })
    }

    /// Takes a position of each game that had a result since the last time.
    pub(crate) fn take_outcomes(&mut self) -> Vec<Outcome<G>> {
        std::mem::take(&mut self.outcomes)
    }

    /// Takes the records and the statistics since the last time.
    pub fn take(&mut self) -> (Vec<Vec<u16>>, Played) {
        (std::mem::take(&mut self.records), std::mem::take(&mut self.played))
    }
}
