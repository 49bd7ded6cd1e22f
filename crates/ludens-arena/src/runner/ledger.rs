//! Where games are written down.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::convert::Infallible;
use std::fmt;

use crate::record::GameRecord;

/// Keeps the games of one experiment. The journal is one; a table in memory is another.
pub trait Ledger {
    /// Why a game cannot be read or written.
    type Error: fmt::Display + fmt::Debug;

    /// All games so far, in the order of the schedule.
    fn games(&self) -> Result<Vec<GameRecord>, Self::Error>;

    /// Writes games down, all or none of them. A game that is there already stays as it is: the
    /// answer has, for each of the games, what stood in its place before.
    fn record(&mut self, games: &[GameRecord]) -> Result<Vec<Option<GameRecord>>, Self::Error>;
}

/// Keeps games, by their place in the schedule, as long as the program runs.
impl Ledger for BTreeMap<usize, GameRecord> {
    type Error = Infallible;

    fn games(&self) -> Result<Vec<GameRecord>, Infallible> {
        Ok(self.values().cloned().collect())
    }

    fn record(&mut self, games: &[GameRecord]) -> Result<Vec<Option<GameRecord>>, Infallible> {
        let mut write = |game: &GameRecord| match self.entry(game.slot.index) {
            Entry::Occupied(there) => Some(there.get().clone()),
            Entry::Vacant(place) => {
                place.insert(game.clone());
                None
            }
        };
        Ok(games.iter().map(&mut write).collect())
    }
}
