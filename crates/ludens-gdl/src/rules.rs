//! The normal form that all reasoners share.
//!
//! A description becomes a list of Horn rules with stratified negation: no `or`, no nested
//! `not`, no `(not (distinct …))`; every variable of a rule occurs in a positive literal, if
//! necessary in one that ranges over all constants of the description.

use crate::source::Span;
use crate::symbol::{Symbol, Symbols};

/// A relation: a name with an arity. Relations of the same name and different arity differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct RelationId(pub u32);

/// A variable of a rule, numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Variable(pub u32);

/// A term of a rule.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A constant.
    Constant(Symbol),
    /// A variable.
    Variable(Variable),
    /// A function applied to at least one term.
    Function(Symbol, Vec<Term>),
}

impl Term {
    /// Whether no variable occurs in the term.
    pub fn is_ground(&self) -> bool {
        match self {
            Term::Constant(_) => true,
            Term::Variable(_) => false,
            Term::Function(_, args) => args.iter().all(Term::is_ground),
        }
    }

    /// Calls `visit` for each occurrence of a variable.
    pub fn variables(&self, visit: &mut impl FnMut(Variable)) {
        match self {
            Term::Constant(_) => {}
            Term::Variable(variable) => visit(*variable),
            Term::Function(_, args) => args.iter().for_each(|arg| arg.variables(visit)),
        }
    }
}

/// A relation applied to terms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// The relation.
    pub relation: RelationId,
    /// Its arguments.
    pub args: Vec<Term>,
}

impl Atom {
    /// Calls `visit` for each occurrence of a variable.
    pub fn variables(&self, visit: &mut impl FnMut(Variable)) {
        self.args.iter().for_each(|arg| arg.variables(visit));
    }
}

/// A condition of a rule.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Literal {
    /// The atom holds.
    Positive(Atom),
    /// The atom does not hold; its variables occur in positive literals.
    Negative(Atom),
    /// The terms differ; their variables occur in positive literals.
    Distinct(Term, Term),
}

/// `head` holds if all of `body` holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rule {
    /// The consequence.
    pub head: Atom,
    /// The conditions.
    pub body: Vec<Literal>,
    /// Names of the variables, with their question marks.
    pub variables: Vec<Symbol>,
    /// Where the rule was written.
    pub span: Span,
}

/// Name and arity of a relation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Relation {
    /// Its name.
    pub name: Symbol,
    /// Its number of arguments.
    pub arity: u32,
}

/// The relations that are keywords of GDL, with their usual arity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keywords {
    /// `(role r)`
    pub role: RelationId,
    /// `(init f)`
    pub init: RelationId,
    /// `(true f)`
    pub truth: RelationId,
    /// `(does r m)`
    pub does: RelationId,
    /// `(next f)`
    pub next: RelationId,
    /// `(legal r m)`
    pub legal: RelationId,
    /// `(goal r v)`
    pub goal: RelationId,
    /// `terminal`
    pub terminal: RelationId,
    /// `(base f)`
    pub base: RelationId,
    /// `(input r m)`
    pub input: RelationId,
}

/// A description in normal form.
#[derive(Clone, Debug)]
pub struct Rules {
    /// All words.
    pub symbols: Symbols,
    /// All relations, indexed by [`RelationId`].
    pub relations: Vec<Relation>,
    /// The keyword relations.
    pub keywords: Keywords,
    /// Facts (rules without conditions) and rules, in the order of the text.
    pub rules: Vec<Rule>,
    /// All constants of the description, in order of first appearance.
    pub constants: Vec<Symbol>,
}

impl Rules {
    /// The relation as `name/arity`.
    pub fn relation_name(&self, id: RelationId) -> String {
        let relation = self.relations[id.0 as usize];
        format!("{}/{}", self.symbols.text(relation.name), relation.arity)
    }

    /// Finds a relation by name and arity.
    pub fn relation(&self, name: &str, arity: u32) -> Option<RelationId> {
        let name = self.symbols.find(name)?;
        let found = self.relations.iter().position(|r| *r == Relation { name, arity })?;
        Some(RelationId(found as u32))
    }

    /// The rules as text, one per line: the `rules` stage of `ludens dump`.
    pub fn print(&self) -> String {
        let mut out = String::new();
        for rule in &self.rules {
            self.print_rule(rule, &mut out);
            out.push('\n');
        }
        out
    }

    fn print_rule(&self, rule: &Rule, out: &mut String) {
        if rule.body.is_empty() {
            return self.print_atom(&rule.head, rule, out);
        }
        out.push_str("(<= ");
        self.print_atom(&rule.head, rule, out);
        for literal in &rule.body {
            out.push(' ');
            match literal {
                Literal::Positive(atom) => self.print_atom(atom, rule, out),
                Literal::Negative(atom) => {
                    out.push_str("(not ");
                    self.print_atom(atom, rule, out);
                    out.push(')');
                }
                Literal::Distinct(left, right) => {
                    out.push_str("(distinct ");
                    self.print_term(left, rule, out);
                    out.push(' ');
                    self.print_term(right, rule, out);
                    out.push(')');
                }
            }
        }
        out.push(')');
    }

    fn print_atom(&self, atom: &Atom, rule: &Rule, out: &mut String) {
        let name = self.relations[atom.relation.0 as usize].name;
        self.print_application(name, &atom.args, rule, out);
    }

    fn print_application(&self, name: Symbol, args: &[Term], rule: &Rule, out: &mut String) {
        if args.is_empty() {
            return out.push_str(self.symbols.text(name));
        }
        out.push('(');
        out.push_str(self.symbols.text(name));
        for arg in args {
            out.push(' ');
            self.print_term(arg, rule, out);
        }
        out.push(')');
    }

    fn print_term(&self, term: &Term, rule: &Rule, out: &mut String) {
        match term {
            Term::Constant(symbol) => out.push_str(self.symbols.text(*symbol)),
            Term::Variable(v) => out.push_str(self.symbols.text(rule.variables[v.0 as usize])),
            Term::Function(name, args) => self.print_application(*name, args, rule, out),
        }
    }
}
