//! How far a contest is, for people who wait at a terminal.

use std::io::IsTerminal;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ludens_arena::record::GameRecord;
use ludens_arena::runner::Observer;
use ludens_arena::standing::Scoreboard;

use crate::progress::Progress;

/// How often the line is drawn anew while nothing happens.
const TICK: Duration = Duration::from_millis(500);

/// How long news wait for others.
const BREATH: Duration = Duration::from_millis(100);

/// How many characters the bar itself has.
const WIDTH: usize = 24;

/// How many agents have their score in the line.
const SCORES: usize = 4;

/// A line with a bar, the time it will still take, and the running score. It is drawn by a thread
/// of its own, so that the time goes on between games; if nobody can see it, nothing is drawn.
pub struct Bar {
    news: Option<Sender<News>>,
    drawing: Option<JoinHandle<()>>,
    /// Games whose end was not told yet, and when the last news were.
    untold: usize,
    told_at: Instant,
}

/// What the line says.
#[derive(Clone, Default)]
struct News {
    done: usize,
    total: usize,
    /// Games of this run: the others say nothing about speed.
    played: usize,
    score: String,
}

impl Bar {
    /// A bar that begins with a label, such as the name of the game.
    pub fn new(label: &str) -> Self {
        let mut bar = Bar { news: None, drawing: None, untold: 0, told_at: Instant::now() };
        if std::io::stderr().is_terminal() {
            let ((sender, receiver), label) = (channel(), label.to_owned());
            bar.drawing = Some(std::thread::spawn(move || draw(&label, &receiver)));
            bar.news = Some(sender);
        }
        bar
    }

    fn tell(&self, news: News) {
        if let Some(sender) = &self.news {
            // A thread that draws no more is no reason to stop the games.
            let _ = sender.send(news);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.news = None;
        if let Some(drawing) = self.drawing.take() {
            let _ = drawing.join();
        }
    }
}

impl Observer for Bar {
    fn begun(&mut self, done: usize, total: usize, board: &Scoreboard) {
        if self.news.is_some() {
            self.tell(News { done, total, played: 0, score: score(board) });
        }
    }

    fn game_ended(&mut self, _game: &GameRecord, board: &Scoreboard) {
        self.untold += 1;
        // Games may end faster than anybody can read, and the score takes time to work out.
        if self.news.is_some() && self.told_at.elapsed() >= BREATH {
            self.told_at = Instant::now();
            let played = std::mem::take(&mut self.untold);
            self.tell(News { played, score: score(board), ..News::default() });
        }
    }
}

/// Draws the line until nobody tells news any more.
fn draw(label: &str, receiver: &Receiver<News>) {
    let (progress, begun) = (Progress::new(), Instant::now());
    let mut state = News::default();
    loop {
        match receiver.recv_timeout(TICK) {
            // Only the beginning says how many games there are.
            Ok(news) if news.total > 0 => state = news,
            Ok(news) => {
                state.played += news.played;
                state.done += news.played;
                state.score = news.score;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        // What is wider than the terminal is cut off: a second line would not be written over.
        progress.say(&format!("\x1b[?7l{}\x1b[?7h", line(label, &state, begun.elapsed())));
    }
}

fn line(label: &str, state: &News, passed: Duration) -> String {
    let &News { done, total, played, .. } = state;
    let filled = (done * WIDTH).checked_div(total).unwrap_or(0);
    let bar = format!("{}{}", "█".repeat(filled), "░".repeat(WIDTH - filled));
    let left = if played == 0 {
        format!("{} so far", clock(passed))
    } else {
        let seconds = passed.as_secs_f64() * (total - done) as f64 / played as f64;
        format!("{} left", clock(Duration::from_secs_f64(seconds)))
    };
    format!("{label} {bar} {done}/{total}  {left}  {}", state.score)
}

/// Minutes and seconds, or hours and minutes.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours} h {:02} min", seconds / 60 % 60),
    }
}

/// The running score of the first agents.
fn score(board: &Scoreboard) -> String {
    let standing = board.standing();
    let agents = standing.agents.iter().take(SCORES);
    let scores = agents.map(|agent| format!("{} {:.1} %", agent.name, agent.score * 100.0));
    scores.collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_tells_how_long_it_will_take() {
        let news = News { done: 30, total: 40, played: 20, score: "uct 60.0 %".into() };
        let shown = line("hex", &news, Duration::from_secs(200));
        assert!(shown.starts_with("hex ██████████████████░░░░░░ 30/40  1:40 left"), "{shown}");
        let news = News { played: 0, ..news };
        assert!(line("hex", &news, Duration::from_secs(4000)).contains("1 h 06 min so far"));
        assert!(line("hex", &News::default(), Duration::ZERO).contains("0/0"));
    }
}
