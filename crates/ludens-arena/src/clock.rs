//! Clocks and limits.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ludens_core::Budget;
use serde::{Deserialize, Serialize};

/// A source of time; tests use one that they set.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Instant;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant::now()
    }
}

/// The limits of one move or of preparation; `None` is unlimited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Allowance {
    /// Thinking time.
    pub time: Option<Duration>,
    /// Units of work.
    pub iterations: Option<u64>,
    /// Memory in bytes.
    pub bytes: Option<usize>,
}

impl Allowance {
    /// A time limit only.
    pub fn of_time(time: Duration) -> Self {
        Allowance { time: Some(time), ..Allowance::default() }
    }

    /// A limit of work only.
    pub fn of_iterations(iterations: u64) -> Self {
        Allowance { iterations: Some(iterations), ..Allowance::default() }
    }
}

/// The limits of a search: the allowance, the clock that measures it, and the stop flag.
#[derive(Clone, Copy)]
pub struct Pace<'a> {
    /// The limits of each request.
    pub allowance: Allowance,
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Set to abandon the games in progress.
    pub stop: Option<&'a Arc<AtomicBool>>,
}

impl Pace<'_> {
    /// The budget of a search that begins now.
    pub fn budget(&self) -> Budget {
        let Allowance { time, iterations, bytes } = self.allowance;
        let mut budget = Budget::unlimited();
        (budget.iterations, budget.bytes) = (iterations, bytes);
        // A deadline beyond the range of the clock is no limit.
        budget.deadline = time.and_then(|time| self.clock.now().checked_add(time));
        match self.stop {
            Some(stop) => budget.with_stop(Arc::clone(stop)),
            None => budget,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allowances_become_budgets() {
        let pace = |allowance| Pace { allowance, clock: &SystemClock, stop: None };
        let work = pace(Allowance::of_iterations(7)).budget();
        assert_eq!((work.iterations, work.deadline), (Some(7), None));
        assert!(pace(Allowance::of_time(Duration::ZERO)).budget().is_over());
        assert_eq!(pace(Allowance::of_time(Duration::MAX)).budget().deadline, None);
    }
}
