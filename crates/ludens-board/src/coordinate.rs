//! Coordinates as arguments of facts, or parts of arguments.

/// A part of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// All of it.
    Whole,
    /// The letters of a name such as `c4`.
    Letters,
    /// The digits of a name such as `c4`.
    Digits,
}

impl Part {
    /// This part of a symbol, if it has one.
    pub fn of(self, symbol: &str) -> Option<&str> {
        let (letters, digits) = match self {
            Part::Whole => return Some(symbol),
            _ => split(symbol)?,
        };
        Some(if self == Part::Letters { letters } else { digits })
    }
}

/// An argument, or a part of it, that gives a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Coordinate {
    /// Index of the argument.
    pub arg: usize,
    /// The part of it.
    pub part: Part,
}

impl Coordinate {
    /// The whole of an argument.
    pub fn whole(arg: usize) -> Self {
        Coordinate { arg, part: Part::Whole }
    }

    /// Its value in a fact.
    pub fn of<'a>(&self, args: &'a [String]) -> Option<&'a str> {
        self.part.of(args.get(self.arg)?)
    }
}

/// Letters and digits of a symbol such as `c4`.
fn split(symbol: &str) -> Option<(&str, &str)> {
    let at = symbol.find(|c: char| c.is_ascii_digit())?;
    let (letters, digits) = symbol.split_at(at);
    let fits = !letters.is_empty()
        && letters.len() <= 2
        && letters.bytes().all(|b| b.is_ascii_alphabetic())
        && digits.bytes().all(|b| b.is_ascii_digit());
    fits.then_some((letters, digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_cells_are_split() {
        let parts =
            |s: &str| Some((Part::Letters.of(s)?.to_owned(), Part::Digits.of(s)?.to_owned()));
        assert_eq!(parts("c14"), Some(("c".into(), "14".into())));
        for symbol in ["c", "4", "c4d", "cell4", "", "é1"] {
            assert_eq!(parts(symbol), None, "{symbol}");
        }
    }
}
