//! Time, as games are allowed to see it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ludens_core::Budget;
use serde::{Deserialize, Serialize};

/// Tells the time. Tests have one that they turn by hand.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Instant;
}

/// The time of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant::now()
    }
}

/// What an agent may spend on one move, or on getting ready for a game; what is `None` is not limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Allowance {
    /// How long it may think.
    pub time: Option<Duration>,
    /// How many units of work it may do.
    pub iterations: Option<u64>,
    /// How many bytes it may hold.
    pub bytes: Option<usize>,
}

impl Allowance {
    /// So long.
    pub fn of_time(time: Duration) -> Self {
        Allowance { time: Some(time), ..Allowance::default() }
    }

    /// So many units of work.
    pub fn of_iterations(iterations: u64) -> Self {
        Allowance { iterations: Some(iterations), ..Allowance::default() }
    }
}

/// What thinking is measured with: the allowance, the clock, and the flag that ends everything.
#[derive(Clone, Copy)]
pub struct Pace<'a> {
    /// What each thought may cost.
    pub allowance: Allowance,
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Raised when games are to be given up.
    pub stop: Option<&'a Arc<AtomicBool>>,
}

impl Pace<'_> {
    /// The budget of a thought that begins now.
    pub fn budget(&self) -> Budget {
        let Allowance { time, iterations, bytes } = self.allowance;
        let mut budget = Budget::unlimited();
        (budget.iterations, budget.bytes) = (iterations, bytes);
        // A time too long to be added to the clock is no limit.
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
