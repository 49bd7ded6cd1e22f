//! Keys of statements and terms: sequences of numbers that are equal up to positions and the names
//! of variables.

use rustc_hash::FxHashMap;

use crate::ast::{Formula, Sentence, Statement, Term};
use crate::symbol::Symbol;

/// Writes keys; variables are numbered in the order of their appearance.
#[derive(Default)]
pub(crate) struct Key {
    out: Vec<u32>,
    variables: FxHashMap<Symbol, u32>,
}

/// The kind of the next numbers.
#[repr(u32)]
enum Tag {
    Constant,
    Variable,
    Function,
    Sentence,
    Not,
    Or,
    And,
    Distinct,
    Body,
}

impl Key {
    /// The key of a statement; the same for statements that differ only in names of variables.
    pub fn of_statement(statement: &Statement) -> Box<[u32]> {
        let mut key = Key::default();
        key.sentence(&statement.head);
        for part in statement.body.iter().flatten() {
            key.out.push(Tag::Body as u32);
            key.formula(part);
        }
        key.out.into_boxed_slice()
    }

    /// The key of a term, with the names of its variables.
    pub fn of_term(term: &Term) -> Box<[u32]> {
        let mut key = Key::default();
        term.variables(&mut |name| {
            key.variables.insert(name.symbol, name.symbol.0);
        });
        key.term(term);
        key.out.into_boxed_slice()
    }

    fn list(&mut self, tag: Tag, name: u32, len: usize) {
        self.out.extend([tag as u32, name, len as u32]);
    }

    fn sentence(&mut self, sentence: &Sentence) {
        self.list(Tag::Sentence, sentence.name.symbol.0, sentence.args.len());
        for arg in &sentence.args {
            self.term(arg);
        }
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Constant(name) => self.out.extend([Tag::Constant as u32, name.symbol.0]),
            Term::Variable(name) => {
                let next = self.variables.len() as u32;
                let number = *self.variables.entry(name.symbol).or_insert(next);
                self.out.extend([Tag::Variable as u32, number]);
            }
            Term::Function { name, args, .. } => {
                self.list(Tag::Function, name.symbol.0, args.len());
                for arg in args {
                    self.term(arg);
                }
            }
        }
    }

    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Sentence(sentence) => self.sentence(sentence),
            Formula::Not(inner, _) => {
                self.out.push(Tag::Not as u32);
                self.formula(inner);
            }
            Formula::Or(parts, _) => self.parts(Tag::Or, parts),
            Formula::And(parts, _) => self.parts(Tag::And, parts),
            Formula::Distinct(left, right, _) => {
                self.out.push(Tag::Distinct as u32);
                self.term(left);
                self.term(right);
            }
        }
    }

    fn parts(&mut self, tag: Tag, parts: &[Formula]) {
        self.list(tag, 0, parts.len());
        for part in parts {
            self.formula(part);
        }
    }
}
