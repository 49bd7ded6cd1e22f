//! The abstract syntax tree: facts, rules and their formulas as written, with spans.

mod read;

use crate::source::Span;
use crate::symbol::{Symbol, Symbols};

pub use read::{read_description, read_term};

/// A word with its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name {
    /// The word.
    pub symbol: Symbol,
    /// Its position.
    pub span: Span,
}

/// A term as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    /// A constant.
    Constant(Name),
    /// A variable, its name without the question mark.
    Variable(Name),
    /// A function applied to terms.
    Function {
        /// The function's name.
        name: Name,
        /// Its arguments, at least one.
        args: Vec<Term>,
        /// The whole term.
        span: Span,
    },
}

impl Term {
    /// The position of the term.
    pub fn span(&self) -> Span {
        match self {
            Term::Constant(name) | Term::Variable(name) => name.span,
            Term::Function { span, .. } => *span,
        }
    }

    /// Calls `visit` for each variable of the term.
    pub fn variables(&self, visit: &mut impl FnMut(Name)) {
        match self {
            Term::Constant(_) => {}
            Term::Variable(name) => visit(*name),
            Term::Function { args, .. } => args.iter().for_each(|arg| arg.variables(visit)),
        }
    }
}

/// A relation applied to terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// The relation's name.
    pub name: Name,
    /// Its arguments; none for a proposition.
    pub args: Vec<Term>,
    /// The whole sentence.
    pub span: Span,
    /// Whether it was written with parentheses.
    pub parenthesised: bool,
}

/// What can occur in the body of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    /// A sentence that must hold.
    Sentence(Sentence),
    /// A formula that must not hold.
    Not(Box<Formula>, Span),
    /// At least one must hold.
    Or(Vec<Formula>, Span),
    /// All must hold (`and` is not in the specification, but its meaning is clear).
    And(Vec<Formula>, Span),
    /// Two terms that must differ.
    Distinct(Term, Term, Span),
}

impl Formula {
    /// The position of the formula.
    pub fn span(&self) -> Span {
        match self {
            Formula::Sentence(sentence) => sentence.span,
            Formula::Not(_, span)
            | Formula::Or(_, span)
            | Formula::And(_, span)
            | Formula::Distinct(_, _, span) => *span,
        }
    }
}

/// A fact or a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// The head.
    pub head: Sentence,
    /// The conditions; `None` for a fact, empty for `(<= head)`.
    pub body: Option<Vec<Formula>>,
    /// The whole statement.
    pub span: Span,
}

/// A description as written.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// Facts and rules in order.
    pub statements: Vec<Statement>,
    /// The words they use.
    pub symbols: Symbols,
}
