//! A contest as JSON Lines.

use std::io;

use ludens_arena::export::{About, write_json_lines};
use ludens_arena::record::GameRecord;
use ludens_arena::runner::RunReport;

use crate::console::Console;
use ludens_lab::contest::Opened;
use ludens_lab::{Event, Stop};

/// Plays the missing games and prints a line for every game; those of earlier runs come first.
pub fn play_in_lines(
    opened: &Opened<'_>,
    stop: &Stop,
    console: &mut Console,
) -> anyhow::Result<RunReport> {
    let names = opened.settings.names();
    let about = opened.settings.about(&opened.name, &names);
    write_json_lines(console, &about, &opened.recorded_games()?)?;
    let mut lines = Lines { about, console, stop, failed: None };
    let report = opened.play(stop, &mut |event| {
        if let Event::GameEnded { game, .. } = event {
            lines.print(game);
        }
    })?;
    match lines.failed {
        Some(error) => Err(error.into()),
        None => Ok(report),
    }
}

/// Prints games as they end.
struct Lines<'a> {
    about: About<'a>,
    console: &'a mut Console,
    stop: &'a Stop,
    /// Why nothing more can be printed.
    failed: Option<io::Error>,
}

impl Lines<'_> {
    fn print(&mut self, game: &GameRecord) {
        if self.failed.is_none() {
            self.failed = write_json_lines(self.console, &self.about, [game]).err();
            // Without a reader there is no use in continuing.
            if self.failed.is_some() {
                self.stop.raise();
            }
        }
    }
}
