//! Static relations, which depend neither on the state nor on moves, computed bottom-up.
//!
//! They define the order of coordinates and, through `base`, the possible facts. The work is bounded:
//! a relation that exceeds its budget of steps or contains function terms remains unknown, and callers
//! work without it.

use std::collections::HashMap;

use ludens_gdl::rules::{Atom, Literal, RelationId, Rule, Term};
use ludens_gdl::{Dependencies, Rules, Symbol};

use crate::extension::Extension;

/// Maximum number of steps per component.
const MAX_STEPS_PER_COMPONENT: usize = 100_000;

/// Maximum number of steps of all components.
const MAX_TOTAL_STEPS: usize = 1_000_000;

/// The static relations whose extension is known.
pub(crate) struct Statics {
    tables: HashMap<RelationId, Extension>,
}

impl Statics {
    /// Computes what can be computed cheaply.
    pub fn of(rules: &Rules) -> Statics {
        let dependencies = Dependencies::of(rules);
        let mut by_component = vec![Vec::new(); dependencies.components().len()];
        for rule in &rules.rules {
            by_component[dependencies.component_of(rule.head.relation)].push(rule);
        }
        let mut statics = Statics { tables: HashMap::new() };
        let mut left = MAX_TOTAL_STEPS;
        for (component, relations) in dependencies.components().iter().enumerate() {
            let changes =
                |r: &RelationId| dependencies.needs_state(*r) || dependencies.needs_moves(*r);
            if !relations.iter().any(changes) {
                statics.add_component(relations, &by_component[component], &mut left);
            }
        }
        statics
    }

    /// The rows of a relation, if they are known.
    pub fn table(&self, relation: RelationId) -> Option<&Extension> {
        self.tables.get(&relation)
    }

    /// All known binary relations, in the order of the rules.
    pub fn binary(&self) -> impl Iterator<Item = &Extension> {
        self.of_width(2)
    }

    /// All known relations of an arity, in the order of the rules.
    pub fn of_width(&self, width: usize) -> impl Iterator<Item = &Extension> {
        let mut ids: Vec<_> = self.tables.keys().copied().collect();
        ids.sort_unstable();
        ids.into_iter()
            .map(|id| &self.tables[&id])
            .filter(move |table| table.rows().first().is_some_and(|row| row.len() == width))
    }

    fn add_component(&mut self, relations: &[RelationId], rules: &[&Rule], left: &mut usize) {
        for &relation in relations {
            self.tables.insert(relation, Extension::default());
        }
        let budget = MAX_STEPS_PER_COMPONENT.min(*left);
        let mut steps = budget;
        let known = self.fill(rules, &mut steps).is_some();
        *left -= budget - steps;
        if !known {
            for relation in relations {
                self.tables.remove(relation);
            }
        }
    }

    /// Applies the rules up to the fixpoint; `None` if it cannot be computed.
    fn fill(&mut self, rules: &[&Rule], steps: &mut usize) -> Option<()> {
        loop {
            let mut changed = false;
            for rule in rules {
                let rows = self.rows_of(rule, &rule.head.args, steps)?;
                let table = self.tables.get_mut(&rule.head.relation)?;
                for row in rows {
                    changed |= table.insert(row);
                }
            }
            if !changed {
                return Some(());
            }
        }
    }

    /// The instances of `terms` for which the body of the rule holds; `None` if a relation of the body
    /// is unknown, a term is compound, or the budget is exhausted.
    pub fn rows_of(
        &self,
        rule: &Rule,
        terms: &[Term],
        steps: &mut usize,
    ) -> Option<Vec<Box<[Symbol]>>> {
        let mut join = Join::new(self, rule, steps)?;
        let mut rows = Vec::new();
        join.run(&mut |bindings| {
            let row: Option<Box<[Symbol]>> = terms.iter().map(|t| value(t, bindings)).collect();
            row.map(|row| rows.push(row))
        })?;
        Some(rows)
    }
}

/// Finds all bindings of a rule's variables for which its body holds.
struct Join<'a, 'b> {
    statics: &'a Statics,
    positive: Vec<(&'a Atom, &'a Extension)>,
    checks: Vec<&'a Literal>,
    bindings: Vec<Option<Symbol>>,
    steps: &'b mut usize,
}

type Visit<'v> = &'v mut dyn FnMut(&[Option<Symbol>]) -> Option<()>;

