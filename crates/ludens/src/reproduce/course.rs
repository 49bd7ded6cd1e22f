//! How far an experiment is, for people who wait at a terminal.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use ludens_arena::record::GameRecord;
use ludens_arena::runner::Observer;
use ludens_arena::standing::Scoreboard;

use super::experiment::Cell;
use crate::progress::Progress;

/// How many characters the bar has.
const WIDTH: usize = 20;

/// The way through the cells of an experiment. Work is counted in iterations or units of T, since
/// games with more of them take longer.
pub struct Course {
    progress: Progress,
    /// Whether somebody can see it; else nothing is worked out.
    seen: bool,
    begun: Instant,
    /// The work of all cells together.
    total: f64,
    /// The work of cells that are over, and of games that were there before.
    done: f64,
    /// The work of games of this run.
    played: f64,
    /// Work a game of the current cell.
    work: f64,
    label: String,
    /// Games of the current cell: done, and in all.
    games: (usize, usize),
}

impl Course {
    /// The way through cells, each with the work of a move and so many games.
    pub fn new(work: impl Iterator<Item = (u64, usize)>) -> Self {
        let total = work.map(|(work, games)| work as f64 * games as f64).sum();
        Course {
            progress: Progress::new(),
            seen: std::io::stderr().is_terminal(),
            begun: Instant::now(),
            total,
            done: 0.0,
            played: 0.0,
            work: 0.0,
            label: String::new(),
            games: (0, 0),
        }
    }

    /// The next cell begins.
    pub fn enter(&mut self, cell: &Cell, number: usize, n_cells: usize) {
        self.work = cell.limit.work() as f64;
        self.label = format!("{} ({number} of {n_cells})", cell.name);
        self.progress.say(&self.label);
    }

    fn say(&self, board: &Scoreboard) {
        if !self.seen {
            return;
        }
        let standing = board.standing();
        let score = standing.agents.first().map_or(0.0, |agent| agent.score * 100.0);
        let (line, (done, total)) = (self.line(self.begun.elapsed()), self.games);
        self.progress.say(&format!("{line}  {} {done}/{total}: {score:.1} %", self.label));
    }

    /// The bar and the time that is left.
    fn line(&self, passed: Duration) -> String {
        let share = if self.total > 0.0 { (self.done + self.played) / self.total } else { 0.0 };
        let filled = ((share * WIDTH as f64) as usize).min(WIDTH);
        let bar = format!("{}{}", "█".repeat(filled), "░".repeat(WIDTH - filled));
        let left = (self.total - self.done - self.played).max(0.0) / self.played;
        match Duration::try_from_secs_f64(passed.as_secs_f64() * left) {
            Ok(left) => format!("{bar} {} left", clock(left)),
            // Nothing was played yet.
            Err(_) => bar,
        }
    }
}

impl Observer for Course {
    fn begun(&mut self, done: usize, total: usize, board: &Scoreboard) {
        self.games = (done, total);
        self.done += done as f64 * self.work;
        self.say(board);
    }

    fn game_ended(&mut self, _game: &GameRecord, board: &Scoreboard) {
        self.games.0 += 1;
        self.played += self.work;
        self.say(board);
    }
}

/// Minutes and seconds, or hours and minutes.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours} h {:02} min", seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_goes_by_iterations() {
        let mut course = Course::new([(1_000, 10), (10_000, 9)].into_iter());
        course.work = 1_000.0;
        let board = Scoreboard::new(&["a".to_owned(), "b".to_owned()]);
        course.begun(5, 10, &board);
        assert_eq!(course.line(Duration::from_secs(9)), "█░░░░░░░░░░░░░░░░░░░");
        course.played = 5_000.0;
        // 5 games in 10 s, and 18 times as much work to do.
        let line = course.line(Duration::from_secs(10));
        assert_eq!(line, "██░░░░░░░░░░░░░░░░░░ 3:00 left");
    }
}
