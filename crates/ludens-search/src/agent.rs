//! What all searches have in common: a state and a budget in, a report out.

use std::time::Duration;

use ludens_core::{Budget, Game, Move, PerRole, Role};

use crate::drive::Job;
use crate::searcher::Searcher;
use crate::watch::Watch;

/// What is known about one move of one role.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveStats {
    /// The move.
    pub mv: Move,
    /// How often it was tried.
    pub visits: u64,
    /// Mean payoff of the role after it, in `0.0..=1.0`; 0 if it was never tried.
    pub mean: f64,
}

/// Joint moves, one after the other.
pub type Line = Vec<Vec<Move>>;

/// What thinking led to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// How many playouts were run.
    pub iterations: u64,
    /// Moves of each role, the best one first.
    pub moves: PerRole<Vec<MoveStats>>,
    /// The joint moves that are expected, from the first on.
    pub variation: Line,
    /// What the position is worth to each role, if that is proven.
    pub proven: Option<Vec<f32>>,
    /// How many joint moves were made, in the tree and in playouts.
    pub plies: u64,
    /// How many positions are remembered.
    pub nodes: u64,
    /// How many bytes that takes.
    pub bytes: u64,
    /// The line that each move begins, in the order of `moves`. Only watched agents give them, and only
    /// those that know them.
    pub lines: PerRole<Vec<Line>>,
    /// Mean payoff of each role in all that was tried, in `0.0..=1.0`. Only watched
    /// agents give it, and only those that know it.
    pub worth: Vec<Option<f64>>,
}

impl Report {
    /// A report with the moves of each role sorted: many visits first, then high means; ties
    /// keep the order of the legal moves.
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

/// Thinks about states of one game.
pub trait Agent<G: Game>: Send {
    /// Thinks about a state for all roles at once, and shows what it has found so far to a watcher. With
    /// the same seed and number of iterations the result is the same with and without one, unless the
    /// watcher ends the thinking. Agents with iterative deepening show a report after each depth, and
    /// those that have nothing to show before their end show that.
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report;

    /// Announces, before it prepares, what a move of the match may take: time and units of work, as far as
    /// they are limited. Most agents need not know.
    fn expect(&mut self, time: Option<Duration>, units: Option<u64>) {
        let _ = (time, units);
    }

    /// Prepares for a match that begins with a state, before its first move: the start clock of the
    /// competition. Most agents think about the state and keep what they find.
    fn prepare(&mut self, state: &G::State, budget: &Budget) -> Report {
        self.think(state, budget, &mut Watch::none())
    }

    /// What was found while preparing, in sentences for users.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    /// A joint move was made in the state last thought about, or at the beginning.
    fn advance(&mut self, joint: &[Move]) {
        let _ = joint;
    }

    /// A new match begins: what was learnt in the last one is forgotten, and random numbers start again
    /// from a seed, so that a match can be repeated whatever was played before it.
    fn begin(&mut self, seed: u64);

    /// Its tree searches, one for each thread; none if it is another kind of agent.
    fn searchers(&mut self) -> &mut [Searcher<G>] {
        &mut []
    }

    /// Prepares to think about a state beside others: its tree search, with what is left of the budget.
    /// `None` if it thinks alone.
    fn join(&mut self, state: &G::State, budget: &Budget) -> Option<Job<'_, G>> {
        let (_, _) = (state, budget);
        None
    }

    /// The same for the start clock, in place of `prepare`.
    fn join_to_prepare(&mut self, state: &G::State, budget: &Budget) -> Option<Job<'_, G>> {
        self.join(state, budget)
    }
}
