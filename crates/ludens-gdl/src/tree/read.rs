//! Parses tokens into a tree, and recovers from errors.

use super::{Kind, MAX_DEPTH, NodeId, Tree};
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::lex::{Token, TokenKind, tokens};
use crate::source::Span;

/// The parentheses around all rules: a list that begins with a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wrapper {
    open: Span,
    /// The last token of the text, if it is a closing parenthesis.
    close: Option<Span>,
}

/// Finds the parentheses around all rules. No other list begins with a list, but an extra
/// parenthesis looks the same: unless the parentheses match, the first must be separated from the
/// list that follows.
pub(super) fn wrapper(text: &str) -> Option<Wrapper> {
    let mut tokens = tokens(text).filter(|token| token.kind != TokenKind::Comment);
    let (first, second) = (tokens.next()?, tokens.next()?);
    if (first.kind, second.kind) != (TokenKind::Open, TokenKind::Open) {
        return None;
    }
    let (mut depth, mut closed_early, mut last) = (2usize, false, second);
    for token in tokens {
        closed_early |= depth == 0;
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Atom | TokenKind::Comment => {}
        }
        last = token;
    }
    let is_separate = second.span.start > first.span.end;
    let close = (last.kind == TokenKind::Close).then_some(last.span);
    let balanced = depth == 0 && !closed_early;
    (balanced || is_separate).then_some(Wrapper { open: first.span, close })
}

pub(super) fn parse(text: &str, wrapper: Option<Wrapper>) -> (Tree, Vec<Diagnostic>) {
    let mut reader = Reader {
        text,
        tree: Tree::default(),
        open: Vec::new(),
        wrapper,
        problems: Problems::default(),
        extra: None,
        last_empty: None,
    };
    let mut tokens = tokens(text).peekable();
    while let Some(token) = tokens.next() {
        match token.kind {
            TokenKind::Comment => reader.tree.comments.push(token.span),
            TokenKind::Atom => reader.atom(token.span),
            TokenKind::Close => reader.close(token.span),
            TokenKind::Open if wrapper.is_some_and(|wrapper| wrapper.open == token.span) => {}
            TokenKind::Open => {
                let starts_rule = tokens.peek().is_some_and(|next| reader.is_arrow(*next));
                if !reader.open(token.span, starts_rule) {
                    break;
                }
            }
        }
    }
    reader.finish()
}

struct Reader<'a> {
    text: &'a str,
    tree: Tree,
    open: Vec<(Span, Vec<NodeId>)>,
    /// The parentheses around all rules, until they are closed.
    wrapper: Option<Wrapper>,
    problems: Problems,
    extra: Option<(Span, usize)>,
    /// The last empty parentheses.
    last_empty: Option<Span>,
}

impl Reader<'_> {
    fn is_arrow(&self, token: Token) -> bool {
        token.kind == TokenKind::Atom && &self.text[token.span.range()] == "<="
    }

    fn add(&mut self, node: NodeId) {
        match self.open.last_mut() {
            Some((_, children)) => children.push(node),
            None => self.tree.roots.push(node),
        }
    }

    fn atom(&mut self, span: Span) {
        let word = &self.text[span.range()];
        if let Some(at) = word.find(|c: char| c.is_control()) {
            let bad = word[at..].chars().next().map_or(' ', |c| c);
            let start = span.start as usize + at;
            self.problems.push(
                Diagnostic::new(
                    Code::ControlCharacter,
                    Span::new(start, start + bad.len_utf8()),
                    format!("control character U+{:04X} in a word", bad as u32),
                )
                .hint("remove it; the file may be binary or damaged"),
            );
        }
        let node = self.tree.push(span, Kind::Atom);
        self.add(node);
    }

    /// Opens a list; returns false if the text is too deeply nested to continue.
    fn open(&mut self, span: Span, starts_rule: bool) -> bool {
        // A rule is never inside another list, so the list before it was left open.
        if starts_rule && !self.open.is_empty() {
            self.unclosed(Some(span));
        }
        if self.open.len() == MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} parentheses are open here");
            let hint = "no game needs such nesting; the rest is ignored";
            self.problems.push(Diagnostic::new(Code::TooDeep, span, message).hint(hint));
            self.open.clear();
            return false;
        }
        self.open.push((span, Vec::new()));
        true
    }

    fn close(&mut self, span: Span) {
        let Some((open, children)) = self.open.pop() else {
            if self.wrapper.is_some_and(|wrapper| wrapper.close == Some(span)) {
                return self.close_wrapper(span);
            }
            self.extra = Some(self.extra.map_or((span, 1), |(first, n)| (first, n + 1)));
            return;
        };
        if children.is_empty() {
            // Parentheses around only empty ones are the same mistake.
            if !self.is_reported(open.to(span)) {
                let hint = "remove the parentheses, or write the missing name after `(`";
                let message = "empty parentheses mean nothing in GDL";
                self.problems.push(Diagnostic::new(Code::EmptyList, open, message).hint(hint));
            }
            self.last_empty = Some(open);
            return;
        }
        self.list(open.to(span), &children);
    }

    fn close_wrapper(&mut self, close: Span) {
        if let Some(wrapper) = self.wrapper.take() {
            let message = "all rules are in one list";
            let hint = "remove the outer parentheses, as `ludens fmt` does";
            let problem = Diagnostic::new(Code::WrappedRules, wrapper.open, message).hint(hint);
            self.problems.push(problem.related(close, "it ends here"));
        }
    }

    fn is_reported(&self, span: Span) -> bool {
        self.last_empty.is_some_and(|empty| span.start < empty.start)
    }

    fn list(&mut self, span: Span, children: &[NodeId]) {
        let first = self.tree.children.len() as u32;
        self.tree.children.extend_from_slice(children);
        let node = self.tree.push(span, Kind::List { first, len: children.len() as u32 });
        self.add(node);
    }

    /// Reports the outermost open list and closes everything.
    fn unclosed(&mut self, next_rule: Option<Span>) {
        let Some(open) = self.open.first().map(|(open, _)| *open) else { return };
        self.report_unclosed(open, next_rule);
        while let Some((span, children)) = self.open.pop() {
            let end = children.last().map_or(span, |&last| self.tree.node(last).span);
            if !children.is_empty() {
                self.list(span.to(end), &children);
            }
        }
    }

    fn report_unclosed(&mut self, open: Span, next_rule: Option<Span>) {
        let mut problem =
            Diagnostic::new(Code::UnclosedParen, open, "this parenthesis is never closed");
        problem = match next_rule {
            Some(rule) => problem
                .hint("add `)` before the next rule begins")
                .related(rule, "the next rule begins here"),
            None => problem.hint("add `)`"),
        };
        self.problems.push(problem);
    }

    fn finish(mut self) -> (Tree, Vec<Diagnostic>) {
        // A list that is left open has consumed the parenthesis that closes the wrapper.
        if !self.open.is_empty() {
            self.unclosed(None);
        } else if let Some(wrapper) = self.wrapper {
            self.report_unclosed(wrapper.open, None);
        }
        if let Some((span, count)) = self.extra {
            let more =
                if count > 1 { format!(" ({} more follow)", count - 1) } else { String::new() };
            let message = format!("this parenthesis closes nothing{more}");
            let hint = "remove it, or add the missing `(` before it";
            self.problems.push(Diagnostic::new(Code::ExtraParen, span, message).hint(hint));
        }
        (self.tree, self.problems.finish())
    }
}
