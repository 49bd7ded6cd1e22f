//! Source text, byte spans and line:column positions.

use crate::diagnostic::{Code, Diagnostic};

/// Texts longer than this are rejected before any work is done on them.
///
/// The largest rules known to have been played are below one megabyte.
pub const MAX_SOURCE_BYTES: usize = 16 << 20;

/// A half-open range of bytes in a source text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start: start as u32, end: end as u32 }
    }

    /// The smallest span that contains both.
    #[must_use]
    pub fn to(self, other: Span) -> Self {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span as a range that indexes the source text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A line and a column, both counted from one; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineColumn {
    /// Line number, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// A named text with an index of its lines.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name of the text in messages: a file name, or `<stdin>`.
    pub name: String,
    /// The text.
    pub text: String,
    line_starts: Vec<u32>,
}

impl Source {
    /// Wraps a text that is known to be UTF-8 and of reasonable size.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1))
            .collect();
        Source { name: name.into(), text, line_starts }
    }

    /// Decodes bytes of unknown origin: rejects texts that are too large, and reports and replaces invalid
    /// UTF-8.
    pub fn from_bytes(name: impl Into<String>, bytes: &[u8]) -> (Self, Vec<Diagnostic>) {
        if bytes.len() > MAX_SOURCE_BYTES {
            let message = format!(
                "the text has {} bytes, more than the limit of {MAX_SOURCE_BYTES}",
                bytes.len()
            );
            let problem = Diagnostic::new(Code::TooLarge, Span::default(), message)
                .hint("rules of this size cannot be played; split off generated data");
            return (Source::new(name, ""), vec![problem]);
        }
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        match std::str::from_utf8(bytes) {
            Ok(text) => (Source::new(name, text), Vec::new()),
            Err(error) => {
                let at = error.valid_up_to();
                let text = String::from_utf8_lossy(bytes).into_owned();
                let message = format!("byte {:#04x} is not valid UTF-8", bytes[at]);
                // The replacement character is three bytes long.
                let problem = Diagnostic::new(Code::NotUtf8, Span::new(at, at + 3), message)
                    .hint("save the file as UTF-8");
                (Source::new(name, text), vec![problem])
            }
        }
    }

    /// Line and column of a byte offset.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.line_starts.partition_point(|&start| start <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self.text.get(start..end).map_or(0, |before| before.chars().count());
        LineColumn { line: line as u32 + 1, column: column as u32 + 1 }
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.range()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_from_one() {
        let source = Source::new("t", "ab\nçd\n");
        assert_eq!(source.line_column(0), LineColumn { line: 1, column: 1 });
        assert_eq!(source.line_column(5), LineColumn { line: 2, column: 2 });
        assert_eq!(source.line_column(7), LineColumn { line: 3, column: 1 });
    }

    #[test]
    fn invalid_bytes_are_reported_and_replaced() {
        let (source, problems) = Source::from_bytes("t", b"(a \xff b)");
        assert_eq!(problems[0].code, Code::NotUtf8);
        assert_eq!(problems[0].span, Span::new(3, 6));
        assert_eq!(source.slice(problems[0].span), "\u{fffd}");
    }
}
