//! The player under test.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::Trial;
use super::background::{BackgroundMatches, BackgroundPlay};
use super::memory::{MemorySampler, Process};
use super::report::{Grade, Notes, Outcome};
use super::reset::OpenMatches;
use super::wire::{self, Reply};
use crate::client::{Address, AskError};

/// How late hosts accept an answer.
pub const GRACE: Duration = Duration::from_secs(1);

/// Parameters of the trials.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The start clock.
    pub start_clock: Duration,
    /// The play clock.
    pub play_clock: Duration,
    /// The number of idle connections.
    pub connections: usize,
    /// The number of nested parentheses.
    pub parentheses: usize,
    /// How many bytes the player's memory may grow by.
    pub memory: usize,
    /// How long a player may be busy before a trial.
    pub most_busy: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            start_clock: Duration::from_secs(1),
            play_clock: Duration::from_secs(1),
            connections: 1000,
            parentheses: 100_000,
            memory: 512 << 20,
            most_busy: Duration::from_secs(20),
        }
    }
}

/// The player under test.
pub struct Subject {
    /// Its address.
    pub player: Address,
    /// Parameters of the trials.
    pub options: Options,
    /// Distinguishes match ids from those of earlier runs.
    run: u128,
    n_matches: AtomicU32,
    pub(super) open: OpenMatches,
    process: Option<Process>,
    first: usize,
    peak: AtomicUsize,
}

impl Subject {
    /// A player; if it runs on this machine, its memory is measured.
    pub async fn new(player: Address, options: Options) -> Arc<Self> {
        let process = Process::listening(&player).await;
        let first = process.and_then(Process::resident).unwrap_or(0);
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let (n_matches, peak) = (AtomicU32::new(0), AtomicUsize::new(first));
        let (run, open) = (since.as_millis(), OpenMatches::default());
        Arc::new(Subject { player, options, run, n_matches, open, process, first, peak })
    }

    /// Whether the player accepts connections.
    pub async fn is_reachable(&self) -> bool {
        wire::connect(&self.player).await.is_ok()
    }

    /// Runs a trial on a player that has left the matches of earlier ones, and ends those of the trial.
    pub async fn undergo(self: &Arc<Self>, trial: &Trial) -> Outcome {
        let (begun, mut notes) = (Instant::now(), Notes::default());
        let reset = self.reset().await;
        let sampler = self.process.and_then(MemorySampler::begin);
        let background = match reset {
            Err(why) if !trial.unconditional => {
                notes.prevent(why);
                None
            }
            _ => self.run(trial, &mut notes).await,
        };
        let footprint = sampler.and_then(MemorySampler::end);
        if let Some(footprint) = footprint {
            self.peak.fetch_max(footprint.peak, Ordering::Relaxed);
            self.demand_bound(&mut notes, footprint.growth(), "during the trial");
        }
        Outcome { trial: trial.name, notes, took: begun.elapsed(), background, footprint }
    }

    async fn run(self: &Arc<Self>, trial: &Trial, notes: &mut Notes) -> Option<BackgroundMatches> {
        let mut background = None;
        if !trial.accompanied {
            (trial.run)(self, notes).await;
        } else if let Some(play) = BackgroundPlay::begin(Arc::clone(self)).await {
            self.repeat(trial, &play, notes).await;
            let matches = play.end().await;
            matches.report(notes);
            background = Some(matches);
        } else {
            notes.prevent("START of a match was always refused");
        }
        self.end_matches().await;
        self.check_alive(notes).await;
        background
    }

    /// Repeats a trial until a background match was played entirely during it.
    async fn repeat(&self, trial: &Trial, play: &BackgroundPlay, notes: &mut Notes) {
        loop {
            notes.observed.clear();
            (trial.run)(self, notes).await;
            if play.has_finished_one() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn check_alive(&self, notes: &mut Notes) {
        let answered = self.ask("( INFO )", GRACE).await.is_ok();
        notes.demand(Grade::Required, answered, || {
            "INFO had no answer within a second after the trial: a host considers the player unreachable".into()
        });
    }

    fn demand_bound(&self, notes: &mut Notes, growth: usize, when: &str) {
        let bound = self.options.memory;
        notes.demand(Grade::Required, growth <= bound, || {
            format!("memory grew by {} {when}, beyond {}", mebibytes(growth), mebibytes(bound))
        });
    }

    /// Checks the memory since the first trial.
    pub(super) fn check_memory(&self, notes: &mut Notes) {
        let Some(now) = self.process.and_then(Process::resident) else {
            let why =
                "memory was not measured: no accessible process of this machine listens there";
            return notes.not_measured(why);
        };
        let peak = self.peak.load(Ordering::Relaxed).max(now);
        let [first, now, peak_shown] = [self.first, now, peak].map(mebibytes);
        notes.observe(format!("{first} resident at first, {peak_shown} at most, {now} in the end"));
        self.demand_bound(notes, peak.saturating_sub(self.first), "during all trials");
    }

    /// A match id that was not used before.
    pub(super) fn fresh_id(&self) -> String {
        format!("torture.{}.{}", self.run, self.n_matches.fetch_add(1, Ordering::Relaxed))
    }

    /// Sends a message and waits for the answer.
    pub(super) async fn ask(&self, message: &str, patience: Duration) -> Result<Reply, AskError> {
        wire::ask(&self.player, message, patience).await
    }

    /// How long hostile connections stay open: a player that waits for one of them loses a move.
    pub(super) fn hold(&self) -> Duration {
        (self.options.play_clock + GRACE) * 2
    }
}

fn mebibytes(bytes: usize) -> String {
    format!("{} MiB", bytes >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn memory_that_cannot_be_measured_does_not_pass() {
        // An address reserved for documentation.
        let elsewhere = Address { host: "192.0.2.1".into(), port: 9147 };
        let subject = Subject::new(elsewhere, Options::default()).await;
        let mut notes = Notes::default();
        subject.check_memory(&mut notes);
        assert!(notes.complaints.is_empty() && notes.unmeasured[0].contains("not measured"));
    }
}
