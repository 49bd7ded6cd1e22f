//! Recorded matches in the format that hosts of the competition write.

use anyhow::{Context, bail};
use ludens_catalog::{LoadedSource, canonical_term, library, split_terms};
use serde::Deserialize;
use serde_json::Value;

/// A recorded match, with the fields that are needed to check it.
#[derive(Deserialize, Debug, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct MatchRecord {
    /// The match id.
    pub match_id: Option<String>,
    /// The URL of the game.
    #[serde(rename = "gameMetaURL")]
    pub game_meta_url: Option<String>,
    /// The rules, in records that contain them.
    pub rulesheet: Option<String>,
    /// Whether the match was played to its end.
    pub is_completed: Option<bool>,
    /// Whether it was aborted.
    pub is_aborted: Option<bool>,
    states: Vec<Value>,
    moves: Vec<Vec<String>>,
    /// The result in role order.
    pub goal_values: Vec<i64>,
}

impl MatchRecord {
    /// All matches of a text: one object, several one after the other, or lists of them.
    pub fn read_all(text: &[u8]) -> anyhow::Result<Vec<MatchRecord>> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let mut records = Vec::new();
        for value in serde_json::Deserializer::from_slice(text).into_iter::<Value>() {
            let values = match value.context("not JSON")? {
                Value::Array(values) => values,
                value => vec![value],
            };
            for value in values {
                records.push(serde_json::from_value(value).context("not a recorded match")?);
            }
        }
        if records.is_empty() {
            bail!("it contains no match");
        }
        Ok(records)
    }

    /// The states, each with its facts in canonical form, sorted.
    pub fn states(&self) -> anyhow::Result<Vec<Vec<String>>> {
        let read = |(step, state): (usize, &Value)| {
            let facts = match state {
                Value::String(text) => split_terms(text),
                Value::Array(facts) => {
                    facts.iter().map(|fact| canonical_term(fact.as_str()?)).collect()
                }
                _ => None,
            };
            let mut facts =
                facts.with_context(|| format!("state {step} is not a list of facts"))?;
            facts.sort_unstable();
            facts.dedup();
            Ok(facts)
        };
        self.states.iter().enumerate().map(read).collect()
    }

    /// The joint moves in canonical form.
    pub fn moves(&self) -> anyhow::Result<Vec<Vec<String>>> {
        let read = |(step, joint): (usize, &Vec<String>)| {
            let term = |text: &String| {
                let wrong = || format!("`{text}` at step {step} is not a move");
                canonical_term(text).with_context(wrong)
            };
            joint.iter().map(term).collect()
        };
        self.moves.iter().enumerate().map(read).collect()
    }

    /// The game of the record: the rules it contains, or the library game that its URL names.
    pub fn source(&self) -> Option<LoadedSource> {
        if let Some(rules) = &self.rulesheet {
            return Some(LoadedSource::from_bytes("rulesheet", rules.as_bytes()));
        }
        let url = self.game_meta_url.as_ref()?;
        let parts = url.split(['?', '#']).next()?.split('/');
        let name = parts.rev().find(|part| !part.is_empty() && !is_version(part))?;
        let entry = library().iter().find(|entry| plain(entry.name) == plain(name))?;
        ludens_catalog::load_source(entry.name).ok()
    }
}

/// URLs end in the version of the game, such as `v0`.
fn is_version(part: &str) -> bool {
    let digits = part.strip_prefix('v').unwrap_or("");
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

fn plain(name: &str) -> String {
    let name = name.strip_suffix(".kif").unwrap_or(name);
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_object_lines_and_lists_are_read() {
        let one = br#"{"matchId":"a"}"#;
        let lines = b"{\"matchId\":\"a\"}\n{\"matchId\":\"b\"}\n";
        let list = br#"[{"matchId":"a"},{"matchId":"b"}]"#;
        let ids = |text: &[u8]| -> Vec<_> {
            let records = MatchRecord::read_all(text).unwrap();
            records.into_iter().map(|record| record.match_id.unwrap()).collect()
        };
        assert_eq!(ids(one), ["a"]);
        assert_eq!(ids(lines), ["a", "b"]);
        assert_eq!(ids(list), ["a", "b"]);
        for wrong in [&b""[..], b"{", b"7", b"[]"] {
            assert!(MatchRecord::read_all(wrong).is_err());
        }
    }

    #[test]
    fn the_address_names_the_game() {
        let source = |url: &str| {
            let record =
                MatchRecord { game_meta_url: Some(url.to_owned()), ..MatchRecord::default() };
            record.source().map(|source| source.name)
        };
        let found = Some("tictactoe".to_owned());
        assert_eq!(source("http://games.ggp.org/base/games/ticTacToe/v0/"), found);
        assert_eq!(source("http://games.ggp.org/base/games/ticTacToe/"), found);
        assert_eq!(source("tictactoe.kif"), found);
        assert_eq!(source("http://games.ggp.org/base/games/nothing/v1/"), None);
    }
}
