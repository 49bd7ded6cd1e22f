//! How a contest stands, told to people.

use std::collections::BTreeMap;
use std::io::{self, Write};

use ludens_arena::record::{Ending, GameRecord};
use ludens_arena::standing::Scoreboard;
use ludens_arena::stats::SprtState;

use super::Settings;
use super::command_line::command_line;
use super::interrupt::is_interrupted;
use super::table::{cross_table, sprt_line, standing_table};
use crate::console::Console;

/// Why games do not count, and how many of them for each reason.
#[derive(Default)]
pub struct Void(BTreeMap<String, u64>);

impl Void {
    /// Those of some games that do not count.
    pub fn of(games: &[GameRecord]) -> Self {
        let mut void = Void::default();
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

    fn tell(&self, console: &mut Console) -> io::Result<()> {
        for (why, n) in &self.0 {
            let games = if *n == 1 { "game does" } else { "games do" };
            writeln!(console, "{n} {games} not count: {why}")?;
        }
        Ok(())
    }
}

/// What was played, the table, and what to know about it.
pub fn tell(
    settings: &Settings,
    board: &Scoreboard,
    void: &Void,
    sprt: Option<&SprtState>,
    console: &mut Console,
) -> io::Result<()> {
    let (game, allowance, seed) = (&settings.game, settings.allowance(), settings.seed);
    writeln!(console, "\x1b[1m{game}\x1b[0m, {allowance}, seed {seed}\n")?;
    tell_board(board, void, console)?;
    match sprt {
        Some(state) => writeln!(console, "{}", sprt_line(state)),
        None => Ok(()),
    }
}

/// The tables, and what to know about them.
pub fn tell_board(board: &Scoreboard, void: &Void, console: &mut Console) -> io::Result<()> {
    let standing = board.standing();
    console.table(&standing_table(&standing))?;
    if standing.agents.len() > 2 {
        writeln!(console)?;
        console.table(&cross_table(board))?;
    }
    writeln!(console)?;
    void.tell(console)?;
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
