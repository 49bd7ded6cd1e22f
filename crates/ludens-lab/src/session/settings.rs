//! How an agent thinks in a session.

use std::time::Duration;

use ludens_arena::clock::Allowance;
use ludens_core::Budget;

use crate::stop::Stop;

/// What a search may cost, and how often it reports.
#[derive(Clone, Debug, Default)]
pub struct ThinkSettings {
    /// What it may cost.
    pub allowance: Allowance,
    /// Ends it early.
    pub stop: Stop,
    /// How often it reports what it knows so far; `None` for never.
    pub every: Option<Duration>,
}

impl ThinkSettings {
    /// A search without reports.
    pub fn new(allowance: Allowance) -> Self {
        ThinkSettings { allowance, ..ThinkSettings::default() }
    }

    /// The budget of a search that begins now.
    pub(super) fn budget(&self) -> Budget {
        let Allowance { time, iterations, bytes } = self.allowance;
        let mut budget = Budget::unlimited().with_stop(self.stop.flag());
        (budget.iterations, budget.bytes) = (iterations, bytes);
        match time {
            Some(time) => budget.with_time(time),
            None => budget,
        }
    }
}
