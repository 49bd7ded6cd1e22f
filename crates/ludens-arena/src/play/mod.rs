//! One game, from the first move to its record.
//!
//! No agent can end a game: an illegal move, a panic and a late answer are recorded as
//! [`Incident`](crate::record::Incident)s, and a random legal move replaces the agent's. An agent
//! in the same process cannot be interrupted: a late answer is detected when it arrives.

mod fault;
mod guard;
mod ongoing;
mod opening;
mod pool;
mod think;

use std::sync::Arc;
use std::time::Duration;

use ludens_core::Game;
use serde::{Deserialize, Serialize};

use crate::clock::{Allowance, Clock, Pace};
use crate::record::GameRecord;
use crate::schedule::Slot;

pub(crate) use guard::guarded;
pub(crate) use ongoing::OngoingGame;
pub use pool::{AgentMaker, AgentPool};
pub use think::{InTurn, Request, Task, Thinker};

/// The conditions games are played under.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// The limits of each move.
    pub allowance: Allowance,
    /// The limits of preparation before the first move; without them, agents do not prepare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Allowance>,
    /// How late an answer may be.
    pub tolerance: Duration,
    /// How many of the first joint moves are random.
    pub opening: usize,
    /// Games that reach this number of joint moves are drawn.
    pub ply_limit: usize,
    /// Whether records keep the agents' reports on their decisions: visits and means of all moves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep_decisions: bool,
}

impl Terms {
    /// Default terms: no preparation, no random opening, a tolerance of 100 ms, at most 10,000
    /// plies, and no reports in the records.
    pub fn new(allowance: Allowance) -> Self {
        Terms {
            allowance,
            start: None,
            tolerance: Duration::from_millis(100),
            opening: 0,
            ply_limit: 10_000,
            keep_decisions: false,
        }
    }
}

/// Streams of random numbers derived from the seed of a game.
mod stream {
    pub(super) const OPENING: u64 = 0;
    pub(super) const AGENT: u64 = 1;
    /// Moves that replace those of agents at fault.
    pub(super) const SUBSTITUTE: u64 = 2;
}

/// Plays one game to its end, with agents created for it.
pub fn play_game<G: Game>(
    game: &Arc<G>,
    slot: &Slot,
    terms: &Terms,
    agents: &AgentMaker<'_, G>,
    clock: &dyn Clock,
) -> GameRecord {
    let mut pool = AgentPool::new(agents);
    let pace = Pace { allowance: terms.allowance, clock, stop: None };
    let mut ongoing = match OngoingGame::open(Arc::clone(game), slot.clone(), terms, &mut pool) {
        Ok(ongoing) => ongoing,
        Err(void) => return *void,
    };
    if let Some(start) = terms.start {
        let mut requests = Vec::new();
        ongoing.request_preparation(&mut requests);
        InTurn.think_all(&mut requests, &Pace { allowance: start, ..pace });
    }
    ongoing.begin();
    while !ongoing.is_over() {
        let mut requests = Vec::new();
        ongoing.request_moves(&mut pool, &mut requests);
        InTurn.think_all(&mut requests, &pace);
        drop(requests);
        ongoing.make_moves();
    }
    ongoing.close(&mut pool)
}
