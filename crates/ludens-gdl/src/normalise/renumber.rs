//! Renumbers variables from 0 in order of appearance.

use crate::rules::{Atom, Literal, Rule, Term, Variable};

/// Renumbers the remaining variables from 0 in order of appearance.
pub(super) fn renumber(rule: Rule) -> Rule {
    let renaming = Renaming::of(&rule);
    if renaming.is_identity() {
        return rule;
    }
    Rule {
        head: renaming.atom(&rule.head),
        body: rule.body.iter().map(|literal| renaming.literal(literal)).collect(),
        variables: renaming.order.iter().map(|v| rule.variables[v.0 as usize]).collect(),
        span: rule.span,
    }
}

/// A renaming of variables: unlike a substitution it is not applied to its own result.
struct Renaming {
    /// The old variables in their new order.
    order: Vec<Variable>,
    /// The new variable of each remaining old one.
    new: Vec<Option<Variable>>,
}

impl Renaming {
    fn of(rule: &Rule) -> Self {
        let mut renaming = Renaming { order: Vec::new(), new: vec![None; rule.variables.len()] };
        let mut visit = |variable: Variable| {
            let slot = &mut renaming.new[variable.0 as usize];
            if slot.is_none() {
                *slot = Some(Variable(renaming.order.len() as u32));
                renaming.order.push(variable);
            }
        };
        rule.head.variables(&mut visit);
        for literal in &rule.body {
            match literal {
                Literal::Positive(atom) | Literal::Negative(atom) => atom.variables(&mut visit),
                Literal::Distinct(left, right) => {
                    left.variables(&mut visit);
                    right.variables(&mut visit);
                }
            }
        }
        renaming
    }

    fn is_identity(&self) -> bool {
        let in_order = self.order.iter().enumerate().all(|(i, v)| v.0 as usize == i);
        in_order && self.order.len() == self.new.len()
    }

    fn term(&self, term: &Term) -> Term {
        match term {
            Term::Constant(_) => term.clone(),
            Term::Variable(old) => {
                Term::Variable(self.new[old.0 as usize].expect("every variable was visited"))
            }
            Term::Function(name, args) => {
                Term::Function(*name, args.iter().map(|arg| self.term(arg)).collect())
            }
        }
    }

    fn atom(&self, atom: &Atom) -> Atom {
        Atom { relation: atom.relation, args: atom.args.iter().map(|arg| self.term(arg)).collect() }
    }

    fn literal(&self, literal: &Literal) -> Literal {
        match literal {
            Literal::Positive(atom) => Literal::Positive(self.atom(atom)),
            Literal::Negative(atom) => Literal::Negative(self.atom(atom)),
            Literal::Distinct(left, right) => Literal::Distinct(self.term(left), self.term(right)),
        }
    }
}
