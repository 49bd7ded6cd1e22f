//! How a contest stands, told to people.

use std::io::{self, Write};

use ludens_arena::standing::Scoreboard;
use ludens_arena::stats::SprtState;

use super::Settings;
use super::command_line::command_line;
use super::interrupt::is_interrupted;
use super::table::{cross_table, sprt_line, standing_table};
use crate::console::Console;

/// What was played, the table, and what to know about it.
pub fn tell(
    settings: &Settings,
    board: &Scoreboard,
    sprt: Option<&SprtState>,
    console: &mut Console,
) -> io::Result<()> {
    let (game, allowance, seed) = (&settings.game, settings.allowance(), settings.seed);
    writeln!(console, "\x1b[1m{game}\x1b[0m, {allowance}, seed {seed}\n")?;
    tell_board(board, console)?;
    match sprt {
        Some(state) => writeln!(console, "{}", sprt_line(state)),
        None => Ok(()),
    }
}

/// The tables, and what to know about them.
pub fn tell_board(board: &Scoreboard, console: &mut Console) -> io::Result<()> {
    let standing = board.standing();
    console.table(&standing_table(&standing))?;
    if standing.agents.len() > 2 {
        writeln!(console)?;
        console.table(&cross_table(board))?;
    }
    writeln!(console)?;
    if standing.void > 0 {
        writeln!(console, "{} games do not count: their rules failed", standing.void)?;
    }
    if standing.duplicates > 0 {
        let hint = "--openings makes games differ";
        writeln!(console, "{} games repeat others move by move; {hint}", standing.duplicates)?;
    }
    Ok(())
}

/// Where the games are: so many in the journal, of which so many count in the table, since fewer were
/// asked for now than were played before.
pub fn tell_the_place(
    place: &str,
    written: usize,
    counted: u64,
    console: &mut Console,
) -> io::Result<()> {
    if written as u64 > counted {
        writeln!(console, "{written} games are in {place}; the table counts {counted} of them")
    } else {
        writeln!(console, "{written} games are in {place}")
    }
}

/// If the user has ended a contest early: what is missing, and how to go on.
pub fn tell_the_way_on(missing: usize, console: &mut Console) -> io::Result<()> {
    if !is_interrupted() || missing == 0 {
        return Ok(());
    }
    writeln!(console, "{missing} games are missing; to go on: {}", command_line())
}
