//! The syntax of messages: atoms and lists, parsed without recursion and without copying.

use std::fmt;

use ludens_gdl::lex::{Token, TokenKind, tokens};

/// An atom or a list, as text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expression<'a> {
    text: &'a str,
}

/// The maximum nesting of lists, far beyond any real rules.
pub const MAX_DEPTH: usize = 10_000;

/// Why a text has no expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpressionError {
    /// The text is blank.
    Empty,
    /// The list at this byte is not closed.
    Unclosed(usize),
    /// The parenthesis at this byte closes nothing.
    Unopened(usize),
    /// The list at this byte is nested too deeply.
    TooDeep(usize),
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExpressionError::Empty => f.write_str("the message is empty"),
            ExpressionError::Unclosed(at) => write!(f, "the list at byte {at} is not closed"),
            ExpressionError::Unopened(at) => write!(f, "the `)` at byte {at} closes nothing"),
            ExpressionError::TooDeep(at) => {
                write!(f, "the list at byte {at} is nested within more than {MAX_DEPTH} others")
            }
        }
    }
}

impl std::error::Error for ExpressionError {}

impl<'a> Expression<'a> {
    /// The first expression of a text, and what follows it.
    pub fn first(text: &'a str) -> Result<(Self, &'a str), ExpressionError> {
        let mut tokens = words(text);
        let first = tokens.next().ok_or(ExpressionError::Empty)?;
        let start = first.span.range().start;
        let end = match first.kind {
            TokenKind::Close => return Err(ExpressionError::Unopened(start)),
            TokenKind::Open => {
                end_of_list(tokens).unwrap_or(Err(ExpressionError::Unclosed(start)))?
            }
            TokenKind::Atom | TokenKind::Comment => first.span.range().end,
        };
        Ok((Expression { text: &text[start..end] }, &text[end..]))
    }

    /// The text of the expression.
    pub fn text(self) -> &'a str {
        self.text
    }

    /// The atom, if it is one.
    pub fn atom(self) -> Option<&'a str> {
        (!self.text.starts_with('(')).then_some(self.text)
    }

    /// The text between the parentheses of a list.
    pub fn inside(self) -> Option<&'a str> {
        self.text.strip_prefix('(')?.strip_suffix(')')
    }

    /// The expressions of a list; an atom has none.
    pub fn items(self) -> Items<'a> {
        Items { rest: self.inside().unwrap_or("") }
    }
}

/// The tokens separated by single spaces, without comments.
impl fmt::Display for Expression<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, token) in words(self.text).enumerate() {
            let blank = if i > 0 { " " } else { "" };
            write!(f, "{blank}{}", &self.text[token.span.range()])?;
        }
        Ok(())
    }
}

/// Iterates over the expressions of a list.
#[derive(Clone, Debug)]
pub struct Items<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Items<'a> {
    type Item = Expression<'a>;

    fn next(&mut self) -> Option<Expression<'a>> {
        // The parentheses of a list are balanced, so this fails only after the last item.
        let (item, rest) = Expression::first(self.rest).ok()?;
        self.rest = rest;
        Some(item)
    }
}

/// The tokens of a text, without comments.
fn words(text: &str) -> impl Iterator<Item = Token> {
    tokens(text).filter(|token| token.kind != TokenKind::Comment)
}

/// The end of a list after its opening parenthesis; `None` if it is not closed.
fn end_of_list(tokens: impl Iterator<Item = Token>) -> Option<Result<usize, ExpressionError>> {
    let mut depth = 1;
    for Token { kind, span } in tokens {
        match kind {
            TokenKind::Open if depth == MAX_DEPTH => {
                return Some(Err(ExpressionError::TooDeep(span.range().start)));
            }
            TokenKind::Open => depth += 1,
            TokenKind::Close if depth == 1 => return Some(Ok(span.range().end)),
            TokenKind::Close => depth -= 1,
            TokenKind::Atom | TokenKind::Comment => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &str) -> Vec<&str> {
        let (list, _) = Expression::first(text).expect("there is an expression");
        list.items().map(Expression::text).collect()
    }

    #[test]
    fn lists_are_taken_apart() {
        assert_eq!(items("( PLAY m1 (a (b c)) nil) and more"), ["PLAY", "m1", "(a (b c))", "nil"]);
        assert_eq!(items("(a(b)c)"), ["a", "(b)", "c"]);
        assert_eq!(items("()"), Vec::<&str>::new());
        assert_eq!(items("atom"), Vec::<&str>::new());
        assert_eq!(items("(a ; ) a comment (\n b)"), ["a", "b"]);
        assert_eq!(items("\u{feff}").len(), 0);
    }

    #[test]
    fn the_rest_of_the_text_is_returned() {
        let (first, rest) = Expression::first("  (a b) c").expect("there is an expression");
        assert_eq!((first.text(), rest), ("(a b)", " c"));
        assert_eq!((first.atom(), first.inside()), (None, Some("a b")));
        let (second, rest) = Expression::first(rest).expect("there is an expression");
        assert_eq!((second.atom(), rest), (Some("c"), ""));
    }

    #[test]
    fn errors_say_where() {
        let error = |text| Expression::first(text).expect_err("it is wrong");
        assert_eq!(error(" \n "), ExpressionError::Empty);
        assert_eq!(error("; nothing"), ExpressionError::Empty);
        assert_eq!(error("  (a (b)"), ExpressionError::Unclosed(2));
        assert_eq!(error(" )"), ExpressionError::Unopened(1));
        let deep = "(".repeat(MAX_DEPTH + 1);
        assert_eq!(error(&deep), ExpressionError::TooDeep(MAX_DEPTH));
        let deep = "(".repeat(MAX_DEPTH) + &")".repeat(MAX_DEPTH);
        assert!(Expression::first(&deep).is_ok());
    }

    #[test]
    fn blanks_are_made_single() {
        let (list, _) = Expression::first("(a(b   c)\n;x\nd )").expect("there is an expression");
        assert_eq!(list.to_string(), "( a ( b c ) d )");
    }
}
