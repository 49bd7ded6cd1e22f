//! Hints of a game's header: `cell(x, y, piece) empty=b topology=hex rows=down`.
//!
//! Arguments named `x` and `y` are column and row; where there are two of them, as in
//! `cell(x, x, y, y, digit)`, the first selects the block and the second the place in it.
//! `board` selects one of several boards; `_` is not shown.

/// The use of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// The column.
    Column,
    /// The row.
    Row,
    /// Which of several boards.
    Panel,
    /// The content.
    Content,
    /// Not shown.
    Nothing,
}

/// How the facts of one fluent are placed on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Hint {
    /// The fluent's name in lower case.
    pub name: String,
    /// Its arguments.
    pub uses: Vec<Use>,
    /// The content of empty cells.
    pub empty: Option<String>,
    /// Whether the cells are hexagons.
    pub hex: bool,
    /// Whether the first row is at the top.
    pub rows_down: Option<bool>,
}

impl Hint {
    /// Parses a hint; `None` if it does not start with a fluent that has a column. Unknown options are
    /// ignored.
    pub fn parse(line: &str) -> Option<Hint> {
        let line = line.trim().to_lowercase();
        let (name, rest) = line.split_once('(')?;
        let (args, options) = rest.split_once(')')?;
        let uses: Vec<Use> =
            args.split([',', ' ']).filter(|word| !word.is_empty()).map(parse_use).collect();
        let has = |wanted| uses.iter().filter(|u| **u == wanted).count();
        let fits =
            (1..=2).contains(&has(Use::Column)) && has(Use::Row) <= 2 && has(Use::Panel) <= 2;
        let name = name.trim();
        if !fits || name.is_empty() || name.contains(char::is_whitespace) {
            return None;
        }
        let mut hint =
            Hint { name: name.to_owned(), uses, empty: None, hex: false, rows_down: None };
        for option in options.split_whitespace() {
            hint.parse_option(option);
        }
        Some(hint)
    }

    fn parse_option(&mut self, option: &str) {
        match option.split_once('=') {
            Some(("empty", symbol)) if !symbol.is_empty() => self.empty = Some(symbol.to_owned()),
            Some(("topology", "hex")) => self.hex = true,
            Some(("rows", "down")) => self.rows_down = Some(true),
            Some(("rows", "up")) => self.rows_down = Some(false),
            _ => {}
        }
    }

    /// Indices of the arguments with this use.
    pub fn args(&self, wanted: Use) -> impl Iterator<Item = usize> + '_ {
        self.uses.iter().enumerate().filter(move |(_, u)| **u == wanted).map(|(at, _)| at)
    }
}

fn parse_use(word: &str) -> Use {
    match word {
        "x" | "col" | "column" => Use::Column,
        "y" | "row" => Use::Row,
        "panel" | "board" => Use::Panel,
        "_" => Use::Nothing,
        _ => Use::Content,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_parsed() {
        let hint = Hint::parse("cellHolds(y, x, piece) empty=B topology=hex rows=down").unwrap();
        assert_eq!(hint.name, "cellholds");
        assert_eq!(hint.uses, [Use::Row, Use::Column, Use::Content]);
        assert_eq!(hint.empty.as_deref(), Some("b"));
        assert!(hint.hex && hint.rows_down == Some(true));
    }

    #[test]
    fn malformed_hints_are_ignored() {
        for line in ["", "cell", "cell(", "cell(a, b)", "(x, y)", "cell(x, x, x)", "a cell(x, y)"] {
            assert_eq!(Hint::parse(line), None, "{line}");
        }
        assert!(Hint::parse("pit(x, seeds) rows= =b topology=torus").is_some());
    }
}
