//! Symbols that a relation such as `succ` puts in a row.

use std::collections::{BTreeMap, BTreeSet};

use ludens_gdl::rules::RelationId;
use ludens_logic::Statics;
use ludens_logic::terms::{Store, Value};

/// A row has at least this many symbols: `(opponent white black)` is none.
const MIN_SYMBOLS: usize = 3;

/// Larger relations are ignored, so that the rows of a game stay small.
const MAX_PAIRS: usize = 1000;

/// The rows of all static relations, from the first symbol to the last one, each once.
pub(super) fn rows(statics: &Statics, n_relations: usize, store: &Store) -> Vec<Vec<String>> {
    let relations = (0..n_relations as u32).map(RelationId);
    let rows: BTreeSet<Vec<String>> = relations
        .filter_map(|relation| pairs(statics, relation))
        .flat_map(|pairs| rows_of(&pairs))
        .map(|row| row.into_iter().map(|symbol| store.text(symbol)).collect())
        .collect();
    rows.into_iter().collect()
}

/// The tuples of a relation with two arguments.
fn pairs(statics: &Statics, relation: RelationId) -> Option<Vec<[Value; 2]>> {
    let tuples = statics.tuples(relation).filter(|tuples| tuples.len() <= MAX_PAIRS)?;
    tuples.map(|tuple| tuple.try_into().ok()).collect()
}

/// The paths of a relation in which no symbol has two successors or two predecessors.
fn rows_of(pairs: &[[Value; 2]]) -> Vec<Vec<Value>> {
    let mut next = BTreeMap::new();
    let mut reached = BTreeSet::new();
    for &[a, b] in pairs {
        if next.insert(a, b).is_some() || !reached.insert(b) {
            return Vec::new();
        }
    }
    // From a start no path comes back: the first symbol to be reached again would have two predecessors.
    let starts = next.keys().copied().filter(|a| !reached.contains(a));
    let row = |start| std::iter::successors(Some(start), |at| next.get(at).copied()).collect();
    starts.map(row).filter(|row: &Vec<Value>| row.len() >= MIN_SYMBOLS).collect()
}

#[cfg(test)]
mod tests {
    use ludens_core::Budget;

    use crate::network::Network;

    /// The rows of `s`, `t` and `line`; relations that no rule uses are dropped before.
    fn rows(text: &str) -> Vec<String> {
        let text = format!(
            "(role you) (legal you go) terminal (goal you 100) (init go) {text}
            (<= (next (at ?x)) (s ?x ?y)) (<= (next (at ?x)) (t ?x ?y)) (<= (next at) (line a b c))"
        );
        let rules = ludens_gdl::load(&text).0.expect("the rules load");
        let network = Network::load(&rules, &Budget::unlimited()).expect("they are grounded");
        network.rows.iter().map(|row| row.join(" ")).collect()
    }

    #[test]
    fn paths_are_rows() {
        assert_eq!(rows("(s kip lap) (s mog nub) (s lap mog)"), ["kip lap mog nub"]);
        assert_eq!(rows("(s a b) (s b c) (s f e) (s e d) (s x y)"), ["a b c", "f e d"]);
        let derived = "(s a b) (s b c) (<= (t ?y ?x) (s ?x ?y))";
        assert_eq!(rows(derived), ["a b c", "c b a"]);
        let twice = "(s a b) (s b c) (t a b) (t b c)";
        assert_eq!(rows(twice), ["a b c"]);
    }

    #[test]
    fn other_relations_have_none() {
        for text in [
            "(s white black)",
            "(s a b) (s b c) (s c a)",
            "(s a b) (s a c) (s c d)",
            "(s a c) (s b c) (s c d)",
            "(s a b) (s b c) (s a c)",
            "(line a b c)",
            "(s a a) (s b b) (s c c)",
        ] {
            assert_eq!(rows(text), Vec::<String>::new(), "{text}");
        }
    }
}
