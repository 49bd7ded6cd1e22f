//! Finds the rules that may produce duplicate instances.

use ludens_gdl::rules::RelationId;
use rustc_hash::FxHashMap;

use super::program::{Condition, Kind, OpenRule, Program};

/// The relations of an instance; instances of different shapes differ.
type Shape = (RelationId, Vec<(RelationId, bool)>);

/// The number of rules with instances of each shape.
pub(super) struct Duplicates(FxHashMap<Shape, u32>);

impl Duplicates {
    pub(super) fn of(program: &Program) -> Self {
        let mut counts = FxHashMap::default();
        for rule in program.rules.iter().filter(|rule| !rule.silent) {
            *counts.entry(shape(rule)).or_insert(0) += 1;
        }
        Duplicates(counts)
    }

    /// Whether an instance of the rule may be found twice, by this rule or by another.
    pub(super) fn can_duplicate(&self, rule: &OpenRule) -> bool {
        rule.silent || is_ambiguous(rule) || self.0.get(&shape(rule)) != Some(&1)
    }
}

/// The relation and sign of a condition that occurs in the instances.
fn emitted(condition: &Condition) -> Option<(RelationId, bool)> {
    match condition {
        Condition::Positive { relation, kind: Kind::Open, .. } => Some((*relation, true)),
        Condition::Negative { relation, .. } => Some((*relation, false)),
        _ => None,
    }
}

fn shape(rule: &OpenRule) -> Shape {
    let mut relations: Vec<_> = rule.body.iter().filter_map(emitted).collect();
    relations.sort_unstable();
    relations.dedup();
    (rule.head, relations)
}

/// Whether two bindings can give the same instance: some variable does not occur in it, or
/// conditions on the same relation can be swapped.
fn is_ambiguous(rule: &OpenRule) -> bool {
    let mut seen = vec![false; rule.n_variables];
    for arg in &rule.head_args {
        arg.variables(&mut |v| seen[v.0 as usize] = true);
    }
    let mut relations = Vec::new();
    for condition in &rule.body {
        if let Some(relation) = emitted(condition) {
            relations.push(relation);
            condition.variables(&mut |v| seen[v] = true);
        }
    }
    let mut lost = false;
    for condition in &rule.body {
        condition.variables(&mut |v| lost |= !seen[v]);
    }
    relations.sort_unstable();
    lost || relations.windows(2).any(|pair| pair[0] == pair[1])
}
