//! The extension of a static relation, with an index on every argument.

use std::collections::{HashMap, HashSet};

use ludens_gdl::Symbol;

/// The bound arguments of a lookup.
pub(crate) type Pattern = [Option<Symbol>];

/// All rows of a relation.
#[derive(Default)]
pub(crate) struct Extension {
    rows: Vec<Box<[Symbol]>>,
    seen: HashSet<Box<[Symbol]>>,
    index: Vec<HashMap<Symbol, Vec<u32>>>,
}

/// The rows that agree with one argument of a pattern, or all rows.
pub(crate) enum Matches<'a> {
    All(usize),
    Some(&'a [u32]),
}

impl Matches<'_> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Matches::All(len) => *len,
            Matches::Some(rows) => rows.len(),
        }
    }

    /// The index of the `at`-th row in its table.
    pub fn get(&self, at: usize) -> usize {
        match self {
            Matches::All(_) => at,
            Matches::Some(rows) => rows[at] as usize,
        }
    }
}

impl Extension {
    /// Adds a row; whether it is new.
    pub fn insert(&mut self, row: Box<[Symbol]>) -> bool {
        if !self.seen.insert(row.clone()) {
            return false;
        }
        self.index.resize_with(self.index.len().max(row.len()), HashMap::new);
        for (index, &symbol) in self.index.iter_mut().zip(&row) {
            index.entry(symbol).or_default().push(self.rows.len() as u32);
        }
        self.rows.push(row);
        true
    }

    /// All rows, in the order of insertion.
    pub fn rows(&self) -> &[Box<[Symbol]>] {
        &self.rows
    }

    /// Whether the relation contains a row.
    pub fn contains(&self, row: &[Symbol]) -> bool {
        self.seen.contains(row)
    }

    /// The shortest list of rows that the index has for the pattern.
    pub fn matches(&self, pattern: &Pattern) -> Matches<'_> {
        let mut best = Matches::All(self.rows.len());
        for (position, symbol) in pattern.iter().enumerate() {
            let Some(symbol) = symbol else { continue };
            let rows = self.index.get(position).and_then(|index| index.get(symbol));
            let rows = rows.map_or(&[][..], Vec::as_slice);
            if rows.len() < best.len() || matches!(best, Matches::All(_)) {
                best = Matches::Some(rows);
            }
        }
        best
    }
}
