//! Diagnostics: problems of a description, their positions, and hints.

use rustc_hash::FxHashMap;

use crate::source::Span;

pub use crate::code::Code;

/// At most this many problems of each kind are reported one by one.
pub const MAX_PER_CODE: usize = 50;

/// The severity of a problem. [`Code::blocks_play`] says whether the game can still be played.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The rules break the specification.
    Error,
    /// The rules are allowed or widely accepted, but probably not what was meant.
    Warning,
}

/// One problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Its kind.
    pub code: Code,
    /// Its severity, usually that of the code.
    pub severity: Severity,
    /// Its position.
    pub span: Span,
    /// The message, in lower case and without a full stop.
    pub message: String,
    /// How to fix it.
    pub hint: Option<String>,
    /// Related positions with labels.
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

    /// Adds a hint how to fix it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds a related position.
    #[must_use]
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// Whether it is an error, not a warning.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Collects problems, up to a limit for each kind.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    list: Vec<Diagnostic>,
    counts: FxHashMap<Code, usize>,
    /// The position of the first omitted problem of a kind.
    omitted: Vec<(Code, Span)>,
}

impl Problems {
    /// Adds a problem, or only counts it if there are many of its kind.
    pub fn push(&mut self, problem: Diagnostic) {
        let (code, span) = (problem.code, problem.span);
        self.add(code, span, || problem);
    }

    /// Adds the problem that `make` describes; it is not called if there are many of the kind.
    pub fn add(&mut self, code: Code, span: Span, make: impl FnOnce() -> Diagnostic) {
        let count = self.counts.entry(code).or_default();
        *count += 1;
        if *count <= MAX_PER_CODE {
            self.list.push(make());
        } else if *count == MAX_PER_CODE + 1 {
            self.omitted.push((code, span));
        }
    }

    /// The problems in the order they were added, then the number of omitted ones of each kind.
    pub fn finish(self) -> Vec<Diagnostic> {
        let mut list = self.list;
        for (code, span) in self.omitted {
            let more = self.counts[&code] - MAX_PER_CODE;
            list.push(Diagnostic::new(code, span, format!("and {more} more of this kind")));
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_problems_of_a_kind_are_counted() {
        let mut problems = Problems::default();
        for i in 0..60 {
            problems.push(Diagnostic::new(Code::EmptyOr, Span::new(i, i + 1), "x"));
        }
        let list = problems.finish();
        assert_eq!(list.len(), MAX_PER_CODE + 1);
        let last = &list[MAX_PER_CODE];
        assert_eq!((last.span.start, last.message.as_str()), (50, "and 10 more of this kind"));
    }

    #[test]
    fn identifiers_agree_with_severity_and_are_unique() {
        let mut ids: Vec<_> = Code::ALL.iter().map(|code| code.id()).collect();
        ids.dedup();
        assert_eq!(ids.len(), Code::ALL.len());
        for code in Code::ALL {
            assert_eq!(code.id().starts_with('E'), code.severity() == Severity::Error, "{code}");
        }
    }
}
