//! Games that several players of one program share, and the memory that loading them may take.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ludens_catalog::{AnyGame, LoadReport, ReasonerKind};
use ludens_core::PlayerError;
use ludens_gdl::Symbols;

use crate::load_once::{LoadOnce, lock};

/// Games that are being played, each loaded once. Clones share them, and share the memory for loading.
#[derive(Clone)]
pub struct Loads(Arc<Shared>);

struct Shared {
    games: LoadOnce<Terms, Playable, PlayerError>,
    /// How many bytes all loads together may take.
    bytes: usize,
    /// How many bytes running loads have reserved.
    reserved: Mutex<usize>,
}

/// Half of this is enough for all published games at hand that can be grounded in a minute.
const DEFAULT_BYTES: usize = 4 << 30;

/// With fewer bytes hardly any rules can be loaded.
const LEAST_BYTES: usize = 16 << 20;

impl Default for Loads {
    fn default() -> Self {
        Loads::within(DEFAULT_BYTES)
    }
}

/// What determines how a game is loaded.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Terms {
    rules: String,
    reasoner: ReasonerKind,
    /// The clock, rounded up to a power of two: a player with much more time does not share the failure of
    /// one with less, and does not keep it waiting.
    seconds: u64,
}

impl Terms {
    /// The terms of rules that are to be loaded within a clock.
    pub fn new(rules: &str, reasoner: ReasonerKind, clock: Duration) -> Self {
        let seconds = clock.as_secs().next_power_of_two();
        Terms { rules: rules.to_owned(), reasoner, seconds }
    }
}

/// A game with what players need to know about it.
pub(crate) struct Playable {
    pub game: AnyGame,
    /// The spelling of the rules.
    pub symbols: Symbols,
    pub report: LoadReport,
}

impl Loads {
    /// All loads at the same time may take so many bytes together.
    pub fn within(bytes: usize) -> Self {
        let (games, reserved) = (LoadOnce::default(), Mutex::default());
        Loads(Arc::new(Shared { games, bytes, reserved }))
    }

    /// The game of some terms, for a player that has waited since `since`. `load` gets the number of bytes
    /// that it may take.
    pub(crate) fn get(
        &self,
        (terms, since): (Terms, Instant),
        load: impl FnOnce(usize) -> Result<Playable, PlayerError>,
        stopped: impl FnOnce() -> bool,
    ) -> Result<Arc<Playable>, PlayerError> {
        self.0.games.get(terms, since, || self.reserve(load).map(Arc::new), stopped)
    }

    /// Reserves bytes for some work: half of what is free, so that something is left for the next load.
    pub(crate) fn reserve<T>(&self, work: impl FnOnce(usize) -> T) -> T {
        let reservation = Reservation::new(self);
        work(reservation.bytes)
    }
}

/// Bytes that a load may take until this is dropped.
struct Reservation<'a> {
    loads: &'a Loads,
    bytes: usize,
}

impl<'a> Reservation<'a> {
    fn new(loads: &'a Loads) -> Self {
        let mut reserved = lock(&loads.0.reserved);
        let bytes = (loads.0.bytes.saturating_sub(*reserved) / 2).max(LEAST_BYTES);
        *reserved += bytes;
        Reservation { loads, bytes }
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        *lock(&self.loads.0.reserved) -= self.bytes;
    }
}

#[cfg(test)]
mod tests {
    use ludens_catalog::load_game;
    use ludens_core::{Budget, guard};

    use super::*;

    const CLOCK: Duration = Duration::from_secs(1);

    fn terms(rules: &str, clock: Duration) -> (Terms, Instant) {
        (Terms::new(rules, ReasonerKind::Logic, clock), Instant::now())
    }

    fn playable() -> Playable {
        let loaded = load_game("tictactoe", ReasonerKind::Logic, &Budget::unlimited());
        let loaded = loaded.expect("the library has it");
        Playable { game: loaded.game, symbols: loaded.rules.symbols, report: loaded.report }
    }

    fn failure() -> PlayerError {
        PlayerError::Rules("they are too large".into())
    }

    #[test]
    fn players_with_much_more_time_load_for_themselves() {
        let loads = Loads::default();
        let get = |clock| loads.get(terms("a", clock), |_| Ok(playable()), || false).unwrap();
        let (first, second, patient) = (get(CLOCK), get(CLOCK), get(CLOCK * 60));
        assert!(Arc::ptr_eq(&first, &second));
        assert!(!Arc::ptr_eq(&first, &patient), "a longer clock may have loaded more");
    }

    #[test]
    fn loads_at_the_same_time_share_the_memory() {
        let loads = Loads::within(LEAST_BYTES * 4);
        let seen = std::cell::RefCell::new(Vec::new());
        let note = |bytes| {
            seen.borrow_mut().push(bytes / LEAST_BYTES);
            Err(failure())
        };
        let load = |bytes| {
            let _ = loads.get(terms("b", CLOCK), note, || false);
            loads
                .reserve(|_| loads.reserve(|_| loads.get(terms("c", CLOCK), note, || false)))
                .err();
            note(bytes)
        };
        let _ = loads.get(terms("a", CLOCK), load, || false);
        let _ = loads.get(terms("a", CLOCK), note, || false);
        assert_eq!(*seen.borrow(), [1, 1, 2, 2], "halves, and never less than the least");
        assert_eq!(*lock(&loads.0.reserved), 0);
    }

    #[test]
    fn a_panic_releases_the_reserved_bytes() {
        let loads = Loads::within(LEAST_BYTES * 4);
        assert!(guard(|| loads.reserve(|_| -> () { panic!("on purpose") })).is_err());
        assert_eq!(*lock(&loads.0.reserved), 0);
    }
}
