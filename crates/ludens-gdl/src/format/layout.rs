//! Line breaking.

use super::line_breaks;
use crate::source::Span;
use crate::tree::{Kind, NodeId, Tree};

/// Connectives that reach beyond this column are broken.
const WIDTH: usize = 80;

/// Indentation of the parts of a statement.
const INDENT: usize = 4;

/// The largest indentation, so that deep nesting cannot inflate a text.
const MAX_INDENT: usize = 60;

/// Prints the formatted text.
pub(super) struct Printer<'a> {
    text: &'a str,
    tree: &'a Tree,
    out: String,
    /// The start of the current line in `out`.
    line_start: usize,
    /// A comment that belongs at the end of the current line.
    pending: Option<Span>,
    /// Length of each node on one line.
    widths: Vec<u32>,
    /// Whether the current line contains only facts.
    fact_line: bool,
}

/// The layout of the parts of a list.
enum Style {
    /// All on one line.
    Flat,
    /// A rule: its head follows the arrow, with the conditions below.
    Rule,
    /// A connective: its first part follows it, with the others below the first.
    Connective,
    /// Each part on a line of its own.
    Column,
}

impl<'a> Printer<'a> {
    pub fn new(text: &'a str, tree: &'a Tree) -> Self {
        let mut widths: Vec<u32> = Vec::new();
        for id in tree.ids() {
            let node = tree.node(id);
            let children = tree.children(id);
            widths.push(match node.kind {
                Kind::Atom => text[node.span.range()].chars().count() as u32,
                // Two parentheses, and blanks between the parts.
                Kind::List { len, .. } => {
                    children.iter().map(|child| widths[child.index()]).sum::<u32>() + len + 1
                }
            });
        }
        let (out, line_start) = (String::with_capacity(text.len()), 0);
        Printer { text, tree, out, line_start, pending: None, widths, fact_line: false }
    }

    /// Ends the last line, and adds a blank one if there were several line breaks.
    pub fn separate(&mut self, breaks: usize) {
        if !self.out.is_empty() {
            self.new_line(0);
            if breaks > 1 {
                self.new_line(0);
            }
        }
    }

    /// Writes a comment as a line of its own.
    pub fn comment_line(&mut self, comment: Span) {
        self.out.push_str(self.text[comment.range()].trim_end());
    }

    /// Keeps a comment for the end of the current line.
    pub fn trailing(&mut self, comment: Span) {
        if self.pending.is_some() {
            self.new_line(0);
            self.comment_line(comment);
        } else {
            self.pending = Some(comment);
        }
    }

    pub fn statement(&mut self, node: NodeId) {
        let is_fact = self.is_plain_fact(node);
        if is_fact && self.fact_line && self.column() > 0 {
            self.out.push(' ');
        }
        self.fact_line = is_fact;
        self.node(node, 0);
    }

    /// Whether a statement fits behind the facts of the current line.
    pub fn joins(&self, node: NodeId) -> bool {
        let end = self.column() + 1 + self.widths[node.index()] as usize;
        let open = self.fact_line && self.column() > 0 && self.pending.is_none();
        open && self.is_plain_fact(node) && end <= WIDTH
    }

    fn is_plain_fact(&self, node: NodeId) -> bool {
        let is_rule = self.tree.children(node).first().is_some_and(|&c| self.word(c) == Some("<="));
        !is_rule && self.comments_in(self.tree.node(node).span).is_empty()
    }

    pub fn finish(mut self) -> String {
        if !self.out.is_empty() {
            self.new_line(0);
        }
        self.out
    }

    fn new_line(&mut self, column: usize) {
        if let Some(comment) = self.pending.take() {
            self.out.push(' ');
            self.comment_line(comment);
        }
        self.out.push('\n');
        self.line_start = self.out.len();
        self.out.extend(std::iter::repeat_n(' ', column));
    }

    fn column(&self) -> usize {
        self.out[self.line_start..].chars().count()
    }

