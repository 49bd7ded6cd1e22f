//! T: the mean time of a uniformly random game, from the initial to a terminal state.
//!
//! It is measured on one thread before the first game of a cell, and stored in the journal as one of the
//! settings of the match, so that a resumed match uses the same T.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ludens_catalog::{ReasonerKind, WithGame};
use ludens_core::{Game, Rng, Simulator, Tally};

use super::experiment::Cell;
use super::journal_status::JournalStatus;
use super::play::Run;
use crate::load::{LoadSettings, QUESTION_TIME};
use crate::stop::Stop;

/// Fewer games would measure chance rather than the game.
const MIN_GAMES: u32 = 20;

/// Less time would measure the machine rather than the game.
const MIN_TIME: Duration = Duration::from_millis(500);

/// The T of a cell: from the journal, or measured now; `None` if the flag is raised meanwhile.
pub fn of_cell(cell: &Cell, run: &mut Run<'_, '_>) -> anyhow::Result<Option<Duration>> {
    let seed = run.settings.seed;
    if let Some(t) = JournalStatus::read(&run.settings.journal)?.t(cell, seed) {
        return Ok(Some(t));
    }
    let load = LoadSettings::from(cell.reasoner.parse::<ReasonerKind>()?);
    let loaded = load.load_game(&cell.game, run.cache, run.events)?;
    Ok(loaded.game.limited(QUESTION_TIME).with(Measuring { seed, stop: run.stop }))
}

/// Measures with the game in its concrete type.
struct Measuring<'a> {
    seed: u64,
    stop: &'a Stop,
}

impl WithGame for Measuring<'_> {
    type Out = Option<Duration>;

    fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
        let (initial, mut rng) = (game.initial(), Rng::new(self.seed));
        let mut simulator = game.simulator();
        // Warms up the caches.
        play(&mut *simulator, &initial, &mut rng);
        let (begun, mut games) = (Instant::now(), 0);
        while games < MIN_GAMES || begun.elapsed() < MIN_TIME {
            if self.stop.is_raised() {
                return None;
            }
            play(&mut *simulator, &initial, &mut rng);
            games += 1;
        }
        Some((begun.elapsed() / games).max(Duration::from_nanos(1)))
    }
}

fn play<G: Game>(simulator: &mut dyn Simulator<G>, initial: &G::State, rng: &mut Rng) {
    simulator.tally(&[initial], 1, rng, &mut [Tally::default()]);
}
