//! The interface between a scheduler and its workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;

use super::window::StartWindow;
use crate::record::GameRecord;
use crate::schedule::Slot;

/// Gives a worker the games to play and takes their records.
pub struct Queue<'a> {
    pub(super) window: &'a StartWindow<'a>,
    pub(super) records: SyncSender<GameRecord>,
    pub(super) halt: &'a Arc<AtomicBool>,
    pub(super) n_workers: usize,
}

impl<'a> Queue<'a> {
    /// The next game to play. Waits while a sequential test holds games back; `None` when there are
    /// no more, or the run is stopped.
    pub fn take(&self) -> Option<&'a Slot> {
        loop {
            match self.try_take() {
                None if self.is_finished() => return None,
                None => self.window.wait(),
                slot => return slot,
            }
        }
    }

    /// The next game to play, if one may start now.
    pub fn try_take(&self) -> Option<&'a Slot> {
        if self.is_stopped() { None } else { self.window.start() }
    }

    /// Delivers a finished game. Waits while games finish faster than they are written.
    pub fn deliver(&self, game: GameRecord) {
        // The receiver is gone after a failure of the ledger.
        if self.records.send(game).is_err() {
            self.halt.store(true, Ordering::Relaxed);
        }
    }

    /// Gives up a game that was taken: it stays missing.
    pub fn give_up(&self, slot: &Slot) {
        self.window.close(slot);
    }

    /// Waits until more games may start, or for a moment.
    pub fn wait(&self) {
        self.window.wait();
    }

    /// Whether [`Queue::take`] has no more games.
    pub fn is_finished(&self) -> bool {
        self.is_stopped() || self.window.is_exhausted()
    }

    /// Whether the run is stopped: games in progress must be given up.
    pub fn is_stopped(&self) -> bool {
        self.halt.load(Ordering::Relaxed)
    }

    /// The flag behind [`Queue::is_stopped`].
    pub fn stop_flag(&self) -> &'a Arc<AtomicBool> {
        self.halt
    }

    /// How many games this worker may have in progress without taking those of others.
    pub fn share(&self) -> usize {
        self.window.max_open().div_ceil(self.n_workers).max(1)
    }
}

/// Stops the run if its worker panics: others would wait forever for the games it had taken.
pub(super) struct StopOnPanic<'a>(pub(super) &'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}
