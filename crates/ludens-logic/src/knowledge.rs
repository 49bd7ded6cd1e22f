//! Static relations: facts, and the relations derived from facts alone.

use ludens_core::{Budget, Trouble};
use ludens_gdl::Dependencies;
use ludens_gdl::rules::{RelationId, Rules};
use rustc_hash::FxHashMap;

use crate::halt::Halt;
use crate::machine::Machine;
use crate::planner::{Knowledge, Planner, ground_value};
use crate::relation::Relation;
use crate::statistics::Statistics;
use crate::store::{Store, Value};

/// A static relation that takes more steps than this is evaluated on demand instead: it is finite only
/// when called with bound arguments, or too large to be materialised.
const MAX_STEPS: u64 = 1_000_000;

/// The same for its memory.
const MAX_BYTES: usize = 256 << 20;

/// The static relations, as far as each is small enough, with their terms.
pub struct Statics {
    /// The terms.
    pub store: Store,
    relations: Vec<Relation>,
    fixed: FxHashMap<RelationId, u32>,
}

impl Statics {
    /// Computes them.
    pub fn of(
        rules: &Rules,
        dependencies: &Dependencies,
        budget: &Budget,
    ) -> Result<Self, Trouble> {
        let mut store = Store::new(rules.symbols.clone());
        let (mut knowledge, relations) = split_facts(rules, &mut store);
        let resources = (store, relations);
        let (store, relations) =
            compute_statics(rules, dependencies, &mut knowledge, resources, budget)?;
        Ok(Statics { store, relations, fixed: knowledge.fixed })
    }

    /// An estimate of the memory held.
    pub fn bytes(&self) -> usize {
        self.store.bytes() + self.relations.iter().map(Relation::bytes).sum::<usize>()
    }

    /// The tuples of a static relation that was computed.
    pub fn tuples(&self, relation: RelationId) -> Option<impl ExactSizeIterator<Item = &[Value]>> {
        let relation = &self.relations[*self.fixed.get(&relation)? as usize];
        Some((0..relation.len()).map(|row| relation.row(row as u32)))
    }
}

/// Splits facts from rules.
pub(crate) fn split_facts(rules: &Rules, store: &mut Store) -> (Knowledge, Vec<Relation>) {
    let mut relations = Vec::new();
    let mut knowledge =
        Knowledge { rules_of: vec![Vec::new(); rules.relations.len()], ..Knowledge::default() };
    let mut tuples = vec![(Vec::new(), 0usize); rules.relations.len()];
    for (rule_idx, rule) in rules.rules.iter().enumerate() {
        let relation = rule.head.relation.0 as usize;
        if rule.body.is_empty() {
            let (values, count) = &mut tuples[relation];
            values.extend(rule.head.args.iter().map(|arg| ground_value(store, arg)));
            *count += 1;
        } else {
            knowledge.rules_of[relation].push(rule_idx);
        }
    }
    for (relation, (values, count)) in tuples.into_iter().enumerate() {
        if count == 0 {
            continue;
        }
        let arity = rules.relations[relation].arity as usize;
        let id = relations.len() as u32;
        relations.push(Relation::new(arity, &values, count));
        let has_rules = !knowledge.rules_of[relation].is_empty();
        let target = if has_rules { &mut knowledge.facts } else { &mut knowledge.fixed };
        target.insert(RelationId(relation as u32), id);
    }
    (knowledge, relations)
}

/// Computes the static relations, in the order of their dependencies, as far as each is small enough.
pub(crate) fn compute_statics(
    rules: &Rules,
    dependencies: &Dependencies,
    knowledge: &mut Knowledge,
    (store, mut relations): (Store, Vec<Relation>),
    budget: &Budget,
) -> Result<(Store, Vec<Relation>), Halt> {
    let statistics = Statistics::default();
    let mut machine = Machine::standalone(store);
    let mut held: usize = relations.iter().map(Relation::bytes).sum();
    for &relation in dependencies.components().iter().flatten() {
        let changes = dependencies.needs_state(relation) || dependencies.needs_moves(relation);
        if changes || knowledge.rules_of[relation.0 as usize].is_empty() {
            continue;
        }
        if budget.is_over() {
            return Err(Halt::Time);
        }
        let resources = (&mut machine.store, relations);
        let mut planner = Planner::new(rules, dependencies, knowledge, &statistics, resources);
        let call = planner.call(relation, 0);
        let mut program = planner.program;
        let mut left = budget.clone();
        left.bytes = left.bytes.map(|all| all.saturating_sub(held));
        machine.set_budget(&left.at_most(MAX_STEPS, MAX_BYTES));
        let arity = rules.relations[relation.0 as usize].arity as usize;
        let result =
            machine.tabulate(&program, call).map(|(tuples, n)| Relation::new(arity, tuples, n));
        if let Ok(whole) = result {
            held += whole.bytes();
            knowledge.fixed.insert(relation, program.relations.len() as u32);
            program.relations.push(whole);
        }
        relations = program.relations;
        machine.reset();
    }
    Ok((machine.store, relations))
}
