//! The games that are compared, and the ratios that are aimed at.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::Deserialize;

/// What `data/peers.toml` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    pub openspiel: Package,
    #[serde(rename = "game")]
    pub games: Vec<GameEntry>,
}

/// A program of others.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// As pip is asked for it.
    pub package: String,
}

/// A game, by the names that the programs have for it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameEntry {
    pub name: String,
    /// Whether it is a file of a given folder, not a game of the library.
    #[serde(default)]
    pub file: bool,
    pub openspiel: Option<String>,
    /// Ratios as `fast/slow`.
    #[serde(default)]
    pub floors: BTreeMap<String, f64>,
}

impl Table {
    /// Reads the table.
    pub fn read() -> Result<Table> {
        Ok(toml::from_str(include_str!("../../data/peers.toml"))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    #[test]
    fn the_table_names_library_games_and_programs() {
        let table = Table::read().unwrap();
        for game in &table.games {
            let path = workspace::games().join(format!("{}.kif", game.name));
            assert!(game.file || path.exists(), "{}", game.name);
            for (ratio, floor) in &game.floors {
                let (fast, slow) = ratio.split_once('/').unwrap();
                let known = ["scalar", "lanes", "jit", "swi", "openspiel"];
                assert!(known.contains(&fast) && known.contains(&slow) && *floor > 1.0, "{ratio}");
            }
        }
    }
}
