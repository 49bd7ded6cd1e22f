//! Grounding that goes on during a match, for rules that take longer than the start clock.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use ludens_core::{Draft, MoveText, Setup, Trouble, guard};

use super::loading::RuleLoader;
use crate::loads::Playable;

/// Rules are grounded as with a start clock of this length.
const CLOCK: Duration = Duration::from_mins(1);

/// Grounds the rules of a match that has begun without it.
pub(super) struct LateGrounding {
    game: Receiver<Arc<Playable>>,
    pub setup: Setup,
    /// The joint moves so far.
    pub history: Vec<Vec<MoveText>>,
}

impl LateGrounding {
    /// Begins to ground rules again if time or memory ran out. It ends with the match.
    pub fn begin(
        loaded: &Playable,
        loader: RuleLoader,
        setup: &Setup,
        draft: Draft,
    ) -> Option<Self> {
        if !matches!(loaded.report.fallback, Some(Trouble::Exhausted(_))) {
            return None;
        }
        let ((sender, game), rules) = (channel(), setup.rules.clone());
        thread::spawn(move || {
            let grounded = guard(|| loader.game(&rules, CLOCK, &draft));
            if let Ok(Ok(game)) = grounded
                && game.report.fallback.is_none()
            {
                // Nobody waits for it if the match has ended.
                let _ = sender.send(game);
            }
        });
        Some(LateGrounding { game, setup: setup.clone(), history: Vec::new() })
    }

    /// The game, once it is grounded.
    pub fn take(&self) -> Option<Arc<Playable>> {
        self.game.try_recv().ok()
    }
}
