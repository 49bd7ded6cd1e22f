//! The facts of `base` and `init`, as far as they can be computed.

use std::collections::BTreeMap;

use ludens_gdl::Rules;
use ludens_gdl::rules::RelationId;

use crate::domains::application;
use crate::statics::{Statics, is_flat};

/// The maximum number of steps per rule.
const MAX_STEPS_PER_RULE: usize = 100_000;

/// Rows of arguments, by name and arity of the fluent.
pub(crate) type Rows = BTreeMap<(String, usize), Vec<Vec<String>>>;

/// The facts that can ever be true, for the fluents whose `base` rules can all be computed.
pub(crate) fn possible(rules: &Rules, statics: &Statics) -> Rows {
    heads(rules, statics, rules.keywords.base)
}

/// The facts of the initial state, as far as they can be computed.
pub(crate) fn initial(rules: &Rules, statics: &Statics) -> Vec<String> {
    let mut facts = Vec::new();
    for ((name, _), rows) in heads(rules, statics, rules.keywords.init) {
        for row in rows {
            let words = std::iter::once(name.as_str()).chain(row.iter().map(String::as_str));
            facts.push(format!("({})", words.collect::<Vec<_>>().join(" ")));
        }
    }
    facts
}

/// The instances of a one-place relation over fluents.
fn heads(rules: &Rules, statics: &Statics, relation: RelationId) -> Rows {
    let mut found: BTreeMap<(String, usize), Option<Vec<Vec<String>>>> = BTreeMap::new();
    for rule in rules.rules.iter().filter(|rule| rule.head.relation == relation) {
        let Some((name, args)) = application(&rule.head.args[0]) else { continue };
        let mut steps = MAX_STEPS_PER_RULE;
        let rows = statics.rows_of(rule, args, &mut steps);
        let key = (rules.symbols.text(name).to_owned(), args.len());
        let known = found.entry(key).or_insert_with(|| Some(Vec::new()));
        match (known.as_mut(), rows.filter(|_| args.iter().all(is_flat))) {
            (Some(known), Some(rows)) => known.extend(rows.iter().map(|row| {
                row.iter().map(|symbol| rules.symbols.text(*symbol).to_owned()).collect()
            })),
            _ => *known = None,
        }
    }
    found.into_iter().filter_map(|(key, rows)| Some((key, rows?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_and_init_are_computed() {
        let text = "(role a) (n 1) (n 2) (<= (base (cell ?x b)) (n ?x)) (<= (base (f ?x)) (g (h ?x))) \
             (init (cell 1 b)) (<= (init (cell ?x b)) (n ?x) (distinct ?x 1))";
        let rules = ludens_gdl::load(text).0.unwrap();
        let statics = Statics::of(&rules);
        let rows = possible(&rules, &statics);
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[&("cell".to_owned(), 2)], [["1", "b"], ["2", "b"]]);
        assert_eq!(initial(&rules, &statics), ["(cell 1 b)", "(cell 2 b)"]);
    }
}
