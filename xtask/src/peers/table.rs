//! The games that are compared, and the target ratios.

use std::collections::BTreeMap;

use anyhow::Result;
use ludens_catalog::ReasonerKind;
use serde::{Deserialize, Deserializer, de};

use super::strength::Notation;

/// The contents of `data/peers.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeerTable {
    pub openspiel: Peer,
    #[serde(rename = "game")]
    pub games: Vec<GameEntry>,
    #[serde(rename = "search")]
    pub searches: Vec<SearchEntry>,
    #[serde(rename = "strength")]
    pub strengths: Vec<StrengthEntry>,
    #[serde(rename = "self_play")]
    pub self_plays: Vec<SelfPlayEntry>,
}

/// Another program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Peer {
    /// Its name for pip.
    pub package: String,
    /// What its `AlphaZero` needs beside it, for pip.
    pub zero: Vec<String>,
    /// The exploration constant of its tree search.
    pub exploration: f64,
}

/// A game with its names in the programs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameEntry {
    pub name: String,
    /// Whether it is a file of the given folder rather than a library game.
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
    /// Its name in `OpenSpiel`.
    pub openspiel: String,
    /// Ratios of simulations per second as `fast/slow`.
    #[serde(default)]
    pub floors: BTreeMap<String, f64>,
    /// Ratios of joint moves per second.
    #[serde(default)]
    pub plies_floors: BTreeMap<String, f64>,
    /// Our agents.
    pub entrants: Vec<SearchEntrant>,
}

/// One of our agents.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchEntrant {
    /// Its name in floors and reports.
    pub name: String,
    pub agent: String,
    #[serde(default, deserialize_with = "reasoner")]
    pub reasoner: ReasonerKind,
    /// Searches that share an evaluator.
    #[serde(default = "one")]
    pub together: usize,
}

/// A game that is played against another program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrengthEntry {
    pub game: String,
    /// Its name in `OpenSpiel`.
    pub openspiel: String,
    /// The notation of `OpenSpiel`.
    pub notation: Notation,
    pub agent: String,
    #[serde(default, deserialize_with = "reasoner")]
    pub reasoner: ReasonerKind,
    /// The target score.
    pub floor: f64,
}

/// A game on which self-play with networks is compared.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlayEntry {
    pub game: String,
    /// Its name in `OpenSpiel`.
    pub openspiel: String,
    /// The simulations of a move, of both.
    pub simulations: u64,
    pub ours: Vec<OwnSelfPlay>,
    pub theirs: Vec<TheirSelfPlay>,
    /// Ratios of games per core-second, as `fast/slow`.
    #[serde(default)]
    pub floors: BTreeMap<String, f64>,
    /// Simulations per core-second.
    #[serde(default)]
    pub simulations_floors: BTreeMap<String, f64>,
}

/// Self-play of ours: the method `fast` with other settings.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnSelfPlay {
    /// Its name in floors and reports.
    pub name: String,
    /// What it is, for reports.
    pub doc: String,
    /// Whether visit counts choose moves, as in `AlphaZero`.
    #[serde(default)]
    pub visits: bool,
    /// Whether there is one game for each core, so that every batch of the network has one position.
    #[serde(default)]
    pub alone: bool,
    /// Settings of `ludens train --set`.
    #[serde(default)]
    pub settings: Vec<String>,
}

/// A network of `OpenSpiel`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TheirSelfPlay {
    /// Its name in floors and reports.
    pub name: String,
    /// What it is, for reports.
    pub doc: String,
    /// Its kind, width and depth.
    pub model: String,
    pub width: u32,
    pub depth: u32,
}

fn one() -> usize {
    1
}

fn reasoner<'de, D: Deserializer<'de>>(from: D) -> Result<ReasonerKind, D::Error> {
    String::deserialize(from)?.parse().map_err(de::Error::custom)
}

impl PeerTable {
    /// Reads the table.
    pub fn read() -> Result<PeerTable> {
        Ok(toml::from_str(include_str!("../../data/peers.toml"))?)
    }
}

#[cfg(test)]
mod tests {
    use ludens_catalog::{load_agent, load_source};

    use super::*;
    use crate::workspace;

    #[test]
    fn the_table_lists_library_games_and_programs() {
        let table = PeerTable::read().unwrap();
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
    fn searches_and_matches_list_agents_and_games() {
        let table = PeerTable::read().unwrap();
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

    #[test]
    fn self_play_lists_settings_and_known_names() {
        for entry in PeerTable::read().unwrap().self_plays {
            assert!(load_source(&entry.game).is_ok(), "{}", entry.game);
            for own in &entry.ours {
                own.learning(&entry, 2, 1).unwrap();
            }
            let ours = |name: &str| entry.ours.iter().any(|own| own.name == name);
            let theirs = |name: &str| entry.theirs.iter().any(|their| their.name == name);
            for ratio in entry.floors.keys() {
                let (fast, slow) = ratio.split_once('/').unwrap();
                assert!(ours(fast) && theirs(slow), "{ratio}");
            }
            assert!(entry.simulations_floors.keys().all(|name| ours(name)));
        }
    }
}
