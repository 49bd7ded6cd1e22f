//! Exact solutions of small games: every reachable state is searched once.
//!
//! Each role maximises its own payoff (max-n; for two roles whose payoffs have a constant sum that
//! is minimax), ties are broken as in `preference.rs`, and of equal payoffs a role that gets at
//! least one half chooses the shortest line to the end, any other role the longest. So values do
//! not depend on the search order.
//!
//! Games must end, but broken rules may allow cycles. A state whose value would depend on itself is
//! unknown, and so is every state above it, except where a role has a move that wins at once.
//! Simultaneous moves have no such solution at all. Both are reported as errors, not guessed.

mod memo;

use std::fmt;
use std::sync::Arc;

use ludens_core::{Budget, Game, Move, Payoffs, Role, View};

use self::memo::Memo;
use super::meter::Meter;
use super::minimax::Minimax;
use super::root::{nothing_to_decide, untried};
use super::value::StateValue;
use crate::agent::{Agent, Report};
use crate::watch::Watch;

/// The value of a state under perfect play.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// The payoffs of all roles.
    pub payoffs: Payoffs,
    /// The number of joint moves to the end.
    pub distance: u32,
    /// The role that decides; `None` in terminal states.
    pub decider: Option<Role>,
    /// Its moves, the best ones first; ties keep the order of the legal moves. A move whose value is
    /// unknown, and does not matter, is left out.
    pub choices: Vec<SolvedMove>,
    /// The number of states searched.
    pub states: u64,
}

/// A move and its value.
#[derive(Clone, PartialEq, Debug)]
pub struct SolvedMove {
    /// The move.
    pub mv: Move,
    /// The payoffs of all roles after it.
    pub payoffs: Payoffs,
    /// The number of joint moves to the end, this one included.
    pub distance: u32,
}

impl Solution {
    /// All moves of the deciding role with the best payoffs and distance.
    pub fn best_moves(&self) -> impl Iterator<Item = Move> {
        let is_best = |choice: &&SolvedMove| {
            choice.payoffs == self.payoffs && choice.distance == self.distance
        };
        self.choices.iter().take_while(is_best).map(|choice| choice.mv)
    }
}

/// Why there is no solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsolved {
    /// The time or the number of states is spent.
    Budget,
    /// The table of states exceeds the memory limit.
    Memory,
    /// The value depends on a cycle of states.
    Cycle,
    /// A line is longer than the search can follow.
    Depth,
    /// Several roles decide at the same time.
    Simultaneous,
    /// The payoffs of the two roles do not have the same sum in all terminal states.
    SumVaries,
    /// There are more than two roles.
    Roles,
}

impl fmt::Display for Unsolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unsolved::Budget => "the budget was spent before all states were searched",
            Unsolved::Memory => "the table of states exceeds the memory limit",
            Unsolved::Cycle => "the rules allow cycles, so the outcome is unknown",
            Unsolved::Depth => "a line is longer than the search can follow",
            Unsolved::Simultaneous => "several roles decide at the same time",
            Unsolved::SumVaries => "the sum of the payoffs is not constant",
            Unsolved::Roles => "there are more than two roles",
        })
    }
}

impl std::error::Error for Unsolved {}

/// Solves a state. A unit of the budget is a state; its bytes limit the table of states, which
/// otherwise takes at most a gibibyte.
pub fn solve<G: Game>(
    game: &Arc<G>,
    state: &G::State,
    budget: &Budget,
) -> Result<Solution, Unsolved> {
    Memo::new(Arc::clone(game)).solve(state, budget, &mut Meter::new(budget))
}

/// An agent that plays perfectly where it can solve the game, and by [`Minimax`] where it cannot.
/// Solved states are kept for the rest of the match.
pub struct Solver<G: Game> {
    game: Arc<G>,
    memo: Memo<G>,
    minimax: Minimax<G>,
    solution: Option<Solution>,
}

impl<G: Game> Solver<G> {
    /// The states of a minimax search before solving, so that there is a good move if solving does
    /// not finish.
    const FALLBACK_STATES: u64 = 2_000;

    /// An agent whose minimax search evaluates states at the depth limit by `value`.
    pub fn new(game: Arc<G>, value: Box<dyn StateValue<G>>, table_bytes: usize) -> Self {
        let minimax = Minimax::new(Arc::clone(&game), value, table_bytes);
        Solver { memo: Memo::new(Arc::clone(&game)), game, minimax, solution: None }
    }

    /// The solution of the state searched last, if there is one.
    pub fn solution(&self) -> Option<&Solution> {
        self.solution.as_ref()
    }

    /// A minimax search with a part of the budget.
    fn search_fallback(&mut self, state: &G::State, meter: &mut Meter<'_>) -> Report {
        let states = (meter.left() / 4).min(Self::FALLBACK_STATES);
        let report =
            self.minimax.think(state, &meter.rest().with_iterations(states), &mut Watch::none());
        meter.spent += report.iterations;
        report
    }
}

impl Solution {
    /// The moves of all roles, each with one visit.
    fn report(&self, view: &View, iterations: u64) -> Report {
        let mut report = untried(view);
        (report.iterations, report.plies) = (iterations, iterations);
        report.proven = Some(self.payoffs.as_slice().to_vec());
        for (role, stats) in Role::all(view.legal.n_roles()).zip(&mut report.moves) {
            let place = |mv| self.choices.iter().position(|choice| choice.mv == mv);
            if Some(role) == self.decider {
                stats.sort_by_key(|stats| place(stats.mv).unwrap_or(usize::MAX));
            }
            for stats in stats {
                let choice = place(stats.mv).filter(|_| Some(role) == self.decider);
                let payoffs = choice.map_or(&self.payoffs, |at| &self.choices[at].payoffs);
                (stats.visits, stats.mean) = (1, f64::from(payoffs[role]));
            }
        }
        report
    }
}

impl<G: Game> Solver<G> {
    /// Solves the state; a unit of the budget is a state. Each move has one visit, and its mean is
    /// its value. Without a solution the report is that of a minimax search with the rest of the
    /// budget.
    fn search_root(&mut self, state: &G::State, budget: &Budget) -> Report {
        let mut view = View::default();
        self.game.look(state, &mut view);
        self.solution = None;
        if let Some(report) = nothing_to_decide(&view) {
            return report;
        }
        let mut meter = Meter::new(budget);
        let known = self.memo.knows(state);
        let fallback = (!known).then(|| self.search_fallback(state, &mut meter));
        if let Ok(solution) = self.memo.solve(state, budget, &mut meter) {
            let report = solution.report(&view, meter.spent);
            self.solution = Some(solution);
            return report;
        }
        let spent = meter.spent;
        let mut report = match fallback {
            Some(report) if meter.is_over() => report,
            _ => self.minimax.think(state, &meter.rest(), &mut Watch::none()),
        };
        report.iterations = spent + if meter.is_over() { 0 } else { report.iterations };
        report.plies = report.iterations;
        report
    }
}

impl<G: Game> Agent<G> for Solver<G> {
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        watch.shown(self.search_root(state, budget))
    }

    fn begin(&mut self, seed: u64) {
        self.minimax.begin(seed);
        self.memo.clear();
        self.solution = None;
    }
}

#[cfg(test)]
mod tests;
