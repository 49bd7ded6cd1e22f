//! What the computer thinks while it thinks, for people who wait at a terminal.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::time::{Duration, Instant};

use super::answer::per_second;
use super::insight::Insight;
use super::query::Limits;
use super::table::{grouped, line_of_play, move_rows};

/// How often the block is drawn.
const EVERY: Duration = Duration::from_millis(200);

/// How many moves the block has at most, all roles together.
const ROWS: usize = 10;
/// And of one role.
const ROWS_OF_ROLE: usize = 5;
/// How many joint moves of the expected line are shown.
const PLIES: usize = 8;

/// A block on the error stream that is written over again and again, and is gone at the end. If
/// nobody can see it, nothing is written.
pub struct Live {
    seen: bool,
    /// How many lines were drawn.
    drawn: usize,
    begun: Instant,
    limits: Limits,
}

impl Live {
    /// A block for a search that begins now; `silent` if it is not wanted.
    pub fn new(limits: Limits, silent: bool) -> Self {
        let seen = !silent && std::io::stderr().is_terminal();
        Live { seen, drawn: 0, begun: Instant::now(), limits }
    }

    /// How often there is something to be shown.
    pub fn every(&self) -> Duration {
        if self.seen { EVERY } else { Duration::MAX }
    }

    /// Shows what is known now; what nobody sees is not even worked out.
    pub fn show(&mut self, insight: impl FnOnce() -> Insight) {
        if self.seen {
            let block = block(&insight(), self.begun.elapsed(), self.limits);
            let drawn = block.lines().count();
            // What is wider than the terminal is cut off: a second line would not be written over.
            write(&format!("{}\x1b[?7l{block}\x1b[?7h", self.wiped()));
            self.drawn = drawn;
        }
    }

    /// What brings the cursor to where the block began, and leaves nothing below it.
    fn wiped(&self) -> String {
        match self.drawn {
            0 => String::new(),
            drawn => format!("\x1b[{drawn}A\r\x1b[J"),
        }
    }
}

fn write(text: &str) {
    let mut out = std::io::stderr().lock();
    // Nobody is told less if the block cannot be drawn.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

impl Drop for Live {
    fn drop(&mut self) {
        if self.drawn > 0 {
            write(&self.wiped());
        }
    }
}

/// The block as text, each line with its end.
fn block(insight: &Insight, passed: Duration, limits: Limits) -> String {
    let n_deciders = insight.deciders().count().max(1);
    let rows = (ROWS / n_deciders).clamp(1, ROWS_OF_ROLE);
    let mut out = format!("  {}\n", effort(insight, passed, limits));
    for role in insight.deciders() {
        let value = role.value.map_or(String::new(), |value| format!("  expects {value:.1}"));
        let _ = writeln!(out, "  {}{value}", role.name);
        for row in move_rows(role, rows) {
            let _ = writeln!(out, "    {row}");
        }
    }
    let _ = writeln!(out, "  line  {}", line_of_play(insight.best_line(), PLIES));
    out
}

/// What thinking has cost so far, and how long it will still take.
fn effort(insight: &Insight, passed: Duration, limits: Limits) -> String {
    let done = insight.iterations;
    let speed = per_second(done, passed);
    let mut text = format!("thinking · {} playouts · {}/s", grouped(done), grouped(speed));
    if insight.nodes > 0 {
        let _ = write!(text, " · {} nodes", grouped(insight.nodes));
    }
    let by_clock = limits.time.map(|time| time.saturating_sub(passed).as_secs_f64());
    let by_count = limits.iterations.filter(|_| speed > 0);
    let by_count = by_count.map(|limit| limit.saturating_sub(done) as f64 / speed as f64);
    let left = [by_clock, by_count].into_iter().flatten().min_by(f64::total_cmp);
    if let Some(left) = left {
        let _ = write!(text, " · {left:.1} s left");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::insight::{MoveInsight, RoleInsight};

    fn insight(n_roles: usize) -> Insight {
        let pv = vec![vec!["(mark 1 1)".to_owned(), "noop".to_owned()]];
        let name = |order: usize| format!("(mark 1 {order})");
        let mv = |order: usize| MoveInsight {
            name: name(order),
            order,
            visits: 1000 - order as u64,
            share: 0.125,
            value: Some(61.5),
            pv: pv.clone(),
        };
        let moves: Vec<_> = (0..8).map(mv).collect();
        let role = |i: usize| RoleInsight {
            name: format!("role{i}"),
            n_legal: 8,
            value: Some(50.0),
            moves: moves.clone(),
        };
        Insight {
            iterations: 12_000,
            nodes: 1234,
            roles: (0..n_roles).map(role).collect(),
            ..Insight::default()
        }
    }

    #[test]
    fn the_block_tells_moves_line_and_time() {
        let limits = Limits { time: Some(Duration::from_secs(3)), iterations: Some(60_000) };
        let text = block(&insight(1), Duration::from_secs(2), limits);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "  thinking · 12,000 playouts · 6,000/s · 1,234 nodes · 1.0 s left");
        assert_eq!(lines[1], "  role0  expects 50.0");
        assert_eq!(lines[2], "    (mark 1 0)  1,000  12.5 %  61.5");
        assert_eq!(lines[3], "    (mark 1 1)    999  12.5 %  61.5");
        assert_eq!(lines.len(), 2 + ROWS_OF_ROLE + 1);
        assert_eq!(lines[7], "  line  (mark 1 1)");
        let text = block(&insight(1), Duration::from_secs(2), Limits { time: None, ..limits });
        assert!(text.contains("8.0 s left"), "{text}");
    }

    #[test]
    fn many_roles_still_fit_on_a_screen() {
        for n_roles in 1..=6 {
            let text = block(&insight(n_roles), Duration::from_secs(1), Limits::default());
            assert!(text.lines().count() <= ROWS + n_roles + 2, "{text}");
        }
    }
}
