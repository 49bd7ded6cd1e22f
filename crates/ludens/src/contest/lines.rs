//! A contest as JSON Lines.

use std::io;

use ludens_arena::export::{About, write_json_lines};
use ludens_arena::record::GameRecord;
use ludens_arena::runner::{Observer, RunReport};
use ludens_arena::standing::Scoreboard;

use super::Opened;
use super::interrupt::end_games;
use crate::console::Console;

/// Plays what is missing, with a line for every game; those of earlier runs come first.
pub fn play_in_lines(opened: &Opened<'_>, console: &mut Console) -> anyhow::Result<RunReport> {
    let names = opened.settings.names();
    let about = opened.settings.about(&opened.name, &names);
    write_json_lines(console, &about, &opened.earlier_games()?)?;
    let mut lines = Lines { about, console, failed: None };
    let report = opened.play(&mut lines)?;
    match lines.failed {
        Some(error) => Err(error.into()),
        None => Ok(report),
    }
}

/// Prints games as they end.
struct Lines<'a> {
    about: About<'a>,
    console: &'a mut Console,
    /// Why nothing more can be printed. Without a reader there is no use in playing on.
    failed: Option<io::Error>,
}

impl Observer for Lines<'_> {
    fn game_ended(&mut self, game: &GameRecord, _board: &Scoreboard) {
        if self.failed.is_none() {
            self.failed = write_json_lines(self.console, &self.about, [game]).err();
            if self.failed.is_some() {
                end_games();
            }
        }
    }
}
