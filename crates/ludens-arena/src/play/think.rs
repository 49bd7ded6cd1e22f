//! Requests to agents, and how a worker answers those of many games at once.

use std::time::Duration;

use ludens_core::{Game, Role};
use ludens_search::{Agent, MoveStats, Report, Watch};

use super::guard::guarded;
use crate::clock::Pace;

/// The kind of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// Prepare for the game, before its first move.
    Prepare,
    /// Choose a move.
    Choose,
}

/// A task of one agent in one game.
pub struct Request<'a, G: Game> {
    /// Index of the game in the schedule.
    pub slot: usize,
    /// Index of the agent.
    pub agent_idx: usize,
    /// The role it plays.
    pub role: Role,
    /// Its task.
    pub task: Task,
    /// The state to think about.
    pub state: &'a G::State,
    /// The agent.
    pub agent: &'a mut dyn Agent<G>,
    pub(super) answer: &'a mut Option<Answer>,
}

/// The answer to a request: what the agent reported, or the message of its panic.
pub(super) type Answer = Result<Thought, String>;

/// The part of a report that is kept.
pub(super) struct Thought {
    /// The moves of the agent's role, best first; empty after preparation.
    pub(super) moves: Vec<MoveStats>,
    /// Units of work done.
    pub(super) iterations: u64,
    /// Thinking time.
    pub(super) time: Duration,
}

impl<G: Game> Request<'_, G> {
    /// Calls the agent and answers with its report.
    pub fn think(&mut self, pace: &Pace<'_>) {
        let (begin, budget) = (pace.clock.now(), pace.budget());
        let report = guarded(|| match self.task {
            Task::Prepare => self.agent.prepare(self.state, &budget),
            Task::Choose => self.agent.think(self.state, &budget, &mut Watch::none()),
        });
        let time = pace.clock.now().saturating_duration_since(begin);
        match report {
            Ok(report) => self.answer(report, time),
            Err(text) => *self.answer = Some(Err(text)),
        }
    }

    /// Answers with the report of the agent and its thinking time. A request without an answer counts
    /// as a crash.
    pub fn answer(&mut self, mut report: Report, time: Duration) {
        let iterations = report.iterations;
        let moves = guarded(|| match self.task {
            // A report on preparation may lack the moves.
            Task::Prepare => Vec::new(),
            Task::Choose => std::mem::take(&mut report.moves[self.role]),
        });
        *self.answer = Some(moves.map(|moves| Thought { moves, iterations, time }));
    }
}

/// Answers the requests of all games of a worker.
///
/// The default calls one agent after the other. An implementation that knows its agents can
/// evaluate the leaves of all their searches in one batch.
pub trait Thinker<G: Game>: Send {
    /// Answers every request, each within the limits of `pace`. All have the same task.
    fn think_all(&mut self, requests: &mut [Request<'_, G>], pace: &Pace<'_>) {
        for request in requests {
            request.think(pace);
        }
    }
}

/// Calls one agent after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct InTurn;

impl<G: Game> Thinker<G> for InTurn {}
