//! Exact play where the rest of the game is small, around any agent.
//!
//! A share of each move's time goes to a search for the exact outcomes of all moves ([`OutcomeSearch`]). As soon as it
//! succeeds, only moves that keep the value of the position are made; the agent chooses among them, so that it makes
//! progress where it wins and sets problems where it loses. What was proven is kept from move to move.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use ludens_core::{Budget, Game, Move, Role};

use super::outcome::{OutcomeSearch, Outcomes};
use super::solver::Unsolved;
use crate::agent::{Agent, Report};
use crate::watch::Watch;

/// The share of the time of a move for exact outcomes.
const SHARE: f64 = 0.1;

/// With less time for a move, the agent has all of it.
const MIN_TIME: Duration = Duration::from_millis(50);

/// The memory limit of proven bounds.
const TABLE_BYTES: usize = 128 << 20;

/// Payoffs that differ by less are equal.
const EPSILON: f32 = 1e-6;

/// An agent that plays exactly where the rest of the game can be searched.
pub struct Endgame<G: Game> {
    agent: Box<dyn Agent<G>>,
    /// `None` if exact outcomes cannot be searched in this game.
    search: Option<OutcomeSearch<G>>,
    game: Arc<G>,
    solved: Option<(G::State, Outcomes)>,
    /// Whether the search has a thread of its own while others think.
    has_thread: bool,
}

impl<G: Game> Endgame<G> {
    /// Exact play around an agent with this many threads.
    pub fn new(game: Arc<G>, agent: Box<dyn Agent<G>>, n_threads: usize) -> Self {
        let search = new_search(&game);
        Endgame { agent, search, game, solved: None, has_thread: n_threads > 1 }
    }

    /// The exact outcomes of the moves of a state, if they can be found within the budget.
    fn solve(&mut self, state: &G::State, budget: &Budget) -> Option<&Outcomes> {
        if self.solved.as_ref().is_none_or(|(solved, _)| solved != state) {
            self.solved = None;
            let outcomes = search_for(&mut self.search, state, budget)?;
            self.solved = Some((state.clone(), outcomes));
        }
        self.solved.as_ref().map(|(_, outcomes)| outcomes)
    }
}

fn new_search<G: Game>(game: &Arc<G>) -> Option<OutcomeSearch<G>> {
    let is_suited = game.roles().len() <= 2;
    is_suited.then(|| OutcomeSearch::new(Arc::clone(game), TABLE_BYTES).keeping_bounds())
}

/// Searches for the outcomes of all moves. A game that is not suited is not searched again.
fn search_for<G: Game>(
    search: &mut Option<OutcomeSearch<G>>,
    state: &G::State,
    budget: &Budget,
) -> Option<Outcomes> {
    match search.as_mut()?.moves(state, budget) {
        Ok(outcomes) => Some(outcomes),
        Err(Unsolved::Simultaneous | Unsolved::SumVaries | Unsolved::Roles) => {
            *search = None;
            None
        }
        Err(Unsolved::Budget | Unsolved::Memory | Unsolved::Cycle | Unsolved::Depth) => None,
    }
}

/// Puts moves that keep the value of the position before all others, and reports the value.
fn keep_value(report: &mut Report, outcomes: &Outcomes) {
    let (decider, best) = (outcomes.decider, outcomes.best());
    let loses = |mv: Move| {
        let after = outcomes.moves.iter().find(|(other, _)| *other == mv);
        after.is_none_or(|(_, payoffs)| payoffs[decider] < best[decider] - EPSILON)
    };
    report.moves[decider].sort_by_key(|stats| loses(stats.mv));
    report.proven = Some(Role::all(best.n_roles()).map(|role| best[role]).collect());
    if report.variation.first().is_some_and(|joint| loses(joint[decider.index()])) {
        report.variation.clear();
    }
    // Lines are in the order of moves, and show what is not played now.
    report.lines = Vec::new().into();
}

