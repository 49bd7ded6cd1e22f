//! The state being reasoned about: which fluents hold, found by functor and by known columns.
//!
//! Indexes are over all fluents ever met, and each entry is checked against the present state:
//! moving on to another state then costs one mark for each fluent, not new indexes.

use hashbrown::HashTable;

use crate::plan::TruthIndex;
use crate::store::{Functor, Store, Value};

/// The fluents that hold, with indexes.
#[derive(Default)]
pub(crate) struct Present {
    mark: u32,
    marks: Vec<u32>,
    pub facts: Vec<Value>,
    by_functor: Vec<Vec<Value>>,
    known: Vec<bool>,
    indexes: Vec<FluentIndex>,
    indexes_of: Vec<Vec<u32>>,
}

struct FluentIndex {
    columns: Box<[u16]>,
    groups: HashTable<Vec<Value>>,
}

impl Present {
    pub(crate) fn new(indexes: &[TruthIndex]) -> Self {
        let mut present = Present { mark: 1, ..Present::default() };
        for (i, index) in indexes.iter().enumerate() {
            let functor = index.functor.0 as usize;
            if present.indexes_of.len() <= functor {
                present.indexes_of.resize(functor + 1, Vec::new());
            }
            present.indexes_of[functor].push(i as u32);
            present
                .indexes
                .push(FluentIndex { columns: index.columns.clone(), groups: HashTable::new() });
        }
        present
    }

    /// Replaces the state.
    pub(crate) fn set(&mut self, store: &Store, facts: &[Value]) {
        self.mark += 1;
        for &old in &self.facts {
            self.by_functor[store.functor_of(old).0 as usize].clear();
        }
        self.by_functor.resize(store.n_functors(), Vec::new());
        self.marks.resize(store.len(), 0);
        self.known.resize(store.len(), false);
        self.facts.clear();
        self.facts.extend_from_slice(facts);
        for &fact in facts {
            self.marks[fact.0 as usize] = self.mark;
            self.by_functor[store.functor_of(fact).0 as usize].push(fact);
            if !self.known[fact.0 as usize] {
                self.known[fact.0 as usize] = true;
                self.meet(store, fact);
            }
        }
    }

    fn meet(&mut self, store: &Store, fact: Value) {
        let functor = store.functor_of(fact).0 as usize;
        for &index in self.indexes_of.get(functor).map_or(&[][..], |list| list) {
            let FluentIndex { columns, groups } = &mut self.indexes[index as usize];
            let args = store.args(fact);
            let same = |group: &Vec<Value>| {
                let other = store.args(group[0]);
                columns.iter().all(|&c| other[c as usize] == args[c as usize])
            };
            let hash_of =
                |value: Value| hash(columns.iter().map(|&c| store.args(value)[c as usize]));
            match groups.find_mut(hash_of(fact), same) {
                Some(group) => group.push(fact),
                None => {
                    drop(groups.insert_unique(hash_of(fact), vec![fact], |group| hash_of(group[0])))
                }
            }
        }
    }

    /// Whether a fluent holds.
    pub(crate) fn holds(&self, fluent: Value) -> bool {
        self.marks.get(fluent.0 as usize) == Some(&self.mark)
    }

    /// The fluents of a functor that hold.
    pub(crate) fn of(&self, functor: Functor) -> &[Value] {
        self.by_functor.get(functor.0 as usize).map_or(&[], |list| list)
    }

    /// All fluents ever met that have these values in the index's columns.
    pub(crate) fn candidates(&self, store: &Store, index: u32, key: &[Value]) -> &[Value] {
        let FluentIndex { columns, groups } = &self.indexes[index as usize];
        let same = |group: &Vec<Value>| {
            let args = store.args(group[0]);
            columns.iter().zip(key).all(|(&c, &value)| args[c as usize] == value)
        };
        groups.find(hash(key.iter().copied()), same).map_or(&[], |group| group)
    }
}

fn hash(values: impl Iterator<Item = Value>) -> u64 {
    const K: u64 = 0xf135_7aea_2e62_a9c5;
    let hash = values
        .fold(0u64, |hash, value| (hash.rotate_left(23) ^ u64::from(value.0)).wrapping_mul(K));
    hash ^ hash >> 32
}
