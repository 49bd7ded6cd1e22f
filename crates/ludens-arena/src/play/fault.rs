//! Checking the answers of agents.

use std::time::Duration;

use ludens_core::{Game, Move, Role};

use super::guard::guarded;
use super::think::{Answer, Thought};
use crate::clock::Allowance;
use crate::record::IncidentKind;

/// What is wrong with an answer.
pub(super) struct Fault {
    pub(super) kind: IncidentKind,
    pub(super) text: String,
    pub(super) late: Option<Duration>,
}

impl Fault {
    pub(super) fn crash(text: impl Into<String>) -> Self {
        Fault { kind: IncidentKind::Crash, text: text.into(), late: None }
    }

    fn illegal(text: impl Into<String>) -> Self {
        Fault { kind: IncidentKind::Illegal, text: text.into(), late: None }
    }
}

/// The report of an agent, unless it crashed or never answered.
pub(super) fn received(answer: Option<Answer>) -> Result<Thought, Fault> {
    match answer {
        Some(Ok(thought)) => Ok(thought),
        Some(Err(text)) => Err(Fault::crash(text)),
        None => Err(Fault::crash("there was no answer")),
    }
}

/// Fails if thinking took longer than allowed, by more than the tolerance.
pub(super) fn check_time(
    time: Duration,
    allowance: Allowance,
    tolerance: Duration,
) -> Result<(), Fault> {
    let late = allowance.time.and_then(|allowed| time.checked_sub(allowed));
    let Some(late) = late.filter(|late| *late > tolerance) else { return Ok(()) };
    let text = format!("the answer was {} ms late", late.as_millis());
    Err(Fault { kind: IncidentKind::Timeout, text, late: Some(late) })
}

/// The best move, if it is legal.
pub(super) fn legal_choice<G: Game>(
    game: &G,
    role: Role,
    legal: &[Move],
    thought: &Thought,
) -> Result<Move, Fault> {
    match thought.moves.first().map(|stats| stats.mv) {
        Some(best) if legal.contains(&best) => Ok(best),
        Some(best) => {
            let name = guarded(|| game.move_name(role, best));
            Err(Fault::illegal(name.unwrap_or_else(|_| format!("move number {}", best.0))))
        }
        None => Err(Fault::illegal("no move was chosen")),
    }
}
