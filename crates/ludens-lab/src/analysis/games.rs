//! Games that queries share.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use ludens_catalog::Cache;

use crate::event::{Event, Events};
use crate::load::LoadSettings;
use crate::load_once::{LoadOnce, lock};
use crate::prepared_game::PreparedGame;
use crate::session::InputError;

/// The field of a query that names the game.
const GAME: &str = "game";

/// Games by name, each loaded once and kept.
pub struct SharedGames {
    loads: LoadOnce<String, PreparedGame, InputError>,
    kept: Mutex<BTreeMap<String, Arc<PreparedGame>>>,
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
        SharedGames {
            loads: LoadOnce::default(),
            kept: Mutex::default(),
            settings,
            cache: cache.clone(),
            events: Mutex::new(Box::new(events)),
        }
    }

    /// The game of a name. One that cannot be loaded is tried again the next time.
    pub fn get(&self, spec: &str) -> Result<Arc<PreparedGame>, InputError> {
        if spec == "-" {
            let error = "the standard input is for queries; rules are read from a file";
            return Err(InputError::of(GAME, error));
        }
        let load = || {
            let events = &mut |event: Event<'_>| (lock(&self.events))(event);
            let game = PreparedGame::load(spec, &self.settings, &self.cache, events);
            game.map_err(|error| InputError::from_catalog(GAME, &error))
        };
        let game = self.loads.get(spec.to_owned(), Instant::now(), load, || false)?;
        lock(&self.kept).insert(spec.to_owned(), Arc::clone(&game));
        Ok(game)
    }

    /// Drops all games.
    pub fn clear(&self) {
        lock(&self.kept).clear();
        self.loads.clear();
    }
}
