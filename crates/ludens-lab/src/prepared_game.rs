//! A game that is ready for matches and sessions.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use ludens_catalog::{Cache, CatalogError, LoadedGame, LoadedSource, load_source};

use crate::board::Board;
use crate::event::Events;
use crate::load::{LoadSettings, QUESTION_TIME};

/// A loaded game with a time limit for queries, and its board.
pub struct PreparedGame {
    /// The game.
    pub loaded: LoadedGame,
    board: OnceLock<Board>,
}

impl PreparedGame {
    /// Loads the game that `spec` names: a name of the library, a path, or `-`.
    pub fn load(
        spec: &str,
        settings: &LoadSettings,
        cache: &Cache,
        events: &mut Events<'_>,
    ) -> Result<Arc<Self>, CatalogError> {
        Self::from_source(load_source(spec)?, settings, cache, events)
    }

    /// Loads a game from its text.
    pub fn from_source(
        source: LoadedSource,
        settings: &LoadSettings,
        cache: &Cache,
        events: &mut Events<'_>,
    ) -> Result<Arc<Self>, CatalogError> {
        let loaded = settings.load_source(source, cache, events)?;
        Ok(PreparedGame::new(loaded, QUESTION_TIME))
    }

    /// A loaded game whose reasoner gives up if one query takes longer than `query_time`.
    pub fn new(mut loaded: LoadedGame, query_time: Duration) -> Arc<Self> {
        loaded.game = loaded.game.limited(query_time);
        Arc::new(PreparedGame { loaded, board: OnceLock::new() })
    }

    /// The roles in the order of the rules.
    pub fn roles(&self) -> &[String] {
        self.loaded.game.roles()
    }

    /// The board, detected on first use.
    pub fn board(&self) -> &Board {
        self.board.get_or_init(|| Board::detect(&self.loaded))
    }

    /// The title of the game, or its name if it has none.
    pub fn title(&self) -> &str {
        let title = &self.loaded.source.header.title;
        if title.is_empty() { &self.loaded.source.name } else { title }
    }
}
