//! From a budget to an evaluation function: some games to select by, as many as possible to weigh by.
//!
//! The games to weigh by are simulations of a tree search (or uniformly random ones), because what
//! happens in the games of good players matters more. Where a simulator can count facts in many playouts
//! at once, it does; otherwise states are counted here one by one, which is the truth that it is
//! compared with.

use std::sync::Arc;

use ludens_core::{Budget, Census, Game, Rng, Role, RowGroups, Simulator, Vocabulary};

use super::elements::{Elements, GameCounts};
use super::function::{Evaluator, Heuristic};
use super::ledger::Ledger;
use super::rows::Rows;
use super::select::{COMPARED, RandomGame, Selection, find_changing, find_varying};
use crate::playout_policy::Chain;
use crate::search::{Evaluation, Gathered, Search, Settings};
use crate::tree::Needs;
use crate::tree_policy::{Ucb, Unvisited};

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

/// While there are few games, so many of them were counted for each that is under way: in a young tree
/// visits that know nothing of each other go astray.
const GAMES_EACH: u64 = 4;

/// A playout is cut after so many joint moves.
const MAX_PLIES: u32 = 100_000;

/// With no other limit, so many games are played.
const MOST_GAMES: u64 = 100_000;

impl Construction {
    /// An evaluation function for the games that begin with a state. A unit of the budget is a game.
    pub fn build<G: Game>(
        &self,
        game: &Arc<G>,
        start: &G::State,
        budget: &Budget,
        seed: u64,
    ) -> Evaluator<G> {
        self.begin(game, start, budget, seed).evaluator()
    }

    /// The place where an evaluation function is made, with as many games as the budget allows.
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
        let settings = Settings { max_bytes: TREE_BYTES, ..Settings::default() };
        let (exploration, unvisited) = (self.exploration, Unvisited::First);
        let policy = Box::new(Ucb { exploration, unvisited });
        let ranges = Role::all(game.roles().len()).map(|role| game.payoff_range(role));
        let mut site = Site {
            guided: self.guided,
            n_played: 0,
            game: Arc::clone(game),
            search: Search::new(Arc::clone(game), policy, settings, Needs::default()),
            simulator: Arc::clone(game).simulator(),
            groups: match game.vocabulary().and_then(Vocabulary::n_facts) {
                Some(_) => elements.groups(),
                None => RowGroups::default(),
            },
            counts: GameCounts::default(),
            averages: Vec::new(),
            census: Census::default(),
            ledger: Ledger::new(ranges),
            rows,
            elements,
            rng,
        };
        site.search.set_root(start);
        // The games to select by are paid for too.
        let games = budget.iterations.unwrap_or(MOST_GAMES).saturating_sub(COMPARED as u64 + 1);
        site.play(games.max(1), budget);
        site
    }
}

/// Where an evaluation function is made.
pub(super) struct Site<G: Game> {
    /// Whether games are simulations of the search.
    guided: bool,
    n_played: u64,
    game: Arc<G>,
    search: Search<G>,
    simulator: Box<dyn Simulator<G>>,
    rows: Rows<G>,
    elements: Elements,
    /// The facts of each element, where they are known beforehand.
    groups: RowGroups,
    counts: GameCounts,
    averages: Vec<f32>,
    census: Census,
    ledger: Ledger,
    rng: Rng,
}

impl<G: Game> Site<G> {
    /// Plays as many games more as a budget allows.
    pub(super) fn go_on(&mut self, budget: &Budget) {
        self.play(budget.iterations.unwrap_or(MOST_GAMES), budget);
    }

    /// The function that follows from the games so far.
    pub(super) fn evaluator(&self) -> Evaluator<G> {
        let heuristic = Heuristic::new(&self.elements, &self.ledger);
        Evaluator::new(self.rows.clone(), self.elements.clone(), heuristic)
    }

