//! The decisions of a playout, as far as the adaptation needs them.

use ludens_core::Role;

use super::table::Sum;

/// Between which codes was chosen, and what.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    codes: Vec<u32>,
    decisions: Vec<Decision>,
}

#[derive(Clone, Copy, Debug)]
struct Decision {
    /// Where its codes end.
    end: u32,
    chosen: u32,
    role: Role,
    sum: Sum,
}

impl Trace {
    pub(super) fn clear(&mut self) {
        self.codes.clear();
        self.decisions.clear();
    }

    fn end(&self) -> usize {
        self.decisions.last().map_or(0, |decision| decision.end as usize)
    }

    /// Where the codes of the next decision are to be appended.
    pub(super) fn open(&mut self) -> &mut Vec<u32> {
        // Codes of a decision that never came to be, because its playout was given up, go.
        self.codes.truncate(self.end());
        &mut self.codes
    }

    /// The codes of the next decision.
    pub(super) fn open_codes(&self) -> &[u32] {
        &self.codes[self.end()..]
    }

    /// What was chosen between the codes of the next decision.
    pub(super) fn decide(&mut self, role: Role, chosen: usize, sum: Sum) {
        let (end, chosen) = (self.codes.len() as u32, chosen as u32);
        self.decisions.push(Decision { end, chosen, role, sum });
    }

    /// Who decided between which codes, the place of what was chosen, and the sum of the exponentials
    /// then.
    pub(super) fn decisions(&self) -> impl Iterator<Item = (Role, &[u32], usize, Sum)> {
        let mut start = 0;
        self.decisions.iter().map(move |decision| {
            let codes = &self.codes[start..decision.end as usize];
            start = decision.end as usize;
            (decision.role, codes, decision.chosen as usize, decision.sum)
        })
    }
}
