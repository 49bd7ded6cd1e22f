//! Diagnostics as text: the line, a caret, a hint, and related places.

use std::ops::Range;

use annotate_snippets::{
    AnnotationKind, Element, Group, Level, Origin, Renderer as Snippets, Snippet,
};
use ludens_gdl::{Diagnostic, Severity, Source, Span};

/// Longer lines are shown in part.
const MAX_LINE: usize = 240;
/// Of longer spans, only the first line is shown.
const MAX_LINES: u32 = 8;

/// Places within this number of bytes are shown together.
const MAX_DISTANCE: usize = 2_000;

/// Renders diagnostics, with colours that the output stream may remove.
pub struct Renderer(Snippets);

impl Renderer {
    /// A renderer.
    pub fn new() -> Self {
        Renderer(Snippets::styled())
    }

    /// One problem of a source.
    pub fn render(&self, source: &Source, problem: &Diagnostic) -> String {
        let level = match problem.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(&problem.message).id(problem.code.id());
        let mut group = Group::with_title(title);
        for snippet in places(source, problem) {
            group = group.elements(snippet);
        }
        if let Some(hint) = &problem.hint {
            group = group.element(Level::HELP.with_name("hint").message(hint));
        }
        let mut text = self.0.render(&[group]);
        text.push('\n');
        text
    }
}

/// The places of a problem: together if they are close, and one after the other otherwise.
fn places<'a>(source: &'a Source, problem: &'a Diagnostic) -> Vec<Vec<Element<'a>>> {
    let main = (Window::new(source, problem.span), None);
    let related = problem.related.iter();
    let related = related.map(|(span, label)| (Window::new(source, *span), Some(label.as_str())));
    let all: Vec<_> = std::iter::once(main).chain(related).collect();
    let from = all.iter().map(|(window, _)| window.shown.start).min().unwrap_or(0);
    let to = all.iter().map(|(window, _)| window.shown.end).max().unwrap_or(0);
    if to - from <= MAX_DISTANCE && all.iter().all(|(window, _)| window.whole) {
        vec![place(source, from..to, &all)]
    } else {
        all.chunks(1).map(|one| place(source, one[0].0.shown.clone(), one)).collect()
    }
}

/// One part of the text with its marks.
fn place<'a>(
    source: &'a Source,
    shown: Range<usize>,
    marks: &[(Window, Option<&'a str>)],
) -> Vec<Element<'a>> {
    let first = &marks[0].0;
    let start = source.line_column(first.start as u32);
    let line = source.line_column(shown.start as u32).line as usize;
    let mut snippet = Snippet::source(&source.text[shown.clone()]).line_start(line);
    for (window, label) in marks {
        let kind = if label.is_none() { AnnotationKind::Primary } else { AnnotationKind::Context };
        let span = window.start - shown.start..window.end - shown.start;
        snippet = snippet.annotation(kind.span(span).label(*label));
    }
    if first.whole {
        return vec![snippet.path(&source.name).into()];
    }
    // The column of a line that is shown in part cannot be counted from the snippet.
    let origin = Origin::path(&source.name);
    let origin = origin.line(start.line as usize).char_column(start.column as usize);
    vec![origin.into(), snippet.into()]
}

/// The part of a text that is shown for a span.
///
/// Only the lines of the span are rendered, and only a part of very long ones: generated rules can
/// have megabytes in a single line.
struct Window {
    /// Start of the span in bytes, at a character boundary.
    start: usize,
    /// End of the marked part in bytes.
    end: usize,
    /// The shown part of the text.
    shown: Range<usize>,
    /// Whether the shown part begins at the start of a line.
    whole: bool,
}

impl Window {
    fn new(source: &Source, span: Span) -> Self {
        let text = source.text.as_str();
        let start = floor(text, span.start as usize);
        let mut end = floor(text, span.end as usize).max(start);
        let lines = source.line_column(end as u32).line - source.line_column(start as u32).line;
        if lines > MAX_LINES {
            end = start + text[start..].find('\n').unwrap_or(end - start);
        }
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at);
        let from = line_start.max(floor(text, start.saturating_sub(MAX_LINE)));
        let to = line_end.min(floor(text, start + 2 * MAX_LINE).max(start));
        Window { start, end: end.clamp(start, to), shown: from..to, whole: from == line_start }
    }
}

fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at.min(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_gdl::Code;

    fn rendered(text: &str, span: Span) -> String {
        let source = Source::new("t.kif", text);
        let problem = Diagnostic::new(Code::EmptyBody, span, "message").hint("what to do");
        Renderer(Snippets::plain()).render(&source, &problem)
    }

    #[test]
    fn the_place_is_marked_and_named() {
        let text = "(role x)\n(<= (legal x ç) (tru y))\n";
        let start = text.find("tru").unwrap();
        let source = Source::new("t.kif", text);
        let problem = Diagnostic::new(Code::EmptyBody, Span::new(start, start + 3), "message")
            .hint("what to do")
            .related(Span::new(1, 5), "see here");
        insta::assert_snapshot!(Renderer(Snippets::plain()).render(&source, &problem));
    }

    #[test]
    fn invalid_spans_are_handled() {
        let long = format!("(a {})", "ç".repeat(5_000));
        let many = "(a\n".repeat(50);
        for text in ["", "\n", "ç", "(a\r\n\tb)", "a\u{0}b\u{301}", &long, &many] {
            for start in 0..40 {
                for len in [0, 1, 2, 7, 100, 20_000] {
                    let text = rendered(text, Span::new(start, start + len));
                    assert!(text.len() < 8_000, "{text}");
                    assert!(text.contains("what to do"));
                }
            }
        }
        rendered("(a)", Span { start: 3, end: 1 });
        rendered("(a)", Span { start: u32::MAX, end: u32::MAX });
    }
}
