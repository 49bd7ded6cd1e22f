//! The transposition table: results of searches by state, in bounded memory.

use ludens_core::Move;

use super::Pair;
use crate::classic::fingerprint::Fingerprint;

/// The kind of bound that a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// The exact value.
    Exact,
    /// A lower bound for the role: its other moves were cut off.
    AtLeast(u8),
    /// An upper bound for the role: it has secured as much elsewhere.
    AtMost(u8),
}

/// The result of the search of a state.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Found {
    /// The payoffs of the two roles.
    pub worth: Pair,
    /// Whether they are exact or a bound.
    pub bound: Bound,
    /// Whether they depend on terminal states alone.
    pub proven: bool,
    /// The best move.
    pub best: Option<Move>,
}

/// A state in the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: Fingerprint,
    /// The result of the search.
    pub found: Found,
    /// The depth of the search below the state.
    pub depth: u32,
    /// The search that stored it.
    generation: u32,
}

/// A hash table with buckets of two slots. The first slot keeps the deeper search, the second one
/// the newer (Breuker, Uiterwijk and van den Herik, 1994). It starts small and doubles up to its
/// limit in bytes.
pub(super) struct Table {
    slots: Vec<Option<Entry>>,
    used: usize,
    max_slots: usize,
    generation: u32,
}

impl Table {
    const INITIAL_SLOTS: usize = 1 << 10;

    /// An empty table of at most `max_bytes` bytes, but at least one bucket.
    pub fn new(max_bytes: usize) -> Self {
        let fitting = (max_bytes / size_of::<Option<Entry>>()).max(2);
        let max_slots = 1 << fitting.ilog2();
        let slots = vec![None; Self::INITIAL_SLOTS.min(max_slots)];
        Table { slots, used: 0, max_slots, generation: 0 }
    }

    /// Starts a new search, whose entries replace older ones.
    pub fn next_generation(&mut self) {
        self.generation += 1;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(None);
        self.used = 0;
    }

    /// Looks up a state.
    pub fn find(&self, key: Fingerprint) -> Option<&Entry> {
        let first = self.bucket(key);
        self.slots[first..first + 2].iter().flatten().find(|entry| entry.key == key)
    }

    /// Stores the result of the search of a state.
    pub fn store(&mut self, key: Fingerprint, depth: u32, found: Found) {
        // While the table doubles, the old and the new slots are allocated; both must fit.
        if self.used * 2 > self.slots.len() && self.slots.len() * 3 <= self.max_slots {
            self.double();
        }
        self.insert(Entry { key, found, depth, generation: self.generation });
    }

    fn insert(&mut self, entry: Entry) {
        let bucket = self.bucket(entry.key);
        let [first, second] = &mut self.slots[bucket..bucket + 2] else { return };
        let used = usize::from(first.is_some()) + usize::from(second.is_some());
        second.take_if(|old| old.key == entry.key);
        match first {
            Some(old) if old.key == entry.key => *first = Some(entry),
            Some(old) if old.generation == entry.generation && old.depth > entry.depth => {
                *second = Some(entry);
            }
            // The entry of the first slot replaces that of the second one.
            Some(_) => *second = first.replace(entry),
            None => *first = Some(entry),
        }
        let now_used = usize::from(first.is_some()) + usize::from(second.is_some());
        self.used = self.used + now_used - used;
    }

    fn double(&mut self) {
        let doubled = vec![None; self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, doubled);
        self.used = 0;
        old.into_iter().flatten().for_each(|entry| self.insert(entry));
    }

    fn bucket(&self, key: Fingerprint) -> usize {
        (key.low as usize & (self.slots.len() / 2 - 1)) * 2
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
        assert!(table.slots.len() * size_of::<Option<Entry>>() <= max_bytes);
        assert_eq!(table.used, table.slots.iter().flatten().count());
        table.clear();
        assert_eq!(kept(&table, 100_000), 0);
    }

    #[test]
    fn deep_entries_stay_until_they_are_old() {
        let mut table = Table::new(0);
        assert_eq!(table.slots.len(), 2);
        table.store(key(1), 9, found(0.1));
        (2..50).for_each(|n| table.store(key(n), 1, found(0.2)));
        assert_eq!(table.find(key(1)).unwrap().depth, 9);
        assert!(table.find(key(49)).is_some());
        table.next_generation();
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
        assert_eq!(table.slots.iter().flatten().filter(|e| e.key == key(1)).count(), 1);
    }
}
