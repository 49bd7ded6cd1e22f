//! The answer to INFO: name and status of a player.

use std::fmt;

use crate::expression::Expression;
use crate::host::shown;

/// Whether a player can start a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Status {
    /// It can.
    Available,
    /// It has as many matches as it can play.
    Busy,
    /// Not reported.
    #[default]
    Unknown,
}

/// The answer of a player to INFO.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayerInfo {
    /// Its name, if known; what is read is shortened and escaped.
    pub name: Option<String>,
    /// Its status.
    pub status: Status,
}

impl PlayerInfo {
    /// Parses an answer as leniently as hosts do: a list of pairs in any order, ignoring unknown ones,
    /// or a single word, the status.
    pub fn read(text: &str) -> Self {
        let mut info = PlayerInfo::default();
        let Ok((answer, _)) = Expression::first(text) else { return info };
        if let Some(word) = answer.atom() {
            info.status = status(word);
        }
        for pair in answer.items() {
            let mut items = pair.items();
            let Some(key) = items.next().and_then(Expression::atom) else { continue };
            let value = items.map(|item| item.to_string()).collect::<Vec<_>>().join(" ");
            match key.to_ascii_lowercase().as_str() {
                "name" if !value.is_empty() => info.name = Some(shown(&value)),
                "status" => info.status = status(&value),
                _ => {}
            }
        }
        info
    }
}

fn status(word: &str) -> Status {
    match word.to_ascii_lowercase().as_str() {
        "available" => Status::Available,
        "busy" => Status::Busy,
        _ => Status::Unknown,
    }
}

/// The answer as players write it.
impl fmt::Display for PlayerInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = match self.status {
            Status::Available => "available",
            Status::Busy => "busy",
            Status::Unknown => "unknown",
        };
        f.write_str("( ")?;
        if let Some(name) = &self.name {
            write!(f, "( name {name} ) ")?;
        }
        write!(f, "( status {status} ) ( species computer ) )")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_leniently() {
        let named = |name: &str, status| PlayerInfo { name: Some(name.into()), status };
        let read = PlayerInfo::read;
        assert_eq!(
            read("( ( name Ludens ) ( status available ) ( species computer ) )"),
            named("Ludens", Status::Available)
        );
        assert_eq!(read("((STATUS Busy) (x) word (Name a b))"), named("a b", Status::Busy));
        assert_eq!(read("available").status, Status::Available);
        let escape = read("((name a\u{1b}[31m))");
        assert_eq!(escape.name.as_deref(), Some(r"a\u{1b}[31m"), "names are safe to print");
        assert_eq!(read("ready"), PlayerInfo::default());
        for text in ["", "(", "((name", ")", "(())"] {
            assert_eq!(read(text), PlayerInfo::default(), "{text}");
        }
    }

    #[test]
    fn answers_survive_a_round_trip() {
        for status in [Status::Available, Status::Busy] {
            let info = PlayerInfo { name: Some("Ludens".into()), status };
            assert_eq!(PlayerInfo::read(&info.to_string()), info);
            let nameless = PlayerInfo { name: None, status };
            assert_eq!(PlayerInfo::read(&nameless.to_string()), nameless);
        }
    }
}
