//! Games that were loaded, for all who ask for them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use ludens_catalog::{Cache, CatalogError, LoadedGame, ReasonerKind};
use ludens_core::Budget;
use ludens_lab::survey::Options;

use super::slip::Slip;
use crate::cli::{QUESTION_TIME, ReasonerArg};
use crate::commands::show::Surveying;
use crate::painter::Painter;

/// The field of a query that names the game.
const GAME: &str = "game";

/// A game that can be analysed.
pub struct Shelved {
    /// The game.
    pub loaded: LoadedGame,
    painter: OnceLock<Painter>,
}

impl Shelved {
    /// Loads a game.
    pub fn load(spec: &str, reasoner: ReasonerArg, cache: &Cache) -> anyhow::Result<Self> {
        let mut loaded = reasoner.load_game(spec, ReasonerKind::Auto, cache)?;
        loaded.game = loaded.game.limited(QUESTION_TIME);
        Ok(Shelved { loaded, painter: OnceLock::new() })
    }

    /// Who draws its board. A few random games show what can stand on it.
    pub fn painter(&self, coloured: bool) -> &Painter {
        self.painter.get_or_init(|| {
            let budget =
                Budget::unlimited().with_iterations(3).with_time(Duration::from_millis(500));
            let options = Options { max_plies: 200, ..Options::default() };
            let samples = self.loaded.game.with(Surveying { options, budget: &budget }).samples;
            Painter::new(&self.loaded, &samples, coloured)
        })
    }

    /// What the game is called.
    pub fn title(&self) -> &str {
        let title = &self.loaded.source.header.title;
        if title.is_empty() { &self.loaded.source.name } else { title }
    }
}

/// A place for a game; whoever loads it holds the lock, and others wait for the same game only.
type Place = Arc<Mutex<Option<Arc<Shelved>>>>;

/// All games that were asked for.
pub struct Shelf {
    places: Mutex<BTreeMap<String, Place>>,
    reasoner: ReasonerArg,
    cache: Cache,
}

impl Shelf {
    /// A shelf that games are put on as they are asked for.
    pub fn new(reasoner: ReasonerArg, cache: &Cache) -> Self {
        Shelf { places: Mutex::default(), reasoner, cache: cache.clone() }
    }

    /// The game that a text means. One that cannot be loaded is tried again the next time.
    pub fn take(&self, spec: &str) -> Result<Arc<Shelved>, Slip> {
        if spec == "-" {
            let error = "the standard input is for queries; rules are read from a file";
            return Err(Slip::of(GAME, error));
        }
        let place = Arc::clone(lock(&self.places).entry(spec.to_owned()).or_default());
        let mut place = lock(&place);
        if let Some(game) = &*place {
            return Ok(Arc::clone(game));
        }
        let loaded = Shelved::load(spec, self.reasoner, &self.cache);
        let game =
            Arc::new(loaded.map_err(|error| match error.downcast_ref::<CatalogError>() {
                Some(error) => Slip::from_catalog(GAME, error),
                None => Slip::of(GAME, error),
            })?);
        *place = Some(Arc::clone(&game));
        Ok(game)
    }

    /// Takes everything off the shelf.
    pub fn clear(&self) {
        lock(&self.places).clear();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
