//! Settings of loading games.

use std::time::Duration;

use ludens_catalog::{
    Cache, CatalogError, GroundLimits, LoadedGame, LoadedSource, Loader, ReasonerKind, load_source,
};
use ludens_core::Budget;
use serde::{Deserialize, Serialize};

use crate::event::{Events, report_fallback};

/// The time limit of one query to a reasoner, so that hostile rules end in an error.
pub const QUESTION_TIME: Duration = Duration::from_secs(10);

/// Limits of loading rules, besides grounding.
const LOAD_TIME: Duration = Duration::from_mins(1);
const LOAD_BYTES: usize = 2 << 30;

/// The budget of loading rules without grounding.
pub fn load_budget() -> Budget {
    Budget::unlimited().with_bytes(LOAD_BYTES).with_time(LOAD_TIME)
}

/// The reasoner, and the limits of grounding; `None` is the default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LoadSettings {
    /// The reasoner.
    pub reasoner: Option<ReasonerKind>,
    /// How long grounding may take.
    pub ground_time: Option<Duration>,
    /// How much memory grounding may take.
    pub ground_bytes: Option<usize>,
}

impl From<ReasonerKind> for LoadSettings {
    /// The given reasoner, with the default limits.
    fn from(reasoner: ReasonerKind) -> Self {
        LoadSettings { reasoner: Some(reasoner), ..LoadSettings::default() }
    }
}

impl LoadSettings {
    /// The reasoner; `auto` if none is set.
    pub fn kind(&self) -> ReasonerKind {
        self.reasoner.unwrap_or(ReasonerKind::Auto)
    }

    /// A loader with these settings.
    pub fn loader(&self, cache: &Cache) -> Loader {
        let default = GroundLimits::default();
        let ground = GroundLimits {
            time: self.ground_time.unwrap_or(default.time),
            bytes: self.ground_bytes.unwrap_or(default.bytes),
        };
        // Rules that cannot be grounded have the full load time left afterwards.
        let budget = Budget::unlimited()
            .with_bytes(LOAD_BYTES.max(ground.bytes))
            .with_time(LOAD_TIME.saturating_add(ground.time));
        Loader { reasoner: self.kind(), budget, ground, cache: cache.clone() }
    }

    /// Loads the game that `spec` names: a name of the library, a path, or `-`.
    pub fn load_game(
        &self,
        spec: &str,
        cache: &Cache,
        events: &mut Events<'_>,
    ) -> Result<LoadedGame, CatalogError> {
        self.load_source(load_source(spec)?, cache, events)
    }

    /// Loads a game from its text.
    pub fn load_source(
        &self,
        source: LoadedSource,
        cache: &Cache,
        events: &mut Events<'_>,
    ) -> Result<LoadedGame, CatalogError> {
        let loader = self.loader(cache);
        let loaded = loader.load_text(source)?;
        report_fallback(&loaded, loader.ground, events);
        Ok(loaded)
    }
}
