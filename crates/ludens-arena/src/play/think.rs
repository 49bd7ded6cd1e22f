//! Thinking about many games at once.

use std::time::Duration;

use ludens_core::{Game, Move, Role};
use ludens_search::{Agent, Watch};

use super::guard::guarded;
use crate::clock::Pace;

/// What a seat has to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// Get ready for the game, at its beginning.
    Prepare,
    /// Choose a move.
    Choose,
}

/// A seat that has to get ready or to choose a move.
pub struct Request<'a, G: Game> {
    /// Place of the game in the schedule.
    pub slot: usize,
    /// Number of the agent.
    pub agent_idx: usize,
    /// The role it plays.
    pub role: Role,
    /// What it has to do.
    pub task: Task,
    /// What it has to think about.
    pub state: &'a G::State,
    /// Who has to think.
    pub agent: &'a mut dyn Agent<G>,
    pub(super) thought: &'a mut Option<Thought>,
}

/// What came of thinking.
#[derive(Clone, PartialEq, Debug)]
pub enum Thought {
    /// An answer.
    Answer {
        /// The best move, if one was asked for; whether it is legal, the table finds out.
        best: Option<Move>,
        /// Units of work done.
        iterations: u64,
        /// How long it took.
        time: Duration,
    },
    /// A panic, and what it said.
    Crash(String),
}

impl<G: Game> Request<'_, G> {
    /// Lets the agent think alone.
    pub fn think(&mut self, pace: &Pace<'_>) {
        let (begin, budget) = (pace.clock.now(), pace.budget());
        let found = guarded(|| match self.task {
            // Its report need not know any moves.
            Task::Prepare => (None, self.agent.prepare(self.state, &budget).iterations),
            Task::Choose => {
                let report = self.agent.think(self.state, &budget, &mut Watch::none());
                (report.best(self.role), report.iterations)
            }
        });
        let time = pace.clock.now().saturating_duration_since(begin);
        self.answer(match found {
            Ok((best, iterations)) => Thought::Answer { best, iterations, time },
            Err(text) => Thought::Crash(text),
        });
    }

    /// Hands in what was thought. A request without an answer counts as a crash.
    pub fn answer(&mut self, thought: Thought) {
        *self.thought = Some(thought);
    }
}

/// Answers the requests of all games of a worker.
///
/// The default asks one agent after the other. A thinker that knows its agents can let them share
/// what is better done for many at once, such as an evaluator of batches.
pub trait Thinker<G: Game>: Send {
    /// Answers every request. Each may cost as much as the pace allows. All of them are of the same
    /// task.
    fn think_all(&mut self, requests: &mut [Request<'_, G>], pace: &Pace<'_>) {
        for request in requests {
            request.think(pace);
        }
    }
}

/// Asks one agent after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct InTurn;

impl<G: Game> Thinker<G> for InTurn {}
