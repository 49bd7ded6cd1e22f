//! All games of a tournament together.

use std::io::Write;

use ludens_arena::record::GameRecord;
use ludens_arena::standing::{Scoreboard, Standing};
use serde::Serialize;

use crate::console::Console;
use crate::contest::{Void, distinct, tell_board};

/// The score over all games of a tournament.
pub(crate) struct Total {
    board: Scoreboard,
    void: Void,
    n_contests: usize,
    /// The first number of a meeting that no contest has used.
    next_meeting: usize,
    missing: usize,
    /// How many games the journal has of all contests.
    written: usize,
}

/// The last line of a tournament.
#[derive(Serialize)]
struct Record<'a> {
    kind: &'static str,
    tournament: &'a str,
    #[serde(flatten)]
    standing: Standing,
    missing: usize,
}

impl Total {
    /// No games of these agents yet.
    pub(crate) fn new(agents: &[String]) -> Self {
        let (board, void) = (Scoreboard::new(&distinct(agents)), Void::default());
        Total { board, void, n_contests: 0, next_meeting: 0, missing: 0, written: 0 }
    }

    /// Adds the games of a contest, in which so many are missing, and of which so many are written
    /// down.
    pub(crate) fn add(&mut self, games: Vec<GameRecord>, missing: usize, written: usize) {
        let first = self.next_meeting;
        for mut game in games {
            // Meetings are numbered in each contest anew, and rounds are told apart by them.
            game.slot.game = self.n_contests;
            game.slot.meeting += first;
            self.next_meeting = self.next_meeting.max(game.slot.meeting + 1);
            self.board.add(&game);
            self.void.add(&game);
        }
        self.n_contests += 1;
        self.missing += missing;
        self.written += written;
    }

    /// How many games are in the tables, those that do not count included.
    pub(super) fn games(&self) -> u64 {
        self.board.played()
    }

    /// How many games of all contests are written down.
    pub(super) fn written(&self) -> usize {
        self.written
    }

    /// How many games are missing in the contests that were begun.
    pub(super) fn missing(&self) -> usize {
        self.missing
    }

    /// The table of all games.
    pub(crate) fn tell(&self, name: &str, console: &mut Console) -> std::io::Result<()> {
        if console.json {
            let (standing, missing) = (self.board.standing(), self.missing);
            let record = Record { kind: "standing", tournament: name, standing, missing };
            return console.record("tournament", &record);
        }
        if self.n_contests > 1 {
            writeln!(console, "\x1b[1mall {} games of {name}\x1b[0m\n", self.n_contests)?;
            tell_board(&self.board, &self.void, console)?;
        }
        Ok(())
    }
}
