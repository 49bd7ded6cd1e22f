//! The facts of states as rows of tables, as Mańdziuk and Świechowski (2012) call them: the name of a
//! fact is its table, an argument stands in a column, and what stands there is a symbol.

use std::sync::Arc;

use ludens_core::{Game, Vocabulary};
use rustc_hash::FxHashMap;

/// What can be counted in a state: all rows of a table, or those with a symbol in a column.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Object {
    /// The name of the table.
    pub table: String,
    /// How many columns it has: facts of one name with different numbers of arguments are different
    /// tables.
    pub n_columns: usize,
    /// The column, counted from 0, and the symbol; `None` for all rows.
    pub symbol: Option<(usize, String)>,
}

/// The rows that were met, numbered in the order of their first meeting.
pub(super) struct Rows<G: Game> {
    game: Arc<G>,
    /// The row by the number that the game gives to the fact.
    numbered: Vec<u32>,
    /// The row by the fact, where the game gives no numbers.
    named: FxHashMap<String, u32>,
    /// The objects of each row.
    objects_of: Vec<Box<[u32]>>,
    facts: Vec<String>,
    objects: Vec<Object>,
    object_numbers: FxHashMap<Object, u32>,
    numbers: Vec<u32>,
    found: Vec<u32>,
}

/// A fact that was not met yet.
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
    /// The rows of a game; all of them, where the game knows them beforehand.
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
                let row = rows.meet(vocabulary.fact_name(number));
                rows.numbered.push(row);
            }
        }
        rows
    }

    /// How many rows were met.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// All objects of the rows that were met.
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
            self.meet_numbered(vocabulary);
            self.found.extend(self.numbers.iter().map(|&number| self.numbered[number as usize]));
        } else {
            for fact in game.facts(state) {
                let known = self.named.get(&fact).copied();
                let row = known.unwrap_or_else(|| {
                    let row = self.meet(fact.clone());
                    self.named.insert(fact, row);
                    row
                });
                self.found.push(row);
            }
        }
        &self.found
    }

    /// Numbers the facts of a state that are new. They are taken by name, since the numbers of a game may
    /// depend on what other threads have met.
    fn meet_numbered(&mut self, vocabulary: &dyn Vocabulary<G::State>) {
        let most = self.numbers.iter().max().map_or(0, |&most| most as usize + 1);
        self.numbered.resize(self.numbered.len().max(most), UNKNOWN);
        let is_new = |&number: &u32| self.numbered[number as usize] == UNKNOWN;
        let unknown = self.numbers.iter().copied().filter(is_new);
        let named = |number| (vocabulary.fact_name(number), number);
        let mut unknown: Vec<_> = unknown.map(named).collect();
        unknown.sort_unstable();
        for (fact, number) in unknown {
            self.numbered[number as usize] = self.meet(fact);
        }
    }

    /// A fact that is met for the first time.
    fn meet(&mut self, fact: String) -> u32 {
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

/// The name of a fact and its arguments, which may be facts themselves.
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
    fn facts_are_taken_apart() {
        assert_eq!(parts("(cell 1 2 x)"), ["cell", "1", "2", "x"]);
        assert_eq!(parts("done"), ["done"]);
        assert_eq!(parts("(at (place 1 (up 2)) me)"), ["at", "(place 1 (up 2))", "me"]);
        assert_eq!(parts("( at  a )"), ["at", "a"]);
    }

    #[test]
    fn rows_belong_to_their_table_and_to_their_symbols() {
        let mut rows = Rows::new(Arc::new(Nim(3)));
        let met = rows.of(&(3, 0)).to_vec();
        assert_eq!(rows.of(&(3, 0)), met, "the same state has the same rows");
        let other = rows.of(&(2, 0)).to_vec();
        assert_ne!(met, other);
        let tables = |rows: &Rows<Nim>, row| {
            let objects = rows.objects_of(row).iter();
            objects.map(|&object| rows.objects()[object as usize].clone()).collect::<Vec<_>>()
        };
        for &row in &met {
            let objects = tables(&rows, row);
            assert_eq!(objects[0].symbol, None);
            assert_eq!(objects.len(), 1 + objects[0].n_columns);
        }
    }
}
