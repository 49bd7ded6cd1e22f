//! The elements of an evaluation function, and their counts in states.

use ludens_core::{Game, RowGroups};

use super::rows::{Object, Rows};
use super::select::Selection;

/// The quantity that an element counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Counted {
    /// The rows of an object.
    Object(Object),
    /// One row: 1 if it holds.
    Row(String),
}

impl Counted {
    /// The constant C of the weights: single rows weigh less, so that they decide only where nothing
    /// else does (Mańdziuk and Świechowski 2012, section 3.2).
    pub(super) fn importance(&self) -> f64 {
        match self {
            Counted::Object(_) => 1.0,
            Counted::Row(_) => 0.2,
        }
    }
}

/// The selected elements. For games that do not know their facts in advance, rows are added when they first
/// occur.
#[derive(Clone, Default)]
pub(super) struct Elements {
    selection: Selection,
    /// The quantity that each element counts.
    pub list: Vec<Counted>,
    /// The element of each object, if it has one.
    of_object: Vec<Option<u32>>,
    /// The elements of each row.
    of_row: Vec<Box<[u32]>>,
}

impl Elements {
    /// The elements of a selection.
    pub fn new(selection: Selection) -> Self {
        Elements { selection, ..Elements::default() }
    }

    /// Adds the elements of the rows that are new since the last call.
    pub fn add_new_rows<G: Game>(&mut self, rows: &Rows<G>) {
        for number in self.of_object.len()..rows.objects().len() {
            let selected = self.selection.is_changing(number as u32);
            let element =
                selected.then(|| self.add(Counted::Object(rows.objects()[number].clone())));
            self.of_object.push(element);
        }
        for row in self.of_row.len() as u32..rows.len() as u32 {
            let objects = rows.objects_of(row);
            let counted = objects.iter().filter_map(|&object| self.of_object[object as usize]);
            let mut elements: Vec<u32> = counted.collect();
            if objects.iter().any(|&object| self.selection.is_varying(object)) {
                elements.push(self.add(Counted::Row(rows.fact(row).to_owned())));
            }
            self.of_row.push(elements.into());
        }
    }

    fn add(&mut self, counted: Counted) -> u32 {
        self.list.push(counted);
        (self.list.len() - 1) as u32
    }

    /// The elements that count a row.
    pub fn of(&self, row: u32) -> &[u32] {
        &self.of_row[row as usize]
    }

    /// The rows of each element, by the fact numbers of a game that knows its facts in advance.
    pub fn groups(&self) -> RowGroups {
        let mut rows = vec![Vec::new(); self.list.len()];
        for (row, elements) in (0..).zip(&self.of_row) {
            elements.iter().for_each(|&element| rows[element as usize].push(row));
        }
        let mut groups = RowGroups::default();
        for rows in rows {
            groups.push(rows);
        }
        groups
    }
}

/// Counts of elements, summed over the states of one game.
#[derive(Default)]
pub(super) struct GameCounts {
    /// The sum of each element over all states.
    pub sums: Vec<u32>,
    /// The number of states.
    pub n_states: u32,
    current: Vec<u32>,
    touched: Vec<u32>,
}

impl GameCounts {
    /// Counts the elements in a state, and updates the maximum count of each.
    pub fn add<G: Game>(
        &mut self,
        state: &G::State,
        rows: &mut Rows<G>,
        elements: &mut Elements,
        max_counts: &mut Vec<u32>,
    ) {
        rows.of(state);
        elements.add_new_rows(rows);
        self.current.resize(elements.list.len(), 0);
        for &element in rows.last().iter().flat_map(|&row| elements.of(row)) {
            let count = &mut self.current[element as usize];
            if *count == 0 {
                self.touched.push(element);
            }
            *count += 1;
        }
        self.sums.resize(elements.list.len(), 0);
        max_counts.resize(elements.list.len(), 0);
        for element in self.touched.drain(..) {
            let element = element as usize;
            let count = std::mem::take(&mut self.current[element]);
            self.sums[element] += count;
            max_counts[element] = max_counts[element].max(count);
        }
        self.n_states += 1;
    }

    /// Forgets all counts, keeping the allocations.
    pub fn clear(&mut self) {
        self.sums.clear();
        self.n_states = 0;
    }

    /// The mean count of each element over the states of the game.
    pub fn averages(&self) -> impl Iterator<Item = f64> {
        let n_states = f64::from(self.n_states.max(1));
        self.sums.iter().map(move |&sum| f64::from(sum) / n_states)
    }
}
