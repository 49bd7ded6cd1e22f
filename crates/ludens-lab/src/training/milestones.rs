//! When the strength is measured, and how long that may take.

use std::time::Duration;

use super::strength::Evaluation;

/// The shares of a training after which its strength is measured, besides the end.
const SHARES: [f64; 3] = [0.125, 0.25, 0.5];

/// The measurements that are still to be made.
pub(super) struct Milestones {
    evaluation: Evaluation,
    /// Shares of the training.
    shares: Vec<f64>,
    /// The training time of the last measurement.
    last: Duration,
    /// The time of all measurements so far, and the training time from which they have theirs.
    spent: Duration,
    begun: Duration,
}

impl Milestones {
    /// Those of a training that begins, or continues, at this point.
    pub fn new(evaluation: &Evaluation, progress: f64, elapsed: Duration) -> Self {
        let shares = if evaluation.every.is_some() { &[][..] } else { &SHARES };
        Milestones {
            evaluation: evaluation.clone(),
            shares: shares.iter().copied().filter(|&share| share > progress).collect(),
            last: elapsed,
            spent: Duration::ZERO,
            begun: elapsed,
        }
    }

    /// Whether the strength is measured now, before the end.
    pub fn is_due(&mut self, progress: f64, elapsed: Duration) -> bool {
        if self.evaluation.games == 0 || progress >= 1.0 {
            return false;
        }
        let n_before = self.shares.len();
        self.shares.retain(|&share| share > progress);
        let every = self.evaluation.every;
        let is_due = self.shares.len() < n_before
            || every.is_some_and(|every| elapsed.saturating_sub(self.last) >= every);
        if is_due {
            self.last = elapsed;
        }
        is_due
    }

    /// The time of the next measurement; `None` if it is not limited.
    pub fn time(&self, elapsed: Duration) -> Option<Duration> {
        let share = self.evaluation.max_share?;
        Some(elapsed.saturating_sub(self.begun).mul_f64(share).saturating_sub(self.spent))
    }

    /// A measurement took this time.
    pub fn spend(&mut self, time: Duration) {
        self.spent += time;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn shares_are_due_once_and_time_is_a_share_of_the_training() {
        let mut milestones = Milestones::new(&Evaluation::default(), 0.2, seconds(20));
        assert!(!milestones.is_due(0.24, seconds(24)), "an eighth was over before");
        assert!(milestones.is_due(0.6, seconds(60)));
        assert!(!milestones.is_due(0.7, seconds(70)) && !milestones.is_due(1.0, seconds(100)));
        assert_eq!(milestones.time(seconds(60)), Some(seconds(2)));
        milestones.spend(Duration::from_millis(1500));
        assert_eq!(milestones.time(seconds(60)), Some(Duration::from_millis(500)));
    }

    #[test]
    fn intervals_are_of_training_time_and_nothing_is_due_without_games() {
        let every = Evaluation { every: Some(seconds(10)), ..Evaluation::of_games(4) };
        let mut milestones = Milestones::new(&every, 0.0, seconds(0));
        assert!(!milestones.is_due(0.5, seconds(9)) && milestones.is_due(0.6, seconds(12)));
        assert!(!milestones.is_due(0.7, seconds(21)) && milestones.is_due(0.8, seconds(22)));
        assert_eq!(milestones.time(seconds(22)), None);
        assert!(!Milestones::new(&Evaluation::OFF, 0.0, seconds(0)).is_due(0.9, seconds(9)));
    }
}
