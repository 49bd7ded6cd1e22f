//! Errors of journals.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why a journal cannot be used.
#[derive(Debug)]
pub enum JournalError {
    /// The file does not exist.
    Missing(PathBuf),
    /// The file is not a journal.
    Foreign(PathBuf),
    /// A later version of this program wrote the file.
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its tables.
        found: i64,
        /// The latest version this program knows.
        known: i64,
    },
    /// An experiment with the same name has another spec.
    OtherSpec {
        /// The name.
        name: String,
        /// The spec in the journal.
        earlier: String,
        /// The spec given now.
        now: String,
    },
    /// The contents are invalid.
    Damaged(String),
    /// The database failed.
    Database {
        /// The file, if known.
        path: Option<PathBuf>,
        /// The error of the database.
        error: rusqlite::Error,
    },
}

impl JournalError {
    /// An error on opening a file. The first read detects most files that are not databases.
    pub(super) fn at(path: &Path, error: rusqlite::Error) -> Self {
        if error.sqlite_error_code() == Some(rusqlite::ErrorCode::NotADatabase) {
            JournalError::Foreign(path.to_owned())
        } else {
            JournalError::Database { path: Some(path.to_owned()), error }
        }
    }

    /// The same error with its file.
    pub(super) fn within(self, path: &Path) -> Self {
        match self {
            JournalError::Database { path: None, error } => JournalError::at(path, error),
            other => other,
        }
    }

    /// Contents that cannot be read.
    pub(super) fn damaged(error: impl fmt::Display) -> Self {
        JournalError::Damaged(error.to_string())
    }
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::Missing(path) => write!(f, "there is no journal {}", path.display()),
            JournalError::Foreign(path) => {
                write!(
                    f,
                    "{} is not a journal\nhint: name another file; this one was not changed",
                    path.display()
                )
            }
            JournalError::Newer { path, found, known } => write!(
                f,
                "{} has version {found}, but this program supports versions up to {known}\nhint: use the newer program, or another file",
                path.display()
            ),
            JournalError::OtherSpec { name, earlier, now } => write!(
                f,
                "the experiment `{name}` was started with other settings\nthen: {earlier}\nnow:  {now}\nhint: choose another name, or resume with the earlier settings"
            ),
            JournalError::Damaged(what) => write!(f, "the journal is damaged: {what}"),
            JournalError::Database { path: Some(path), error } if is_corrupt(error) => {
                write!(
                    f,
                    "the journal {} is damaged: {error}\nhint: restore it from a backup, or move it away: the same command replays its games",
                    path.display()
                )
            }
            JournalError::Database { path: Some(path), error } => {
                write!(f, "cannot use the journal {}: {error}", path.display())
            }
            JournalError::Database { path: None, error } => {
                write!(f, "the journal failed: {error}")
            }
        }
    }
}

/// Whether the file is a database that was overwritten or truncated.
fn is_corrupt(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseCorrupt)
}

impl std::error::Error for JournalError {}

impl From<rusqlite::Error> for JournalError {
    fn from(error: rusqlite::Error) -> Self {
        JournalError::Database { path: None, error }
    }
}
