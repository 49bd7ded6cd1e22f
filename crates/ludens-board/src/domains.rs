//! The domains of the arguments of fluents: a cheap upper bound.
//!
//! Every argument of every relation, fluent and move has a set of constants. A variable ranges over
//! the intersection of its arguments in the body, and its range is added to its arguments in the
//! head, until a fixpoint is reached.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ludens_gdl::rules::{Atom, Literal, RelationId, Rule, Term};
use ludens_gdl::{Rules, Symbol};

use crate::extension::Extension;
use crate::statics::Statics;

/// The maximum number of rounds.
const MAX_ROUNDS: usize = 60;

/// A relation, fluent or move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Predicate {
    Relation(RelationId),
    Fluent(Symbol, usize),
    Move(Symbol, usize),
}

/// The possible constants of the arguments of each fluent, by name and arity.
pub(crate) type Domains = BTreeMap<(String, usize), Vec<BTreeSet<String>>>;

/// Computes the domains of all fluents.
pub(crate) fn domains(rules: &Rules, statics: &Statics) -> Domains {
    let mut typing = Typing { rules, sets: HashMap::new() };
    typing.add_statics(statics);
    let is_open = |rule: &&Rule| {
        statics.table(rule.head.relation).is_none() && rule.head.relation != rules.keywords.base
    };
    let (facts, open): (Vec<_>, Vec<_>) =
        rules.rules.iter().filter(is_open).partition(|rule| rule.body.is_empty());
    for rule in facts {
        typing.apply(rule);
    }
    for _ in 0..MAX_ROUNDS {
        let changes = open.iter().filter(|rule| typing.apply(rule)).count();
        if changes == 0 {
            break;
        }
    }
    typing.fluents()
}

struct Typing<'a> {
    rules: &'a Rules,
    sets: HashMap<(Predicate, usize), BTreeSet<Symbol>>,
}

impl<'a> Typing<'a> {
    fn add_statics(&mut self, statics: &Statics) {
        for id in (0..self.rules.relations.len() as u32).map(RelationId) {
            for row in statics.table(id).into_iter().flat_map(Extension::rows) {
                for (position, &symbol) in row.iter().enumerate() {
                    self.sets
                        .entry((Predicate::Relation(id), position))
                        .or_default()
                        .insert(symbol);
                }
            }
        }
    }

    /// Propagates the constants of a rule's body to its head; whether any is new.
    fn apply(&mut self, rule: &'a Rule) -> bool {
        let Some((predicate, args)) = self.predicate(&rule.head) else { return false };
        let Some(ranges) = self.ranges(rule) else { return false };
        let mut changed = false;
        for (position, term) in args.iter().enumerate() {
            let set = self.sets.entry((predicate, position)).or_default();
            let before = set.len();
            match term {
                Term::Constant(symbol) => {
                    set.insert(*symbol);
                }
                Term::Variable(v) => {
                    set.extend(ranges[v.0 as usize].iter().flatten());
                }
                Term::Function(..) => {}
            }
            changed |= set.len() > before;
        }
        changed
    }

    /// The range of each variable; `None` if the body cannot hold yet.
    fn ranges(&self, rule: &'a Rule) -> Option<Vec<Option<BTreeSet<Symbol>>>> {
        let mut ranges: Vec<Option<BTreeSet<Symbol>>> = vec![None; rule.variables.len()];
        for literal in &rule.body {
            let Literal::Positive(atom) = literal else { continue };
            if atom.relation == self.rules.keywords.does
                && let Term::Variable(role) = atom.args[0]
            {
                narrow(&mut ranges[role.0 as usize], self.roles()?)?;
            }
            let Some((predicate, args)) = self.predicate(atom) else { continue };
            for (position, term) in args.iter().enumerate() {
                let set = self.sets.get(&(predicate, position));
                match term {
                    Term::Constant(symbol) if !set?.contains(symbol) => return None,
                    Term::Variable(v) => narrow(&mut ranges[v.0 as usize], set?)?,
                    _ => {}
                }
            }
        }
        Some(ranges)
    }

    fn roles(&self) -> Option<&BTreeSet<Symbol>> {
        self.sets.get(&(Predicate::Relation(self.rules.keywords.role), 0))
    }

    /// The relation, fluent or move of an atom, with its arguments.
    fn predicate(&self, atom: &'a Atom) -> Option<(Predicate, &'a [Term])> {
        let keywords = &self.rules.keywords;
        let relation = atom.relation;
        let is = |known: &[RelationId]| known.contains(&relation);
        if is(&[keywords.truth, keywords.next, keywords.init, keywords.base]) {
            let (name, args) = application(&atom.args[0])?;
            return Some((Predicate::Fluent(name, args.len()), args));
        }
        if is(&[keywords.does, keywords.legal, keywords.input]) {
            let (name, args) = application(&atom.args[1])?;
            return Some((Predicate::Move(name, args.len()), args));
        }
        Some((Predicate::Relation(relation), &atom.args))
    }

    fn fluents(&self) -> Domains {
        let mut domains = Domains::new();
        for ((predicate, position), set) in &self.sets {
            let Predicate::Fluent(name, arity) = *predicate else { continue };
            let name = self.rules.symbols.text(name).to_owned();
            let sets = domains.entry((name, arity)).or_insert_with(|| vec![BTreeSet::new(); arity]);
            sets[*position] = set.iter().map(|s| self.rules.symbols.text(*s).to_owned()).collect();
        }
        domains
    }
}

fn narrow(range: &mut Option<BTreeSet<Symbol>>, set: &BTreeSet<Symbol>) -> Option<()> {
    match range {
        None => *range = Some(set.clone()),
        Some(range) => range.retain(|symbol| set.contains(symbol)),
    }
    (!range.as_ref().is_some_and(BTreeSet::is_empty)).then_some(())
}

/// Name and arguments of a term that is not a variable.
pub(crate) fn application(term: &Term) -> Option<(Symbol, &[Term])> {
    match term {
        Term::Constant(name) => Some((*name, &[])),
        Term::Function(name, args) => Some((*name, args)),
        Term::Variable(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_static_relations_bound_the_fluents() {
        let text = "(role red) (column 1) (column 2) (column 3) \
             (<= (legal red (drop ?x)) (column ?x)) \
             (<= (next (cell ?x 1 ?r)) (does ?r (drop ?x))) \
             (<= (next (cell ?x 2 ?r)) (does ?r (drop ?x)) (true (cell ?x 1 ?any)))";
        let rules = ludens_gdl::load(text).0.unwrap();
        let domains = domains(&rules, &Statics::of(&rules));
        let cell = &domains[&("cell".to_owned(), 3)];
        let shown: Vec<_> =
            cell.iter().map(|set| set.iter().cloned().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(shown, ["1 2 3", "1 2", "red"]);
    }
}
