//! The tables, and how a journal is recognised.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};

use super::error::JournalError;

/// Marks the file as a journal of this program: `LUDJ`.
const APPLICATION: i64 = 0x4c55_444a;

/// The version of the tables.
const VERSION: i64 = 1;

const TABLES: &str = "
    CREATE TABLE experiments (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        spec TEXT NOT NULL,
        spec_hash TEXT NOT NULL,
        begun_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    ) STRICT;
    CREATE TABLE games (
        experiment INTEGER NOT NULL REFERENCES experiments (id),
        slot INTEGER NOT NULL,
        game_idx INTEGER NOT NULL,
        meeting INTEGER NOT NULL,
        round INTEGER NOT NULL,
        round_games INTEGER NOT NULL,
        seats TEXT NOT NULL,
        seed INTEGER NOT NULL,
        ending TEXT NOT NULL,
        payoffs TEXT NOT NULL,
        plies INTEGER NOT NULL,
        opening INTEGER NOT NULL,
        moves TEXT NOT NULL,
        efforts TEXT NOT NULL,
        incidents TEXT NOT NULL,
        finished_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
        PRIMARY KEY (experiment, slot)
    ) STRICT, WITHOUT ROWID;
";

/// How long to wait for another program that writes to the same journal.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// Checks that the file is a journal; an empty file becomes one. Other files are not changed.
pub(super) fn prepare(connection: &Connection, path: &Path) -> Result<(), JournalError> {
    let within = |error| JournalError::at(path, error);
    connection.busy_timeout(BUSY_TIMEOUT).map_err(within)?;
    if is_empty(connection).map_err(within)? {
        create(connection).map_err(within)?;
    }
    let mark = number(connection, "application_id").map_err(within)?;
    if mark != APPLICATION {
        return Err(JournalError::Foreign(path.to_owned()));
    }
    let found = number(connection, "user_version").map_err(within)?;
    if found != VERSION {
        return Err(JournalError::Newer { path: path.to_owned(), found, known: VERSION });
    }
    use_write_ahead_log(connection).map_err(within)?;
    connection
        .execute_batch("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON")
        .map_err(within)
}

/// Switches to the write-ahead log. `SQLite` ignores the busy timeout for this pragma, so the loop
/// waits for programs that open the file at the same time.
fn use_write_ahead_log(connection: &Connection) -> rusqlite::Result<()> {
    let begun = Instant::now();
    loop {
        // A database in memory has no log and answers with another mode.
        let mode = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
        match connection.query_row("PRAGMA journal_mode = WAL", [], mode) {
            Err(error) if is_busy(&error) && begun.elapsed() < BUSY_TIMEOUT => {
                std::thread::sleep(Duration::from_millis(2));
            }
            answer => return answer.map(|_| ()),
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

/// Creates the tables, unless another program that opened the new file created them first.
fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    if is_empty(connection)? {
        let marks =
            format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};");
        connection.execute_batch(&format!("{TABLES}{marks}"))?;
    }
    connection.execute_batch("COMMIT")
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
    Ok(tables == 0 && number(connection, "user_version")? == 0)
}

fn number(connection: &Connection, pragma: &str) -> rusqlite::Result<i64> {
    connection.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get(0))
}
