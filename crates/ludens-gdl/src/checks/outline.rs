//! The index that the checks share: the relations of a description, where they are stated and used,
//! and their dependencies.

use rustc_hash::FxHashMap;

use super::keyword::{Keyword, keywords_of};
use super::walk;
use crate::ast::{Description, Sentence};
use crate::graph::{Components, Graph};
use crate::lex::TokenKind;
use crate::source::Span;
use crate::symbol::Symbol;

/// A description with an index of its relations.
pub(crate) struct Outline<'a> {
    /// The text of the description, for spelling.
    pub text: &'a str,
    /// The statements.
    pub description: &'a Description,
    /// Whether the whole text could be parsed; if not, the missing part may contain anything.
    pub complete: bool,
    /// The keywords that occur.
    pub keywords: FxHashMap<Symbol, Keyword>,
    /// All relations in the order of the text.
    pub relations: Vec<Relation>,
    /// All sentences in bodies in the order of the text.
    pub edges: Vec<Edge>,
    /// The dependency graph: edges from each relation to those in the bodies of its rules.
    pub graph: Graph,
    /// The strongly connected components of the graph.
    pub components: Components,
    ids: FxHashMap<(Symbol, u32), u32>,
}

/// A name with an arity, and its first position.
#[derive(Clone, Copy)]
pub(crate) struct Relation {
    pub name: Symbol,
    pub arity: u32,
    /// Its first position in a head.
    pub stated: Option<Span>,
    /// Its first position in a body.
    pub used: Option<Span>,
}

/// A dependency of a relation on another.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    /// Index of the statement.
    pub statement: u32,
    /// The relation of its head.
    pub head: u32,
    /// The relation of a sentence in its body.
    pub body: u32,
    /// Whether the sentence must not hold.
    pub negative: bool,
    /// The position of the sentence.
    pub span: Span,
}

impl<'a> Outline<'a> {
    /// Indexes a description in one pass.
    pub fn new(text: &'a str, description: &'a Description, complete: bool) -> Self {
        let mut index = Index::default();
        for (number, statement) in description.statements.iter().enumerate() {
            let head = index.id(&statement.head);
            index.relations[head as usize].stated.get_or_insert(statement.head.span);
            walk::sentences(walk::body(statement), &mut |sentence, positive| {
                let body = index.id(sentence);
                index.relations[body as usize].used.get_or_insert(sentence.span);
                let (statement, span) = (number as u32, sentence.span);
                index.edges.push(Edge { statement, head, body, negative: !positive, span });
            });
        }
        let pairs: Vec<_> = index.edges.iter().map(|edge| (edge.head, edge.body)).collect();
        let graph = Graph::new(index.relations.len(), &pairs);
        Outline {
            text,
            description,
            complete,
            keywords: keywords_of(&description.symbols),
            relations: index.relations,
            edges: index.edges,
            components: graph.components(),
            graph,
            ids: index.ids,
        }
    }

    /// The relation of a sentence.
    pub fn relation(&self, sentence: &Sentence) -> u32 {
        self.ids[&(sentence.name.symbol, sentence.args.len() as u32)]
    }

    /// The keyword of a sentence, if the number of its arguments is correct.
    pub fn keyword(&self, sentence: &Sentence) -> Option<Keyword> {
        let keyword = *self.keywords.get(&sentence.name.symbol)?;
        (keyword.arity() == sentence.args.len()).then_some(keyword)
    }

    /// The keyword of a relation, if its arity is correct.
    pub fn keyword_of(&self, relation: u32) -> Option<Keyword> {
        let relation = self.relations[relation as usize];
        let keyword = *self.keywords.get(&relation.name)?;
        (keyword.arity() == relation.arity as usize).then_some(keyword)
    }

    /// The relation of a keyword, if it occurs.
    pub fn relation_of(&self, keyword: Keyword) -> Option<u32> {
        let name = self.description.symbols.find(keyword.name())?;
        self.ids.get(&(name, keyword.arity() as u32)).copied()
    }

    /// Whether a keyword is stated anywhere.
    pub fn is_stated(&self, keyword: Keyword) -> bool {
        self.relation_of(keyword).is_some_and(|id| self.relations[id as usize].stated.is_some())
    }

    /// The name of a relation as written.
    pub fn name(&self, relation: u32) -> &'a str {
        self.spelling(self.relations[relation as usize].name)
    }

    /// A word as written.
    pub fn spelling(&self, symbol: Symbol) -> &'a str {
        self.description.symbols.spelling(symbol)
    }

    /// The text at a position; a constant in parentheses loses them.
    pub fn slice(&self, span: Span) -> &'a str {
        let text = self.text.get(span.range()).unwrap_or_default();
        if !text.starts_with('(') {
            return text;
        }
        let word = crate::lex::tokens(text).find(|token| token.kind == TokenKind::Atom);
        word.map_or(text, |word| &text[word.span.range()])
    }

    /// Whether both relations depend on each other.
    pub fn in_cycle(&self, one: u32, other: u32) -> bool {
        self.components.of[one as usize] == self.components.of[other as usize]
    }
}

#[derive(Default)]
struct Index {
    relations: Vec<Relation>,
    ids: FxHashMap<(Symbol, u32), u32>,
    edges: Vec<Edge>,
}

impl Index {
    fn id(&mut self, sentence: &Sentence) -> u32 {
        let (name, arity) = (sentence.name.symbol, sentence.args.len() as u32);
        *self.ids.entry((name, arity)).or_insert_with(|| {
            self.relations.push(Relation { name, arity, stated: None, used: None });
            self.relations.len() as u32 - 1
        })
    }
}
