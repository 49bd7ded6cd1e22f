//! Parameters of the parts of an agent, and their values.

use std::fmt;
use std::sync::Arc;

use ludens_learn::NetworkFile;
use ludens_search::InitialPolicy;

use crate::bytes::{UNITS, split_size};

/// A parameter of a part of an agent.
#[derive(Clone, Copy, Debug)]
pub struct PartParameter {
    /// Its name.
    pub name: &'static str,
    /// The kind of its value.
    pub kind: ValueKind,
    /// The default value, as text.
    pub default: &'static str,
    /// A word that may stand in place of a value, such as `none` or `auto`.
    pub word: Option<&'static str>,
    /// Its meaning, as part of a sentence.
    pub doc: &'static str,
}

/// The kind of a value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ValueKind {
    /// A number in a range.
    Number {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// A whole number in a range.
    Whole {
        /// Smallest value.
        min: u64,
        /// Largest value.
        max: u64,
    },
    /// True or false; the name alone means true.
    Flag,
    /// One of some words.
    Choice(&'static [&'static str]),
    /// A size in bytes.
    Bytes {
        /// Smallest value.
        min: u64,
    },
    /// The path of a file with a learnt policy.
    PolicyFile,
    /// The path of a file with a network.
    NetworkFile,
}

/// The value of a parameter.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A word in place of a value.
    Word(&'static str),
    /// A number.
    Number(f64),
    /// A whole number.
    Whole(u64),
    /// True or false.
    Flag(bool),
    /// One of the words of a choice.
    Choice(&'static str),
    /// A size in bytes.
    Bytes(u64),
    /// A path, and the policy read from it.
    PolicyFile(String, Arc<InitialPolicy>),
    /// A path, and the network read from it.
    NetworkFile(String, Arc<NetworkFile>),
}

impl PartParameter {
    /// Parses a value; `None` if it is invalid. Files are not read: a path is not a value.
    pub fn read(&self, text: Option<&str>) -> Option<Value> {
        let Some(text) = text else {
            return (self.kind == ValueKind::Flag).then_some(Value::Flag(true));
        };
        if let Some(word) = self.word.filter(|word| *word == text) {
            return Some(Value::Word(word));
        }
        match self.kind {
            // Adding 0 turns −0 into 0, so that equal values are written alike.
            ValueKind::Number { min, max } => {
                let number = text.parse::<f64>().ok().filter(|number| number.is_finite())?;
                (min..=max).contains(&number).then_some(Value::Number(number + 0.0))
            }
            ValueKind::Whole { min, max } => {
                let number = text.parse().ok()?;
                (min..=max).contains(&number).then_some(Value::Whole(number))
            }
            ValueKind::Flag => text.parse().ok().map(Value::Flag),
            ValueKind::Choice(words) => {
                words.iter().find(|word| **word == text).map(|word| Value::Choice(word))
            }
            ValueKind::Bytes { min } => {
                read_bytes(text).filter(|bytes| *bytes >= min).map(Value::Bytes)
            }
            ValueKind::PolicyFile | ValueKind::NetworkFile => None,
        }
    }

    /// The default value.
    pub fn default_value(&self) -> Value {
        self.read(Some(self.default)).expect("every default in the table is valid")
    }

    /// The valid values, in words.
    pub fn expected(&self) -> String {
        let value = match self.kind {
            ValueKind::Number { min, max } => format!("a number from {min} to {max}"),
            ValueKind::Whole { min, max } => format!("a whole number from {min} to {max}"),
            ValueKind::Flag => "`true` or `false`; the name alone means `true`".into(),
            ValueKind::Choice(words) => {
                let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
                words.join(" or ")
            }
            ValueKind::Bytes { min } => {
                format!("a size such as `512MiB` or `4GiB`, {} or more", Value::Bytes(min))
            }
            ValueKind::PolicyFile => "the path of a file with a learnt policy".into(),
            ValueKind::NetworkFile => "the path of a file with a network".into(),
        };
        match self.word {
            Some(word) => format!("{value}, or `{word}`"),
            None => value,
        }
    }

    /// The valid values, in short form.
    pub fn values(&self) -> String {
        let values = match self.kind {
            ValueKind::Number { min, max } => format!("{min}..{max}"),
            ValueKind::Whole { min, max } => format!("{min}..{max}"),
            ValueKind::Flag => "true, false".into(),
            ValueKind::Choice(words) => words.join(", "),
            ValueKind::Bytes { min } => format!("{}..", Value::Bytes(min)),
            ValueKind::PolicyFile | ValueKind::NetworkFile => "FILE".into(),
        };
        self.word.map_or(values.clone(), |word| format!("{values}, {word}"))
    }

    /// The parameter with its value, as in an agent's text: `c=0.5`, `memorize`.
    pub(super) fn written(&self, value: &Value) -> String {
        match value {
            Value::Flag(true) => self.name.to_owned(),
            value => format!("{}={value}", self.name),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Word(word) | Value::Choice(word) => f.write_str(word),
            Value::Number(number) => write!(f, "{number}"),
            Value::Whole(number) => write!(f, "{number}"),
            Value::Flag(flag) => write!(f, "{flag}"),
            Value::Bytes(bytes) => {
                let fits = |(_, size): &&(&str, u64)| bytes % size == 0;
                let (unit, size) = UNITS.iter().find(fits).unwrap_or(&UNITS[3]);
                write!(f, "{}{unit}", bytes / size)
            }
            Value::PolicyFile(path, _) | Value::NetworkFile(path, _) => f.write_str(path),
        }
    }
}

/// Reads a size; units are powers of 1024, and `G`, `GB` and `GiB` mean the same.
fn read_bytes(text: &str) -> Option<u64> {
    let (number, scale) = split_size(text)?;
    number.parse::<u64>().ok()?.checked_mul(scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(kind: ValueKind, word: Option<&'static str>) -> PartParameter {
        PartParameter { name: "x", kind, default: "1", word, doc: "" }
    }

    #[test]
    fn values_are_read_within_their_ranges() {
        let number = parameter(ValueKind::Number { min: 0.0, max: 2.0 }, Some("none"));
        assert_eq!(number.read(Some("1e0")), Some(Value::Number(1.0)));
        assert_eq!(number.read(Some("none")), Some(Value::Word("none")));
        assert_eq!(number.read(Some("-0")).unwrap().to_string(), "0");
        for invalid in ["", "-1", "2.1", "NaN", "inf", "1,5", "auto"] {
            assert_eq!(number.read(Some(invalid)), None, "{invalid}");
        }
        assert_eq!(number.read(None), None);
        let whole = parameter(ValueKind::Whole { min: 1, max: 9 }, None);
        assert_eq!(whole.read(Some("9")), Some(Value::Whole(9)));
        assert!(
            ["0", "10", "1.5", "-1", "99999999999999999999"].map(|t| whole.read(Some(t)))
                == [const { None }; 5]
        );
        let flag = parameter(ValueKind::Flag, None);
        assert_eq!(flag.read(None), Some(Value::Flag(true)));
        assert_eq!(flag.read(Some("false")), Some(Value::Flag(false)));
        assert_eq!(flag.read(Some("yes")), None);
    }

    #[test]
    fn sizes_are_written_as_they_are_read() {
        let bytes = parameter(ValueKind::Bytes { min: 1 << 20 }, None);
        for (text, written) in [
            ("2GiB", "2GiB"),
            ("2g", "2GiB"),
            ("2048MB", "2GiB"),
            ("1536M", "1536MiB"),
            ("1048577", "1048577"),
        ] {
            assert_eq!(bytes.read(Some(text)).unwrap().to_string(), written);
        }
        for invalid in ["", "1K", "1.5G", "2T", "GiB", "-1G", "17179869184GiB", "2G2"] {
            assert_eq!(bytes.read(Some(invalid)), None, "{invalid}");
        }
    }
}
