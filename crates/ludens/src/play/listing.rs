//! A list of moves in columns, page by page.

use std::fmt::Write;

/// The maximum number of moves on a page.
pub const PAGE_SIZE: usize = 60;
/// The maximum number of characters in a line.
const WIDTH: usize = 80;

/// The moves with these indices, each with its number, in columns read downwards.
pub fn columns(moves: &[String], shown: &[usize]) -> String {
    // A move that is itself a number would be confused with a number of the list.
    let mark = if moves.iter().any(|m| m.parse::<i64>().is_ok()) { "#" } else { "" };
    let digits = moves.len().to_string().len() + mark.len();
    let cells: Vec<_> = shown
        .iter()
        .map(|&i| format!("{:>digits$}  {}", format!("{mark}{}", i + 1), moves[i]))
        .collect();
    let width = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0) + 3;
    let n_rows = cells.len().div_ceil((WIDTH / width).max(1)).max(1);
    let mut out = String::new();
    for row in 0..n_rows {
        let mut line = "  ".to_owned();
        for cell in cells.iter().skip(row).step_by(n_rows) {
            let _ = write!(line, "{cell:<width$}");
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_read_downwards() {
        let moves: Vec<_> = (1..=10).map(|i| format!("(move {i} somewhere far away)")).collect();
        let all: Vec<_> = (0..10).collect();
        let text = columns(&moves, &all);
        assert_eq!(text.lines().count(), 5);
        assert_eq!(
            text.lines().next().unwrap(),
            "   1  (move 1 somewhere far away)     6  (move 6 somewhere far away)"
        );
        assert_eq!(columns(&moves, &[9]), "  10  (move 10 somewhere far away)\n");
    }

    #[test]
    fn moves_that_are_numbers_are_not_confused_with_list_numbers() {
        let moves = ["5", "7"].map(String::from);
        assert_eq!(columns(&moves, &[0, 1]), "  #1  5   #2  7\n");
    }
}
