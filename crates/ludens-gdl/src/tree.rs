//! Parses tokens into a tree of parentheses, with error recovery, so that one typo is one message.
//!
//! The tree is an arena and the parser has an explicit stack: no text, however deeply
//! nested, can overflow the call stack, here or when the tree is dropped.

mod read;

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use read::{parse, wrapper};

/// Nesting deeper than this is rejected, so that later stages may recurse over terms.
pub const MAX_DEPTH: usize = 256;

/// Index of a node in its tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(u32);

/// An atom or a parenthesised list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A word.
    Atom,
    /// A list; its children are a range of the tree's child table.
    List {
        /// First child in the child table.
        first: u32,
        /// Number of children.
        len: u32,
    },
}

/// A node and its position.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Its position; for a list including both parentheses.
    pub span: Span,
    /// Its kind.
    pub kind: Kind,
}

/// All lists and atoms of a text.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    children: Vec<NodeId>,
    /// The outermost nodes in order.
    pub roots: Vec<NodeId>,
    /// The comments in order.
    pub comments: Vec<Span>,
}

impl NodeId {
    /// The node's number, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Tree {
    /// All nodes, those inside a list before the list.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The node with this index.
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id.0 as usize]
    }

    /// Children of a list; nothing for an atom.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        match self.node(id).kind {
            Kind::Atom => &[],
            Kind::List { first, len } => &self.children[first as usize..(first + len) as usize],
        }
    }

    fn push(&mut self, span: Span, kind: Kind) -> NodeId {
        self.nodes.push(Node { span, kind });
        NodeId(self.nodes.len() as u32 - 1)
    }
}

/// Parses a text into a tree; problems are reported, and parsing continues after them.
pub fn parse_tree(text: &str) -> (Tree, Vec<Diagnostic>) {
    parse(text, None)
}

/// Parses the text of a game into a tree. The rules may be one list, as in a START message and in
/// some published files; then the roots are the elements of that list.
pub fn parse_rules_tree(text: &str) -> (Tree, Vec<Diagnostic>) {
    parse(text, wrapper(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    fn spans(text: &str) -> Vec<(Code, u32, u32)> {
        parse_tree(text).1.iter().map(|d| (d.code, d.span.start, d.span.end)).collect()
    }

    #[test]
    fn one_typo_gives_one_message_at_its_position() {
        assert_eq!(spans("0123(56789"), [(Code::UnclosedParen, 4, 5)]);
        assert_eq!(spans("0123(5)7)9)"), [(Code::ExtraParen, 8, 9)]);
        assert_eq!(spans("0123(5;(8\n01)345)"), [(Code::ExtraParen, 16, 17)]);
        assert_eq!(spans("0( ())6"), [(Code::EmptyList, 3, 4)]);
        assert_eq!(spans("0(())56"), [(Code::EmptyList, 2, 3)]);
        assert_eq!(spans("(<= (a (b c)\n(<= d e)"), [(Code::UnclosedParen, 0, 1)]);
    }

    fn roots(text: &str) -> Vec<&str> {
        let (tree, _) = parse_rules_tree(text);
        tree.roots.iter().map(|&root| &text[tree.node(root).span.range()]).collect()
    }

    fn rules_spans(text: &str) -> Vec<(Code, u32, u32)> {
        parse_rules_tree(text).1.iter().map(|d| (d.code, d.span.start, d.span.end)).collect()
    }

    #[test]
    fn rules_may_be_in_one_list() {
        for text in ["((a b) (<= c d))", "; x\n( ; y\n (a b)\n(<= c d) ; z\n) ; end"] {
            assert_eq!(roots(text), ["(a b)", "(<= c d)"], "{text}");
            let open = text.find('(').unwrap() as u32;
            assert_eq!(rules_spans(text), [(Code::WrappedRules, open, open + 1)], "{text}");
        }
        // A term is no wrapper, and two wrappers are none.
        assert_eq!(spans("((a))"), []);
        assert_eq!(roots("((a)) ((b))"), ["((a))", "((b))"]);
        assert_eq!(rules_spans("((a b) (<= c d)"), [(Code::UnclosedParen, 0, 1)]);
    }

    #[test]
    fn typos_in_wrapped_rules_are_found_at_their_position() {
        let errors = |text| {
            let mut spans = rules_spans(text);
            spans.retain(|(code, ..)| code.blocks_play());
            spans
        };
        assert_eq!(errors("( (a b)) (c) )"), [(Code::ExtraParen, 7, 8)]);
        assert_eq!(errors("( (<= a (b) (<= c d) )"), [(Code::UnclosedParen, 2, 3)]);
        assert_eq!(errors("( (a b) (<= c d)"), [(Code::UnclosedParen, 0, 1)]);
    }

    #[test]
    fn deep_nesting_is_rejected_without_recursion() {
        let text = "(".repeat(100_000);
        assert_eq!(spans(&text)[0].0, Code::TooDeep);
        assert!(spans(&")".repeat(100_000)).len() == 1);
    }
}
