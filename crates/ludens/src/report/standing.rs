//! The standing of a contest as text.

use std::io::{self, Write};

use ludens_arena::standing::Scoreboard;
use ludens_arena::stats::SprtState;

use super::command_line::command_line;
use super::table::{cross_table, sprt_line, standing_table};
use crate::console::Console;
use crate::interrupt;
use ludens_lab::contest::{Settings, VoidGames};

/// Prints the settings, the table, and remarks on it.
pub fn print_standing(
    settings: &Settings,
    board: &Scoreboard,
    void: &VoidGames,
    sprt: Option<&SprtState>,
    console: &mut Console,
) -> io::Result<()> {
    let (game, allowance, seed) = (&settings.game, settings.allowance(), settings.seed);
    writeln!(console, "\x1b[1m{game}\x1b[0m, {allowance}, seed {seed}\n")?;
    print_board(board, void, console)?;
    match sprt {
        Some(state) => writeln!(console, "{}", sprt_line(state)),
        None => Ok(()),
    }
}

/// Prints the tables and remarks on them.
pub fn print_board(board: &Scoreboard, void: &VoidGames, console: &mut Console) -> io::Result<()> {
    let standing = board.standing();
    console.table(&standing_table(&standing))?;
    if standing.agents.len() > 2 {
        writeln!(console)?;
        console.table(&cross_table(board))?;
    }
    writeln!(console)?;
    for (why, n) in void.reasons() {
        let games = if n == 1 { "game does" } else { "games do" };
        writeln!(console, "{n} {games} not count: {why}")?;
    }
    if standing.duplicates > 0 {
        let hint = "--openings makes games differ";
        writeln!(console, "{} games repeat others move by move; {hint}", standing.duplicates)?;
    }
    Ok(())
}

/// Prints where the games are. The table may count fewer than the journal has, if an earlier run played
/// more games.
pub fn print_location(
    place: &str,
    recorded: usize,
    counted: u64,
    console: &mut Console,
) -> io::Result<()> {
    if recorded as u64 > counted {
        writeln!(console, "{recorded} games are in {place}; the table counts {counted} of them")
    } else {
        writeln!(console, "{recorded} games are in {place}")
    }
}

/// Prints how to resume an interrupted contest, if games are missing.
pub fn print_how_to_resume(missing: usize, console: &mut Console) -> io::Result<()> {
    if !interrupt::stop().is_raised() || missing == 0 {
        return Ok(());
    }
    writeln!(console, "{missing} games are missing; to resume: {}", command_line())
}
