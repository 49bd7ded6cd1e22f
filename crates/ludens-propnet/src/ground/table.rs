//! Atoms of one relation, with indexes over arguments and over arguments of arguments.

use hashbrown::HashTable;
use ludens_logic::terms::{Functor, Store, Value, hash};

/// No row.
pub(super) const NONE: u32 = u32::MAX;

/// A position in an atom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Path {
    /// An argument.
    Argument(u16),
    /// An argument of an argument that is a compound term of the functor.
    Inside(u16, Functor, u16),
}

impl Path {
    #[inline]
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

/// The progress of an atom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    /// It occurs in an instance.
    Interned,
    /// It can hold.
    Possible,
    /// It can hold, and joins may use it.
    Visible,
}

/// Rows with the same values at some positions, chained in the order in which they became visible.
struct Index {
    paths: Vec<Path>,
    /// First and last row of each group; the values are those of the first row.
    groups: HashTable<(u32, u32)>,
    /// The next row of the same group.
    next: Vec<u32>,
}

/// The atoms of a relation. An atom may be interned before it is known to be possible.
#[derive(Default)]
pub(super) struct Table {
    arity: usize,
    tuples: Vec<Value>,
    by_tuple: HashTable<u32>,
    stages: Vec<Stage>,
    /// The number of each row's atom in the ground rules, or `NONE`.
    pub ids: Vec<u32>,
    /// The possible atoms that joins may use, in the order in which they were found.
    visible: Vec<u32>,
    indexes: Vec<Index>,
}

impl Table {
    pub(super) fn new(arity: usize) -> Self {
        Table { arity, ..Table::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.stages.len()
    }

    /// Approximately how many bytes one more row takes, with what growing vectors reserve.
    pub(super) fn row_bytes(&self) -> usize {
        let row = self.arity * 6 + 32;
        row + self.indexes.len() * 18
    }

    #[inline]
    pub(super) fn tuple(&self, row: u32) -> &[Value] {
        let start = row as usize * self.arity;
        &self.tuples[start..start + self.arity]
    }

    #[inline]
    pub(super) fn find(&self, tuple: &[Value]) -> Option<u32> {
        let same = |&row: &u32| self.tuple(row).iter().zip(tuple).all(|(a, b)| a == b);
        self.by_tuple.find(hash(tuple.iter().copied()), same).copied()
    }

    /// The row of an atom that joins may use.
    #[inline]
    pub(super) fn find_visible(&self, tuple: &[Value]) -> Option<u32> {
        self.find(tuple).filter(|&row| self.stages[row as usize] == Stage::Visible)
    }

    /// The row of an atom, and whether it is new.
    pub(super) fn intern(&mut self, tuple: &[Value]) -> (u32, bool) {
        if let Some(row) = self.find(tuple) {
            return (row, false);
        }
        let row = self.stages.len() as u32;
        self.tuples.extend_from_slice(tuple);
        self.stages.push(Stage::Interned);
        self.ids.push(NONE);
        let Table { by_tuple, tuples, arity, .. } = self;
        let tuple_of = |row: u32| &tuples[row as usize * *arity..(row as usize + 1) * *arity];
        by_tuple.insert_unique(hash(tuple.iter().copied()), row, |&row| {
            hash(tuple_of(row).iter().copied())
        });
        (row, true)
    }

    pub(super) fn is_possible(&self, row: u32) -> bool {
        self.stages[row as usize] >= Stage::Possible
    }

    /// Marks an atom as possible; returns false if it already was.
    pub(super) fn set_possible(&mut self, row: u32) -> bool {
        let stage = &mut self.stages[row as usize];
        if *stage == Stage::Interned {
            *stage = Stage::Possible;
            return true;
        }
        false
    }

    /// Makes an atom visible to joins.
    pub(super) fn make_visible(&mut self, store: &Store, row: u32) {
        self.stages[row as usize] = Stage::Visible;
        self.visible.push(row);
        let Table { arity, tuples, indexes, .. } = self;
        for index in indexes {
            index.add(store, (tuples, *arity), row);
        }
    }

    /// The index over these positions, built on first use.
    pub(super) fn index(&mut self, store: &Store, paths: &[Path]) -> usize {
        if let Some(found) = self.indexes.iter().position(|index| index.paths == paths) {
            return found;
        }
        let mut index = Index { paths: paths.to_vec(), groups: HashTable::new(), next: Vec::new() };
        for &row in &self.visible {
            index.add(store, (&self.tuples, self.arity), row);
        }
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// The first visible atom with these values at the positions of the index, or `NONE`.
    #[inline]
    pub(super) fn first(&self, store: &Store, index: usize, key: &[Value]) -> u32 {
        let index = &self.indexes[index];
        let same = |&(first, _): &(u32, u32)| {
            let tuple = self.tuple(first);
            index.paths.iter().zip(key).all(|(path, &v)| path.value(store, tuple) == Some(v))
        };
        index.groups.find(hash(key.iter().copied()), same).map_or(NONE, |&(first, _)| first)
    }

    /// The next atom of the same group, or `NONE`.
    #[inline]
    pub(super) fn next(&self, index: usize, row: u32) -> u32 {
        self.indexes[index].next[row as usize]
    }

    /// All visible atoms.
    #[inline]
    pub(super) fn visible(&self) -> &[u32] {
        &self.visible
    }
}

impl Index {
    fn add(&mut self, store: &Store, (tuples, arity): (&[Value], usize), row: u32) {
        let tuple_of = |row: u32| &tuples[row as usize * arity..(row as usize + 1) * arity];
        let tuple = tuple_of(row);
        let Index { paths, groups, next } = self;
        next.resize(next.len().max(row as usize + 1), NONE);
        if !paths.iter().all(|path| path.value(store, tuple).is_some()) {
            return;
        }
        let key_hash = |row: u32| {
            let tuple = tuple_of(row);
            hash(paths.iter().filter_map(|path| path.value(store, tuple)))
        };
        let same = |&(first, _): &(u32, u32)| {
            let other = tuple_of(first);
            paths.iter().all(|path| path.value(store, other) == path.value(store, tuple))
        };
        let key = key_hash(row);
        if let Some((_, last)) = groups.find_mut(key, same) {
            next[*last as usize] = row;
            *last = row;
        } else {
            groups.insert_unique(key, (row, row), |&(first, _)| key_hash(first));
        }
    }
}
