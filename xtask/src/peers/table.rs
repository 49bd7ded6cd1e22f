//! The games that are compared, and the ratios that are aimed at.

use std::collections::BTreeMap;

use anyhow::Result;
use ludens_catalog::ReasonerKind;
use serde::{Deserialize, Deserializer, de};

use super::strength::Notation;

/// What `data/peers.toml` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    pub openspiel: Package,
    #[serde(rename = "game")]
    pub games: Vec<GameEntry>,
    #[serde(rename = "search")]
    pub searches: Vec<SearchEntry>,
    #[serde(rename = "strength")]
    pub strengths: Vec<StrengthEntry>,
}

/// A program of others.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// As pip is asked for it.
    pub package: String,
    /// How much its tree search explores.
    pub exploration: f64,
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

/// A game on which tree searches are compared.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchEntry {
    pub game: String,
    /// The same game there.
    pub openspiel: String,
    /// Ratios of simulations a second as `fast/slow`.
    #[serde(default)]
    pub floors: BTreeMap<String, f64>,
    /// Ratios of joint moves a second.
    #[serde(default)]
    pub plies_floors: BTreeMap<String, f64>,
    /// Agents of ours.
    pub entrants: Vec<SearchEntrant>,
}

/// An agent of ours that is compared.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchEntrant {
    /// What it is called in floors and reports.
    pub name: String,
    pub agent: String,
    #[serde(default, deserialize_with = "reasoner")]
    pub reasoner: ReasonerKind,
    /// Searches that share an evaluator.
    #[serde(default = "alone")]
    pub together: usize,
}

/// A game that is played against another program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrengthEntry {
    pub game: String,
    /// The same game there.
    pub openspiel: String,
    /// How moves are written there.
    pub notation: Notation,
    pub agent: String,
    #[serde(default, deserialize_with = "reasoner")]
    pub reasoner: ReasonerKind,
    /// The score that is aimed at.
    pub floor: f64,
}

fn alone() -> usize {
    1
}

fn reasoner<'de, D: Deserializer<'de>>(from: D) -> Result<ReasonerKind, D::Error> {
    String::deserialize(from)?.parse().map_err(de::Error::custom)
}

impl Table {
    /// Reads the table.
    pub fn read() -> Result<Table> {
        Ok(toml::from_str(include_str!("../../data/peers.toml"))?)
    }
}

#[cfg(test)]
mod tests {
    use ludens_catalog::{load_agent, load_source};

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

    #[test]
    fn searches_and_matches_name_agents_and_games() {
        let table = Table::read().unwrap();
        for entry in &table.searches {
            assert!(load_source(&entry.game).is_ok(), "{}", entry.game);
            let is_agent = |entrant: &SearchEntrant| load_agent(&entrant.agent).is_ok();
            assert!(entry.entrants.iter().all(is_agent), "{}", entry.game);
            for ratio in entry.floors.keys().chain(entry.plies_floors.keys()) {
                let is_known = |name: &str| {
                    name == "openspiel" || entry.entrants.iter().any(|own| own.name == name)
                };
                let (fast, slow) = ratio.split_once('/').unwrap();
                assert!(is_known(fast) && is_known(slow), "{ratio}");
            }
        }
        for entry in &table.strengths {
            assert!(load_source(&entry.game).is_ok() && load_agent(&entry.agent).is_ok());
            assert!((0.0..=1.0).contains(&entry.floor), "{}", entry.game);
        }
    }
}
