//! A live view of a search at a terminal.

use std::fmt::Write as _;
use std::time::Duration;

use ludens_arena::clock::Allowance;

use super::analysis::{grouped, line_of_play, move_rows};
use super::block::Block;
use ludens_lab::analysis::{Analysis, per_second};

/// The interval between redraws.
const REDRAW_INTERVAL: Duration = Duration::from_millis(200);

/// The maximum number of moves in the block, for all roles together.
const MAX_ROWS: usize = 10;
/// The maximum number of moves of one role.
const MAX_ROWS_PER_ROLE: usize = 5;
/// The maximum number of joint moves of the principal variation.
const MAX_PLIES: usize = 8;

/// A block on the error stream with the state of a search. Without a terminal nothing is written.
pub struct Live {
    block: Block,
    allowance: Allowance,
}

impl Live {
    /// A block for a search; `silent` to draw nothing.
    pub fn new(allowance: Allowance, silent: bool) -> Self {
        Live { block: Block::new(silent), allowance }
    }

    /// The interval between reports of the search.
    pub fn every(&self) -> Option<Duration> {
        self.block.is_visible().then_some(REDRAW_INTERVAL)
    }

    /// Draws an analysis, which is computed only if it is visible.
    pub fn show(&mut self, analysis: impl FnOnce() -> Analysis) {
        if self.block.is_visible() {
            self.block.show(&block(&analysis(), self.allowance));
        }
    }
}

/// The block as text, each line with its end.
fn block(analysis: &Analysis, allowance: Allowance) -> String {
    let n_deciders = analysis.deciders().count().max(1);
    let rows = (MAX_ROWS / n_deciders).clamp(1, MAX_ROWS_PER_ROLE);
    let mut out = format!("  {}\n", effort(analysis, allowance));
    for role in analysis.deciders() {
        let value = role.value.map_or(String::new(), |value| format!("  expects {value:.1}"));
        let _ = writeln!(out, "  {}{value}", role.name);
        for row in move_rows(role, rows) {
            let _ = writeln!(out, "    {row}");
        }
    }
    let _ = writeln!(out, "  line  {}", line_of_play(analysis.best_line(), MAX_PLIES));
    out
}

/// The effort of the search so far, and the time left.
fn effort(analysis: &Analysis, allowance: Allowance) -> String {
    let done = analysis.iterations;
    let speed = per_second(done, analysis.time);
    let mut text = format!("thinking · {} playouts · {}/s", grouped(done), grouped(speed));
    if analysis.nodes > 0 {
        let _ = write!(text, " · {} nodes", grouped(analysis.nodes));
    }
    let by_clock = allowance.time.map(|time| time.saturating_sub(analysis.time).as_secs_f64());
    let by_count = allowance.iterations.filter(|_| speed > 0);
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
    use ludens_lab::analysis::{MoveAnalysis, RoleAnalysis};

    fn analysis(n_roles: usize, seconds: u64) -> Analysis {
        let pv = vec![vec!["(mark 1 1)".to_owned(), "noop".to_owned()]];
        let name = |order: usize| format!("(mark 1 {order})");
        let mv = |order: usize| MoveAnalysis {
            name: name(order),
            order,
            visits: 1000 - order as u64,
            share: 0.125,
            value: Some(61.5),
            mean: 0.615,
            pv: pv.clone(),
        };
        let moves: Vec<_> = (0..8).map(mv).collect();
        let role = |i: usize| RoleAnalysis {
            name: format!("role{i}"),
            n_legal: 8,
            value: Some(50.0),
            moves: moves.clone(),
        };
        Analysis {
            iterations: 12_000,
            nodes: 1234,
            time: Duration::from_secs(seconds),
            roles: (0..n_roles).map(role).collect(),
            ..Analysis::default()
        }
    }

    #[test]
    fn the_block_has_moves_line_and_time() {
        let limited =
            Allowance { time: Some(Duration::from_secs(3)), iterations: Some(60_000), bytes: None };
        let text = block(&analysis(1, 2), limited);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "  thinking · 12,000 playouts · 6,000/s · 1,234 nodes · 1.0 s left");
        assert_eq!(lines[1], "  role0  expects 50.0");
        assert_eq!(lines[2], "    (mark 1 0)  1,000  12.5 %  61.5");
        assert_eq!(lines[3], "    (mark 1 1)    999  12.5 %  61.5");
        assert_eq!(lines.len(), 2 + MAX_ROWS_PER_ROLE + 1);
        assert_eq!(lines[7], "  line  (mark 1 1)");
        let text = block(&analysis(1, 2), Allowance { time: None, ..limited });
        assert!(text.contains("8.0 s left"), "{text}");
    }

    #[test]
    fn many_roles_still_fit_on_a_screen() {
        for n_roles in 1..=6 {
            let text = block(&analysis(n_roles, 1), Allowance::default());
            assert!(text.lines().count() <= MAX_ROWS + n_roles + 2, "{text}");
        }
    }
}
