//! Counting facts in playouts.

/// Groups of facts, by the numbers of the facts. A fact may be in several groups.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RowGroups {
    rows: Vec<u32>,
    /// Where each group ends in `rows`.
    ends: Vec<u32>,
}

impl RowGroups {
    /// Adds a group.
    pub fn push(&mut self, rows: impl IntoIterator<Item = u32>) {
        self.rows.extend(rows);
        self.ends.push(self.rows.len() as u32);
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The facts of each group.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.rows[start as usize..end as usize])
    }
}

/// Counts of facts in some playouts. A reusable buffer.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Census {
    /// The number of joint moves of each playout, which is also the number of states before the last one.
    pub plies: Vec<u32>,
    /// Whether each ended in a terminal state.
    pub finished: Vec<bool>,
    /// The payoffs of each: one for each role, playout after playout.
    pub payoffs: Vec<f32>,
    /// How many facts of each group held, summed over all states of a playout but its last one; one
    /// number for each group, playout after playout.
    pub counts: Vec<u32>,
    /// For each group, the maximum number of its facts that held in any of these states.
    pub most: Vec<u32>,
}

impl Census {
    /// Clears the census for `n_groups` groups, keeping the allocations.
    pub fn clear(&mut self, n_groups: usize) {
        self.plies.clear();
        self.finished.clear();
        self.payoffs.clear();
        self.counts.clear();
        self.most.clear();
        self.most.resize(n_groups, 0);
    }
}
