//! Translation of `OpenSpiel`'s move notation to our rules.

use serde::Deserialize;

/// A move notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Notation {
    /// Two squares of a board with this number of rows, such as `a7b6`, with a star for a capture. The
    /// first player starts at the top there, and at the bottom in our rules.
    Squares(u32),
    /// A cell of a hexagon with this number of cells along a side, such as `c2`. Rows start at the left
    /// side of the hexagon there; in our rules they are shifted and counted in the other direction.
    Hexagon(u32),
}

impl Notation {
    /// A move in the notation of our rules; `None` if it cannot be parsed.
    pub fn ours(self, theirs: &str) -> Option<String> {
        match self {
            Notation::Squares(size) => {
                let text = theirs.strip_suffix('*').unwrap_or(theirs);
                let second = text.rfind(|c: char| c.is_ascii_lowercase())?;
                let (from, to) = text.split_at(second);
                let square = |text| column_row(text, size).map(|(x, y)| (x, size + 1 - y));
                let ((x1, y1), (x2, y2)) = (square(from)?, square(to)?);
                Some(format!("(move {x1} {y1} {x2} {y2})"))
            }
            Notation::Hexagon(size) => {
                let width = 2 * size - 1;
                let (x, y) = column_row(theirs, width)?;
                Some(format!("(place {x} {})", width + 1 - y))
            }
        }
    }
}

/// Column and row of a text such as `b3`, from 1.
fn column_row(text: &str, width: u32) -> Option<(u32, u32)> {
    let mut chars = text.chars();
    let column = chars.next().filter(char::is_ascii_lowercase)?;
    let (x, y) = (u32::from(column) - u32::from('a') + 1, chars.as_str().parse().ok()?);
    let inside = |number: u32| (1..=width).contains(&number);
    (inside(x) && inside(y)).then_some((x, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_squares_are_reversed() {
        let ours = |text| Notation::Squares(8).ours(text);
        assert_eq!(ours("a7a6").unwrap(), "(move 1 2 1 3)");
        assert_eq!(ours("h2g3*").unwrap(), "(move 8 7 7 6)");
        for text in ["", "a7", "a7a9", "i7a6", "a7a6a5", "a7-a6", "7a6a", "é7a6", "a0a1"] {
            assert_eq!(ours(text), None, "{text}");
        }
    }

    #[test]
    fn rows_of_hexagons_are_reversed() {
        let ours = |text| Notation::Hexagon(8).ours(text);
        assert_eq!(ours("a1").unwrap(), "(place 1 15)");
        assert_eq!(ours("o15").unwrap(), "(place 15 1)");
        for text in ["", "a", "a16", "p1", "a1b", "11", "a-1"] {
            assert_eq!(ours(text), None, "{text}");
        }
    }
}
