//! The output of `ludens check`, as JSON and as text.

use std::fmt::Write;

use ludens_gdl::{Diagnostic, Severity, Source, Span};
use ludens_lab::survey::{Finding, Survey};
use serde::Serialize;

/// The name of a severity.
pub fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// A problem of the text.
#[derive(Serialize)]
pub struct DiagnosticRecord<'a> {
    kind: &'static str,
    file: &'a str,
    code: &'static str,
    severity: &'static str,
    #[serde(flatten)]
    place: Place,
    message: &'a str,
    hint: Option<&'a str>,
    related: Vec<RelatedRecord<'a>>,
}

#[derive(Serialize)]
struct RelatedRecord<'a> {
    #[serde(flatten)]
    place: Place,
    message: &'a str,
}

/// Lines and columns count from 1, columns count characters; `start` and `end` are bytes.
#[derive(Serialize)]
struct Place {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    start: u32,
    end: u32,
}

impl Place {
    fn new(source: &Source, span: Span) -> Self {
        let (from, to) = (source.line_column(span.start), source.line_column(span.end));
        Place {
            line: from.line,
            column: from.column,
            end_line: to.line,
            end_column: to.column,
            start: span.start,
            end: span.end,
        }
    }
}

impl<'a> DiagnosticRecord<'a> {
    /// The record of a problem.
    pub fn new(source: &'a Source, problem: &'a Diagnostic) -> Self {
        let related = problem
            .related
            .iter()
            .map(|(span, message)| RelatedRecord { place: Place::new(source, *span), message });
        DiagnosticRecord {
            kind: "diagnostic",
            file: &source.name,
            code: problem.code.id(),
            severity: severity_name(problem.severity),
            place: Place::new(source, problem.span),
            message: &problem.message,
            hint: problem.hint.as_deref(),
            related: related.collect(),
        }
    }
}

/// A problem that random games found.
#[derive(Serialize)]
pub struct FindingRecord<'a> {
    kind: &'static str,
    file: &'a str,
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    /// Joint moves from the start that lead to it.
    moves: &'a [Vec<String>],
    count: u64,
}

impl<'a> FindingRecord<'a> {
    /// The maximum number of joint moves in the text.
    const MAX_MOVES: usize = 12;

    /// The record of a finding.
    pub fn new(file: &'a str, finding: &'a Finding) -> Self {
        FindingRecord {
            kind: "finding",
            file,
            code: finding.kind.id(),
            severity: severity_name(finding.kind.severity()),
            message: &finding.message,
            moves: &finding.line,
            count: finding.count,
        }
    }

    /// The finding as text.
    pub fn text(&self) -> String {
        let colour = if self.severity == "error" { 31 } else { 33 };
        let mut out = format!(
            "\x1b[1;{colour}m{}[{}]\x1b[0m: {}\n  --> {} (random games)\n",
            self.severity, self.code, self.message, self.file
        );
        if !self.moves.is_empty() {
            let joint = |moves: &Vec<String>| format!("[{}]", moves.join(", "));
            let shown: Vec<_> = self.moves.iter().take(Self::MAX_MOVES).map(joint).collect();
            let more = self.moves.len().saturating_sub(Self::MAX_MOVES);
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            let _ = writeln!(out, "   = seen after: {}{rest}", shown.join(" "));
        }
        if self.count > 1 {
            let _ = writeln!(out, "   = seen {} times", self.count);
        }
        out
    }
}

/// The summary of a file.
#[derive(Serialize)]
pub struct Summary<'a> {
    kind: &'static str,
    file: &'a str,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// Random games begun; absent without simulation.
    #[serde(skip_serializing_if = "Option::is_none")]
    playouts: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    finished: Option<u64>,
}

impl<'a> Summary<'a> {
    /// The summary of a file.
    pub fn new(file: &'a str, severities: &[Severity], survey: Option<&Survey>) -> Self {
        let count = |wanted| severities.iter().filter(|severity| **severity == wanted).count();
        Summary {
            kind: "summary",
            file,
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            playouts: survey.map(|survey| survey.playouts),
            finished: survey.map(|survey| survey.finished),
        }
    }

    /// The summary as text.
    pub fn text(&self) -> String {
        let games = match (self.playouts, self.finished) {
            (Some(playouts), Some(finished)) => {
                format!(", {finished} of {playouts} random games finished")
            }
            _ => String::new(),
        };
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        let found = match (self.errors, self.warnings) {
            (0, 0) => "no problems".to_owned(),
            (errors, warnings) => {
                format!("{errors} error{}, {warnings} warning{}", plural(errors), plural(warnings))
            }
        };
        format!("{}: {found}{games}", self.file)
    }
}
