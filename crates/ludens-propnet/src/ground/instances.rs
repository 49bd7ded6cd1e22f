//! The instances of rules found so far.

use hashbrown::HashTable;
use ludens_gdl::rules::RelationId;

/// Relation and row of an atom.
pub(super) type Place = (RelationId, u32);

/// An atom in the body of a ground rule, and whether it must hold.
pub(super) type Part = (RelationId, u32, bool);

/// Instances of rules, doubles dropped.
#[derive(Default)]
pub(super) struct Instances {
    /// Relation and row of the head, and where the conditions end.
    pub(super) heads: Vec<(RelationId, u32, u32)>,
    pub(super) conditions: Vec<Part>,
    seen: HashTable<u32>,
}

impl Instances {
    fn get(&self, i: u32) -> (Place, &[Part]) {
        let start = if i == 0 { 0 } else { self.heads[i as usize - 1].2 };
        let (relation, row, end) = self.heads[i as usize];
        ((relation, row), &self.conditions[start as usize..end as usize])
    }

    /// Adds an instance, unless it is there.
    pub(super) fn add(&mut self, head: Place, body: &[Part]) {
        let hash_of = |(head, body): (Place, &[Part])| {
            use std::hash::{Hash, Hasher};
            let mut hasher = rustc_hash::FxHasher::default();
            (head, body).hash(&mut hasher);
            hasher.finish()
        };
        let hash = hash_of((head, body));
        if self.seen.find(hash, |&i| self.get(i) == (head, body)).is_some() {
            return;
        }
        self.conditions.extend_from_slice(body);
        self.heads.push((head.0, head.1, self.conditions.len() as u32));
        let mut seen = std::mem::take(&mut self.seen);
        seen.insert_unique(hash, self.heads.len() as u32 - 1, |&i| hash_of(self.get(i)));
        self.seen = seen;
    }

    /// An estimate of the memory held.
    pub(super) fn bytes(&self) -> usize {
        self.heads.len() * 20 + self.conditions.len() * 12
    }
}
