//! The transposition table: proven bounds on states, in bounded memory.

use super::bounds::Bounds;
use crate::classic::fingerprint::Fingerprint;

/// What is known of a state.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Known {
    /// Its bounds, which hold however the state was reached.
    pub bounds: Bounds,
    /// The last question that it could not answer, because of a cycle or a line that is too long.
    pub stuck: Option<u32>,
}

#[derive(Clone, Copy)]
struct Slot {
    high: u64,
    low: u32,
    bounds: Bounds,
    /// The number of the question with [`Known::stuck`], or 0.
    stuck: u32,
    /// The states expanded to find the bounds, at least 1; 0 in an empty slot.
    work: u32,
}

const EMPTY: Slot = Slot { high: 0, low: 0, bounds: Bounds::exactly(0.0), stuck: 0, work: 0 };

/// A hash table with buckets of two slots. The first slot keeps the result of more work, the second
/// one the newer (Breuker, Uiterwijk and van den Herik, 1994). It starts small and doubles up to its
/// limit in bytes.
pub(super) struct Table {
    slots: Vec<Slot>,
    used: usize,
    max_slots: usize,
}

impl Table {
    const INITIAL_SLOTS: usize = 1 << 12;

    /// An empty table of at most `max_bytes` bytes, but at least one bucket.
    pub fn new(max_bytes: usize) -> Self {
        let fitting = (max_bytes / size_of::<Slot>()).max(2);
        // Slots are found by 32 bits of a fingerprint.
        let max_slots = 1 << fitting.ilog2().min(32);
        Table { slots: vec![EMPTY; Self::INITIAL_SLOTS.min(max_slots)], used: 0, max_slots }
    }

    /// Forgets everything, and returns memory.
    pub fn clear(&mut self) {
        self.slots = vec![EMPTY; Self::INITIAL_SLOTS.min(self.max_slots)];
        self.used = 0;
    }

    /// Looks up a state.
    pub fn find(&self, key: Fingerprint) -> Option<Known> {
        let bucket = self.bucket(key.low as u32);
        let slots = &self.slots[bucket..bucket + 2];
        let slot = slots.iter().find(|slot| slot.is_of(key.high, key.low as u32))?;
        Some(Known { bounds: slot.bounds, stuck: (slot.stuck > 0).then_some(slot.stuck) })
    }

    /// Stores what is known of a state after expanding `work` states.
    pub fn store(&mut self, key: Fingerprint, known: Known, work: u64) {
        // While the table doubles, the old and the new slots are allocated; both must fit.
        if self.used * 2 > self.slots.len() && self.slots.len() * 3 <= self.max_slots {
            self.double();
        }
        self.insert(Slot {
            high: key.high,
            low: key.low as u32,
            bounds: known.bounds,
            stuck: known.stuck.unwrap_or(0),
            work: work.clamp(1, u64::from(u32::MAX)) as u32,
        });
    }

    fn insert(&mut self, new: Slot) {
        let bucket = self.bucket(new.low);
        let [first, second] = &mut self.slots[bucket..bucket + 2] else { return };
        let used = usize::from(first.work > 0) + usize::from(second.work > 0);
        if second.is_of(new.high, new.low) {
            *second = EMPTY;
        }
        if first.is_of(new.high, new.low) {
            *first = Slot { work: first.work.saturating_add(new.work), ..new };
        } else if first.work > new.work {
            *second = new;
        } else {
            *second = std::mem::replace(first, new);
        }
        let now_used = usize::from(first.work > 0) + usize::from(second.work > 0);
        self.used = self.used + now_used - used;
    }

    fn double(&mut self) {
        let doubled = vec![EMPTY; self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, doubled);
        self.used = 0;
        old.into_iter().filter(|slot| slot.work > 0).for_each(|slot| self.insert(slot));
    }

    fn bucket(&self, low: u32) -> usize {
        (low as usize & (self.slots.len() / 2 - 1)) * 2
    }
}

impl Slot {
    fn is_of(&self, high: u64, low: u32) -> bool {
        self.high == high && self.low == low && self.work > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u64) -> Fingerprint {
        Fingerprint::of(&number)
    }

    fn known(payoff: f32) -> Known {
        Known { bounds: Bounds::exactly(payoff), stuck: None }
    }

    #[test]
    fn entries_survive_growth_and_memory_stays_bounded() {
        let max_bytes = 1 << 20;
        let mut table = Table::new(max_bytes);
        (0..100_000).for_each(|n| table.store(key(n), known(n as f32), 1));
        assert!(table.slots.capacity() * size_of::<Slot>() <= max_bytes);
        let found = |n: &u64| table.find(key(*n));
        let is_right = |n: &u64| found(n).is_none_or(|it| it == known(*n as f32));
        assert!((0..100_000).all(|n| is_right(&n)));
        assert!((0..100_000).filter(|n| found(n).is_some()).count() > table.slots.len() / 2);
    }

    #[test]
    fn the_result_of_more_work_and_the_newest_one_are_kept() {
        let mut table = Table::new(1);
        for (n, work) in [(1, 50), (2, 7), (3, 5)] {
            table.store(key(n), known(n as f32), work);
        }
        let found = [1, 2, 3].map(|n| table.find(key(n)).is_some());
        assert_eq!(found, [true, false, true]);
        table.store(key(3), Known { stuck: Some(9), ..known(0.5) }, 90);
        let found = table.find(key(3)).unwrap();
        assert_eq!((found.stuck, found.bounds), (Some(9), Bounds::exactly(0.5)));
        table.clear();
        assert_eq!(table.find(key(3)), None);
    }
}
