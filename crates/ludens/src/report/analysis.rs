//! An analysis as text.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::console::Console;
use ludens_lab::analysis::{Analysis, MoveAnalysis, RoleAnalysis, per_second};
use ludens_lab::{Position, units};

/// The maximum number of joint moves of a line.
const MAX_PLIES: usize = 6;

/// Prints the analysis of a position.
pub fn print_analysis(
    position: &Position,
    analysis: &Analysis,
    top: usize,
    console: &mut Console,
) -> io::Result<()> {
    if let Some(goals) = &position.goals {
        let goals = position.roles.iter().zip(goals).map(|(role, goal)| format!("{role} {goal}"));
        return writeln!(console, "The game is over: {}.", goals.collect::<Vec<_>>().join(", "));
    }
    if analysis.deciders().next().is_none() {
        let line = line_of_play(analysis.best_line(), MAX_PLIES);
        writeln!(console, "No role has a choice; the forced line is {line}")?;
    }
    for role in analysis.deciders() {
        let value = role.value.map_or(String::new(), |value| format!(" expects {value:.1}"));
        writeln!(console, "\x1b[1m{}\x1b[0m{value}, {} moves", role.name, role.n_legal)?;
        console.table(&rows(role, top))?;
        writeln!(console)?;
    }
    let others = analysis.roles.iter().filter(|role| role.n_legal == 1);
    let shown = others.filter_map(|role| Some(format!("{} expects {:.1}", role.name, role.value?)));
    let shown: Vec<_> = shown.collect();
    if !shown.is_empty() {
        writeln!(console, "{}", shown.join(", "))?;
    }
    if let Some(proven) = &analysis.proven {
        let shown =
            position.roles.iter().zip(proven).map(|(role, value)| format!("{role} {value}"));
        writeln!(console, "proven: {}", shown.collect::<Vec<_>>().join(", "))?;
    }
    writeln!(console, "{}", effort(analysis))
}

fn effort(analysis: &Analysis) -> String {
    let (done, time) = (analysis.iterations, analysis.time);
    let speed = per_second(done, time);
    let mut text = format!("{} playouts in {}", grouped(done), units::format_duration(time));
    if done > 0 {
        let _ = write!(text, ", {}/s", grouped(speed));
    }
    if analysis.nodes > 0 {
        let (nodes, bytes) =
            (grouped(analysis.nodes), units::format_bytes(analysis.bytes as usize));
        let _ = write!(text, "; {nodes} nodes, {bytes}");
    }
    text
}

/// The best moves of a role with their lines.
fn rows(role: &RoleAnalysis, top: usize) -> Vec<Vec<String>> {
    let head = ["", "move", "visits", "share", "value", "line"].map(str::to_owned).to_vec();
    let row = |(i, found): (usize, &MoveAnalysis)| {
        let after = found.pv.get(1..).unwrap_or_default();
        vec![
            format!("{:>3}", i + 1),
            found.name.clone(),
            grouped(found.visits),
            format!("{:.1} %", found.share * 100.0),
            found.value.map_or("–".to_owned(), |value| format!("{value:.1}")),
            line_of_play(after, MAX_PLIES),
        ]
    };
    std::iter::once(head).chain(role.moves.iter().take(top).enumerate().map(row)).collect()
}

/// The best moves of a role, one per line, with aligned numbers.
pub fn move_rows(role: &RoleAnalysis, top: usize) -> Vec<String> {
    let moves = &role.moves[..role.moves.len().min(top)];
    let width = |text: &str| text.chars().count();
    let name_width = moves.iter().map(|found| width(&found.name)).max().unwrap_or(0);
    let visits: Vec<_> = moves.iter().map(|found| grouped(found.visits)).collect();
    let visits_width = visits.iter().map(String::len).max().unwrap_or(0);
    let row = |(found, visits): (&MoveAnalysis, &String)| {
        let value = found.value.map_or("–".to_owned(), |value| format!("{value:.1}"));
        let (name, share) = (&found.name, found.share * 100.0);
        format!("{name:<name_width$}  {visits:>visits_width$}  {share:>4.1} %  {value:>4}")
    };
    moves.iter().zip(&visits).map(row).collect()
}

/// Joint moves as text, without `noop`.
pub fn line_of_play(line: &[Vec<String>], plies: usize) -> String {
    let joint = |joint: &Vec<String>| {
        let moves: Vec<_> = joint.iter().map(String::as_str).filter(|mv| *mv != "noop").collect();
        if moves.is_empty() { "noop".to_owned() } else { moves.join(" / ") }
    };
    let mut shown: Vec<_> = line.iter().take(plies).map(joint).collect();
    if line.len() > plies {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}

/// The analysis of the best moves, one line for each role with a choice.
pub fn thoughts(analysis: &Analysis) -> Vec<String> {
    let line = |role: &RoleAnalysis| {
        let best = role.moves.first()?;
        let mut text = format!("{} expects {:.1}", role.name, best.value?);
        let (visits, all) = (grouped(best.visits), grouped(analysis.iterations));
        let _ = write!(text, ": {visits} of {all} visits ({:.0} %)", best.share * 100.0);
        if let Some(after) = best.pv.get(1..).filter(|after| !after.is_empty()) {
            let _ = write!(text, ", then {}", line_of_play(after, MAX_PLIES));
        }
        Some(text)
    };
    analysis.deciders().filter_map(line).collect()
}

/// A number with its digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_in_groups() {
        let shown = [0, 7, 999, 1000, 12_345, 1_234_567].map(grouped);
        assert_eq!(shown, ["0", "7", "999", "1,000", "12,345", "1,234,567"]);
    }

    #[test]
    fn lines_omit_noop() {
        let line = [["(a 1)", "noop"], ["noop", "noop"], ["(a 2)", "(b 1)"], ["noop", "c"]];
        let line = line.map(|joint| joint.map(String::from).to_vec());
        assert_eq!(line_of_play(&line, 4), "(a 1), noop, (a 2) / (b 1), c");
        assert_eq!(line_of_play(&line, 1), "(a 1), …");
        assert_eq!(line_of_play(&[], 3), "");
    }
}
