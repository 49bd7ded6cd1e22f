//! The instances of rules found so far.

use hashbrown::HashTable;

/// A condition of an instance: twice the number of its atom, and one more if it is negated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Lit(u32);

impl Lit {
    pub(super) fn new(atom: u32, positive: bool) -> Self {
        Lit(atom << 1 | u32::from(!positive))
    }

    pub(super) fn atom(self) -> u32 {
        self.0 >> 1
    }

    pub(super) fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }
}

/// Instances of rules without duplicates.
#[derive(Default)]
pub(super) struct Instances {
    /// The atom of each head, and where its conditions end.
    heads: Vec<(u32, u32)>,
    conditions: Vec<Lit>,
    seen: HashTable<u32>,
}

fn hash_of((head, body): (u32, &[Lit])) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write_u32(head);
    for lit in body {
        hasher.write_u32(lit.0);
    }
    hasher.finish()
}

impl Instances {
    pub(super) fn len(&self) -> usize {
        self.heads.len()
    }

    pub(super) fn n_conditions(&self) -> usize {
        self.conditions.len()
    }

    /// Head and conditions of an instance.
    pub(super) fn at(&self, i: usize) -> (u32, &[Lit]) {
        let start = if i == 0 { 0 } else { self.heads[i - 1].1 };
        let (head, end) = self.heads[i];
        (head, &self.conditions[start as usize..end as usize])
    }

    /// Adds an instance; returns false if it is a duplicate.
    pub(super) fn add(&mut self, head: u32, body: &[Lit]) -> bool {
        let hash = hash_of((head, body));
        if self.seen.find(hash, |&i| self.at(i as usize) == (head, body)).is_some() {
            return false;
        }
        self.push(head, body);
        let mut seen = std::mem::take(&mut self.seen);
        seen.insert_unique(hash, self.heads.len() as u32 - 1, |&i| hash_of(self.at(i as usize)));
        self.seen = seen;
        true
    }

    /// Adds an instance that is known to be new.
    pub(super) fn push(&mut self, head: u32, body: &[Lit]) {
        self.conditions.extend_from_slice(body);
        self.heads.push((head, self.conditions.len() as u32));
    }

    /// Drops the index of seen instances, because no more are added.
    pub(super) fn close(&mut self) {
        self.seen = HashTable::new();
    }

    /// Approximately how many bytes an instance takes, here and in the grounding made from it.
    pub(super) fn bytes(n_conditions: usize) -> usize {
        34 + n_conditions * 15
    }
}
