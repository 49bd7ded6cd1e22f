//! One game, from the first move to its record.
//!
//! Nothing that an agent does ends a game: an illegal move, a panic and a late answer are noted
//! as [`Incident`](crate::record::Incident)s, and a random legal move is made instead. An agent
//! that never answers cannot be stopped inside one process; how late it was is known afterwards.

mod guard;
mod opening;
mod pool;
mod table;
mod think;

use std::sync::Arc;
use std::time::Duration;

use ludens_core::Game;
use serde::{Deserialize, Serialize};

use crate::clock::{Allowance, Clock, Pace};
use crate::record::GameRecord;
use crate::schedule::Slot;

pub(crate) use guard::guarded;
pub use pool::{AgentMaker, AgentPool};
pub use table::Table;
pub use think::{InTurn, Request, Task, Thinker, Thought};

/// Under which terms games are played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// What each move may cost.
    pub allowance: Allowance,
    /// What getting ready for a game may cost; without it, nobody is asked to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Allowance>,
    /// How much later than allowed an answer may come.
    pub tolerance: Duration,
    /// How many joint moves at the beginning are drawn at random.
    pub opening: usize,
    /// Games that are longer than this count as drawn.
    pub ply_limit: usize,
}

impl Terms {
    /// Usual terms: no time to get ready, no random opening, an answer may be 100 ms late, and a game has at most
    /// 10,000 plies.
    pub fn new(allowance: Allowance) -> Self {
        let tolerance = Duration::from_millis(100);
        Terms { allowance, start: None, tolerance, opening: 0, ply_limit: 10_000 }
    }
}

/// Plays one game to its end, with agents made for it.
pub fn play_game<G: Game>(
    game: &Arc<G>,
    slot: &Slot,
    terms: &Terms,
    agents: &AgentMaker<'_, G>,
    clock: &dyn Clock,
) -> GameRecord {
    let mut pool = AgentPool::new(agents);
    let pace = Pace { allowance: terms.allowance, clock, stop: None };
    let mut table = match Table::open(Arc::clone(game), slot.clone(), terms, &mut pool) {
        Ok(table) => table,
        Err(void) => return *void,
    };
    if let Some(start) = terms.start {
        let mut requests = Vec::new();
        table.ask_to_prepare(&mut requests);
        InTurn.think_all(&mut requests, &Pace { allowance: start, ..pace });
    }
    table.begin();
    while !table.is_over() {
        let mut requests = Vec::new();
        table.ask(&mut pool, &mut requests);
        InTurn.think_all(&mut requests, &pace);
        drop(requests);
        table.make_moves();
    }
    table.close(&mut pool)
}
