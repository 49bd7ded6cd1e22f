//! The interface of all searches: a state and a budget in, a report out.

use std::time::Duration;

use ludens_core::{Budget, Game, Move, PerRole, Role};

use crate::drive::Job;
use crate::searcher::Searcher;
use crate::watch::Watch;

/// Statistics of one move of one role.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveStats {
    /// The move.
    pub mv: Move,
    /// Its visits.
    pub visits: u64,
    /// Mean payoff of the role after it, in `0.0..=1.0`; 0 without visits.
    pub mean: f64,
}

/// Joint moves, one after the other.
pub type Line = Vec<Vec<Move>>;

/// The result of a search.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The number of playouts.
    pub iterations: u64,
    /// Moves of each role, the best one first.
    pub moves: PerRole<Vec<MoveStats>>,
    /// The principal variation.
    pub variation: Line,
    /// The proven payoff of each role, if the value of the position is proven.
    pub proven: Option<Vec<f32>>,
    /// The number of joint moves made, in the tree and in playouts.
    pub plies: u64,
    /// The number of stored positions.
    pub nodes: u64,
    /// How many bytes the search holds.
    pub bytes: u64,
    /// The line that begins with each move, in the order of `moves`; only with a watcher, and only from
    /// agents that have lines.
    pub lines: PerRole<Vec<Line>>,
    /// Mean payoff of each role over all simulations, in `0.0..=1.0`; only with a watcher, and only from
    /// agents that have it.
    pub worth: Vec<Option<f64>>,
}

impl Report {
    /// A report with the moves of each role sorted by visits, then by means, both descending; ties keep
    /// the order of the legal moves.
    pub fn sorted(iterations: u64, mut moves: PerRole<Vec<MoveStats>>) -> Self {
        for stats in &mut moves {
            stats.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.mean.total_cmp(&a.mean)));
        }
        Report { iterations, moves, ..Report::default() }
    }

    /// The best move of a role; `None` if it has no legal move.
    pub fn best(&self, role: Role) -> Option<Move> {
        self.moves[role].first().map(|stats| stats.mv)
    }
}

/// Searches states of one game.
pub trait Agent<G: Game>: Send {
    /// Searches a state for all roles at once, and shows intermediate reports to a watcher. With the same
    /// seed and number of iterations the result is the same with and without a watcher, unless it stops
    /// the search. Agents with iterative deepening show a report after each depth; agents without
    /// intermediate results show the final report.
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report;

    /// Announces, before `prepare`, the budget of each move of the match: time and units of work, as far as
    /// they are limited. Most agents ignore it.
    fn expect(&mut self, time: Option<Duration>, units: Option<u64>) {
        let _ = (time, units);
    }

    /// Prepares for a match that begins with a state, before its first move: the start clock of the
    /// competition. Most agents search the state and keep the results.
    fn prepare(&mut self, state: &G::State, budget: &Budget) -> Report {
        self.think(state, budget, &mut Watch::none())
    }

    /// Others think in this state, or the host pauses: uses the time until the budget is over. By default it
    /// does nothing. Only players in real matches call it, since in a contest it would be the time of others.
    fn ponder(&mut self, state: &G::State, budget: &Budget) {
        let (_, _) = (state, budget);
    }

    /// Remarks about the preparation, in sentences for users.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    /// How much a lead in a race, whose moves have little time, exaggerates what the agent is worth with the time of
    /// the match: 1 as for tree searches with playouts, less for estimates that need no playouts.
    fn handicap(&self) -> f64 {
        1.0
    }

    /// A joint move was made in the state that was searched last, or in the initial state.
    fn advance(&mut self, joint: &[Move]) {
        let _ = joint;
    }

    /// A new match begins: what was learnt in the last one is discarded, and the random number generator is
    /// reseeded, so that a match is reproducible whatever was played before it.
    fn begin(&mut self, seed: u64);

    /// Another game with the same rules begins, for which what was learnt in `prepare` is kept. Races play such
    /// games.
    fn begin_again(&mut self, seed: u64) {
        self.begin(seed);
    }

    /// Its tree searches, one for each thread; empty for other kinds of agents.
    fn searchers(&mut self) -> &mut [Searcher<G>] {
        &mut []
    }

    /// Prepares to search a state in a pool: its tree search, with what is left of the budget. `None` if
    /// the agent cannot be pooled.
    fn join(&mut self, state: &G::State, budget: &Budget) -> Option<Job<'_, G>> {
        let (_, _) = (state, budget);
        None
    }

    /// The same for the start clock, in place of `prepare`.
    fn join_to_prepare(&mut self, state: &G::State, budget: &Budget) -> Option<Job<'_, G>> {
        self.join(state, budget)
    }
}
