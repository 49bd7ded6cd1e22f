//! A list of moves in columns, page by page.

use std::fmt::Write;

/// Moves on a page.
pub const PAGE: usize = 60;
/// Characters in a line.
const WIDTH: usize = 80;

/// The moves with these indices, each with its number, in columns read downwards.
pub fn columns(moves: &[String], shown: &[usize]) -> String {
    // A move that is a number itself would be taken for a number of the list.
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

/// A piece of a text that is compared as a whole.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Piece {
    /// Digits, by length without leading zeros, then by themselves: the order of numbers.
    Number(usize, String),
    /// Anything else.
    Text(String),
}

/// What texts are sorted by so that 2 comes before 10.
pub fn natural_order(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_digit = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        pieces.push(if is_digit {
            Piece::Number(piece.trim_start_matches('0').len(), piece.to_owned())
        } else {
            Piece::Text(piece.to_owned())
        });
        rest = after;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_their_order() {
        let mut moves = ["noop", "(move 10 1)", "(move 2 10)", "(move 2 9)", "5", "(drop a)"];
        moves.sort_by_cached_key(|m| natural_order(m));
        assert_eq!(moves, ["5", "(drop a)", "(move 2 9)", "(move 2 10)", "(move 10 1)", "noop"]);
    }

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
    fn numbers_that_are_moves_are_told_apart() {
        let moves = ["5", "7"].map(String::from);
        assert_eq!(columns(&moves, &[0, 1]), "  #1  5   #2  7\n");
    }
}