impl<'a, 'b> Join<'a, 'b> {
    fn new(statics: &'a Statics, rule: &'a Rule, steps: &'b mut usize) -> Option<Self> {
        let (mut positive, mut checks) = (Vec::new(), Vec::new());
        for literal in &rule.body {
            match literal {
                Literal::Positive(atom) if atom.args.iter().all(is_flat) => {
                    positive.push((atom, statics.table(atom.relation)?));
                }
                Literal::Positive(_) => return None,
                Literal::Negative(_) | Literal::Distinct(..) => checks.push(literal),
            }
        }
        let bindings = vec![None; rule.variables.len()];
        Some(Join { statics, positive, checks, bindings, steps })
    }

    fn run(&mut self, visit: Visit<'_>) -> Option<()> {
        *self.steps = self.steps.checked_sub(1)?;
        let Some(chosen) = self.cheapest() else {
            return if self.passes()? { visit(&self.bindings) } else { Some(()) };
        };
        let (atom, table) = self.positive.swap_remove(chosen);
        let matches = table.matches(&self.pattern(atom));
        for at in 0..matches.len() {
            *self.steps = self.steps.checked_sub(1)?;
            let saved = self.bindings.clone();
            if self.unify(atom, &table.rows()[matches.get(at)]) {
                self.run(visit)?;
            }
            self.bindings = saved;
        }
        self.positive.push((atom, table));
        Some(())
    }

    /// The index of the positive literal with the fewest rows.
    fn cheapest(&self) -> Option<usize> {
        let cost = |at: &usize| {
            let (atom, table) = self.positive[*at];
            table.matches(&self.pattern(atom)).len()
        };
        (0..self.positive.len()).min_by_key(cost)
    }

    /// The bound arguments.
    fn pattern(&self, atom: &Atom) -> Vec<Option<Symbol>> {
        atom.args.iter().map(|term| value(term, &self.bindings)).collect()
    }

    fn unify(&mut self, atom: &Atom, row: &[Symbol]) -> bool {
        atom.args.iter().zip(row).all(|(term, &symbol)| match term {
            Term::Constant(constant) => *constant == symbol,
            Term::Variable(v) => *self.bindings[v.0 as usize].get_or_insert(symbol) == symbol,
            Term::Function(..) => false,
        })
    }

    /// Whether the negations and inequalities hold.
    fn passes(&self) -> Option<bool> {
        for check in &self.checks {
            let holds = match check {
                Literal::Distinct(a, b) => value(a, &self.bindings)? != value(b, &self.bindings)?,
                Literal::Negative(atom) | Literal::Positive(atom) => {
                    let row: Option<Vec<_>> =
                        atom.args.iter().map(|t| value(t, &self.bindings)).collect();
                    !self.statics.table(atom.relation)?.contains(&row?)
                }
            };
            if !holds {
                return Some(false);
            }
        }
        Some(true)
    }
}

fn value(term: &Term, bindings: &[Option<Symbol>]) -> Option<Symbol> {
    match term {
        Term::Constant(symbol) => Some(*symbol),
        Term::Variable(v) => bindings[v.0 as usize],
        Term::Function(..) => None,
    }
}

/// Whether a term is a variable or a constant.
pub(crate) fn is_flat(term: &Term) -> bool {
    !matches!(term, Term::Function(..))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, name: &str, arity: u32) -> Option<String> {
        let rules = ludens_gdl::load(text).0.unwrap();
        let statics = Statics::of(&rules);
        let table = statics.table(rules.relation(name, arity).unwrap())?;
        let row = |row: &[Symbol]| {
            row.iter().map(|s| rules.symbols.text(*s)).collect::<Vec<_>>().join(" ")
        };
        Some(table.rows().iter().map(|r| row(r)).collect::<Vec<_>>().join(", "))
    }

    #[test]
    fn recursion_and_negation_are_evaluated() {
        let text = "(role a) (size 3) (succ 1 2) (succ 2 3) (succ 3 4) (column 1) \
             (<= (column ?y) (column ?x) (succ ?x ?y) (not (size ?x)))";
        assert_eq!(rows(text, "column", 1).unwrap(), "1, 2, 3");
    }

    #[test]
    fn relations_that_depend_on_the_state_are_unknown() {
        let text = "(role a) (<= (p ?x) (true (q ?x))) (<= (r ?x) (role ?x) (distinct ?x b))";
        assert_eq!(rows(text, "p", 1), None);
        assert_eq!(rows(text, "r", 1).unwrap(), "a");
    }

    #[test]
    fn excessive_work_is_abandoned() {
        let digits: String = "0123456789".chars().flat_map(|d| ['(', 'd', ' ', d, ')']).collect();
        let text = format!(
            "(role a) {digits} (<= (p ?a ?b ?c ?d ?e ?f) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f))"
        );
        assert_eq!(rows(&text, "p", 6), None);
        assert!(rows(&text, "d", 1).is_some());
    }
}
