//! How the rules of matches are loaded.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ludens_catalog::{Cache, CatalogError, LoadedGame, LoadedSource, Loader, ReasonerKind};
use ludens_core::{Budget, Draft, PlayerError};
use ludens_gdl::Severity;

use crate::loads::{LoadKey, Loads, Playable};

/// The share of the start clock for grounding; the rest is for the reference reasoner, if grounding fails,
/// and for the search.
const GROUNDING_SHARE: f64 = 0.6;

/// Bytes of grounding per second of the clock, so that rules with an infinite grounding fail sooner. With a
/// start clock of a second these are 192 MiB; of the published games at hand, none that can be grounded in
/// that time takes 160.
const GROUNDING_BYTES_PER_SECOND: f64 = 256.0 * 1024.0 * 1024.0;

/// How many start clocks loading may take in total: rules may be infinite. A player that is not ready in
/// time misses some moves, but plays better ones later.
const LOADING_CLOCKS: f64 = 2.0;

/// With a shorter start clock, rules are loaded as if it were this share of a play clock.
pub(super) const MIN_CLOCK_SHARE: f64 = 0.5;

/// The fallback has more time, and fewer bytes. It precomputes little: with this limit of steps per
/// relation it is ready after a few milliseconds instead of half a second, and answers hardly more slowly.
const FALLBACK_TIME: Duration = Duration::from_secs(20);
pub(super) const FALLBACK_BYTES: usize = 128 << 20;
const FALLBACK_STEPS: u64 = 10_000;

/// Loads the rules of matches. Clones share games and memory.
#[derive(Clone)]
pub(super) struct RuleLoader {
    pub reasoner: ReasonerKind,
    pub cache: Cache,
    pub loads: Loads,
}

impl RuleLoader {
    /// Whether its games are for a player that must be ready at once.
    pub fn is_fallback(&self) -> bool {
        self.reasoner == ReasonerKind::Logic
    }

    /// The budget for loading the rules of a match, given the rest of the start clock and the free bytes.
    fn budget(&self, clock: Duration, bytes: usize, stop: Arc<AtomicBool>) -> Budget {
        let budget = Budget::unlimited().with_stop(stop);
        if self.is_fallback() {
            budget
                .with_time(clock + FALLBACK_TIME)
                .at_most(FALLBACK_STEPS, bytes.min(FALLBACK_BYTES))
        } else {
            budget.with_time(clock.mul_f64(LOADING_CLOCKS)).with_bytes(bytes)
        }
    }

    /// The game of a match, given the rest of the start clock.
    pub fn game(
        &self,
        rules: &str,
        clock: Duration,
        draft: &Draft,
    ) -> Result<Arc<Playable>, PlayerError> {
        let load = |bytes| {
            let loaded = self.load(rules, clock, self.budget(clock, bytes, draft.stop_flag()))?;
            let symbols = loaded.rules.symbols;
            Ok(Playable { game: loaded.game, symbols, report: loaded.report })
        };
        let key = LoadKey::new(rules, self.reasoner, clock);
        self.loads.get((key, Instant::now()), load, || draft.is_stopped())
    }

    /// Loads and caches rules before their match.
    pub fn preview(&self, rules: &str, deadline: Instant) {
        let clock = deadline.saturating_duration_since(Instant::now());
        let budget = Budget::unlimited().with_deadline(deadline);
        // Rules that cannot be loaded are refused when a match begins.
        let _ = self.loads.reserve(|bytes| self.load(rules, clock, budget.with_bytes(bytes)));
    }

    /// Loads rules.
    fn load(
        &self,
        rules: &str,
        clock: Duration,
        budget: Budget,
    ) -> Result<LoadedGame, PlayerError> {
        let source = LoadedSource::from_bytes("rules", rules.as_bytes());
        let mut loader = Loader::new(self.reasoner, budget);
        loader.ground.time = loader.ground.time.min(clock.mul_f64(GROUNDING_SHARE));
        let bytes = (clock.as_secs_f64() * GROUNDING_BYTES_PER_SECOND) as usize;
        loader.ground.bytes = loader.ground.bytes.min(bytes);
        loader.cache = self.cache.clone();
        loader.load_text(source).map_err(|error| PlayerError::Rules(reason(&error)))
    }
}

/// Why rules are refused, in one line.
fn reason(error: &CatalogError) -> String {
    match error {
        CatalogError::Rules { problems, .. } => {
            let first = problems.iter().find(|problem| problem.severity == Severity::Error);
            first.map_or_else(|| error.to_string(), |problem| problem.message.clone())
        }
        _ => error.to_string(),
    }
}
