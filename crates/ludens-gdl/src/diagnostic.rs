//! What is wrong with a description, where, and what to do about it.

use crate::source::Span;

pub use crate::code::Code;

/// Whether a problem stops the game from being played.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The rules have no agreed meaning.
    Error,
    /// The rules can be played, but break the specification or are probably not what was meant.
    Warning,
}

/// One problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// What kind of problem.
    pub code: Code,
    /// How bad; usually the code's own severity.
    pub severity: Severity,
    /// Where.
    pub span: Span,
    /// What, in lower case and without a full stop.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Other places that belong to the problem.
    pub related: Vec<(Span, String)>,
}

impl Diagnostic {
    /// A problem with the severity of its code.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: code.severity(),
            span,
            message: message.into(),
            hint: None,
            related: Vec::new(),
        }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds a place that belongs to the problem.
    #[must_use]
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// Whether it stops the game from being played.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