impl<G: Game> Agent<G> for Endgame<G> {
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        if budget.time_left().is_some_and(|left| left >= MIN_TIME) {
            self.solve(state, &budget.part(SHARE));
        }
        let mut report = self.agent.think(state, budget, watch);
        if let Some((_, outcomes)) = self.solved.as_ref().filter(|(solved, _)| solved == state) {
            keep_value(&mut report, outcomes);
        }
        report
    }

    fn expect(&mut self, time: Option<Duration>, units: Option<u64>) {
        self.agent.expect(time, units);
    }

    fn prepare(&mut self, state: &G::State, budget: &Budget) -> Report {
        self.agent.prepare(state, budget)
    }

    /// Bounds that are proven meanwhile help in the positions that follow.
    fn ponder(&mut self, state: &G::State, budget: &Budget) {
        let Endgame { agent, search, has_thread, .. } = self;
        if !*has_thread || search.is_none() {
            return agent.ponder(state, budget);
        }
        thread::scope(|scope| {
            scope.spawn(|| search_for(search, state, budget));
            agent.ponder(state, budget);
        });
    }

    fn remarks(&self) -> Vec<String> {
        self.agent.remarks()
    }

    fn advance(&mut self, joint: &[Move]) {
        self.agent.advance(joint);
    }

    fn begin(&mut self, seed: u64) {
        (self.search, self.solved) = (new_search(&self.game), None);
        self.agent.begin(seed);
    }

    fn begin_again(&mut self, seed: u64) {
        self.solved = None;
        self.agent.begin_again(seed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::testgames::Nim;

    fn second() -> Budget {
        Budget::unlimited().with_time(Duration::from_mins(10)).with_iterations(100_000)
    }

    /// A random player that is made exact keeps the value of every position.
    #[test]
    fn moves_keep_the_value_of_the_position() {
        let game = Arc::new(Nim(13));
        let random = Box::new(Random::new(Arc::clone(&game), 1));
        let mut endgame = Endgame::new(Arc::clone(&game), random, 1);
        let mut exact = OutcomeSearch::new(Arc::clone(&game), 1 << 20);
        for seed in 0..20 {
            endgame.begin(seed);
            let mut state = game.initial();
            let mut view = ludens_core::View::default();
            game.look(&state, &mut view);
            while !view.terminal {
                let outcomes = exact.moves(&state, &Budget::unlimited()).unwrap();
                let report = endgame.think(&state, &second(), &mut Watch::none());
                assert_eq!(
                    report.proven.as_deref(),
                    Some(&outcomes.best().iter().copied().collect::<Vec<_>>()[..])
                );
                let best = report.best(outcomes.decider).unwrap();
                let kept = outcomes.moves.iter().find(|(mv, _)| *mv == best).unwrap();
                assert_eq!(kept.1, *outcomes.best());
                let joint: Vec<Move> = Role::all(2)
                    .map(|role| if role == outcomes.decider { best } else { view.legal[role][0] })
                    .collect();
                game.play(&mut state, &joint);
                endgame.advance(&joint);
                game.look(&state, &mut view);
            }
        }
    }

    /// Without a clock, or where roles decide together, the agent plays as it would alone.
    #[test]
    fn other_games_and_budgets_are_left_to_the_agent() {
        let game = Arc::new(Nim(13));
        let random = || Box::new(Random::new(Arc::new(Nim(13)), 7));
        let mut endgame = Endgame::new(Arc::clone(&game), random(), 1);
        endgame.begin(7);
        let mut alone = random();
        Agent::begin(&mut *alone, 7);
        let budget = Budget::unlimited().with_iterations(100);
        for _ in 0..5 {
            let (ours, theirs) = (
                endgame.think(&game.initial(), &budget, &mut Watch::none()),
                alone.think(&game.initial(), &budget, &mut Watch::none()),
            );
            assert_eq!(ours, theirs);
        }
    }
}
