//! Rules that several players of one program play at the same time are loaded once: whoever comes while
//! somebody loads them waits for the result, and what nobody plays any more is forgotten. All who load share
//! the memory that is there for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use ludens_core::PlayerError;
use ludens_gdl::Symbols;

use ludens_catalog::{AnyGame, LoadReport, ReasonerKind};

/// The games that are being played.
#[derive(Clone)]
pub struct Loads(Arc<Shared>);

struct Shared {
    slots: Mutex<HashMap<Terms, Arc<Mutex<Slot>>>>,
    /// How many bytes may be lent for loading.
    bytes: usize,
    /// How many are lent to loads that are under way.
    lent: Mutex<usize>,
}

/// Half of this is enough for all published games at hand that can be ground in a minute.
const USUAL_BYTES: usize = 4 << 30;

/// With fewer bytes hardly any rules can be loaded.
const LEAST_BYTES: usize = 16 << 20;

impl Default for Loads {
    fn default() -> Self {
        Loads::within(USUAL_BYTES)
    }
}

/// What is loaded under the same terms is the same.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Terms {
    pub rules: String,
    pub reasoner: ReasonerKind,
    patience: u64,
}

impl Terms {
    /// Terms for rules that are to be loaded within a clock. Who has much more time than others does not
    /// take their failure for its own, and does not keep them waiting.
    pub fn new(rules: &str, reasoner: ReasonerKind, clock: Duration) -> Self {
        let patience = clock.as_secs().next_power_of_two();
        Terms { rules: rules.to_owned(), reasoner, patience }
    }
}

/// A game with what players need to know about it.
pub(crate) struct Playable {
    pub game: AnyGame,
    /// How the rules spell their words.
    pub symbols: Symbols,
    pub report: LoadReport,
}

/// What came of loading.
#[derive(Default)]
struct Slot {
    playable: Weak<Playable>,
    /// When it failed last, and why.
    failed: Option<(Instant, PlayerError)>,
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    // Whoever panicked while it loaded has entered nothing.
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Loads {
    /// All that is loaded at the same time may take so many bytes.
    pub fn within(bytes: usize) -> Self {
        Loads(Arc::new(Shared { slots: Mutex::default(), bytes, lent: Mutex::default() }))
    }

    /// The game of some terms for somebody who came just then. Whoever was waiting when loading failed has
    /// failed too, unless the other one was told to stop. Whoever loads is told how many bytes there are for it.
    pub(crate) fn take(
        &self,
        (terms, came): (Terms, Instant),
        load: impl FnOnce(usize) -> Result<Playable, PlayerError>,
        stopped: impl FnOnce() -> bool,
    ) -> Result<Arc<Playable>, PlayerError> {
        let slot = self.slot(terms);
        let mut slot = lock(&slot);
        if let Some(known) = slot.playable.upgrade() {
            return Ok(known);
        }
        if let Some((when, error)) = &slot.failed
            && came < *when
        {
            return Err(error.clone());
        }
        let loaded = self.lend(load).map(Arc::new);
        match &loaded {
            Ok(playable) => slot.playable = Arc::downgrade(playable),
            Err(error) => slot.failed = (!stopped()).then(|| (Instant::now(), error.clone())),
        }
        loaded
    }

    /// Lends bytes for some work: half of what nobody has, so that there is something left for the next one.
    pub(crate) fn lend<T>(&self, work: impl FnOnce(usize) -> T) -> T {
        let loan = Loan::new(self);
        work(loan.bytes)
    }

    /// The place of some terms; places that nobody needs any more are given up.
    fn slot(&self, terms: Terms) -> Arc<Mutex<Slot>> {
        let mut slots = lock(&self.0.slots);
        slots.retain(|_, slot| {
            Arc::strong_count(slot) > 1 || lock(slot).playable.strong_count() > 0
        });
        Arc::clone(slots.entry(terms).or_default())
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        lock(&self.0.slots).len()
    }
}

/// Bytes that somebody may use, until this is dropped.
struct Loan<'a> {
    loads: &'a Loads,
    bytes: usize,
}

