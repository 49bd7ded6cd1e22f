//! Checks that formatting preserves meaning.

use super::format;
use crate::checks::key::Key;
use crate::diagnostic::Diagnostic;
use crate::tree::parse_rules_tree;

/// A defect of the formatter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatFault {
    /// The result cannot be parsed.
    Unreadable,
    /// Statements differ.
    Statements,
    /// Comments differ.
    Comments,
    /// Formatting the result changes it.
    Unstable,
}

/// Formats a text and checks that its statements and comments are preserved and that formatting is
/// idempotent. A text that cannot be formatted passes.
pub fn verify(text: &str) -> Result<(), FormatFault> {
    let Ok(tidy) = format(text) else { return Ok(()) };
    let again = format(&tidy).map_err(|_: Vec<Diagnostic>| FormatFault::Unreadable)?;
    if statements(text) != statements(&tidy) {
        return Err(FormatFault::Statements);
    }
    if comments(text) != comments(&tidy) {
        return Err(FormatFault::Comments);
    }
    if again == tidy { Ok(()) } else { Err(FormatFault::Unstable) }
}

/// The statements without positions, and the words in order of appearance.
fn statements(text: &str) -> (Vec<Box<[u32]>>, Vec<String>) {
    let (description, _) = crate::parse(text);
    let keys = description.statements.iter().map(Key::of_statement).collect();
    let words = crate::lex::tokens(text)
        .filter(|token| token.kind == crate::lex::TokenKind::Atom)
        .map(|token| text[token.span.range()].to_owned());
    (keys, words.collect())
}

fn comments(text: &str) -> Vec<String> {
    let (tree, _) = parse_rules_tree(text);
    tree.comments.iter().map(|span| text[span.range()].trim_end().to_owned()).collect()
}
