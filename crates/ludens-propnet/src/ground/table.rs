//! Atoms of one relation, with indexes over arguments and over arguments of arguments.

use hashbrown::HashTable;
use ludens_logic::terms::{Functor, Store, Value, hash};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A few values.
pub(super) type Key = SmallVec<[Value; 4]>;

/// A place in an atom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Path {
    /// An argument.
    Argument(u16),
    /// An argument of an argument that is a compound term of the functor.
    Inside(u16, Functor, u16),
}

impl Path {
    fn value(self, store: &Store, tuple: &[Value]) -> Option<Value> {
        match self {
            Path::Argument(i) => Some(tuple[i as usize]),
            Path::Inside(i, functor, j) => {
                let term = tuple[i as usize];
                (store.functor_of(term) == functor).then(|| store.args(term)[j as usize])
            }
        }
    }
}

struct Index {
    paths: Vec<Path>,
    groups: FxHashMap<Key, Vec<u32>>,
}

/// The atoms of a relation. An atom may be named before it is known to be possible.
#[derive(Default)]
pub(super) struct Table {
    arity: usize,
    tuples: Vec<Value>,
    by_tuple: HashTable<u32>,
    possible: Vec<bool>,
    /// The possible atoms that joins may use, in the order in which they were found.
    visible: Vec<u32>,
    indexes: Vec<Index>,
}

impl Table {
    pub(super) fn new(arity: usize) -> Self {
        Table { arity, ..Table::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.possible.len()
    }

    pub(super) fn tuple(&self, row: u32) -> &[Value] {
        let start = row as usize * self.arity;
        &self.tuples[start..start + self.arity]
    }

    pub(super) fn find(&self, tuple: &[Value]) -> Option<u32> {
        self.by_tuple.find(hash(tuple.iter().copied()), |&row| self.tuple(row) == tuple).copied()
    }

    /// The row of an atom, new or old.
    pub(super) fn name(&mut self, tuple: &[Value]) -> u32 {
        if let Some(row) = self.find(tuple) {
            return row;
        }
        let row = self.possible.len() as u32;
        self.tuples.extend_from_slice(tuple);
        self.possible.push(false);
        let Table { by_tuple, tuples, arity, .. } = self;
        let tuple_of = |row: u32| &tuples[row as usize * *arity..(row as usize + 1) * *arity];
        by_tuple.insert_unique(hash(tuple.iter().copied()), row, |&row| {
            hash(tuple_of(row).iter().copied())
        });
        row
    }

    pub(super) fn is_possible(&self, row: u32) -> bool {
        self.possible[row as usize]
    }

    /// Notes that an atom is possible; false if that was known.
    pub(super) fn set_possible(&mut self, row: u32) -> bool {
        !std::mem::replace(&mut self.possible[row as usize], true)
    }

    /// Lets joins see an atom.
    pub(super) fn show(&mut self, store: &Store, row: u32) {
        self.visible.push(row);
        let start = row as usize * self.arity;
        let tuple = &self.tuples[start..start + self.arity];
        for index in &mut self.indexes {
            index.add(store, tuple, row);
        }
    }

    /// The index over these places, built if it is not there.
    pub(super) fn index(&mut self, store: &Store, paths: &[Path]) -> usize {
        if let Some(found) = self.indexes.iter().position(|index| index.paths == paths) {
            return found;
        }
        let mut index = Index { paths: paths.to_vec(), groups: FxHashMap::default() };
        for &row in &self.visible {
            index.add(store, self.tuple(row), row);
        }
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// The visible atoms with these values at the index's places.
    pub(super) fn lookup(&self, index: usize, key: &[Value]) -> &[u32] {
        self.indexes[index].groups.get(key).map_or(&[], |rows| rows)
    }

    /// All visible atoms.
    pub(super) fn visible(&self) -> &[u32] {
        &self.visible
    }
}

impl Index {
    fn add(&mut self, store: &Store, tuple: &[Value], row: u32) {
        let key: Option<Key> = self.paths.iter().map(|path| path.value(store, tuple)).collect();
        if let Some(key) = key {
            self.groups.entry(key).or_default().push(row);
        }
    }
}
