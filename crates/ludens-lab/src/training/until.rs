//! When a training ends.

use std::time::Duration;

/// When training ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Until {
    /// After this time.
    Time(Duration),
    /// After this many iterations: then the same seed gives the same network.
    Iterations(u64),
    /// After this many games.
    Games(u64),
}

impl Until {
    /// The share of the training that is over.
    pub(super) fn progress(self, elapsed: Duration, n_iterations: u64, n_games: u64) -> f64 {
        let share = |part: f64, whole: f64| part / whole.max(1e-9);
        match self {
            Until::Time(whole) => share(elapsed.as_secs_f64(), whole.as_secs_f64()),
            Until::Iterations(whole) => share(n_iterations as f64, whole as f64),
            Until::Games(whole) => share(n_games as f64, whole as f64),
        }
    }
}
