//! Storage of finished games.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::convert::Infallible;
use std::fmt;

use crate::record::GameRecord;

/// The finished games of one experiment, on disk (the journal) or in memory.
pub trait Ledger {
    /// Why a game cannot be read or written.
    type Error: fmt::Display + fmt::Debug;

    /// All finished games, in schedule order.
    fn games(&self) -> Result<Vec<GameRecord>, Self::Error>;

    /// Records games, all or none. Earlier records are kept; the result holds, for each of the
    /// games, the earlier record of its slot.
    fn record(&mut self, games: &[GameRecord]) -> Result<Vec<Option<GameRecord>>, Self::Error>;
}

/// Games in memory, by their index in the schedule.
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
