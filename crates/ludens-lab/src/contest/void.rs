//! Void games, which do not count.

use std::collections::BTreeMap;

use ludens_arena::record::{Ending, GameRecord};

/// The number of void games by reason.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VoidGames(BTreeMap<String, u64>);

impl VoidGames {
    /// The void games among some games.
    pub fn of(games: &[GameRecord]) -> Self {
        let mut void = VoidGames::default();
        for game in games {
            void.add(game);
        }
        void
    }

    /// Adds a game, which may count.
    pub fn add(&mut self, game: &GameRecord) {
        if let Ending::Void(why) = &game.ending {
            *self.0.entry(why.clone()).or_default() += 1;
        }
    }

    /// The reasons, each with the number of its games.
    pub fn reasons(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(why, n)| (why.as_str(), *n))
    }
}
