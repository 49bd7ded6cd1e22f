//! A flag that is raised after some time.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::stop::Stop;

/// How often another flag is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Runs `work` with a flag that is raised when the time is over, or soon after another flag was raised.
pub(super) fn raised_after<T>(
    time: Option<Duration>,
    other: &Stop,
    work: impl FnOnce(&Stop) -> T,
) -> T {
    let stop = Stop::new();
    let deadline = time.and_then(|time| Instant::now().checked_add(time));
    let left = || deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let is_over = || other.is_raised() || left() == Some(Duration::ZERO);
    if is_over() {
        stop.raise();
        return work(&stop);
    }
    std::thread::scope(|scope| {
        let (working, finished) = channel::<()>();
        let raised = stop.clone();
        scope.spawn(move || {
            let pause = || left().unwrap_or(POLL_INTERVAL).min(POLL_INTERVAL);
            while finished.recv_timeout(pause()) == Err(RecvTimeoutError::Timeout) {
                if is_over() {
                    return raised.raise();
                }
            }
        });
        let result = work(&stop);
        drop(working);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_is_raised_in_time_or_with_the_other() {
        let other = Stop::new();
        assert!(!raised_after(None, &other, Stop::is_raised));
        assert!(raised_after(Some(Duration::ZERO), &other, Stop::is_raised));
        let wait = |stop: &Stop| {
            while !stop.is_raised() {
                std::thread::yield_now();
            }
        };
        raised_after(Some(Duration::from_millis(1)), &other, wait);
        std::thread::scope(|scope| {
            scope.spawn(|| raised_after(None, &other, wait));
            other.raise();
        });
    }
}
