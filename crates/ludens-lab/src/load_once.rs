//! Values that are expensive to load, shared by all users.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

/// Loads the value of each key once. Concurrent callers wait for the result; a value that is no longer used
/// is dropped.
pub(crate) struct LoadOnce<K, V, E> {
    slots: Mutex<HashMap<K, SharedSlot<V, E>>>,
}

/// A slot that several callers wait for.
type SharedSlot<V, E> = Arc<Mutex<Slot<V, E>>>;

/// The value of a key.
struct Slot<V, E> {
    value: Weak<V>,
    /// The time and the error of the last failure.
    failed: Option<(Instant, E)>,
}

impl<V, E> Default for Slot<V, E> {
    fn default() -> Self {
        Slot { value: Weak::new(), failed: None }
    }
}

impl<K, V, E> Default for LoadOnce<K, V, E> {
    fn default() -> Self {
        LoadOnce { slots: Mutex::default() }
    }
}

/// Locks a mutex. A panic during loading leaves the value unchanged.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<K: Eq + Hash, V, E: Clone> LoadOnce<K, V, E> {
    /// The value of a key, for a caller that has waited since `since`. If loading failed meanwhile, the
    /// caller gets the same error, unless the caller that loaded was `stopped`.
    pub(crate) fn get(
        &self,
        key: K,
        since: Instant,
        load: impl FnOnce() -> Result<Arc<V>, E>,
        stopped: impl FnOnce() -> bool,
    ) -> Result<Arc<V>, E> {
        let slot = self.slot(key);
        let mut slot = lock(&slot);
        if let Some(known) = slot.value.upgrade() {
            return Ok(known);
        }
        if let Some((when, error)) = &slot.failed
            && since < *when
        {
            return Err(error.clone());
        }
        let loaded = load();
        match &loaded {
            Ok(value) => slot.value = Arc::downgrade(value),
            Err(error) => slot.failed = (!stopped()).then(|| (Instant::now(), error.clone())),
        }
        loaded
    }

    /// Drops all values, also those in use.
    pub(crate) fn clear(&self) {
        lock(&self.slots).clear();
    }

    /// The slot of a key; unused slots are removed.
    fn slot(&self, key: K) -> SharedSlot<V, E> {
        let mut slots = lock(&self.slots);
        slots.retain(|_, slot| Arc::strong_count(slot) > 1 || lock(slot).value.strong_count() > 0);
        Arc::clone(slots.entry(key).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Loads = LoadOnce<&'static str, u32, &'static str>;

    fn unneeded() -> Result<Arc<u32>, &'static str> {
        panic!("nothing needs to be loaded")
    }

    #[test]
    fn values_are_shared_while_they_are_used() {
        let (loads, now) = (Loads::default(), Instant::now());
        let first = loads.get("a", now, || Ok(Arc::new(1)), || false).unwrap();
        let second = loads.get("a", now, unneeded, || false).unwrap();
        assert!(Arc::ptr_eq(&first, &second));
        let other = loads.get("b", now, || Ok(Arc::new(2)), || false).unwrap();
        assert_eq!((*other, lock(&loads.slots).len()), (2, 2));
        let weak = Arc::downgrade(&first);
        drop((first, second));
        assert_eq!(weak.strong_count(), 0);
        let _third = loads.get("c", now, || Ok(Arc::new(3)), || false);
        assert_eq!(lock(&loads.slots).len(), 2, "unused values are dropped");
        loads.clear();
        let again = loads.get("b", now, || Ok(Arc::new(4)), || false).unwrap();
        assert_eq!((*other, *again), (2, 4), "cleared values are loaded again");
    }

    #[test]
    fn waiting_callers_share_a_failure() {
        let (loads, before) = (Loads::default(), Instant::now());
        // A waiting caller holds the slot.
        let _slot = loads.slot("a");
        assert_eq!(loads.get("a", before, || Err("too large"), || false), Err("too large"));
        assert_eq!(loads.get("a", before, unneeded, || false), Err("too large"));
        let later = loads.get("a", Instant::now(), || Ok(Arc::new(1)), || false);
        assert_eq!(later, Ok(Arc::new(1)), "a new attempt");
    }

    #[test]
    fn a_stopped_load_fails_alone() {
        let (loads, before) = (Loads::default(), Instant::now());
        let _slot = loads.slot("a");
        assert!(loads.get("a", before, || Err("stopped"), || true).is_err());
        assert_eq!(loads.get("a", before, || Ok(Arc::new(1)), || false), Ok(Arc::new(1)));
    }
}
