//! A file with every game of every experiment; with `export`, the only module of this crate that
//! does I/O.
//!
//! It is an `SQLite` database with a write-ahead log and `synchronous=NORMAL`: a committed game
//! survives a crash of the process at any time, and a power failure can lose the last games
//! but not the file. Each game is one transaction, and its slot is unique: a lost game is played
//! again, and none counts twice.

mod columns;
mod decisions;
mod error;
mod schema;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use serde_json::Value;

use crate::fingerprint::Fingerprint;
use crate::record::{Decision, GameRecord};
use crate::runner::Ledger;

pub use error::JournalError;

/// An open journal.
pub struct Journal {
    connection: Connection,
    path: PathBuf,
}

/// One experiment of a journal.
pub struct Experiment<'j> {
    journal: &'j Journal,
    id: i64,
    keeps_decisions: bool,
    /// Its name.
    pub name: String,
    /// Its spec, as first given.
    pub spec: Value,
}

/// An experiment in a list.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Summary {
    /// Its name.
    pub name: String,
    /// A hash of its spec.
    pub spec_hash: String,
    /// How many games it has.
    pub games: u64,
    /// When it began (UTC).
    pub begun_at: String,
    /// When its last game ended (UTC).
    pub last_game_at: Option<String>,
}

impl Journal {
    /// Opens a journal, and creates it if the file does not exist.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let connection = Connection::open(path).map_err(|error| JournalError::at(path, error))?;
        Journal::prepare(connection, path)
    }

    /// Opens a journal that must exist.
    pub fn open_existing(path: &Path) -> Result<Self, JournalError> {
        if !path.exists() {
            return Err(JournalError::Missing(path.to_owned()));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags);
        Journal::prepare(connection.map_err(|error| JournalError::at(path, error))?, path)
    }

    /// A journal in memory.
    pub fn in_memory() -> Result<Self, JournalError> {
        Journal::prepare(Connection::open_in_memory()?, Path::new(":memory:"))
    }

    fn prepare(connection: Connection, path: &Path) -> Result<Self, JournalError> {
        schema::prepare(&connection, path)?;
        Ok(Journal { connection, path: path.to_owned() })
    }

    /// Runs a query; errors name the file.
    fn within<T>(
        &self,
        query: impl FnOnce(&Connection) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        query(&self.connection).map_err(|error| error.within(&self.path))
    }

    /// The experiment with a name, created if there is none. Its spec must not have changed, so that
    /// games of different experiments are never mixed.
    pub fn experiment(&self, name: &str, spec: &Value) -> Result<Experiment<'_>, JournalError> {
        let text = canonical(spec);
        let insert = "INSERT INTO experiments (name, spec, spec_hash) VALUES (?1, ?2, ?3)
                      ON CONFLICT (name) DO NOTHING";
        let values = params![name, text, spec_hash(&text)];
        self.within(|connection| Ok(connection.execute(insert, values)?))?;
        let found = self
            .find(name)?
            .ok_or_else(|| JournalError::Damaged("an experiment is missing".into()))?;
        if canonical(&found.spec) == text {
            Ok(found)
        } else {
            let (earlier, now) = (canonical(&found.spec), text);
            Err(JournalError::OtherSpec { name: name.to_owned(), earlier, now })
        }
    }

    /// The experiment with a name, if there is one.
    pub fn find(&self, name: &str) -> Result<Option<Experiment<'_>>, JournalError> {
        let select = "SELECT id, spec FROM experiments WHERE name = ?1";
        let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, String>(1)?));
        let found =
            self.within(|connection| Ok(connection.query_row(select, [name], row).optional()?))?;
        let Some((id, spec)) = found else { return Ok(None) };
        let spec = serde_json::from_str(&spec).map_err(JournalError::damaged)?;
        Ok(Some(Experiment {
            journal: self,
            id,
            keeps_decisions: false,
            name: name.to_owned(),
            spec,
        }))
    }

    /// All experiments, oldest first.
    pub fn summaries(&self) -> Result<Vec<Summary>, JournalError> {
        let select = "SELECT name, spec_hash, count(slot), begun_at, max(finished_at)
                      FROM experiments LEFT JOIN games ON experiment = id GROUP BY id ORDER BY id";
        let summary = |row: &rusqlite::Row<'_>| {
            Ok(Summary {
                name: row.get(0)?,
                spec_hash: row.get(1)?,
                games: row.get::<_, i64>(2)? as u64,
                begun_at: row.get(3)?,
                last_game_at: row.get(4)?,
            })
        };
        self.within(|connection| {
            let mut statement = connection.prepare(select)?;
            Ok(statement.query_map([], summary)?.collect::<Result<_, _>>()?)
        })
    }
}

