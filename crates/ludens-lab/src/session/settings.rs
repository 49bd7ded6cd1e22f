//! Settings of a search in a session.

use std::time::Duration;

use ludens_arena::clock::Allowance;
use ludens_core::Budget;

use crate::stop::Stop;

/// The limits of a search, and how often it reports.
#[derive(Clone, Debug, Default)]
pub struct ThinkSettings {
    /// Its limits.
    pub allowance: Allowance,
    /// Stops it early.
    pub stop: Stop,
    /// The interval of intermediate reports; `None` for no reports.
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
