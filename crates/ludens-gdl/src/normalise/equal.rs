//! Equalities between terms, solved by unification (J. A. Robinson 1965).
//!
//! Bindings are stored as found and dereferenced when needed. A few equalities can describe a term of
//! exponential size, so all work is counted.

use std::cell::Cell;

use rustc_hash::FxHashMap;

use crate::ast;
use crate::rules::{Atom, Literal, Term, Variable};
use crate::tree::MAX_DEPTH;

/// The maximum number of steps for the equalities of one rule.
const MAX_STEPS: usize = 1 << 20;

/// A literal of one alternative before equalities are solved.
pub(super) enum Part<'a> {
    Literal(Literal),
    Equal(&'a ast::Term, &'a ast::Term),
}

/// Solving the equalities of a rule takes too long, or builds a term that is too deep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooLarge;

/// Bindings of variables that make terms equal.
#[derive(Default)]
pub(super) struct Substitution {
    bindings: FxHashMap<Variable, Term>,
    steps: Cell<usize>,
}

impl Substitution {
    /// Unifies two terms; returns false if that is impossible.
    pub fn unify(&mut self, left: &Term, right: &Term) -> Result<bool, TooLarge> {
        self.unify_at(left, right, 0)
    }

    /// Applies all bindings to an atom.
    pub fn apply(&self, atom: &Atom) -> Result<Atom, TooLarge> {
        let args = atom.args.iter().map(|arg| self.apply_term(arg)).collect::<Result<_, _>>()?;
        Ok(Atom { relation: atom.relation, args })
    }

    /// Applies all bindings to a term.
    pub fn apply_term(&self, term: &Term) -> Result<Term, TooLarge> {
        if self.bindings.is_empty() {
            return Ok(term.clone());
        }
        self.apply_at(term, 0)
    }

    fn step(&self, depth: usize) -> Result<(), TooLarge> {
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() > MAX_STEPS || depth > MAX_DEPTH { Err(TooLarge) } else { Ok(()) }
    }

    /// Dereferences a variable, through other variables.
    fn resolve<'t>(&'t self, mut term: &'t Term) -> Result<&'t Term, TooLarge> {
        while let Term::Variable(variable) = term
            && let Some(bound) = self.bindings.get(variable)
        {
            self.step(0)?;
            term = bound;
        }
        Ok(term)
    }

    fn unify_at(&mut self, left: &Term, right: &Term, depth: usize) -> Result<bool, TooLarge> {
        self.step(depth)?;
        let (left, right) = (self.resolve(left)?.clone(), self.resolve(right)?.clone());
        match (left, right) {
            (Term::Variable(one), Term::Variable(other)) if one == other => Ok(true),
            (Term::Variable(variable), other) | (other, Term::Variable(variable)) => {
                let occurs = self.occurs(variable, &other, depth)?;
                if !occurs {
                    self.bindings.insert(variable, other);
                }
                Ok(!occurs)
            }
            (Term::Function(f, fs), Term::Function(g, gs)) if f == g && fs.len() == gs.len() => {
                for (one, other) in fs.iter().zip(&gs) {
                    if !self.unify_at(one, other, depth + 1)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (left, right) => Ok(left == right),
        }
    }

    fn occurs(&self, variable: Variable, term: &Term, depth: usize) -> Result<bool, TooLarge> {
        self.step(depth)?;
        match self.resolve(term)? {
            Term::Constant(_) => Ok(false),
            Term::Variable(other) => Ok(*other == variable),
            Term::Function(_, args) => {
                for arg in args {
                    if self.occurs(variable, arg, depth + 1)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    fn apply_at(&self, term: &Term, depth: usize) -> Result<Term, TooLarge> {
        self.step(depth)?;
        match self.resolve(term)? {
            Term::Function(name, args) => {
                let args = args.iter().map(|arg| self.apply_at(arg, depth + 1));
                Ok(Term::Function(*name, args.collect::<Result<_, _>>()?))
            }
            other => Ok(other.clone()),
        }
    }
}

/// Applies all bindings to the head and body of a rule.
pub(super) fn instance(
    head: &Atom,
    parts: &[Part<'_>],
    substitution: &Substitution,
) -> Result<(Atom, Vec<Literal>), TooLarge> {
    let mut body = Vec::with_capacity(parts.len());
    for part in parts {
        body.push(match part {
            Part::Literal(Literal::Positive(atom)) => Literal::Positive(substitution.apply(atom)?),
            Part::Literal(Literal::Negative(atom)) => Literal::Negative(substitution.apply(atom)?),
            Part::Literal(Literal::Distinct(left, right)) => {
                Literal::Distinct(substitution.apply_term(left)?, substitution.apply_term(right)?)
            }
            Part::Equal(..) => continue,
        });
    }
    Ok((substitution.apply(head)?, body))
}
