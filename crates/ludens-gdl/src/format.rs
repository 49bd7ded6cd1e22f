//! The formatter: the same statements and comments in a canonical layout.
//!
//! A fact takes one line, together with the facts that shared its line if there is room: tables of
//! short facts stay tables. A rule has its head on the first line and each condition on a line of
//! its own; a connective that is too long for its line is broken between its parts. Comments and
//! groups separated by a blank line are preserved.

mod layout;
mod verify;

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::tree::{NodeId, Tree, parse_rules_tree};
use layout::Printer;

pub use verify::{FormatFault, verify};

/// Each pass may move a comment outwards; usually few passes are needed.
const MAX_PASSES: usize = 16;

/// Formats a text. If it cannot be parsed, its problems are returned.
///
/// ```
/// let tidy = ludens_gdl::format("(role you)(<= terminal (true over) ; the end\n)").unwrap();
/// assert_eq!(tidy, "(role you)\n(<= terminal\n    (true over)) ; the end\n");
/// ```
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let (tree, mut problems) = parse_rules_tree(text);
    problems.extend(crate::ast::read_description(text, &tree).1);
    if problems.iter().any(|problem| problem.code.blocks_play()) {
        return Err(problems);
    }
    Ok(format_to_fixpoint(
        lay_out(text, &tree),
        items(&tree).len() < tree.roots.len() + tree.comments.len(),
    ))
}

/// Formats until nothing changes. A comment that leaves a list can make room for the list on one
/// line, so that another pass may be needed.
fn format_to_fixpoint(mut text: String, comments_in_lists: bool) -> String {
    for _ in 0..if comments_in_lists { MAX_PASSES } else { 0 } {
        let next = lay_out(&text, &parse_rules_tree(&text).0);
        if next == text {
            break;
        }
        text = next;
    }
    text
}

fn lay_out(text: &str, tree: &Tree) -> String {
    let mut printer = Printer::new(text, tree);
    let mut last_end = 0;
    for item in items(tree) {
        let span = item.span(tree);
        let breaks = line_breaks(&text[last_end as usize..span.start as usize]);
        match item {
            Item::Comment(span) if breaks == 0 && last_end > 0 => printer.trailing(span),
            Item::Comment(span) => {
                printer.separate(breaks);
                printer.comment_line(span);
            }
            Item::Statement(node) => {
                if breaks > 0 || !printer.joins(node) {
                    printer.separate(breaks);
                }
                printer.statement(node);
            }
        }
        last_end = span.end;
    }
    printer.finish()
}

/// A top-level comment or statement.
#[derive(Clone, Copy)]
enum Item {
    Comment(Span),
    Statement(NodeId),
}

impl Item {
    fn span(self, tree: &Tree) -> Span {
        match self {
            Item::Comment(span) => span,
            Item::Statement(node) => tree.node(node).span,
        }
    }
}

/// The top-level comments and statements in order.
fn items(tree: &Tree) -> Vec<Item> {
    let mut items: Vec<_> = tree.roots.iter().map(|&root| Item::Statement(root)).collect();
    let mut roots = tree.roots.iter().peekable();
    for &comment in &tree.comments {
        while roots.next_if(|&&root| tree.node(root).span.end <= comment.start).is_some() {}
        if roots.peek().is_none_or(|&&root| comment.end <= tree.node(root).span.start) {
            items.push(Item::Comment(comment));
        }
    }
    items.sort_by_key(|item| item.span(tree).start);
    items
}

/// The number of line ends in a text; a carriage return with a line feed is one.
fn line_breaks(between: &str) -> usize {
    let bytes = between.as_bytes();
    let ends =
        |i: usize| bytes[i] == b'\n' || (bytes[i] == b'\r' && bytes.get(i + 1) != Some(&b'\n'));
    (0..bytes.len()).filter(|&i| ends(i)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tidy(text: &str) -> String {
        verify(text).expect("formatting keeps everything");
        format(text).expect("the text is well-formed")
    }

    #[test]
    fn facts_take_a_line_and_conditions_too() {
        assert_eq!(
            tidy("( a  b )( <= ( c ?x )( d ?x ) e)"),
            "(a b)\n(<= (c ?x)\n    (d ?x)\n    e)\n"
        );
        assert_eq!(tidy("(<= (goal r\n 100))"), "(<= (goal r 100))\n");
        assert_eq!(tidy(""), "");
        assert_eq!(tidy(" p "), "p\n");
    }

    #[test]
    fn groups_stay_apart() {
        assert_eq!(tidy("\n\n(a)\n\n\n\n(b) (c)\r\n\r\n(d)\n\n"), "(a)\n\n(b) (c)\n\n(d)\n");
    }

    #[test]
    fn facts_on_one_line_stay_together_while_there_is_room() {
        assert_eq!(
            tidy("(s 1 2)  (s 2 3)(<= p q) (s 3 4)"),
            "(s 1 2) (s 2 3)\n(<= p\n    q)\n(s 3 4)\n"
        );
        assert_eq!(tidy("(a) (b) ; both\n(c)"), "(a) (b) ; both\n(c)\n");
        let line = "(successor 10 11) ".repeat(5);
        assert_eq!(tidy(&line), format!("{}\n(successor 10 11)\n", line[..71].trim_end()));
    }

    #[test]
    fn comments_stay() {
        let text = ";;; title\n\n; about a\n(a) ; why a\n(<= b ; head\n    ; before c\n    (c ?x) ; why c\n    d) ; end\n";
        assert_eq!(tidy(text), text);
        assert_eq!(tidy("(<= b c ; last\n)"), "(<= b\n    c) ; last\n");
        assert_eq!(tidy("(<= b c\n; off (d)\n)"), "(<= b\n    c\n    ; off (d)\n    )\n");
        assert_eq!(tidy(";; only"), ";; only\n");
    }

    #[test]
    fn comments_inside_of_facts_break_them() {
        assert_eq!(tidy("(row 1 ; one\n 2 ; two\n 3)"), "(row\n    1 ; one\n    2 ; two\n    3)\n");
        assert_eq!(tidy("( ; why\n p a)"), "(p ; why\n    a)\n");
        assert_eq!(tidy("(\n; why\n p a)"), "(\n    ; why\n    p\n    a)\n");
        assert_eq!(tidy("(p a ; one\n) ; two\n"), "(p a) ; one\n; two\n");
    }

    #[test]
    fn long_connectives_are_broken() {
        let part = |n: usize| format!("(true (cell ?somewhere ?elsewhere {n}))");
        let text = format!("(<= p (or {} (not (or {} {}))))", part(1), part(2), part(3));
        let expected = format!(
            "(<= p\n    (or {}\n        (not (or {}\n                 {}))))\n",
            part(1),
            part(2),
            part(3)
        );
        assert_eq!(tidy(&text), expected);
        assert_eq!(
            tidy("(<= p (or a b) (not (q ?x)))"),
            "(<= p\n    (or a b)\n    (not (q ?x)))\n"
        );
    }

    #[test]
    fn parentheses_around_all_rules_are_removed() {
        assert_eq!(
            tidy("; title\n((role a) ; one\n(<= p q)\n; last\n)"),
            "; title\n(role a) ; one\n(<= p\n    q)\n; last\n"
        );
    }

    #[test]
    fn texts_with_errors_are_not_formatted() {
        assert_eq!(format("(a").unwrap_err()[0].code, crate::Code::UnclosedParen);
        assert_eq!(format("(a (not b))").unwrap_err()[0].code, crate::Code::MisplacedConnective);
    }
}
