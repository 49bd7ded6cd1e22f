//! Which rules may produce an instance that was found before.

use ludens_gdl::rules::RelationId;
use rustc_hash::FxHashMap;

use super::program::{Condition, OpenRule, Program, Standing};

/// The relations of an instance, by which instances of different rules can be told apart.
type Shape = (RelationId, Vec<(RelationId, bool)>);

/// How many rules have instances of each shape.
pub(super) struct Doubles(FxHashMap<Shape, u32>);

impl Doubles {
    pub(super) fn of(program: &Program) -> Self {
        let mut counts = FxHashMap::default();
        for rule in program.rules.iter().filter(|rule| !rule.silent) {
            *counts.entry(shape(rule)).or_insert(0) += 1;
        }
        Doubles(counts)
    }

    /// Whether an instance of the rule may be found twice, by this rule or by another.
    pub(super) fn may_come_from(&self, rule: &OpenRule) -> bool {
        rule.silent || loses_variables(rule) || self.0.get(&shape(rule)) != Some(&1)
    }
}

/// The relation and sign of a condition that occurs in the instances.
fn kept(condition: &Condition) -> Option<(RelationId, bool)> {
    match condition {
        Condition::Positive { relation, standing: Standing::Open, .. } => Some((*relation, true)),
        Condition::Negative { relation, .. } => Some((*relation, false)),
        _ => None,
    }
}

fn shape(rule: &OpenRule) -> Shape {
    let mut relations: Vec<_> = rule.body.iter().filter_map(kept).collect();
    relations.sort_unstable();
    relations.dedup();
    (rule.head, relations)
}

/// Whether two choices of values can give the same instance: some variable does not occur in it,
/// or conditions on the same relation can change places.
fn loses_variables(rule: &OpenRule) -> bool {
    let mut seen = vec![false; rule.n_variables];
    for arg in &rule.head_args {
        arg.variables(&mut |v| seen[v.0 as usize] = true);
    }
    let mut relations = Vec::new();
    for condition in &rule.body {
        if let Some(relation) = kept(condition) {
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
