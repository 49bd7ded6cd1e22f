//! What is wrong with a question.

use std::fmt::Display;

use ludens_catalog::CatalogError;
use serde::Serialize;

use crate::failure::Hinted;

/// What is wrong with a question, where, and what was probably meant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Slip {
    /// What is wrong.
    pub error: String,
    /// The field that is wrong, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Slip {
    /// Something is wrong with a field.
    pub fn of(field: &str, error: impl Display) -> Self {
        Slip { error: error.to_string(), field: Some(field.to_owned()), hint: None }
    }

    /// Something is wrong with the whole question.
    pub fn new(error: impl Display) -> Self {
        Slip { error: error.to_string(), field: None, hint: None }
    }

    /// The same, with what to do about it.
    #[must_use]
    pub fn hinting(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }

    /// What the catalog refused in a field.
    pub fn from_catalog(field: &str, error: &CatalogError) -> Self {
        Slip::of(field, error).hinting(error.hint())
    }

    /// The same as an error of a command.
    pub fn into_error(self) -> anyhow::Error {
        match self.hint {
            Some(hint) => Hinted::new(self.error, hint).into(),
            None => anyhow::anyhow!(self.error),
        }
    }
}
