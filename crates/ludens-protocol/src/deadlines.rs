//! When thinking must end, and when an answer is given in any case.

use std::time::{Duration, Instant};

use tokio::sync::oneshot;

/// When a clock that began to run stops for the thinker, and when an answer is given in any case.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadlines {
    /// When thinking must end.
    pub think: Instant,
    /// When an answer is given in any case.
    pub answer: Instant,
}

impl Deadlines {
    /// A tenth of the clock is kept in reserve, but not less than 0.25 and not more than 2 seconds of it. Thinking
    /// ends when it begins. The answer has the larger part of it: on a machine that is busy with other things,
    /// being woken and sending take longer than ending a thought. With 0.12 s of a second, five answers were late
    /// in matches of 6,756 steps in all, of which five were played at a time on two cores.
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
    /// It has not come yet.
    Late,
    /// It will never come: whoever was asked has panicked.
    Gone,
}

/// What comes until a deadline.
pub(crate) async fn until<T>(deadline: Instant, what: oneshot::Receiver<T>) -> Result<T, Missing> {
    let came = tokio::time::timeout_at(deadline.into(), what).await;
    came.map_err(|_| Missing::Late)?.map_err(|_| Missing::Gone)
}
