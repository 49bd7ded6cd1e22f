//! Access of a driver to its searches: exclusive, or through the lock of a shared tree.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ludens_core::Game;

use crate::search::Search;

/// The searches of a driver.
pub(crate) enum Access<'a, 'b, G: Game> {
    /// No other thread uses them.
    Exclusive(Vec<&'a mut Search<G>>),
    /// Several threads share one search.
    Shared {
        /// The search.
        search: &'a Mutex<&'b mut Search<G>>,
        /// The number of this thread.
        thread: u32,
    },
}

impl<G: Game> Access<'_, '_, G> {
    /// Runs `work` on the searches.
    pub(crate) fn with<T>(&mut self, work: impl FnOnce(&mut [&mut Search<G>]) -> T) -> T {
        match self {
            Access::Exclusive(searches) => work(searches),
            Access::Shared { search, thread } => {
                let mut search = lock(search);
                search.owner = *thread;
                work(&mut [&mut **search])
            }
        }
    }
}

/// Locks a search. Poisoning is ignored: the panic of a thread is propagated when the threads are joined,
/// which ends the whole search.
pub(crate) fn lock<'a, 'b, G: Game>(
    search: &'a Mutex<&'b mut Search<G>>,
) -> MutexGuard<'a, &'b mut Search<G>> {
    search.lock().unwrap_or_else(PoisonError::into_inner)
}