    /// Plays so many games more, or until the budget is spent.
    fn play(&mut self, games: u64, budget: &Budget) {
        let (mut leaves, enough) = (Vec::new(), self.n_played.saturating_add(games));
        while self.n_played < enough && !budget.is_over() {
            let lanes = self.simulator.lanes() as u64;
            let left = enough - self.n_played;
            let batch = (self.n_played / GAMES_EACH).clamp(1, lanes).min(left);
            leaves.clear();
            for _ in 0..batch {
                self.n_played += 1;
                if !self.guided {
                    leaves.push(None);
                } else if self.search.is_settled() {
                    return;
                } else if let Gathered::Leaf(ticket) =
                    self.search.gather(&mut Chain::default(), &mut self.rng)
                {
                    leaves.push(Some(ticket));
                }
            }
            self.play_from(&leaves);
        }
    }

    /// Plays a game from each leaf; `None` is the beginning.
    fn play_from(&mut self, leaves: &[Option<u32>]) {
        if leaves.is_empty() {
            return;
        }
        let root = self.search.state(self.search.root());
        let starts = leaves.iter().map(|leaf| leaf.map_or(root, |ticket| self.search.leaf(ticket)));
        let starts: Vec<_> = starts.collect();
        let (groups, census) = (&self.groups, &mut self.census);
        let counted =
            !groups.is_empty() && self.simulator.census(&starts, groups, &mut self.rng, census);
        if counted {
            self.keep_census(leaves);
        } else {
            let starts: Vec<G::State> = starts.into_iter().cloned().collect();
            leaves.iter().zip(starts).for_each(|(&leaf, start)| self.play_one(leaf, &start));
        }
    }

    /// Plays a game and counts its states one by one.
    fn play_one(&mut self, leaf: Option<u32>, start: &G::State) {
        self.count_path(leaf);
        let (mut random, mut plies) = (RandomGame::new(&self.game, start), 0);
        while !random.is_over() && plies < MAX_PLIES {
            let (rows, elements) = (&mut self.rows, &mut self.elements);
            self.counts.add(&random.state, rows, elements, &mut self.ledger.most);
            random.step(&mut self.rng);
            plies += 1;
        }
        let terminal = random.view.terminal;
        let payoffs = std::mem::take(&mut random.view.payoffs);
        self.keep(leaf, (payoffs.as_slice(), terminal), plies);
    }

    /// Counts the states of the tree through which a leaf was reached.
    fn count_path(&mut self, leaf: Option<u32>) {
        self.counts.clear();
        let Some(ticket) = leaf else { return };
        for (node, _) in self.search.path(ticket).steps() {
            let (rows, elements) = (&mut self.rows, &mut self.elements);
            let most = &mut self.ledger.most;
            self.counts.add(self.search.state(node), rows, elements, most);
        }
    }

    /// Takes games that the simulator has played and counted.
    fn keep_census(&mut self, leaves: &[Option<u32>]) {
        let census = std::mem::take(&mut self.census);
        let (n_roles, n_groups) = (self.game.roles().len(), self.groups.len());
        for (i, &leaf) in leaves.iter().enumerate() {
            self.count_path(leaf);
            self.counts.sums.resize(n_groups, 0);
            let counts = &census.counts[i * n_groups..][..n_groups];
            self.counts.sums.iter_mut().zip(counts).for_each(|(sum, &count)| *sum += count);
            self.counts.n_states += census.plies[i];
            let payoffs = &census.payoffs[i * n_roles..][..n_roles];
            self.keep(leaf, (payoffs, census.finished[i]), census.plies[i]);
        }
        self.ledger.most.resize(n_groups, 0);
        for (most, &count) in self.ledger.most.iter_mut().zip(&census.most) {
            *most = count.max(*most);
        }
        self.census = census;
    }

    /// Keeps the game that was counted last, and tells the tree search about it.
    fn keep(&mut self, leaf: Option<u32>, (payoffs, finished): (&[f32], bool), plies: u32) {
        if finished && self.counts.n_states > 0 {
            let mut averages = std::mem::take(&mut self.averages);
            averages.clear();
            averages.extend(self.counts.averages().map(|average| average as f32));
            averages.resize(self.elements.list.len(), 0.0);
            self.ledger.keep(&averages, (payoffs, self.counts.n_states), &mut self.rng);
            self.averages = averages;
        }
        if let Some(ticket) = leaf {
            let terminal = plies == 0 && finished;
            let evaluation = Evaluation { payoffs, moves: &[], terminal, plies, game: 0 };
            self.search.apply(ticket, &evaluation, &mut Chain::default());
        }
    }
}
