//! All games of a tournament together.

use ludens_arena::record::GameRecord;
use ludens_arena::standing::Scoreboard;

use super::naming::distinct;
use super::void::VoidGames;

/// The score over all games of a tournament.
pub struct Total {
    /// The standing over all contests.
    pub board: Scoreboard,
    /// Games that do not count.
    pub void: VoidGames,
    /// How many contests were added.
    pub n_contests: usize,
    /// How many games are missing in these contests.
    pub missing: usize,
    /// How many games of these contests the journal has.
    pub recorded: usize,
    /// The first unused meeting number.
    next_meeting: usize,
}

impl Total {
    /// No games of these agents yet.
    pub fn new(agents: &[String]) -> Self {
        let (board, void) = (Scoreboard::new(&distinct(agents)), VoidGames::default());
        Total { board, void, n_contests: 0, missing: 0, recorded: 0, next_meeting: 0 }
    }

    /// Adds the games of a contest, with how many of its games are missing and in the journal.
    pub fn add(&mut self, games: Vec<GameRecord>, missing: usize, recorded: usize) {
        let first = self.next_meeting;
        for mut game in games {
            // Each contest numbers its meetings from 0, and meetings identify rounds.
            game.slot.game = self.n_contests;
            game.slot.meeting += first;
            self.next_meeting = self.next_meeting.max(game.slot.meeting + 1);
            self.board.add(&game);
            self.void.add(&game);
        }
        self.n_contests += 1;
        self.missing += missing;
        self.recorded += recorded;
    }
}