impl Experiment<'_> {
    /// Slots of the finished games, in ascending order.
    pub fn done_slots(&self) -> Result<Vec<usize>, JournalError> {
        let select = "SELECT slot FROM games WHERE experiment = ?1 ORDER BY slot";
        let slot = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0).map(|slot| slot as usize);
        self.journal.within(|connection| {
            let mut statement = connection.prepare_cached(select)?;
            Ok(statement.query_map([self.id], slot)?.collect::<Result<_, _>>()?)
        })
    }

    /// All games in schedule order, without their decisions.
    pub fn games(&self) -> Result<Vec<GameRecord>, JournalError> {
        self.journal.within(|connection| columns::select(connection, self.id))
    }

    /// When the game of each slot ended, in milliseconds since 1970.
    pub fn finish_times(&self) -> Result<BTreeMap<usize, u64>, JournalError> {
        // 1970 began on Julian day 2440587.5, and a day has 86,400,000 ms.
        let since = "(julianday(finished_at) - 2440587.5) * 86400000";
        let select = format!(
            "SELECT slot, CAST(round({since}) AS INTEGER) FROM games WHERE experiment = ?1"
        );
        let row = |row: &rusqlite::Row<'_>| {
            Ok((row.get::<_, i64>(0)? as usize, row.get::<_, i64>(1)?.max(0).cast_unsigned()))
        };
        self.journal.within(|connection| {
            let mut statement = connection.prepare_cached(&select)?;
            Ok(statement.query_map([self.id], row)?.collect::<Result<_, _>>()?)
        })
    }

    /// The game of a slot, which must exist.
    fn game(&self, slot: usize) -> Result<GameRecord, JournalError> {
        self.journal
            .within(|connection| columns::select_one(connection, self.id, slot))?
            .ok_or_else(|| JournalError::Damaged(format!("game {slot} is missing")))
    }

    /// Also stores the decisions of the games recorded from now on, if they have any.
    pub fn keep_decisions(&mut self) -> Result<(), JournalError> {
        self.journal.within(decisions::create_table)?;
        self.keeps_decisions = true;
        Ok(())
    }

    /// The decisions of the game in a slot; none if they were not kept.
    pub fn decisions(&self, slot: usize) -> Result<Vec<Decision>, JournalError> {
        self.journal.within(|connection| decisions::select(connection, self.id, slot))
    }

    /// Records games in one transaction; returns for each whether it is new. Earlier records are
    /// kept.
    pub fn record(&self, games: &[GameRecord]) -> Result<Vec<bool>, JournalError> {
        self.journal.within(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let insert = |game: &GameRecord| self.insert(&transaction, game);
            let new: Result<Vec<bool>, _> = games.iter().map(insert).collect();
            let new = new?;
            transaction.commit()?;
            Ok(new)
        })
    }

    fn insert(&self, connection: &Connection, game: &GameRecord) -> Result<bool, JournalError> {
        let is_new = columns::insert(connection, self.id, game)?;
        if is_new && self.keeps_decisions && !game.decisions.is_empty() {
            decisions::insert(connection, self.id, game.slot.index, &game.decisions)?;
        }
        Ok(is_new)
    }
}

impl Ledger for Experiment<'_> {
    type Error = JournalError;

    fn games(&self) -> Result<Vec<GameRecord>, JournalError> {
        Experiment::games(self)
    }

    fn record(&mut self, games: &[GameRecord]) -> Result<Vec<Option<GameRecord>>, JournalError> {
        let new = Experiment::record(self, games)?;
        let earlier = |(new, game): (bool, &GameRecord)| {
            // Another program that plays the same experiment recorded it first. Records are never
            // deleted.
            if new { Ok(None) } else { self.game(game.slot.index).map(Some) }
        };
        new.into_iter().zip(games).map(earlier).collect()
    }
}

/// The spec with sorted keys and no blanks: equal specs have equal texts.
fn canonical(spec: &Value) -> String {
    match spec {
        Value::Object(entries) => {
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            let entry = |(key, value): (&String, &Value)| {
                format!("{}:{}", Value::from(key.as_str()), canonical(value))
            };
            format!("{{{}}}", entries.into_iter().map(entry).collect::<Vec<_>>().join(","))
        }
        Value::Array(values) => {
            format!("[{}]", values.iter().map(canonical).collect::<Vec<_>>().join(","))
        }
        plain => plain.to_string(),
    }
}

fn spec_hash(canonical: &str) -> String {
    let mut print = Fingerprint::default();
    print.add(canonical.as_bytes());
    format!("{:016x}", print.value())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn equal_specs_are_equal_texts() {
        let spec = json!({"b": [1, {"d": null, "c": "x\"y"}], "a": 0.5});
        assert_eq!(canonical(&spec), r#"{"a":0.5,"b":[1,{"c":"x\"y","d":null}]}"#);
    }

    #[test]
    fn an_experiment_keeps_its_spec() {
        let journal = Journal::in_memory().unwrap();
        let spec = json!({"game": "nim", "games": 3});
        assert_eq!(journal.experiment("a", &spec).unwrap().spec, spec);
        assert!(journal.experiment("a", &spec).is_ok());
        let Err(other) = journal.experiment("a", &json!({"game": "nim", "games": 4})) else {
            panic!("another spec was accepted");
        };
        let text = other.to_string();
        assert!(text.contains("`a`") && text.contains("\nhint: "), "{text}");
        assert!(journal.find("b").unwrap().is_none());
        assert_eq!(journal.summaries().unwrap().len(), 1);
    }
}
