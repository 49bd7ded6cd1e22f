//! Games shared by the players of one program, and the memory limit of loading them.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ludens_catalog::{AnyGame, LoadReport, ReasonerKind};
use ludens_core::PlayerError;
use ludens_gdl::Symbols;

use crate::load_once::{LoadOnce, lock};

/// Games in use, each loaded once. Clones share them, and share the memory for loading.
#[derive(Clone)]
pub struct Loads(Arc<Shared>);

struct Shared {
    games: LoadOnce<LoadKey, Playable, PlayerError>,
    /// The memory limit of all loads together.
    bytes: usize,
    /// Bytes reserved by running loads.
    reserved: Mutex<usize>,
}

/// Half of this is enough for all published games at hand that can be grounded in a minute.
const DEFAULT_BYTES: usize = 4 << 30;

/// With fewer bytes hardly any rules can be loaded.
const MIN_BYTES: usize = 16 << 20;

impl Default for Loads {
    fn default() -> Self {
        Loads::within(DEFAULT_BYTES)
    }
}

/// The key of a loaded game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct LoadKey {
    rules: String,
    reasoner: ReasonerKind,
    /// The clock, rounded up to a power of two: a player with much more time does not share the failure of
    /// one with less, and does not keep it waiting.
    seconds: u64,
}

impl LoadKey {
    /// The key of rules that are loaded within a clock.
    pub fn new(rules: &str, reasoner: ReasonerKind, clock: Duration) -> Self {
        let seconds = clock.as_secs().next_power_of_two();
        LoadKey { rules: rules.to_owned(), reasoner, seconds }
    }
}

/// A game with the data that players need.
pub(crate) struct Playable {
    pub game: AnyGame,
    /// The spelling of the rules.
    pub symbols: Symbols,
    pub report: LoadReport,
}

impl Loads {
    /// Loads that together take at most `bytes` bytes at the same time.
    pub fn within(bytes: usize) -> Self {
        let (games, reserved) = (LoadOnce::default(), Mutex::default());
        Loads(Arc::new(Shared { games, bytes, reserved }))
    }

    /// The game of a key, for a player that has waited since `since`. `load` gets its memory limit in
    /// bytes.
    pub(crate) fn get(
        &self,
        (key, since): (LoadKey, Instant),
        load: impl FnOnce(usize) -> Result<Playable, PlayerError>,
        stopped: impl FnOnce() -> bool,
    ) -> Result<Arc<Playable>, PlayerError> {
        self.0.games.get(key, since, || self.reserve(load).map(Arc::new), stopped)
    }

    /// Reserves bytes for some work: half of the free ones, so that some are left for the next load.
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
        let bytes = (loads.0.bytes.saturating_sub(*reserved) / 2).max(MIN_BYTES);
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

    fn key(rules: &str, clock: Duration) -> (LoadKey, Instant) {
        (LoadKey::new(rules, ReasonerKind::Logic, clock), Instant::now())
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
    fn players_with_much_more_time_load_separately() {
        let loads = Loads::default();
        let get = |clock| loads.get(key("a", clock), |_| Ok(playable()), || false).unwrap();
        let (first, second, patient) = (get(CLOCK), get(CLOCK), get(CLOCK * 60));
        assert!(Arc::ptr_eq(&first, &second));
        assert!(!Arc::ptr_eq(&first, &patient), "a longer clock may have loaded more");
    }

    #[test]
    fn loads_at_the_same_time_share_the_memory() {
        let loads = Loads::within(MIN_BYTES * 4);
        let seen = std::cell::RefCell::new(Vec::new());
        let note = |bytes| {
            seen.borrow_mut().push(bytes / MIN_BYTES);
            Err(failure())
        };
        let load = |bytes| {
            let _ = loads.get(key("b", CLOCK), note, || false);
            loads.reserve(|_| loads.reserve(|_| loads.get(key("c", CLOCK), note, || false))).err();
            note(bytes)
        };
        let _ = loads.get(key("a", CLOCK), load, || false);
        let _ = loads.get(key("a", CLOCK), note, || false);
        assert_eq!(*seen.borrow(), [1, 1, 2, 2], "halves, and never less than the minimum");
        assert_eq!(*lock(&loads.0.reserved), 0);
    }

    #[test]
    fn a_panic_releases_the_reserved_bytes() {
        let loads = Loads::within(MIN_BYTES * 4);
        assert!(guard(|| loads.reserve(|_| -> () { panic!("on purpose") })).is_err());
        assert_eq!(*lock(&loads.0.reserved), 0);
    }
}
