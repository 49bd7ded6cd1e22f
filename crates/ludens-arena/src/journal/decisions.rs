//! Reports on decisions, in a separate table that is created by the first experiment that keeps them.
//! A journal without the table is complete, and programs that do not know it ignore it.
//!
//! A row holds one game as JSON. Each move name is written once and referred to by number, and
//! structures are arrays without keys.

use rusqlite::{Connection, OptionalExtension};
use serde::{Deserialize, Serialize};

use super::error::JournalError;
use crate::record::{Decision, MoveVisits};

const TABLE: &str = "
    CREATE TABLE IF NOT EXISTS decisions (
        experiment INTEGER NOT NULL,
        slot INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (experiment, slot),
        FOREIGN KEY (experiment, slot) REFERENCES games (experiment, slot)
    ) STRICT;
";

/// Creates the table, unless the journal has it.
pub(super) fn create_table(connection: &Connection) -> Result<(), JournalError> {
    Ok(connection.execute_batch(TABLE)?)
}

/// Writes the decisions of a game.
pub(super) fn insert(
    connection: &Connection,
    experiment: i64,
    slot: usize,
    decisions: &[Decision],
) -> Result<(), JournalError> {
    let insert = "INSERT INTO decisions (experiment, slot, body) VALUES (?1, ?2, ?3)";
    let slot = i64::try_from(slot).map_err(JournalError::damaged)?;
    let body = serde_json::to_string(&Packed::new(decisions)).map_err(JournalError::damaged)?;
    connection.prepare_cached(insert)?.execute((experiment, slot, body))?;
    Ok(())
}

/// Reads the decisions of a game; none if they were not kept.
pub(super) fn select(
    connection: &Connection,
    experiment: i64,
    slot: usize,
) -> Result<Vec<Decision>, JournalError> {
    if !connection.table_exists(None, "decisions")? {
        return Ok(Vec::new());
    }
    let select = "SELECT body FROM decisions WHERE experiment = ?1 AND slot = ?2";
    let slot = i64::try_from(slot).map_err(JournalError::damaged)?;
    let mut statement = connection.prepare_cached(select)?;
    let body: Option<String> =
        statement.query_row([experiment, slot], |row| row.get(0)).optional()?;
    let Some(body) = body else { return Ok(Vec::new()) };
    let damaged =
        |what: &dyn std::fmt::Display| JournalError::damaged(format!("decisions: {what}"));
    let packed: Packed = serde_json::from_str(&body).map_err(|error| damaged(&error))?;
    packed.unpack().ok_or_else(|| damaged(&"a move without a name"))
}

/// The decisions of a game as they are stored.
#[derive(Serialize, Deserialize)]
struct Packed {
    /// Every move name once.
    moves: Vec<String>,
    decisions: Vec<PackedDecision>,
}

/// Ply, seat, iterations, value and moves.
type PackedDecision = (usize, usize, u64, Option<f64>, Vec<PackedMove>);

/// Number of the name, visits, mean.
type PackedMove = (usize, u64, f64);

impl Packed {
    fn new(decisions: &[Decision]) -> Self {
        let names = decisions.iter().flat_map(|decision| &decision.moves).map(|m| &m.name);
        let mut moves: Vec<String> = names.cloned().collect();
        moves.sort_unstable();
        moves.dedup();
        let pack =
            |m: &MoveVisits| (moves.partition_point(|name| *name < m.name), m.visits, m.mean);
        let pack = |d: &Decision| {
            (d.ply, d.seat, d.iterations, d.value, d.moves.iter().map(pack).collect())
        };
        Packed { decisions: decisions.iter().map(pack).collect(), moves }
    }

    /// The decisions, unless a move has no name.
    fn unpack(self) -> Option<Vec<Decision>> {
        let Packed { moves: names, decisions } = self;
        let unpack = |(name, visits, mean): PackedMove| {
            Some(MoveVisits { name: names.get(name)?.clone(), visits, mean })
        };
        let unpack = |(ply, seat, iterations, value, moves): PackedDecision| {
            let moves = moves.into_iter().map(unpack).collect::<Option<_>>()?;
            Some(Decision { ply, seat, iterations, value, moves })
        };
        decisions.into_iter().map(unpack).collect()
    }
}
