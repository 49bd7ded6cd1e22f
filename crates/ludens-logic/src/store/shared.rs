//! The store that all threads share.

use std::sync::Mutex;

use ludens_core::Move;

use super::{Functor, Store, Value};
use crate::halt::Halt;

/// The log that numbers the terms of all threads.
pub(crate) struct SharedStore(Mutex<Store>);

impl SharedStore {
    pub(crate) fn new(store: Store) -> Self {
        SharedStore(Mutex::new(store))
    }

    fn with<T>(&self, local: &mut Store, change: impl FnOnce(&mut Store) -> T) -> T {
        // A poisoned log is still consistent: each entry is complete before the next begins.
        let mut log = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let result = change(&mut log);
        local.catch_up(&log);
        result
    }

    /// Updates the replica of a thread.
    #[cold]
    pub(crate) fn update(&self, local: &mut Store) {
        self.with(local, |_| ());
    }

    /// A replica for a new thread.
    pub(crate) fn replica(&self) -> Store {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    /// The number of a term, which is added if it is new.
    #[cold]
    pub(crate) fn insert(
        &self,
        local: &mut Store,
        functor: Functor,
        args: &[Value],
    ) -> Result<Value, Halt> {
        self.with(local, |log| log.insert(functor, args))
    }

    /// The number of a move, which is added if it is new.
    pub(crate) fn move_of(&self, local: &mut Store, term: Value) -> Move {
        match local.move_ids.get(&term) {
            Some(&m) => m,
            None => self.with(local, |log| log.insert_move(term)),
        }
    }

    /// Parses a ground term.
    pub(crate) fn parse(&self, local: &mut Store, text: &str) -> Option<Value> {
        let (term, words) = ludens_gdl::parse_term(text)?;
        self.with(local, |log| log.insert_parsed(&term, &words))
    }
}
