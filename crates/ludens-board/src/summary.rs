//! Facts that are not on a board, as text.

use std::collections::BTreeMap;

use crate::fact::Fact;

/// The maximum line width.
const WIDTH: usize = 78;

/// Maximum number of facts per relation below a board.
const MAX_BELOW_BOARD: usize = 6;

/// Maximum number of facts per relation without a board.
const MAX_PER_RELATION: usize = 120;

/// Maximum number of lines below a board.
const MAX_LINES: usize = 2;

/// Draws the facts of a state without a board: a line for each relation.
///
/// ```
/// let facts = ["(on a b)", "(on b c)", "(clear a)", "done"].map(String::from);
/// assert_eq!(ludens_board::draw_facts(&facts), "clear a\ndone\non a b, b c\n");
/// ```
pub fn draw_facts(facts: &[String]) -> String {
    let texts: Vec<&str> = facts.iter().map(String::as_str).collect();
    let mut out = String::new();
    for (name, rows) in grouped(&texts) {
        let mut parts: Vec<String> = rows.iter().take(MAX_PER_RELATION).cloned().collect();
        if rows.len() > MAX_PER_RELATION {
            parts.push(format!("… {} more", rows.len() - MAX_PER_RELATION));
        }
        let lines = wrap(&name, &parts, ",");
        out.extend(lines.iter().flat_map(|line| [line.as_str(), "\n"]));
    }
    out
}

/// The facts that are not on the board, in one or two lines.
pub(crate) fn summary(facts: &[&str]) -> String {
    let groups = grouped(facts).into_iter();
    let parts: Vec<String> = groups
        .map(|(name, rows)| match rows.len() {
            0 => name,
            n if n > MAX_BELOW_BOARD => format!("{name} ×{n}"),
            _ => format!("{name} {}", rows.join(", ")).trim_end().to_owned(),
        })
        .collect();
    let mut lines = wrap("", &parts, " ·");
    if lines.len() > MAX_LINES {
        lines.truncate(MAX_LINES);
        lines[MAX_LINES - 1].push('…');
    }
    lines.iter().filter(|line| !line.is_empty()).flat_map(|line| [line.as_str(), "\n"]).collect()
}

/// Arguments of the facts by relation, sorted; text that is not a fact is its own name.
fn grouped(facts: &[&str]) -> BTreeMap<String, Vec<String>> {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for text in facts {
        let fact = Fact::parse(text).unwrap_or_else(|| Fact {
            name: text.split_whitespace().collect::<Vec<_>>().join(" "),
            args: Vec::new(),
        });
        let rows = groups.entry(fact.name).or_default();
        if !fact.args.is_empty() {
            rows.push(fact.args.join(" "));
        }
    }
    for rows in groups.values_mut() {
        rows.sort_by(|a, b| natural(a).cmp(&natural(b)));
    }
    groups
}

/// Sorts 2 before 10.
fn natural(row: &str) -> Vec<(u64, &str)> {
    row.split(' ').map(|word| (word.parse().unwrap_or(u64::MAX), word)).collect()
}

/// Joins the parts after a name; further lines are indented.
fn wrap(name: &str, parts: &[String], separator: &str) -> Vec<String> {
    let mut lines = vec![name.to_owned()];
    let mut fresh = true;
    for (at, part) in parts.iter().enumerate() {
        let end = if at + 1 < parts.len() { separator } else { "" };
        let part = format!("{part}{end}");
        let width = |text: &str| text.chars().count();
        let last = lines.len() - 1;
        if !fresh && width(&lines[last]) + 1 + width(&part) > WIDTH {
            lines.push(if name.is_empty() { part } else { format!("  {part}") });
        } else {
            let line = &mut lines[last];
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&part);
        }
        fresh = false;
    }
    lines
}
