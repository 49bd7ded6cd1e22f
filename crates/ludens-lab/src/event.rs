//! Events of a run, for the program that started it.

use ludens_arena::record::GameRecord;
use ludens_arena::runner::Observer;
use ludens_arena::standing::Scoreboard;
use ludens_catalog::{GroundLimits, LoadedGame};
use ludens_core::Trouble;

use crate::reproduce::experiment::Cell;
use crate::reproduce::findings::Measured;
use crate::training::Metrics;

/// An event.
#[derive(Clone, Copy)]
pub enum Event<'a> {
    /// Rules could not be grounded within their limits, so the slower reference reasoner runs them.
    NotGrounded {
        /// The game.
        game: &'a str,
        /// The limits of grounding.
        limits: GroundLimits,
        /// Why it failed.
        trouble: &'a Trouble,
    },
    /// A contest begins or resumes.
    ContestBegun {
        /// How many of its games are in the journal.
        done: usize,
        /// The total number.
        total: usize,
        /// The standing.
        board: &'a Scoreboard,
    },
    /// A game of a contest ended and is in the journal.
    GameEnded {
        /// The game.
        game: &'a GameRecord,
        /// The standing.
        board: &'a Scoreboard,
    },
    /// A cell of an experiment begins.
    CellBegun {
        /// The cell.
        cell: &'a Cell,
        /// Its number among the selected cells, from 1.
        number: usize,
        /// How many cells are selected.
        n_cells: usize,
    },
    /// A cell of an experiment ended.
    CellEnded {
        /// The cell.
        cell: &'a Cell,
        /// What was measured, if there are games.
        measured: Option<&'a Measured>,
    },
    /// An initial policy is being learnt for another position.
    Learning {
        /// The game.
        game: &'a str,
        /// The number of the position, from 1.
        position: usize,
        /// How many positions there are.
        n_positions: usize,
    },
    /// A network is being trained.
    Training {
        /// Its name in the experiment.
        network: &'a str,
        /// The state of the training.
        metrics: &'a Metrics,
    },
}

/// Receives events, on whichever thread they happen.
pub type Events<'a> = dyn FnMut(Event<'_>) + Send + 'a;

/// Reports that a game fell back to the reference reasoner, if it did.
pub(crate) fn report_fallback(loaded: &LoadedGame, limits: GroundLimits, events: &mut Events<'_>) {
    if let Some(trouble) = &loaded.report.fallback {
        events(Event::NotGrounded { game: &loaded.source.name, limits, trouble });
    }
}

/// The arena's observer as events.
pub(crate) struct Reporter<'a, 'e>(pub &'a mut Events<'e>);

impl Observer for Reporter<'_, '_> {
    fn begun(&mut self, done: usize, total: usize, board: &Scoreboard) {
        (self.0)(Event::ContestBegun { done, total, board });
    }

    fn game_ended(&mut self, game: &GameRecord, board: &Scoreboard) {
        (self.0)(Event::GameEnded { game, board });
    }
}
