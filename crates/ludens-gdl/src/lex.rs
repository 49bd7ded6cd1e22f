//! The lexer: parentheses, atoms and comments, each with its span.

use crate::source::Span;

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// `(`
    Open,
    /// `)`
    Close,
    /// A run of characters that are not blanks, parentheses or `;`.
    Atom,
    /// From `;` to the end of the line, the line end not included.
    Comment,
}

/// A token and its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Its position.
    pub span: Span,
}

/// Tokens of a text, in order.
pub fn tokens(text: &str) -> impl Iterator<Item = Token> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() && is_blank(bytes[at]) {
            at += 1;
        }
        let start = at;
        let kind = match *bytes.get(at)? {
            b'(' => TokenKind::Open,
            b')' => TokenKind::Close,
            b';' => TokenKind::Comment,
            _ => TokenKind::Atom,
        };
        at += match kind {
            TokenKind::Open | TokenKind::Close => 1,
            TokenKind::Comment => run(&bytes[at..], |b| b != b'\n' && b != b'\r'),
            TokenKind::Atom => run(&bytes[at..], |b| !is_blank(b) && !b"();".contains(&b)),
        };
        Some(Token { kind, span: Span::new(start, at) })
    })
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

fn run(bytes: &[u8], keep: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|&b| !keep(b)).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_end_at_blanks_parentheses_and_comments() {
        let text = "(ab cd;x\n)";
        let found: Vec<_> = tokens(text).map(|t| (t.kind, &text[t.span.range()])).collect();
        assert_eq!(
            found,
            [
                (TokenKind::Open, "("),
                (TokenKind::Atom, "ab"),
                (TokenKind::Atom, "cd"),
                (TokenKind::Comment, ";x"),
                (TokenKind::Close, ")"),
            ]
        );
    }
}
