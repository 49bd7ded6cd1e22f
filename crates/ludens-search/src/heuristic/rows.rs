//! The facts of states as rows of tables, as Mańdziuk and Świechowski (2012) call them: the name of a
//! fact is its table, the position of an argument is a column, and the argument is a symbol.

use std::sync::Arc;

use ludens_core::{Game, Vocabulary};
use rustc_hash::FxHashMap;

/// A countable set of rows: all rows of a table, or those with a symbol in a column.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Object {
    /// The name of the table.
    pub table: String,
    /// The number of columns: facts of one name with different numbers of arguments are different
    /// tables.
    pub n_columns: usize,
    /// The column, counted from 0, and the symbol; `None` for all rows.
    pub symbol: Option<(usize, String)>,
}

/// All rows so far, numbered in the order of their first occurrence.
pub(super) struct Rows<G: Game> {
    game: Arc<G>,
    /// The row of each fact number of the game.
    numbered: Vec<u32>,
    /// The row of each fact, if the game does not number facts.
    named: FxHashMap<String, u32>,
    /// The objects of each row.
    objects_of: Vec<Box<[u32]>>,
    facts: Vec<String>,
    objects: Vec<Object>,
    object_numbers: FxHashMap<Object, u32>,
    numbers: Vec<u32>,
    found: Vec<u32>,
}

/// A fact that has not occurred yet.
const UNKNOWN: u32 = u32::MAX;

impl<G: Game> Clone for Rows<G> {
    fn clone(&self) -> Self {
        Rows {
            game: Arc::clone(&self.game),
            numbered: self.numbered.clone(),
            named: self.named.clone(),
            objects_of: self.objects_of.clone(),
            facts: self.facts.clone(),
            objects: self.objects.clone(),
            object_numbers: self.object_numbers.clone(),
            numbers: Vec::new(),
            found: Vec::new(),
        }
    }
}

impl<G: Game> Rows<G> {
    /// The rows of a game, complete if the game knows its facts in advance.
    pub fn new(game: Arc<G>) -> Self {
        let mut rows = Rows {
            game,
            numbered: Vec::new(),
            named: FxHashMap::default(),
            objects_of: Vec::new(),
            facts: Vec::new(),
            objects: Vec::new(),
            object_numbers: FxHashMap::default(),
            numbers: Vec::new(),
            found: Vec::new(),
        };
        let game = Arc::clone(&rows.game);
        if let Some(vocabulary) = game.vocabulary() {
            for number in 0..vocabulary.n_facts().unwrap_or_default() as u32 {
                let row = rows.add(vocabulary.fact_name(number));
                rows.numbered.push(row);
            }
        }
        rows
    }

    /// The number of rows so far.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// All objects of the rows so far.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// The objects that a row belongs to.
    pub fn objects_of(&self, row: u32) -> &[u32] {
        &self.objects_of[row as usize]
    }

    /// A row as text.
    pub fn fact(&self, row: u32) -> &str {
        &self.facts[row as usize]
    }

    /// The rows of a state.
    pub fn of(&mut self, state: &G::State) -> &[u32] {
        self.numbers.clear();
        self.found.clear();
        let game = Arc::clone(&self.game);
        if let Some(vocabulary) = game.vocabulary() {
            vocabulary.fact_ids(state, &mut self.numbers);
            self.add_numbered(vocabulary);
            self.found.extend(self.numbers.iter().map(|&number| self.numbered[number as usize]));
        } else {
            for fact in game.facts(state) {
                let known = self.named.get(&fact).copied();
                let row = known.unwrap_or_else(|| {
                    let row = self.add(fact.clone());
                    self.named.insert(fact, row);
                    row
                });
                self.found.push(row);
            }
        }
        &self.found
    }

    /// The rows of the last state that was passed to [`Rows::of`].
    pub fn last(&self) -> &[u32] {
        &self.found
    }

    /// Adds the new facts of a state as rows, sorted by name, since the fact numbers of a game may depend on
    /// other threads.
    fn add_numbered(&mut self, vocabulary: &dyn Vocabulary<G::State>) {
        let row = |number: u32| self.numbered.get(number as usize).copied().unwrap_or(UNKNOWN);
        let is_new = |&number: &u32| row(number) == UNKNOWN;
        if !self.numbers.iter().any(is_new) {
            return;
        }
        let unknown = self.numbers.iter().copied().filter(is_new);
        let named = |number| (vocabulary.fact_name(number), number);
        let mut unknown: Vec<_> = unknown.map(named).collect();
        unknown.sort_unstable();
        let len = self.numbers.iter().max().map_or(0, |&max| max as usize + 1);
        self.numbered.resize(self.numbered.len().max(len), UNKNOWN);
        for (fact, number) in unknown {
            self.numbered[number as usize] = self.add(fact);
        }
    }

    /// Adds a new fact; returns its row.
    fn add(&mut self, fact: String) -> u32 {
        let parts = parts(&fact);
        let table =
            |symbol| Object { table: parts[0].to_owned(), n_columns: parts.len() - 1, symbol };
        let columns = parts[1..].iter().enumerate().map(|(c, s)| Some((c, (*s).to_owned())));
        let objects: Vec<Object> = std::iter::once(None).chain(columns).map(table).collect();
        let objects = objects.into_iter().map(|object| self.number(object)).collect();
        self.objects_of.push(objects);
        self.facts.push(fact);
        (self.facts.len() - 1) as u32
    }

    fn number(&mut self, object: Object) -> u32 {
        let next = self.objects.len() as u32;
        *self.object_numbers.entry(object).or_insert_with_key(|object| {
            self.objects.push(object.clone());
            next
        })
    }
}

/// The name of a fact and its arguments, which may be compound terms.
fn parts(fact: &str) -> Vec<&str> {
    let inner = fact.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(fact);
    let (mut parts, mut depth, mut start) = (Vec::new(), 0usize, None);
    for (at, c) in inner.char_indices() {
        match c {
            ' ' if depth == 0 => {
                parts.extend(start.take().map(|start: usize| &inner[start..at]));
            }
            _ => {
                start = start.or(Some(at));
                depth += usize::from(c == '(');
                depth -= usize::from(c == ')').min(depth);
            }
        }
    }
    parts.extend(start.map(|start| &inner[start..]));
    if parts.is_empty() { vec![fact] } else { parts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::Nim;

    #[test]
    fn facts_are_split_into_name_and_arguments() {
        assert_eq!(parts("(cell 1 2 x)"), ["cell", "1", "2", "x"]);
        assert_eq!(parts("done"), ["done"]);
        assert_eq!(parts("(at (place 1 (up 2)) me)"), ["at", "(place 1 (up 2))", "me"]);
        assert_eq!(parts("( at  a )"), ["at", "a"]);
    }

    #[test]
    fn rows_belong_to_their_table_and_to_their_symbols() {
        let mut rows = Rows::new(Arc::new(Nim(3)));
        let first = rows.of(&(3, 0)).to_vec();
        assert_eq!(rows.of(&(3, 0)), first, "the same state has the same rows");
        let other = rows.of(&(2, 0)).to_vec();
        assert_ne!(first, other);
        let tables = |rows: &Rows<Nim>, row| {
            let objects = rows.objects_of(row).iter();
            objects.map(|&object| rows.objects()[object as usize].clone()).collect::<Vec<_>>()
        };
        for &row in &first {
            let objects = tables(&rows, row);
            assert_eq!(objects[0].symbol, None);
            assert_eq!(objects.len(), 1 + objects[0].n_columns);
        }
    }
}
