//! The decisions of a playout, in the form that the adaptation needs.

use ludens_core::{DrawStats, Role, Turn};

use super::table::Table;

/// The codes of the legal moves and the chosen one: decision after decision, or as statistics from a
/// simulator that has drawn the moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    codes: Vec<u32>,
    decisions: Vec<Decision>,
    /// The statistics of a simulator, by role.
    stats: Vec<DrawStats>,
    /// The version of the weights with which the totals of the decisions were computed.
    version: u64,
}

#[derive(Clone, Copy, Debug)]
struct Decision {
    role: Role,
    /// The chosen code.
    code: u32,
    /// The end of its codes.
    end: u32,
    /// The sum of the exponentials of its codes, 0 if it was not computed.
    total: f32,
}

impl Trace {
    /// A playout begins.
    pub(super) fn begin(&mut self, version: u64) {
        self.codes.clear();
        self.decisions.clear();
        self.stats.iter_mut().for_each(DrawStats::clear);
        self.version = version;
    }

    fn end(&self) -> usize {
        self.decisions.last().map_or(0, |decision| decision.end as usize)
    }

    /// Appends the codes of the legal moves of a turn to those of the last decision.
    pub(super) fn open(&mut self, turn: &Turn<'_>, features: bool) {
        // Removes the codes of an unfinished decision, whose playout was abandoned.
        self.codes.truncate(self.end());
        if features {
            turn.features.codes(turn.legal, &mut self.codes);
        } else {
            self.codes.extend(turn.legal.iter().map(|mv| mv.0));
        }
    }

    /// The codes of the next decision.
    pub(super) fn open_codes(&self) -> &[u32] {
        &self.codes[self.end()..]
    }

    /// Records the choice among the codes of the next decision.
    pub(super) fn decide(&mut self, role: Role, chosen: usize, total: f32) {
        let (code, end) = (self.open_codes()[chosen], self.codes.len() as u32);
        self.decisions.push(Decision { role, code, end, total });
    }

    /// Records the statistics of a simulator.
    pub(super) fn set_draw_stats(&mut self, stats: &[DrawStats]) {
        self.stats.resize(stats.len(), DrawStats::default());
        self.stats.iter_mut().zip(stats).for_each(|(own, stats)| own.clone_from(stats));
    }

    /// Adapts the weights of a role to its choices, except for the dense shares. Totals that were computed
    /// with this version of the weights are reused.
    pub(super) fn adapt(&self, table: &mut Table, role: Role, rate: f32, version: u64) {
        let known = if self.version == version { 1.0 } else { 0.0 };
        let mut start = 0;
        for decision in &self.decisions {
            let codes = &self.codes[start..decision.end as usize];
            start = decision.end as usize;
            if decision.role == role {
                table.adapt(codes, decision.code, rate, known * decision.total);
            }
        }
        if let Some(stats) = self.stats.get(role.index()) {
            let shares = stats.shares.iter();
            table.lose(shares.map(|&(code, share)| (code, rate * share)));
            table.gain(stats.chosen.iter().copied(), rate);
        }
    }

    /// The dense shares of a role.
    pub(super) fn dense_shares(&self, role: Role) -> &[f32] {
        self.stats.get(role.index()).map_or(&[], |stats| &stats.dense_shares)
    }
}
