//! Static relations, with their indexes.

use hashbrown::HashTable;
use rustc_hash::FxHashMap;

use crate::hash::hash;
use crate::store::Value;

/// A set of tuples with indexes on the columns that joins need.
#[derive(Clone, Default)]
pub(crate) struct Relation {
    arity: usize,
    tuples: Vec<Value>,
    len: usize,
    /// The number of distinct values in each column.
    pub distinct: Vec<usize>,
    indexes: FxHashMap<Box<[u16]>, u32>,
    stored: Vec<Index>,
}

/// Rows grouped by the values of some columns.
#[derive(Clone)]
struct Index {
    columns: Box<[u16]>,
    groups: Groups,
    rows: Vec<u32>,
    unique: bool,
}

/// The range of the rows with given values.
#[derive(Clone)]
enum Groups {
    /// By the number of the value, for an index on one column.
    Direct(Vec<(u32, u32)>),
    Hashed(HashTable<(u32, u32)>),
}

/// The number of an index of a relation.
pub(crate) type IndexId = u32;

impl Relation {
    /// A relation with these tuples, one after the other; duplicates are dropped.
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

    /// An estimate of the memory held, including one or two indexes.
    pub(crate) fn bytes(&self) -> usize {
        self.len * (self.arity * size_of::<Value>() + 24)
    }

    pub(crate) fn arity(&self) -> usize {
        self.arity
    }

    pub(crate) fn row(&self, row: u32) -> &[Value] {
        let start = row as usize * self.arity;
        &self.tuples[start..start + self.arity]
    }

    /// The index on these columns, built if it does not exist.
    pub(crate) fn index(&mut self, columns: &[u16]) -> IndexId {
        if let Some(&id) = self.indexes.get(columns) {
            return id;
        }
        let mut members: FxHashMap<Box<[Value]>, Vec<u32>> = FxHashMap::default();
        for row in 0..self.len as u32 {
            let key = columns.iter().map(|&c| self.row(row)[c as usize]).collect();
            members.entry(key).or_default().push(row);
        }
        let unique = members.len() == self.len;
        let mut rows = Vec::with_capacity(self.len);
        let mut groups = match columns {
            [_] => Groups::Direct(Vec::new()),
            _ => Groups::Hashed(HashTable::with_capacity(members.len())),
        };
        for (key, group) in members {
            let start = rows.len() as u32;
            rows.extend(group);
            let range = (start, rows.len() as u32);
            match &mut groups {
                Groups::Direct(ranges) => {
                    let value = key[0].0 as usize;
                    ranges.resize(ranges.len().max(value + 1), (0, 0));
                    ranges[value] = range;
                }
                Groups::Hashed(table) => {
                    let hash_of = |&(start, _): &(u32, u32)| {
                        let row = self.row(rows[start as usize]);
                        hash(columns.iter().map(|&c| row[c as usize]))
                    };
                    table.insert_unique(hash_of(&range), range, hash_of);
                }
            }
        }
        let id = self.stored.len() as u32;
        self.stored.push(Index { columns: columns.into(), groups, rows, unique });
        self.indexes.insert(columns.into(), id);
        id
    }

    /// Whether no two rows have the same values in the indexed columns.
    pub(crate) fn is_unique(&self, index: IndexId) -> bool {
        self.stored[index as usize].unique
    }

    /// The rows whose indexed columns have these values.
    #[inline]
    pub(crate) fn lookup(&self, index: IndexId, key: &[Value]) -> &[u32] {
        let index = &self.stored[index as usize];
        debug_assert_eq!(index.columns.len(), key.len());
        let range = match &index.groups {
            Groups::Direct(ranges) => ranges.get(key[0].0 as usize),
            Groups::Hashed(table) => table.find(hash(key.iter().copied()), |&(start, _)| {
                let row = self.row(index.rows[start as usize]);
                index.columns.iter().zip(key).all(|(&c, &value)| row[c as usize] == value)
            }),
        };
        range.map_or(&[], |&(start, end)| &index.rows[start as usize..end as usize])
    }
}
