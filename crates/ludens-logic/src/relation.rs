//! Relations that never change: facts, and what follows from facts alone, with their indexes.

use rustc_hash::FxHashMap;

use crate::store::Value;

/// A set of tuples with indexes on the columns that joins ask for.
#[derive(Clone, Default)]
pub(crate) struct Relation {
    arity: usize,
    tuples: Vec<Value>,
    len: usize,
    /// How many different values each column has.
    pub distinct: Vec<usize>,
    indexes: FxHashMap<Box<[u16]>, u32>,
    stored: Vec<Index>,
}

#[derive(Clone)]
struct Index {
    columns: Box<[u16]>,
    groups: FxHashMap<Box<[Value]>, (u32, u32)>,
    rows: Vec<u32>,
}

/// Which index of a relation.
pub(crate) type IndexId = u32;

impl Relation {
    /// A relation with these tuples, one after the other; doubles are dropped.
    pub(crate) fn new(arity: usize, tuples: &[Value], count: usize) -> Self {
        let mut relation = Relation { arity, ..Relation::default() };
        if arity == 0 {
            relation.len = count.min(1);
            return relation;
        }
        let mut rows: Vec<&[Value]> = tuples.chunks_exact(arity).collect();
        let mut seen = rustc_hash::FxHashSet::default();
        rows.retain(|row| seen.insert(*row));
        relation.len = rows.len();
        relation.tuples = rows.concat();
        relation.distinct = (0..arity)
            .map(|c| rows.iter().map(|row| row[c]).collect::<rustc_hash::FxHashSet<_>>().len())
            .collect();
        relation
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn arity(&self) -> usize {
        self.arity
    }

    pub(crate) fn row(&self, row: u32) -> &[Value] {
        let start = row as usize * self.arity;
        &self.tuples[start..start + self.arity]
    }

    /// The index on these columns, built if it is not there.
    pub(crate) fn index(&mut self, columns: &[u16]) -> IndexId {
        if let Some(&id) = self.indexes.get(columns) {
            return id;
        }
        let mut members: FxHashMap<Box<[Value]>, Vec<u32>> = FxHashMap::default();
        for row in 0..self.len as u32 {
            let key = columns.iter().map(|&c| self.row(row)[c as usize]).collect();
            members.entry(key).or_default().push(row);
        }
        let mut rows = Vec::with_capacity(self.len);
        let groups = members.into_iter().map(|(key, group)| {
            let start = rows.len() as u32;
            rows.extend(group);
            (key, (start, rows.len() as u32))
        });
        let groups = groups.collect();
        let id = self.stored.len() as u32;
        self.stored.push(Index { columns: columns.into(), groups, rows });
        self.indexes.insert(columns.into(), id);
        id
    }

    /// The rows whose indexed columns have these values.
    pub(crate) fn lookup(&self, index: IndexId, key: &[Value]) -> &[u32] {
        let index = &self.stored[index as usize];
        debug_assert_eq!(index.columns.len(), key.len());
        match index.groups.get(key) {
            Some(&(start, end)) => &index.rows[start as usize..end as usize],
            None => &[],
        }
    }
}
