//! The players of a host and their names in standings and records.

use std::fmt;
use std::str::FromStr;

use ludens_protocol::{Address, RANDOM_ROLE};

/// The address of a player, with a name if the caller gives one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedPlayer {
    /// The name in standings and records; `None` for the one that the player states itself.
    pub name: Option<String>,
    /// Where it listens.
    pub address: Address,
}

/// `NAME=URL`, or just the URL.
impl FromStr for NamedPlayer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, address) = match text.split_once('=') {
            Some((name, address)) => (Some(name.trim()), address),
            None => (None, text),
        };
        if name.is_some_and(|name| name.is_empty() || name.contains(char::is_control)) {
            return Err(format!("`{}` has no name before the `=`", text.escape_debug()));
        }
        let address = address.parse::<Address>().map_err(|error| error.to_string())?;
        Ok(NamedPlayer { name: name.map(str::to_owned), address })
    }
}

impl fmt::Display for NamedPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name}={}", self.address),
            None => self.address.fmt(f),
        }
    }
}

/// The label of each player: its name, with its address if others have the same name, or its address alone.
pub(super) fn labels(players: &[NamedPlayer], stated: &[Option<String>]) -> Vec<String> {
    let name_of = |(at, player): (usize, &NamedPlayer)| {
        player.name.clone().or_else(|| stated.get(at).cloned().flatten())
    };
    let names: Vec<Option<String>> = players.iter().enumerate().map(name_of).collect();
    let is_shared =
        |name: &String| names.iter().flatten().filter(|other| *other == name).count() > 1;
    let label = |(player, name): (&NamedPlayer, &Option<String>)| match name {
        None => player.address.to_string(),
        Some(name) if is_shared(name) || name == RANDOM_ROLE => {
            format!("{name} ({})", player.address)
        }
        Some(name) => name.clone(),
    };
    players.iter().zip(&names).map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> NamedPlayer {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn players_are_read_with_and_without_names() {
        for text in ["http://localhost:9148", "Left one=http://localhost:9148"] {
            assert_eq!(read(text).to_string(), text);
        }
        assert_eq!(read("Left=localhost:9148").name.as_deref(), Some("Left"));
        for wrong in ["=localhost:1", "a\u{1b}=localhost:1", "a=", "a=b=c", "a b"] {
            assert!(wrong.parse::<NamedPlayer>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn labels_are_names_where_they_are_known_and_distinct() {
        let players = ["x:1", "x:2", "Given=x:3", "x:4", "x:5"].map(read);
        let stated = ["Ludens", "Ludens", "Stated", "Other"].map(|name| Some(name.to_owned()));
        let expected =
            ["Ludens (http://x:1)", "Ludens (http://x:2)", "Given", "Other", "http://x:5"];
        assert_eq!(labels(&players, &stated), expected);
        let random = [Some(RANDOM_ROLE.to_owned())];
        assert_eq!(labels(&players[..1], &random), ["random (http://x:1)"]);
    }
}