impl<'a> Loan<'a> {
    fn new(loads: &'a Loads) -> Self {
        let mut lent = lock(&loads.0.lent);
        let bytes = (loads.0.bytes.saturating_sub(*lent) / 2).max(LEAST_BYTES);
        *lent += bytes;
        Loan { loads, bytes }
    }
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        *lock(&self.loads.0.lent) -= self.bytes;
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Budget;

    use super::*;
    use ludens_catalog::load_game;

    const CLOCK: Duration = Duration::from_secs(1);

    fn terms(rules: &str, clock: Duration) -> (Terms, Instant) {
        (Terms::new(rules, ReasonerKind::Logic, clock), Instant::now())
    }

    fn playable() -> Playable {
        let loaded = load_game("tictactoe", ReasonerKind::Logic, &Budget::unlimited());
        let loaded = loaded.expect("the library has it");
        Playable { game: loaded.game, symbols: loaded.rules.symbols, report: loaded.report }
    }

    fn unneeded(_: usize) -> Result<Playable, PlayerError> {
        panic!("nothing needs to be loaded")
    }

    fn failure() -> PlayerError {
        PlayerError::Rules("they are too large".into())
    }

    #[test]
    fn games_are_shared_as_long_as_somebody_plays_them() {
        let loads = Loads::default();
        let take = |clock| loads.take(terms("a", clock), |_| Ok(playable()), || false).unwrap();
        let first = take(CLOCK);
        let second = loads.take(terms("a", CLOCK), unneeded, || false).unwrap();
        assert!(Arc::ptr_eq(&first, &second));
        let patient = take(CLOCK * 60);
        assert!(!Arc::ptr_eq(&first, &patient), "who has more time may have loaded more");
        assert_eq!(loads.len(), 2);
        let weak = Arc::downgrade(&first);
        drop((first, second, patient));
        assert_eq!(weak.strong_count(), 0);
        let _other = loads.take(terms("b", CLOCK), |_| Ok(playable()), || false);
        assert_eq!(loads.len(), 1, "what nobody plays is forgotten");
    }

    #[test]
    fn a_failure_is_that_of_all_who_waited_for_it() {
        let loads = Loads::default();
        let waiting = terms("a", CLOCK);
        // The slot is kept while somebody waits for it.
        let _slot = loads.slot(waiting.0.clone());
        let failed = loads.take(terms("a", CLOCK), |_| Err(failure()), || false);
        assert_eq!(failed.err(), Some(failure()));
        let failed = loads.take(waiting.clone(), unneeded, || false);
        assert_eq!(failed.err(), Some(failure()));
        assert!(loads.take(terms("a", CLOCK), |_| Ok(playable()), || false).is_ok(), "a new trial");
    }

    #[test]
    fn loads_at_the_same_time_share_what_there_is() {
        let loads = Loads::within(LEAST_BYTES * 4);
        let seen = std::cell::RefCell::new(Vec::new());
        let note = |bytes| {
            seen.borrow_mut().push(bytes / LEAST_BYTES);
            Err(failure())
        };
        let load = |bytes| {
            let _ = loads.take(terms("b", CLOCK), note, || false);
            loads.lend(|_| loads.lend(|_| loads.take(terms("c", CLOCK), note, || false))).err();
            note(bytes)
        };
        let _ = loads.take(terms("a", CLOCK), load, || false);
        let _ = loads.take(terms("a", CLOCK), note, || false);
        assert_eq!(*seen.borrow(), [1, 1, 2, 2], "halves, and never less than the least");
        assert_eq!(*lock(&loads.0.lent), 0);
    }

    #[test]
    fn whoever_panics_gives_its_bytes_back() {
        let loads = Loads::within(LEAST_BYTES * 4);
        let panics = || loads.lend(|_| panic!("on purpose"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).is_err());
        assert_eq!(*lock(&loads.0.lent), 0);
    }

    #[test]
    fn who_is_told_to_stop_fails_alone() {
        let loads = Loads::default();
        let waiting = terms("a", CLOCK);
        let _slot = loads.slot(waiting.0.clone());
        assert!(loads.take(terms("a", CLOCK), |_| Err(failure()), || true).is_err());
        assert!(loads.take(waiting, |_| Ok(playable()), || false).is_ok());
    }
}
