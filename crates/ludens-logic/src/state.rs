//! The current state: the fluents that hold, indexed by functor and by bound columns.
//!
//! Indexes cover all fluents ever seen, and each entry is checked against the current state: changing the
//! state then costs one mark for each fluent, not a rebuild of the indexes.

use hashbrown::HashTable;

use crate::hash::hash;
use crate::plan::TruthIndex;
use crate::store::{Functor, Store, Value};

/// The fluents that hold, with indexes.
#[derive(Default)]
pub(crate) struct CurrentState {
    mark: u32,
    marks: Vec<u32>,
    pub facts: Vec<Value>,
    by_functor: Vec<Vec<Value>>,
    known: Vec<bool>,
    indexes: Vec<FluentIndex>,
    indexes_of: Vec<Vec<u32>>,
}

/// Fluents grouped by the values of some arguments.
struct FluentIndex {
    columns: Box<[u16]>,
    groups: Vec<Vec<Value>>,
    /// The group by the number of the value, for an index on one column.
    direct: Vec<u32>,
    hashed: HashTable<u32>,
}

/// No group.
const NONE: u32 = u32::MAX;

impl FluentIndex {
    fn new(columns: Box<[u16]>) -> Self {
        FluentIndex { columns, groups: Vec::new(), direct: Vec::new(), hashed: HashTable::new() }
    }

    fn group(&self, store: &Store, key: &[Value]) -> Option<u32> {
        if let [value] = key {
            return self.direct.get(value.0 as usize).copied().filter(|&group| group != NONE);
        }
        let same = |&group: &u32| {
            let args = store.args(self.groups[group as usize][0]);
            self.columns.iter().zip(key).all(|(&c, &value)| args[c as usize] == value)
        };
        self.hashed.find(hash(key.iter().copied()), same).copied()
    }

    fn add(&mut self, store: &Store, fact: Value) {
        let key_of = |fact: Value| self.columns.iter().map(move |&c| store.args(fact)[c as usize]);
        let key: Vec<Value> = key_of(fact).collect();
        if let Some(group) = self.group(store, &key) {
            self.groups[group as usize].push(fact);
            return;
        }
        let group = self.groups.len() as u32;
        self.groups.push(vec![fact]);
        if let [value] = key[..] {
            let value = value.0 as usize;
            self.direct.resize(self.direct.len().max(value + 1), NONE);
            self.direct[value] = group;
        } else {
            let groups = &self.groups;
            let hash_of = |&group: &u32| hash(key_of(groups[group as usize][0]));
            self.hashed.insert_unique(hash_of(&group), group, hash_of);
        }
    }
}

impl CurrentState {
    pub(crate) fn new(indexes: &[TruthIndex]) -> Self {
        let mut current = CurrentState { mark: 1, ..CurrentState::default() };
        for (i, index) in indexes.iter().enumerate() {
            let functor = index.functor.0 as usize;
            if current.indexes_of.len() <= functor {
                current.indexes_of.resize(functor + 1, Vec::new());
            }
            current.indexes_of[functor].push(i as u32);
            current.indexes.push(FluentIndex::new(index.columns.clone()));
        }
        current
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
                self.index(store, fact);
            }
        }
    }

    fn index(&mut self, store: &Store, fact: Value) {
        let functor = store.functor_of(fact).0 as usize;
        for &index in self.indexes_of.get(functor).map_or(&[][..], |list| list) {
            self.indexes[index as usize].add(store, fact);
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

    /// The group of all fluents ever seen that have these values in the index's columns.
    pub(crate) fn group(&self, store: &Store, index: u32, key: &[Value]) -> Option<u32> {
        self.indexes[index as usize].group(store, key)
    }

    /// The fluents of a group, whether they hold or not.
    pub(crate) fn members(&self, index: u32, group: u32) -> &[Value] {
        &self.indexes[index as usize].groups[group as usize]
    }
}
