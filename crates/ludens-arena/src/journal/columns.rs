//! Games as rows of a table.

use rusqlite::{Connection, Row, named_params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::JournalError;
use crate::record::GameRecord;
use crate::schedule::Slot;

/// Inserts a game; returns whether it is new.
pub(super) fn insert(
    connection: &Connection,
    experiment: i64,
    game: &GameRecord,
) -> Result<bool, JournalError> {
    let insert = "INSERT INTO games (experiment, slot, game_idx, meeting, round, round_games, seats, seed,
                      ending, payoffs, plies, opening, moves, efforts, incidents)
                  VALUES (:experiment, :slot, :game_idx, :meeting, :round, :round_games, :seats, :seed,
                      :ending, :payoffs, :plies, :opening, :moves, :efforts, :incidents)
                  ON CONFLICT (experiment, slot) DO NOTHING";
    let slot = &game.slot;
    let integer = |number: usize| i64::try_from(number).map_err(JournalError::damaged);
    let changed = connection.prepare_cached(insert)?.execute(named_params! {
        ":experiment": experiment,
        ":slot": integer(slot.index)?,
        ":game_idx": integer(slot.game)?,
        ":meeting": integer(slot.meeting)?,
        ":round": integer(slot.round)?,
        ":round_games": integer(slot.round_games)?,
        ":seats": text(&slot.seats)?,
        ":seed": slot.seed.cast_signed(),
        ":ending": text(&game.ending)?,
        ":payoffs": text(&game.payoffs)?,
        ":plies": integer(game.plies())?,
        ":opening": integer(game.opening)?,
        ":moves": text(&game.moves)?,
        ":efforts": text(&game.efforts)?,
        ":incidents": text(&game.incidents)?,
    })?;
    Ok(changed > 0)
}

/// Reads all games of an experiment, in schedule order.
pub(super) fn select(
    connection: &Connection,
    experiment: i64,
) -> Result<Vec<GameRecord>, JournalError> {
    let select = "SELECT * FROM games WHERE experiment = ?1 ORDER BY slot";
    let mut statement = connection.prepare_cached(select)?;
    let mut rows = statement.query([experiment])?;
    let mut games = Vec::new();
    while let Some(row) = rows.next()? {
        games.push(read(row)?);
    }
    Ok(games)
}

/// Reads the game of a slot, if it was played.
pub(super) fn select_one(
    connection: &Connection,
    experiment: i64,
    slot: usize,
) -> Result<Option<GameRecord>, JournalError> {
    let select = "SELECT * FROM games WHERE experiment = ?1 AND slot = ?2";
    let slot = i64::try_from(slot).map_err(JournalError::damaged)?;
    let mut statement = connection.prepare_cached(select)?;
    statement.query([experiment, slot])?.next()?.map(read).transpose()
}

fn read(row: &Row<'_>) -> Result<GameRecord, JournalError> {
    let number = |name: &str| -> Result<usize, JournalError> {
        let number: i64 = row.get(name)?;
        usize::try_from(number).map_err(|_| JournalError::Damaged(format!("the {name} {number}")))
    };
    let slot = Slot {
        index: number("slot")?,
        game: number("game_idx")?,
        meeting: number("meeting")?,
        round: number("round")?,
        round_games: number("round_games")?,
        seats: json(row, "seats")?,
        seed: row.get::<_, i64>("seed")?.cast_unsigned(),
    };
    Ok(GameRecord {
        slot,
        ending: json(row, "ending")?,
        payoffs: json(row, "payoffs")?,
        moves: json(row, "moves")?,
        opening: number("opening")?,
        efforts: json(row, "efforts")?,
        incidents: json(row, "incidents")?,
        decisions: Vec::new(),
    })
}

fn json<T: DeserializeOwned>(row: &Row<'_>, name: &str) -> Result<T, JournalError> {
    let text: String = row.get(name)?;
    serde_json::from_str(&text).map_err(|error| JournalError::damaged(format!("{name}: {error}")))
}

fn text<T: Serialize>(value: &T) -> Result<String, JournalError> {
    serde_json::to_string(value).map_err(JournalError::damaged)
}
