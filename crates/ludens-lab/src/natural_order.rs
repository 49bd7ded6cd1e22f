//! The natural order of texts, in which 2 comes before 10.

/// A piece of a text that is compared as a whole.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Piece {
    /// Digits, by length without leading zeros, then by themselves: the order of numbers.
    Number(usize, String),
    /// Anything else.
    Text(String),
}

/// The sort key of a text in natural order.
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
    fn numbers_are_in_numeric_order() {
        let mut moves = ["noop", "(move 10 1)", "(move 2 10)", "(move 2 9)", "5", "(drop a)"];
        moves.sort_by_cached_key(|m| natural_order(m));
        assert_eq!(moves, ["5", "(drop a)", "(move 2 9)", "(move 2 10)", "(move 10 1)", "noop"]);
    }
}
