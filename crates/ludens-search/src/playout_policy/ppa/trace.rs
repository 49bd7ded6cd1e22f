//! The decisions of a playout, as far as the adaptation needs them.

use ludens_core::Role;

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
}

impl Trace {
    pub(super) fn clear(&mut self) {
        self.codes.clear();
        self.decisions.clear();
    }

    pub(super) fn note(&mut self, role: Role, codes: &[u32], chosen: usize) {
        self.codes.extend_from_slice(codes);
        let (end, chosen) = (self.codes.len() as u32, chosen as u32);
        self.decisions.push(Decision { end, chosen, role });
    }

    /// Who decided between which codes, and the place of what was chosen.
    pub(super) fn decisions(&self) -> impl Iterator<Item = (Role, &[u32], usize)> {
        let mut start = 0;
        self.decisions.iter().map(move |decision| {
            let codes = &self.codes[start..decision.end as usize];
            start = decision.end as usize;
            (decision.role, codes, decision.chosen as usize)
        })
    }
}
