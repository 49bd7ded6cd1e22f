//! Where games are written down.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;

use crate::record::GameRecord;

/// Keeps the games of one experiment. The journal is one; a table in memory is another.
pub trait Ledger {
    /// Why a game cannot be read or written.
    type Error: fmt::Display + fmt::Debug;

    /// All games so far, in the order of the schedule.
    fn games(&self) -> Result<Vec<GameRecord>, Self::Error>;

    /// Writes games down, all or none of them; a game that is there already stays as it is.
    fn record(&mut self, games: &[GameRecord]) -> Result<(), Self::Error>;
}

/// Keeps games, by their place in the schedule, as long as the program runs.
impl Ledger for BTreeMap<usize, GameRecord> {
    type Error = Infallible;

    fn games(&self) -> Result<Vec<GameRecord>, Infallible> {
        Ok(self.values().cloned().collect())
    }

    fn record(&mut self, games: &[GameRecord]) -> Result<(), Infallible> {
        for game in games {
            self.entry(game.slot.index).or_insert_with(|| game.clone());
        }
        Ok(())
    }
}
