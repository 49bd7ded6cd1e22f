//! Games that queries share.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ludens_catalog::Cache;

use crate::event::{Event, Events};
use crate::load::LoadSettings;
use crate::prepared_game::PreparedGame;
use crate::session::InputError;

/// The field of a query that names the game.
const GAME: &str = "game";

/// A slot for a game. A worker that loads holds the lock, and others wait for the same game only.
type Slot = Arc<Mutex<Option<Arc<PreparedGame>>>>;

/// Games by name, each loaded once.
pub struct SharedGames {
    slots: Mutex<BTreeMap<String, Slot>>,
    settings: LoadSettings,
    cache: Cache,
    events: Mutex<Box<Events<'static>>>,
}

impl SharedGames {
    /// No games yet.
    pub fn new(
        settings: LoadSettings,
        cache: &Cache,
        events: impl FnMut(Event<'_>) + Send + 'static,
    ) -> Self {
        let events: Box<Events<'static>> = Box::new(events);
        SharedGames {
            slots: Mutex::default(),
            settings,
            cache: cache.clone(),
            events: Mutex::new(events),
        }
    }

    /// The game of a name. One that cannot be loaded is tried again the next time.
    pub fn get(&self, spec: &str) -> Result<Arc<PreparedGame>, InputError> {
        if spec == "-" {
            let error = "the standard input is for queries; rules are read from a file";
            return Err(InputError::of(GAME, error));
        }
        let slot = Arc::clone(lock(&self.slots).entry(spec.to_owned()).or_default());
        let mut slot = lock(&slot);
        if let Some(game) = &*slot {
            return Ok(Arc::clone(game));
        }
        let events = &mut |event: Event<'_>| (lock(&self.events))(event);
        let game = PreparedGame::load(spec, &self.settings, &self.cache, events);
        let game = game.map_err(|error| InputError::from_catalog(GAME, &error))?;
        *slot = Some(Arc::clone(&game));
        Ok(game)
    }

    /// Forgets all games.
    pub fn clear(&self) {
        lock(&self.slots).clear();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
