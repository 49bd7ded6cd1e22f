//! Specs: a name with arguments, the textual form of games and agents everywhere, such as
//! `havannah(size=8)` or `uct(c=0.4) + ppaf(alpha=0.32, memorize)`.

use std::fmt;

/// A name with arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Spec {
    /// The name.
    pub name: String,
    /// The arguments in the order of the text; a flag has no value.
    pub args: Vec<(String, Option<String>)>,
}

/// Why a text cannot be parsed, and at which byte.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecError {
    /// The byte offset.
    pub at: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at character {}", self.expected, self.at + 1)
    }
}

impl std::error::Error for SpecError {}

impl Spec {
    /// Parses one name with arguments.
    pub fn parse(text: &str) -> Result<Spec, SpecError> {
        let mut chain = Spec::parse_chain(text)?;
        match chain.len() {
            1 => Ok(chain.remove(0)),
            _ => Err(SpecError { at: text.find('+').unwrap_or(0), expected: "the end" }),
        }
    }

    /// Parses one or more, joined by `+`.
    pub fn parse_chain(text: &str) -> Result<Vec<Spec>, SpecError> {
        let mut reader = Reader { text, at: 0 };
        let mut chain = vec![reader.spec()?];
        while reader.eat('+') {
            chain.push(reader.spec()?);
        }
        reader.skip_blanks();
        if reader.at < text.len() {
            return Err(reader.error("`+` or the end"));
        }
        Ok(chain)
    }

    /// The value of an argument, if it was given with one.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.args.iter().find(|(name, _)| name == key)?.1.as_deref()
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.args.iter().enumerate() {
            write!(f, "{}{key}", if i == 0 { "(" } else { ", " })?;
            if let Some(value) = value {
                write!(f, "={value}")?;
            }
        }
        f.write_str(if self.args.is_empty() { "" } else { ")" })
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn error(&self, expected: &'static str) -> SpecError {
        SpecError { at: self.at, expected }
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.skip_blanks();
        let found = self.text[self.at..].starts_with(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    fn word(&mut self, expected: &'static str) -> Result<String, SpecError> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let end =
            rest.find(|c: char| c.is_whitespace() || "(),=+".contains(c)).unwrap_or(rest.len());
        if end == 0 {
            return Err(self.error(expected));
        }
        self.at += end;
        Ok(rest[..end].to_owned())
    }

    fn spec(&mut self) -> Result<Spec, SpecError> {
        let name = self.word("a name")?;
        let mut args = Vec::new();
        if self.eat('(') && !self.eat(')') {
            loop {
                let key = self.word("the name of a parameter")?;
                let value = if self.eat('=') { Some(self.word("a value")?) } else { None };
                args.push((key, value));
                if self.eat(')') {
                    break;
                }
                if !self.eat(',') {
                    return Err(self.error("`,` or `)`"));
                }
            }
        }
        Ok(Spec { name, args })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip() {
        for text in ["uct", "havannah(size=8)", "ppaf(alpha=0.32, memorize)"] {
            assert_eq!(Spec::parse(text).unwrap().to_string(), text);
        }
        let chain = Spec::parse_chain(" uct( c = 0.4 )+ppa() ").unwrap();
        assert_eq!(chain.iter().map(Spec::to_string).collect::<Vec<_>>(), ["uct(c=0.4)", "ppa"]);
        assert_eq!(chain[0].value("c"), Some("0.4"));
    }

    #[test]
    fn errors_have_positions() {
        assert_eq!(Spec::parse("uct(c=").unwrap_err(), SpecError { at: 6, expected: "a value" });
        assert_eq!(
            Spec::parse("uct(c=1").unwrap_err(),
            SpecError { at: 7, expected: "`,` or `)`" }
        );
        assert_eq!(Spec::parse("").unwrap_err().expected, "a name");
        assert_eq!(Spec::parse("a b").unwrap_err().at, 2);
    }
}
