//! Tables of answers: goals, their answers, and the rules suspended on them.

use hashbrown::HashTable;

use crate::hash::hash_from;
use crate::plan::{CallId, Lifetime};
use crate::store::Value;

/// A goal: a call with the values of its bound arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Goal {
    pub lifetime: Lifetime,
    pub index: u32,
}

/// A suspended rule: it consumes the answers of an incomplete goal, and holds all it needs to resume.
#[derive(Clone, Debug)]
pub(crate) struct SuspendedRule {
    pub call: CallId,
    pub plan: u32,
    /// The step that reads the answers.
    pub step: u32,
    pub registers: Box<[Value]>,
    /// The goal for which the rule runs.
    pub owner: Goal,
    /// The number of answers it has consumed.
    pub seen: u32,
}

/// The answers to a goal.
#[derive(Default, Debug)]
pub(crate) struct Record {
    pub call: u32,
    first_key: u32,
    n_keys: u32,
    /// The values of the free arguments, answer by answer.
    pub answers: Vec<Value>,
    pub n_answers: u32,
    width: u32,
    pub complete: bool,
    /// Position on the stack of incomplete goals.
    pub place: u32,
    /// The lowest position of an incomplete goal that this one depends on.
    pub low: u32,
    pub suspended: Vec<SuspendedRule>,
    /// Whether it is on the list of goals with answers that a suspended rule has not consumed.
    pub dirty: bool,
}

impl Record {
    /// The values of the free arguments in one answer.
    pub(crate) fn answer(&self, i: u32) -> &[Value] {
        let start = (i * self.width) as usize;
        &self.answers[start..start + self.width as usize]
    }
}

/// Up to this many answers are searched linearly for a duplicate.
const MAX_SCAN: usize = 8;

/// All goals of one lifetime. Clearing keeps allocations.
#[derive(Default)]
pub(crate) struct Table {
    live: usize,
    records: Vec<Record>,
    keys: Vec<Value>,
    by_key: HashTable<u32>,
    by_answer: HashTable<(u32, u32)>,
    n_values: usize,
}

fn hash(seed: u32, values: &[Value]) -> u64 {
    hash_from(seed, values.iter().copied())
}

fn key_of<'a>(record: &Record, keys: &'a [Value]) -> &'a [Value] {
    &keys[record.first_key as usize..(record.first_key + record.n_keys) as usize]
}

impl Table {
    pub(crate) fn clear(&mut self) {
        if self.live > 0 {
            self.live = 0;
            self.n_values = 0;
            self.keys.clear();
            self.by_key.clear();
            self.by_answer.clear();
        }
    }

    /// An estimate of the memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.live * (size_of::<Record>() + 16) * 3 / 2 + self.keys.len() * 6 + self.n_values * 24
    }

    pub(crate) fn record(&self, index: u32) -> &Record {
        &self.records[index as usize]
    }

    pub(crate) fn record_mut(&mut self, index: u32) -> &mut Record {
        &mut self.records[index as usize]
    }

    pub(crate) fn find(&self, call: CallId, key: &[Value]) -> Option<u32> {
        let found = self.by_key.find(hash(call.0, key), |&i| {
            let record = &self.records[i as usize];
            record.call == call.0 && key_of(record, &self.keys) == key
        });
        found.copied()
    }

    /// A new goal without answers.
    pub(crate) fn insert(&mut self, call: CallId, key: &[Value], place: u32) -> u32 {
        let index = self.live as u32;
        self.live += 1;
        if self.records.len() < self.live {
            self.records.push(Record::default());
        }
        let record = &mut self.records[index as usize];
        record.call = call.0;
        record.first_key = self.keys.len() as u32;
        record.n_keys = key.len() as u32;
        record.answers.clear();
        record.n_answers = 0;
        record.width = 0;
        record.complete = false;
        record.place = place;
        record.low = place;
        record.suspended.clear();
        record.dirty = false;
        self.keys.extend_from_slice(key);
        let Table { by_key, records, keys, .. } = self;
        by_key.insert_unique(hash(call.0, key), index, |&i| {
            let record = &records[i as usize];
            hash(record.call, key_of(record, keys))
        });
        index
    }

    /// Adds an answer; returns false if it is a duplicate.
    pub(crate) fn add(&mut self, index: u32, answer: &[Value]) -> bool {
        let Table { records, by_answer, .. } = self;
        let record = &mut records[index as usize];
        let width = answer.len();
        if width == 0 {
            let is_new = record.n_answers == 0;
            record.n_answers = 1;
            return is_new;
        }
        record.width = width as u32;
        let n = record.n_answers as usize;
        if n < MAX_SCAN {
            if record.answers.chunks_exact(width).any(|known| known == answer) {
                return false;
            }
            record.answers.extend_from_slice(answer);
        } else {
            if n == MAX_SCAN {
                (0..n as u32).for_each(|i| insert_answer(records, by_answer, (index, i)));
            }
            let known = by_answer
                .find(hash(index, answer), |&(r, i)| r == index && nth(records, (r, i)) == answer);
            if known.is_some() {
                return false;
            }
            records[index as usize].answers.extend_from_slice(answer);
            insert_answer(records, by_answer, (index, n as u32));
        }
        self.records[index as usize].n_answers += 1;
        self.n_values += width;
        true
    }
}

fn nth(records: &[Record], (record, i): (u32, u32)) -> &[Value] {
    records[record as usize].answer(i)
}

fn insert_answer(records: &[Record], by_answer: &mut HashTable<(u32, u32)>, entry: (u32, u32)) {
    let hash_of = |&entry: &(u32, u32)| hash(entry.0, nth(records, entry));
    by_answer.insert_unique(hash_of(&entry), entry, hash_of);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_are_found_in_small_and_large_tables() {
        let mut table = Table::default();
        let (a, b) = (table.insert(CallId(0), &[], 0), table.insert(CallId(1), &[Value(3)], 1));
        for round in 0..2 {
            for i in 0..500 {
                assert_eq!(table.add(a, &[Value(i)]), round == 0);
                assert_eq!(table.add(b, &[Value(i), Value(i / 2)]), round == 0);
            }
        }
        assert_eq!((table.record(a).n_answers, table.record(b).n_answers), (500, 500));
        assert_eq!(table.find(CallId(1), &[Value(3)]), Some(b));
        assert_eq!(table.find(CallId(1), &[Value(4)]), None);
    }
}
