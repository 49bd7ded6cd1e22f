//! Deadlines of thinking and answering.

use std::time::{Duration, Instant};

use tokio::sync::oneshot;

/// The deadlines within one clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadlines {
    /// When thinking must end.
    pub think: Instant,
    /// When the answer is sent in any case.
    pub answer: Instant,
}

impl Deadlines {
    /// A tenth of the clock is kept in reserve, but at least 0.25 s and at most 2 s. Thinking ends when
    /// the reserve begins, and the answer gets most of it: on a busy machine, waking up and sending take
    /// longer than interrupting a search. With 0.12 s of 1 s, five answers were late in matches of 6,756
    /// steps in total, five at a time on two cores.
    pub(crate) fn of(received: Instant, clock: Duration) -> Self {
        let reserve = clock.mul_f64(0.1);
        let reserve = reserve.clamp(Duration::from_millis(250), Duration::from_secs(2));
        let end = received + clock;
        let before = |reserve: Duration| end.checked_sub(reserve).unwrap_or(received).max(received);
        Deadlines { think: before(reserve), answer: before(reserve.mul_f64(0.8)) }
    }
}

/// Why there is no answer.
pub(crate) enum Missing {
    /// It has not arrived yet.
    Late,
    /// It will never arrive: its sender has panicked.
    Gone,
}

/// The value that arrives before a deadline.
pub(crate) async fn until<T>(deadline: Instant, value: oneshot::Receiver<T>) -> Result<T, Missing> {
    let received = tokio::time::timeout_at(deadline.into(), value).await;
    received.map_err(|_| Missing::Late)?.map_err(|_| Missing::Gone)
}
