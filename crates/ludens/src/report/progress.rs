//! Progress on the error stream of a terminal. Without a terminal nothing is drawn.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use ludens_arena::standing::Scoreboard;

use ludens_lab::Event;
use ludens_lab::reproduce::experiment::Cell;

/// The interval between redraws of an idle bar, so that its clock advances.
const TICK: Duration = Duration::from_millis(500);

/// The minimum time between computations of the score: games may end faster than anyone can read.
const SCORE_INTERVAL: Duration = Duration::from_millis(100);

/// The maximum number of scores in the line.
const MAX_SCORES: usize = 4;

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).expect("the template is fixed");
    style.progress_chars("█░")
}

fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length).with_style(style(template));
    bar.enable_steady_tick(TICK);
    bar
}

/// A line with the current activity.
pub struct StatusLine(ProgressBar);

impl StatusLine {
    /// A line without text.
    pub fn new() -> Self {
        StatusLine(ProgressBar::new_spinner().with_style(style("{wide_msg}")))
    }

    /// Replaces the text.
    pub fn show(&self, text: &str) {
        self.0.set_message(text.to_owned());
        self.0.tick();
    }

    /// Removes the line, so that other output can be printed.
    pub fn clear(&self) {
        self.0.finish_and_clear();
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        self.clear();
    }
}

/// A bar with the number of steps and the time left.
pub struct StepProgress(ProgressBar);

impl StepProgress {
    /// A bar with a label, for this number of steps.
    pub fn new(label: &str, steps: usize) -> Self {
        let bar = bar(steps as u64, "{prefix} {bar:24} {pos}/{len}  {eta} left");
        bar.set_prefix(label.to_owned());
        StepProgress(bar)
    }

    /// Shows how many steps are done.
    pub fn show(&self, done: usize) {
        self.0.set_position(done as u64);
    }
}

impl Drop for StepProgress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A bar with the number of games, the time left and the running score.
pub struct ContestProgress {
    bar: ProgressBar,
    scored: Option<Instant>,
}

impl ContestProgress {
    /// A bar that begins with a label, such as the name of the game.
    pub fn new(label: &str) -> Self {
        let bar = bar(0, "{prefix} {bar:24} {pos}/{len}  {eta} left  {wide_msg}");
        bar.set_prefix(label.to_owned());
        ContestProgress { bar, scored: None }
    }

    /// Shows an event.
    pub fn show(&mut self, event: &Event<'_>) {
        match event {
            Event::ContestBegun { done, total, board } => {
                self.bar.set_length(*total as u64);
                self.bar.set_position(*done as u64);
                // Games of earlier runs do not count for the speed.
                self.bar.reset_eta();
                self.show_score(board);
            }
            Event::GameEnded { board, .. } => {
                self.bar.inc(1);
                self.show_score(board);
            }
            _ => {}
        }
    }

    /// The bar itself, which must be suspended while something else is printed.
    pub fn bar(&self) -> ProgressBar {
        self.bar.clone()
    }

    fn show_score(&mut self, board: &Scoreboard) {
        let is_fresh = self.scored.is_some_and(|scored| scored.elapsed() < SCORE_INTERVAL);
        if !self.bar.is_hidden() && !is_fresh {
            self.scored = Some(Instant::now());
            self.bar.set_message(score(board, MAX_SCORES));
        }
    }
}

impl Drop for ContestProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The running score of the first agents.
fn score(board: &Scoreboard, max: usize) -> String {
    let standing = board.standing();
    let agents = standing.agents.iter().take(max);
    let scores = agents.map(|agent| format!("{} {:.1} %", agent.name, agent.score * 100.0));
    scores.collect::<Vec<_>>().join(" · ")
}

/// A bar for all cells of an experiment. It counts iterations or units of T instead of games, since games
/// with more of them take longer.
pub struct CellProgress {
    bar: ProgressBar,
    label: String,
    /// Work per game of the current cell.
    work: u64,
    /// Games of the current cell: finished, and in all.
    games: (usize, usize),
}

impl CellProgress {
    /// A bar for cells, each given by the work of a move and its number of games.
    pub fn new(cells: impl Iterator<Item = (u64, usize)>) -> Self {
        let total = cells.map(|(work, games)| work.saturating_mul(games as u64)).sum();
        let bar = bar(total, "{bar:20} {eta} left  {wide_msg}");
        CellProgress { bar, label: String::new(), work: 0, games: (0, 0) }
    }

    /// Shows an event.
    pub fn show(&mut self, event: &Event<'_>) {
        match *event {
            Event::CellBegun { cell, number, n_cells } => self.enter(cell, number, n_cells),
            Event::ContestBegun { done, total, board } => {
                self.games = (done, total);
                self.bar.inc(done as u64 * self.work);
                self.bar.reset_eta();
                self.show_score(board);
            }
            Event::GameEnded { board, .. } => {
                self.games.0 += 1;
                self.bar.inc(self.work);
                self.show_score(board);
            }
            Event::Learning { game, position, n_positions } => {
                let text = format!("{game}: learning position {position} of {n_positions}");
                self.bar.set_message(text);
            }
            Event::Training { network, metrics } => {
                let (percent, games) = (metrics.progress * 100.0, metrics.games);
                let text = format!("training {network}: {percent:.0} %, {games} games");
                self.bar.set_message(text);
            }
            Event::CellEnded { .. } | Event::NotGrounded { .. } => {}
        }
    }

    fn enter(&mut self, cell: &Cell, number: usize, n_cells: usize) {
        self.work = cell.limit.work();
        self.label = format!("{} ({number} of {n_cells})", cell.name);
        self.bar.set_message(self.label.clone());
    }

    fn show_score(&self, board: &Scoreboard) {
        if !self.bar.is_hidden() {
            let ((done, total), score) = (self.games, score(board, 1));
            self.bar.set_message(format!("{} {done}/{total}: {score}", self.label));
        }
    }
}

impl Drop for CellProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board() -> Scoreboard {
        Scoreboard::new(&["uct".to_owned(), "flat".to_owned()])
    }

    #[test]
    fn games_of_earlier_runs_count_as_done() {
        let (mut progress, board) = (ContestProgress::new("hex"), board());
        progress.show(&Event::ContestBegun { done: 30, total: 40, board: &board });
        assert_eq!((progress.bar.position(), progress.bar.length()), (30, Some(40)));
        assert_eq!(score(&board, 1), "uct 0.0 %");
    }

    #[test]
    fn cells_are_weighted_by_their_work() {
        let mut progress = CellProgress::new([(1_000, 10), (10_000, 9)].into_iter());
        progress.work = 1_000;
        progress.show(&Event::ContestBegun { done: 5, total: 10, board: &board() });
        assert_eq!((progress.bar.position(), progress.bar.length()), (5_000, Some(100_000)));
    }
}
