//! The state of a run on the calling thread.

use super::ledger::Ledger;
use super::sequential::SequentialTest;
use super::{Observer, RunReport, Scheduler};
use crate::record::GameRecord;
use crate::standing::Scoreboard;
use crate::stats::Verdict;

/// Counts games as they are recorded.
pub(super) struct Progress {
    pub(super) board: Scoreboard,
    test: Option<SequentialTest>,
    /// Games of this run.
    played: usize,
    /// Games of this run that another program had recorded first.
    superseded: usize,
}

impl Progress {
    /// No games yet.
    pub(super) fn new(scheduler: &Scheduler<'_>) -> Self {
        let board = Scoreboard::new(scheduler.names);
        let test = scheduler.sprt.map(|sprt| SequentialTest::new(sprt, scheduler.slots));
        Progress { board, test, played: 0, superseded: 0 }
    }

    /// Records and counts games; returns whether the test has a verdict. If another program has
    /// recorded a game first, its record counts, as it does for every reader of the ledger.
    pub(super) fn record<L: Ledger>(
        &mut self,
        games: &[GameRecord],
        ledger: &mut L,
        observer: &mut dyn Observer,
    ) -> Result<bool, L::Error> {
        let earlier = ledger.record(games)?;
        for (game, earlier) in games.iter().zip(&earlier) {
            *if earlier.is_none() { &mut self.played } else { &mut self.superseded } += 1;
            let game = earlier.as_ref().unwrap_or(game);
            self.count(game);
            observer.game_ended(game, &self.board);
        }
        Ok(self.is_decided())
    }

    /// Counts a game of the ledger.
    pub(super) fn count(&mut self, game: &GameRecord) {
        self.board.add(game);
        if let Some(test) = &mut self.test {
            test.add(game);
        }
    }

    /// Whether the sequential test has a verdict.
    pub(super) fn is_decided(&self) -> bool {
        self.test.as_ref().is_some_and(|test| test.state().verdict != Verdict::Continue)
    }

    /// The report at the end of a run that began with `missing` games to play.
    pub(super) fn into_report(self, missing: usize) -> RunReport {
        let Progress { board, test, played, superseded } = self;
        let missing = missing - played - superseded;
        RunReport { board, played, missing, sprt: test.map(SequentialTest::into_state) }
    }
}
