//! Between trials: matches of earlier trials are ended, and the player is free.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::play::abort;
use super::subject::Subject;
use crate::info::{PlayerInfo, Status};

/// The matches that may be running: START was sent, and nothing shows that they are over.
#[derive(Default)]
pub(super) struct OpenMatches(Mutex<BTreeSet<String>>);

impl OpenMatches {
    fn lock(&self) -> MutexGuard<'_, BTreeSet<String>> {
        // Nothing panics while it holds the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// START is sent for a match.
    pub(super) fn add(&self, id: &str) {
        self.lock().insert(id.to_owned());
    }

    /// The player refused a match, or answered STOP or ABORT.
    pub(super) fn remove(&self, id: &str) {
        self.lock().remove(id);
    }

    fn ids(&self) -> Vec<String> {
        self.lock().iter().cloned().collect()
    }
}

/// The time between two questions whether the player is free.
const PAUSE: Duration = Duration::from_millis(20);

impl Subject {
    /// Sends ABORT for every match that may be running.
    pub(super) async fn end_matches(&self) {
        for id in self.open.ids() {
            abort(self, &id).await;
        }
    }

    /// Ends all matches and waits until the player is free; an error says why a trial cannot begin.
    pub(super) async fn reset(&self) -> Result<(), String> {
        let begun = Instant::now();
        loop {
            self.end_matches().await;
            // A player that serves one message at a time may still think about a move that was lost.
            let Ok(reply) = self.ask("( INFO )", self.hold()).await else {
                return Err(format!("INFO had no answer within {:?}", self.hold()));
            };
            let (status, open) = (PlayerInfo::read(&reply.text).status, self.open.ids());
            if status == Status::Available || status == Status::Unknown && open.is_empty() {
                // A player that does not answer ABORT, but is available, has left its match.
                for id in &open {
                    self.open.remove(id);
                }
                return Ok(());
            }
            if begun.elapsed() > self.options.most_busy {
                return Err(self.why_busy(&open));
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    fn why_busy(&self, open: &[String]) -> String {
        let limit = self.options.most_busy;
        match open {
            [] => format!(
                "INFO said `busy` for {limit:?}, though no match of these trials is running"
            ),
            _ => format!("ABORT of an earlier trial's match had no answer for {limit:?}"),
        }
    }
}
