//! Errors with a hint.

use std::fmt;

/// An error with a hint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hinted {
    message: String,
    hint: String,
}

impl Hinted {
    /// An error with a hint.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Hinted { message: message.into(), hint: hint.into() }
    }

    /// The hint.
    pub fn hint(&self) -> &str {
        &self.hint
    }
}

impl fmt::Display for Hinted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Hinted {}
