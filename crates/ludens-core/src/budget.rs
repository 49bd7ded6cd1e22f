//! Budgets of time, work and memory. The kernel reads the clock only here.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Limits of a computation; `None` is unlimited.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// The deadline.
    pub deadline: Option<Instant>,
    /// The maximum number of units of work; the computation defines the unit.
    pub iterations: Option<u64>,
    /// The maximum number of bytes to hold.
    pub bytes: Option<usize>,
    stop: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// No limits.
    pub fn unlimited() -> Self {
        Budget::default()
    }

    /// Limits the time from now on.
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Self {
        self.deadline = Instant::now().checked_add(time);
        self
    }

    /// Sets the deadline.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Limits the units of work.
    #[must_use]
    pub fn with_iterations(mut self, iterations: u64) -> Self {
        self.iterations = Some(iterations);
        self
    }

    /// Limits the bytes.
    #[must_use]
    pub fn with_bytes(mut self, bytes: usize) -> Self {
        self.bytes = Some(bytes);
        self
    }

    /// Ends the budget when the flag is set.
    #[must_use]
    pub fn with_stop(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = Some(stop);
        self
    }

    /// A budget with a fraction of the remaining time and of the units of work.
    #[must_use]
    pub fn part(&self, share: f64) -> Self {
        let now = Instant::now();
        let time = |deadline: Instant| now + deadline.saturating_duration_since(now).mul_f64(share);
        Budget {
            deadline: self.deadline.map(time),
            iterations: self.iterations.map(|units| (units as f64 * share).round() as u64),
            ..self.clone()
        }
    }

    /// The same budget with further limits on units of work and bytes.
    #[must_use]
    pub fn at_most(&self, iterations: u64, bytes: usize) -> Self {
        Budget {
            iterations: Some(self.iterations.map_or(iterations, |own| own.min(iterations))),
            bytes: Some(self.bytes.map_or(bytes, |own| own.min(bytes))),
            ..self.clone()
        }
    }

    /// The time left, if it is limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Runs `work` and measures how long it took, if the time is limited.
    pub fn timed<T>(&self, work: impl FnOnce() -> T) -> (T, Option<Duration>) {
        let before = self.time_left();
        let done = work();
        let took = before.zip(self.time_left());
        (done, took.map(|(before, after)| before.saturating_sub(after)))
    }

    /// Whether time is up or the flag is set.
    pub fn is_over(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether the units of work are used up.
    pub fn is_spent(&self, iterations: u64) -> bool {
        self.iterations.is_some_and(|limit| iterations >= limit)
    }

    /// Whether this many bytes exceed the limit.
    pub fn is_full(&self, bytes: usize) -> bool {
        self.bytes.is_some_and(|limit| bytes > limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_a_part_of_each_limit() {
        let whole = Budget::unlimited().with_iterations(10).with_time(Duration::from_secs(1000));
        let part = whole.part(0.25);
        assert_eq!(part.iterations, Some(3));
        assert!(part.time_left() < Some(Duration::from_secs(251)));
        assert!(part.time_left() > Some(Duration::from_secs(150)));
        assert_eq!(Budget::unlimited().part(0.5).time_left(), None);
    }

    #[test]
    fn a_second_limit_counts_where_it_is_the_lower_one() {
        let lower = Budget::unlimited().with_iterations(10).with_bytes(7).at_most(8, 9);
        assert_eq!((lower.iterations, lower.bytes), (Some(8), Some(7)));
        let new = Budget::unlimited().at_most(8, 9);
        assert_eq!((new.iterations, new.bytes), (Some(8), Some(9)));
    }

    #[test]
    fn work_is_timed_where_there_is_a_clock() {
        assert_eq!(Budget::unlimited().timed(|| 7), (7, None));
        let budget = Budget::unlimited().with_time(Duration::from_secs(1000));
        let left = || budget.time_left().expect("there is a clock");
        let before = left();
        let (within, took) = budget.timed(|| {
            let begun = left();
            (0..1000).for_each(|i| _ = std::hint::black_box(i));
            begun.saturating_sub(left())
        });
        let whole = before.saturating_sub(left());
        assert!(took.is_some_and(|took| within <= took && took <= whole), "{took:?}");
    }

    #[test]
    fn each_limit_ends_the_work_on_its_own() {
        assert!(!Budget::unlimited().is_over());
        assert!(Budget::unlimited().with_time(Duration::ZERO).is_over());
        assert!(Budget::unlimited().with_iterations(3).is_spent(3));
        assert!(!Budget::unlimited().with_iterations(3).is_spent(2));
        assert!(Budget::unlimited().with_bytes(3).is_full(4));
        let stop = Arc::new(AtomicBool::new(false));
        let budget = Budget::unlimited().with_stop(Arc::clone(&stop));
        assert!(!budget.is_over());
        stop.store(true, Ordering::Relaxed);
        assert!(budget.is_over());
    }
}
