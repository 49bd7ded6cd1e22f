//! Positions as a network sees them, and what it is to learn about them.

/// Lists of numbers, one after the other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Removes all lists, keeping the allocations.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.items.clear();
    }

    /// Adds a list.
    pub fn push(&mut self, items: impl IntoIterator<Item = u32>) {
        self.items.extend(items);
        self.ends.push(self.items.len() as u32);
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Where a list is among all items.
    pub fn range(&self, i: usize) -> std::ops::Range<usize> {
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        start..self.ends[i] as usize
    }

    /// The list with an index.
    #[inline]
    pub fn get(&self, i: usize) -> &[u32] {
        &self.items[self.range(i)]
    }

    /// The number of items of all lists.
    pub fn n_items(&self) -> usize {
        self.items.len()
    }
}

/// Positions to be evaluated together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Batch {
    /// The true inputs of each position.
    pub inputs: Lists,
    /// For each role, its legal moves in each position.
    pub legal: Vec<Lists>,
}

impl Batch {
    /// No positions of a game with this many roles.
    pub fn new(n_roles: usize) -> Self {
        Batch { inputs: Lists::default(), legal: vec![Lists::default(); n_roles] }
    }

    /// Removes all positions, keeping the allocations.
    pub fn clear(&mut self) {
        self.inputs.clear();
        self.legal.iter_mut().for_each(Lists::clear);
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.inputs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }
}
