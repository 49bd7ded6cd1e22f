//! Strata, and the fixpoint of each.

use std::collections::{BTreeMap, BTreeSet};

use ludens_core::Trouble;
use ludens_gdl::Rules;
use ludens_gdl::rules::{Atom, Literal, RelationId, Rule};

use super::Limits;
use super::term::{Bindings, Ground, match_all, substitute};

/// Atoms that hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Atoms(BTreeMap<RelationId, BTreeSet<Vec<Ground>>>);

impl Atoms {
    /// Adds an atom; returns whether it is new.
    pub fn insert(&mut self, relation: RelationId, args: Vec<Ground>) -> bool {
        self.0.entry(relation).or_default().insert(args)
    }

    /// The atoms of a relation.
    pub fn of(&self, relation: RelationId) -> impl Iterator<Item = &Vec<Ground>> {
        self.0.get(&relation).into_iter().flatten()
    }

    fn holds(&self, relation: RelationId, args: &[Ground]) -> bool {
        self.0.get(&relation).is_some_and(|atoms| atoms.contains(args))
    }

    fn len(&self) -> usize {
        self.0.values().map(BTreeSet::len).sum()
    }
}

/// The rules by stratum: the relations of a stratum are complete before any rule of the next one
/// negates them.
#[derive(Clone, Debug)]
pub(super) struct Strata(Vec<Vec<usize>>);

impl Strata {
    /// Raises relations above those they negate until a fixpoint.
    pub fn of(rules: &Rules) -> Result<Strata, Trouble> {
        let highest = rules.relations.len();
        let mut level = vec![0; highest];
        let mut changed = true;
        while changed {
            changed = false;
            for rule in &rules.rules {
                let required =
                    rule.body.iter().map(|literal| required_level(literal, &level)).max();
                let head = &mut level[rule.head.relation.0 as usize];
                if required.is_some_and(|required| required > *head) {
                    *head = required.unwrap_or(0);
                    changed = true;
                    if *head > highest {
                        return Err(Trouble::NegativeCycle);
                    }
                }
            }
        }
        let mut strata = vec![Vec::new(); highest + 1];
        for (rule_idx, rule) in rules.rules.iter().enumerate() {
            strata[level[rule.head.relation.0 as usize]].push(rule_idx);
        }
        Ok(Strata(strata))
    }

    /// Adds all consequences.
    pub fn complete(
        &self,
        rules: &Rules,
        atoms: &mut Atoms,
        limits: &Limits,
    ) -> Result<(), Trouble> {
        let mut steps = 0;
        for stratum in &self.0 {
            let mut changed = true;
            while changed {
                changed = false;
                for &rule_idx in stratum {
                    let rule = &rules.rules[rule_idx];
                    let mut attempt =
                        Attempt { rules, atoms, rule, limits, steps, found: Vec::new() };
                    attempt.positive(0, &vec![None; rule.variables.len()])?;
                    steps = attempt.steps;
                    for args in attempt.found {
                        changed |= atoms.insert(rule.head.relation, args);
                    }
                    if atoms.len() > limits.atoms {
                        return Err(exhausted("atoms"));
                    }
                }
            }
        }
        Ok(())
    }
}

fn required_level(literal: &Literal, level: &[usize]) -> usize {
    match literal {
        Literal::Positive(atom) => level[atom.relation.0 as usize],
        Literal::Negative(atom) => level[atom.relation.0 as usize] + 1,
        Literal::Distinct(..) => 0,
    }
}

fn exhausted(what: &str) -> Trouble {
    Trouble::Exhausted(format!("the {what} allowed are used up"))
}

/// One rule, matched with all combinations of atoms.
struct Attempt<'a> {
    rules: &'a Rules,
    atoms: &'a Atoms,
    rule: &'a Rule,
    limits: &'a Limits,
    steps: u64,
    found: Vec<Vec<Ground>>,
}

impl Attempt<'_> {
    /// Matches the positive literals from the given one on, then tests the others.
    fn positive(&mut self, at: usize, bindings: &Bindings) -> Result<(), Trouble> {
        let Some(literal) = self.rule.body.get(at) else {
            return if self.others_hold(bindings) { self.conclude(bindings) } else { Ok(()) };
        };
        let Literal::Positive(atom) = literal else {
            return self.positive(at + 1, bindings);
        };
        let atoms = self.atoms;
        for args in atoms.of(atom.relation) {
            self.steps += 1;
            if self.steps > self.limits.steps {
                return Err(exhausted("steps"));
            }
            let mut extended = bindings.clone();
            if match_all(self.rules, &atom.args, args, &mut extended) {
                self.positive(at + 1, &extended)?;
            }
        }
        Ok(())
    }

    fn others_hold(&self, bindings: &Bindings) -> bool {
        self.rule.body.iter().all(|literal| match literal {
            Literal::Positive(_) => true,
            Literal::Negative(atom) => {
                !self.atoms.holds(atom.relation, &self.ground(atom, bindings))
            }
            Literal::Distinct(left, right) => {
                substitute(self.rules, left, bindings) != substitute(self.rules, right, bindings)
            }
        })
    }

    fn conclude(&mut self, bindings: &Bindings) -> Result<(), Trouble> {
        let args = self.ground(&self.rule.head, bindings);
        if args.iter().any(|arg| arg.depth() > self.limits.depth) {
            return Err(Trouble::Unbounded("a term is nested too deeply".into()));
        }
        self.found.push(args);
        Ok(())
    }

    fn ground(&self, atom: &Atom, bindings: &Bindings) -> Vec<Ground> {
        let ground = |arg| substitute(self.rules, arg, bindings);
        atom.args.iter().map(|arg| ground(arg).expect("rules in normal form are safe")).collect()
    }
}
