//! The transposition table: what was found out about states, in bounded memory.

use ludens_core::Move;

use super::Pair;
use crate::classic::fingerprint::Fingerprint;

/// How a value is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// It is the value.
    Exact,
    /// The role gets at least this; looking at its other moves was not necessary.
    AtLeast(u8),
    /// The role gets at most this; it has something better elsewhere.
    AtMost(u8),
}

/// What was found out about a state.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Found {
    /// What it is worth to the two roles.
    pub worth: Pair,
    /// Whether that is exact.
    pub bound: Bound,
    /// Whether it rests on finished games alone.
    pub proven: bool,
    /// The move that led to it.
    pub best: Option<Move>,
}

/// A state in the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: Fingerprint,
    /// What was found.
    pub found: Found,
    /// How deep the search below the state was.
    pub depth: u32,
    /// In which search it was written.
    age: u32,
}

/// A hash table of pairs of places. The first place of a pair keeps the deeper search, the second
/// one the newer (Breuker, Uiterwijk and van den Herik, 1994). It begins small and doubles until
/// it has as many bytes as it may.
pub(super) struct Table {
    places: Vec<Option<Entry>>,
    used: usize,
    max_places: usize,
    age: u32,
}

impl Table {
    const FIRST_PLACES: usize = 1 << 10;

    /// An empty table that never holds more than so many bytes, and at least one pair.
    pub fn new(max_bytes: usize) -> Self {
        let fitting = (max_bytes / size_of::<Option<Entry>>()).max(2);
        let max_places = 1 << fitting.ilog2();
        let places = vec![None; Self::FIRST_PLACES.min(max_places)];
        Table { places, used: 0, max_places, age: 0 }
    }

    /// A new search begins, to which old entries yield.
    pub fn grow_older(&mut self) {
        self.age += 1;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.places.fill(None);
        self.used = 0;
    }

    /// What is known about a state.
    pub fn find(&self, key: Fingerprint) -> Option<&Entry> {
        let first = self.pair(key);
        self.places[first..first + 2].iter().flatten().find(|entry| entry.key == key)
    }

    /// Writes down what was found out about a state.
    pub fn store(&mut self, key: Fingerprint, depth: u32, found: Found) {
        // Doubling takes the old and the new places for a moment; that must fit too.
        if self.used * 2 > self.places.len() && self.places.len() * 3 <= self.max_places {
            self.double();
        }
        self.place(Entry { key, found, depth, age: self.age });
    }

    fn place(&mut self, entry: Entry) {
        let pair = self.pair(entry.key);
        let [first, second] = &mut self.places[pair..pair + 2] else { return };
        let used = usize::from(first.is_some()) + usize::from(second.is_some());
        second.take_if(|old| old.key == entry.key);
        match first {
            Some(old) if old.key == entry.key => *first = Some(entry),
            Some(old) if old.age == entry.age && old.depth > entry.depth => *second = Some(entry),
            // What has to leave the first place pushes out what is in the second one.
            Some(_) => *second = first.replace(entry),
            None => *first = Some(entry),
        }
        let now_used = usize::from(first.is_some()) + usize::from(second.is_some());
        self.used = self.used + now_used - used;
    }

    fn double(&mut self) {
        let doubled = vec![None; self.places.len() * 2];
        let old = std::mem::replace(&mut self.places, doubled);
        self.used = 0;
        old.into_iter().flatten().for_each(|entry| self.place(entry));
    }

    fn pair(&self, key: Fingerprint) -> usize {
        (key.low as usize & (self.places.len() / 2 - 1)) * 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(worth: f32) -> Found {
        Found { worth: [worth, 1.0 - worth], bound: Bound::Exact, proven: false, best: None }
    }

    fn key(number: u64) -> Fingerprint {
        Fingerprint::of(&number)
    }

    #[test]
    fn entries_survive_growth_and_memory_stays_bounded() {
        let max_bytes = 1 << 20;
        let mut table = Table::new(max_bytes);
        (0..2_000).for_each(|n| table.store(key(n), 1, found(n as f32)));
        let kept = |table: &Table, upto: u64| {
            let right = |n: &u64| {
                table
                    .find(key(*n))
                    .is_some_and(|e| e.found.worth[0].to_bits() == (*n as f32).to_bits())
            };
            (0..upto).filter(right).count()
        };
        assert!(kept(&table, 2_000) > 1_500, "{}", kept(&table, 2_000));
        (2_000..100_000).for_each(|n| table.store(key(n), 1, found(n as f32)));
        assert!(table.places.len() * size_of::<Option<Entry>>() <= max_bytes);
        assert_eq!(table.used, table.places.iter().flatten().count());
        table.clear();
        assert_eq!(kept(&table, 100_000), 0);
    }

    #[test]
    fn deep_entries_stay_until_they_are_old() {
        let mut table = Table::new(0);
        assert_eq!(table.places.len(), 2);
        table.store(key(1), 9, found(0.1));
        (2..50).for_each(|n| table.store(key(n), 1, found(0.2)));
        assert_eq!(table.find(key(1)).unwrap().depth, 9);
        assert!(table.find(key(49)).is_some());
        table.grow_older();
        (50..52).for_each(|n| table.store(key(n), 1, found(0.2)));
        assert!(table.find(key(1)).is_none());
    }

    #[test]
    fn a_state_has_one_entry() {
        let mut table = Table::new(0);
        for depth in [5, 2, 7, 1] {
            table.store(key(1), depth, found(0.5));
            assert_eq!(table.find(key(1)).unwrap().depth, depth);
            table.store(key(2), 3, found(0.5));
        }
        assert_eq!(table.places.iter().flatten().filter(|e| e.key == key(1)).count(), 1);
    }
}
