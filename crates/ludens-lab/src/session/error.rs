//! Errors of sessions.

use std::fmt;

use ludens_catalog::CatalogError;
use ludens_core::Panicked;
use serde::Serialize;

use crate::hinted::Hinted;

/// An error in an input, with its field and a hint.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct InputError {
    /// What is wrong.
    pub error: String,
    /// The invalid field, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// A hint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl InputError {
    /// An error in a field.
    pub fn of(field: &str, error: impl fmt::Display) -> Self {
        InputError { error: error.to_string(), field: Some(field.to_owned()), hint: None }
    }

    /// An error of the input as a whole.
    pub fn new(error: impl fmt::Display) -> Self {
        InputError { error: error.to_string(), field: None, hint: None }
    }

    /// The same with a hint.
    #[must_use]
    pub fn with_hint(self, hint: Option<String>) -> Self {
        InputError { hint, ..self }
    }

    /// An error of the catalog in a field.
    pub fn from_catalog(field: &str, error: &CatalogError) -> Self {
        InputError::of(field, error).with_hint(error.hint())
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.error)
    }
}

impl std::error::Error for InputError {}

/// An error of a session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SessionError {
    /// An invalid input: a move that is not legal, or facts that are not a state.
    Input(InputError),
    /// A reasoner gave up, or the program has a defect. The session is unchanged.
    Panicked(Panicked),
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionError::Input(error) => error.fmt(f),
            SessionError::Panicked(panicked) => panicked.fmt(f),
        }
    }
}

impl std::error::Error for SessionError {}

impl From<InputError> for SessionError {
    fn from(error: InputError) -> Self {
        SessionError::Input(error)
    }
}

impl From<Panicked> for SessionError {
    fn from(panicked: Panicked) -> Self {
        SessionError::Panicked(panicked)
    }
}

impl SessionError {
    /// The same as an error with a hint, or as the panic that it is.
    pub fn into_anyhow(self) -> anyhow::Error {
        match self {
            SessionError::Panicked(panicked) => panicked.into(),
            SessionError::Input(InputError { error, hint: Some(hint), .. }) => {
                Hinted::new(error, hint).into()
            }
            SessionError::Input(error) => error.into(),
        }
    }

    /// The same as an error of an input.
    pub fn into_input(self) -> InputError {
        match self {
            SessionError::Input(error) => error,
            SessionError::Panicked(panicked) => {
                InputError::new(format!("the analysis failed: {panicked}"))
            }
        }
    }
}