    fn node(&mut self, node: NodeId, column: usize) {
        let span = self.tree.node(node).span;
        match self.tree.node(node).kind {
            Kind::Atom => self.out.push_str(&self.text[span.range()]),
            Kind::List { .. } => match self.style(node, column) {
                Style::Flat => {
                    let tail = self.tail(node);
                    self.flat(node);
                    self.pending = tail.or(self.pending);
                }
                style => self.broken(node, column, &style),
            },
        }
    }

    fn style(&self, node: NodeId, column: usize) -> Style {
        let children = self.tree.children(node);
        let comments = self.comments_in(self.tree.node(node).span);
        let commented = !comments.is_empty() && self.tail(node).is_none();
        let first = children[0];
        match self.word(first) {
            Some("<=") if children.len() > 2 || commented => Style::Rule,
            _ if commented => Style::Column,
            Some(word) if is_connective(word) => {
                // The parenthesis that closes the statement belongs to the line too.
                let end = column + self.widths[node.index()] as usize + 1;
                if end > WIDTH { Style::Connective } else { Style::Flat }
            }
            _ => Style::Flat,
        }
    }

    fn word(&self, node: NodeId) -> Option<&'a str> {
        let node = self.tree.node(node);
        (node.kind == Kind::Atom).then(|| &self.text[node.span.range()])
    }

    fn comments_in(&self, span: Span) -> &'a [Span] {
        let comments = &self.tree.comments;
        let first = comments.partition_point(|comment| comment.start < span.start);
        let last = comments.partition_point(|comment| comment.start < span.end);
        &comments[first..last]
    }

    /// The only comment of a list, if only parentheses follow it and it can be placed behind them.
    fn tail(&self, node: NodeId) -> Option<Span> {
        let &[comment] = self.comments_in(self.tree.node(node).span) else { return None };
        let mut last = node;
        while let Some(&child) = self.tree.children(last).last() {
            last = child;
        }
        let end = self.tree.node(last).span.end;
        let before = self.text.get(end as usize..comment.start as usize)?;
        let same_line = line_breaks(before.rsplit(')').next()?) == 0;
        (same_line && self.pending.is_none()).then_some(comment)
    }

    fn flat(&mut self, node: NodeId) {
        self.out.push('(');
        for (index, &child) in self.tree.children(node).iter().enumerate() {
            if index > 0 {
                self.out.push(' ');
            }
            match self.word(child) {
                Some(word) => self.out.push_str(word),
                None => self.flat(child),
            }
        }
        self.out.push(')');
    }

    fn broken(&mut self, node: NodeId, column: usize, style: &Style) {
        let span = self.tree.node(node).span;
        let inner = (column + INDENT).min(MAX_INDENT);
        let mut part_column = inner;
        let mut at = span.start + 1;
        self.out.push('(');
        for (index, &child) in self.tree.children(node).iter().enumerate() {
            let child_span = self.tree.node(child).span;
            let own_lines = self.comments(Span { start: at, end: child_span.start }, inner);
            at = child_span.end;
            let joined = match style {
                Style::Rule | Style::Connective => index <= 1,
                Style::Column | Style::Flat => index == 0,
            };
            if own_lines || !joined {
                self.new_line(part_column);
            } else if index > 0 {
                self.out.push(' ');
            }
            if index == 1 && matches!(style, Style::Connective) {
                part_column = self.column().min(MAX_INDENT);
            }
            let child_column = self.column();
            self.node(child, child_column);
        }
        if self.comments(Span { start: at, end: span.end }, inner) {
            self.new_line(inner);
        }
        self.out.push(')');
    }

    /// Prints the comments of a gap between parts; returns whether one has a line of its own, so that a
    /// line break must follow.
    fn comments(&mut self, gap: Span, column: usize) -> bool {
        let mut own_line = false;
        let mut at = gap.start;
        for &comment in self.comments_in(gap) {
            let same_line = line_breaks(&self.text[at as usize..comment.start as usize]) == 0;
            if same_line && self.pending.is_none() {
                self.pending = Some(comment);
            } else {
                self.new_line(column);
                self.comment_line(comment);
                own_line = true;
            }
            at = comment.end;
        }
        own_line
    }
}

fn is_connective(word: &str) -> bool {
    ["or", "and", "not"].iter().any(|connective| word.eq_ignore_ascii_case(connective))
}
