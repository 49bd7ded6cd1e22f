//! Plays the missing games of a schedule on several threads. A run can be interrupted and resumed
//! at any time.
//!
//! A [`Scheduler`] knows the slots, the threads, the ledger and the sequential test, but not how a
//! game is played. That is a function from a slot to a record, so that agents in this process,
//! players over HTTP and workers of a cluster share one scheduler. [`AgentRunner`] plays games
//! between agents, several at a time on each thread.
//!
//! Finished games go to the calling thread, which alone writes to the ledger, keeps the score and
//! calls the observer. Games interrupted by a stop leave no trace: the next run replays them from
//! their seeds.

mod agents;
mod ledger;
mod progress;
mod queue;
mod sequential;
mod window;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use crate::play::guarded;
use crate::record::GameRecord;
use crate::schedule::Slot;
use crate::standing::Scoreboard;
use crate::stats::{Sprt, SprtState};

pub use agents::{AgentRunner, ThinkerMaker};
pub use ledger::Ledger;
use progress::Progress;
pub use queue::Queue;
use queue::StopOnPanic;
pub use sequential::judge_games;
use window::StartWindow;

/// Plays the missing games of a schedule.
pub struct Scheduler<'a> {
    /// Names of all agents of the schedule.
    pub names: &'a [String],
    /// The games to play.
    pub slots: &'a [Slot],
    /// How many threads play.
    pub workers: usize,
    /// Ends the run as soon as it has a verdict on the first two agents.
    pub sprt: Option<Sprt>,
    /// With a sequential test, how many games may at least be started ahead of the first open one;
    /// the number grows with the finished games. `None` for no limit.
    pub lead: Option<usize>,
    /// Set to stop the run.
    pub stop: Arc<AtomicBool>,
}

/// Plays the game of a slot. Returns `None` to abandon the game, which then stays missing; it should
/// do so when the flag is set: the run has ended, by a stop, a verdict or a failure.
pub type PlayGame<'a> = dyn Fn(&Slot, &Arc<AtomicBool>) -> Option<GameRecord> + Sync + 'a;

/// Follows the progress of a run.
pub trait Observer {
    /// The run begins with `done` of `total` games finished.
    fn begun(&mut self, done: usize, total: usize, board: &Scoreboard) {
        let _ = (done, total, board);
    }

    /// A game was recorded. The record is the one in the ledger, which another program may have
    /// written first.
    fn game_ended(&mut self, game: &GameRecord, board: &Scoreboard);
}

/// Ignores everything.
impl Observer for () {
    fn game_ended(&mut self, _game: &GameRecord, _board: &Scoreboard) {}
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// The score of all games, including those of earlier runs.
    pub board: Scoreboard,
    /// Games of this run.
    pub played: usize,
    /// Games still missing.
    pub missing: usize,
    /// The state of the sequential test.
    pub sprt: Option<SprtState>,
}

/// Why a run failed.
#[derive(Debug)]
pub enum RunError<E> {
    /// The ledger failed.
    Ledger(E),
    /// The ledger has another game in this slot.
    OtherSchedule(usize),
}

impl<E: fmt::Display> fmt::Display for RunError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Ledger(error) => error.fmt(f),
            RunError::OtherSchedule(slot) => {
                write!(
                    f,
                    "game {slot} was recorded with other seats or another seed\nhint: give the experiment another name"
                )
            }
        }
    }
}

impl<E: std::error::Error + 'static> std::error::Error for RunError<E> {}

/// How long a thread waits before it checks for a stop again.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

impl Scheduler<'_> {
    /// Plays all games that the ledger lacks, one at a time on each thread. A panic makes the game
    /// void.
    pub fn run<L: Ledger>(
        &self,
        play: &PlayGame<'_>,
        ledger: &mut L,
        observer: &mut dyn Observer,
    ) -> Result<RunReport, RunError<L::Error>> {
        let work = |queue: &Queue<'_>| {
            while let Some(slot) = queue.take() {
                match guarded(|| play(slot, queue.stop_flag())) {
                    Ok(None) => queue.give_up(slot),
                    Ok(Some(game)) => {
                        assert_eq!(game.slot, *slot, "a record must belong to the requested slot");
                        queue.deliver(game);
                    }
                    Err(panic) => queue.deliver(GameRecord::void(slot.clone(), panic)),
                }
            }
        };
        self.run_workers(&work, ledger, observer)
    }

    /// Plays all games that the ledger lacks. `work` is called once on each thread and plays games
    /// from its queue until that is finished.
    pub fn run_workers<L: Ledger>(
        &self,
        work: &(dyn Fn(&Queue<'_>) + Sync),
        ledger: &mut L,
        observer: &mut dyn Observer,
    ) -> Result<RunReport, RunError<L::Error>> {
        let mut progress = Progress::new(self);
        let missing = self.resume(ledger, &mut progress)?;
        let done = self.slots.len() - missing.len();
        observer.begun(done, self.slots.len(), &progress.board);
        if !progress.is_decided() && !self.stop.load(Ordering::Relaxed) {
            self.play_missing(&missing, work, |games| progress.record(games, ledger, observer))
                .map_err(RunError::Ledger)?;
        }
        Ok(progress.into_report(missing.len()))
    }

    /// Counts the games of the ledger; returns the missing slots.
    fn resume<L: Ledger>(
        &self,
        ledger: &L,
        progress: &mut Progress,
    ) -> Result<Vec<&Slot>, RunError<L::Error>> {
        let games = ledger.games().map_err(RunError::Ledger)?.into_iter();
        let mut done: BTreeMap<_, _> = games.map(|game| (game.slot.index, game)).collect();
        let mut missing = Vec::new();
        for slot in self.slots {
            match done.remove(&slot.index) {
                None => missing.push(slot),
                Some(game) if game.slot == *slot => progress.count(&game),
                Some(_) => return Err(RunError::OtherSchedule(slot.index)),
            }
        }
        Ok(missing)
    }

    fn play_missing<E>(
        &self,
        missing: &[&Slot],
        work: &(dyn Fn(&Queue<'_>) + Sync),
        mut record: impl FnMut(&[GameRecord]) -> Result<bool, E>,
    ) -> Result<(), E> {
        let halt = Arc::new(AtomicBool::new(false));
        let lead = self.lead.filter(|_| self.sprt.is_some());
        let window = StartWindow::new(missing, self.slots.len() - missing.len(), lead);
        let n_workers = self.workers.clamp(1, missing.len().max(1));
        // A bounded channel: workers wait for slow writes, so that few games are lost if the
        // program crashes.
        let (sender, receiver) = sync_channel(n_workers);
        std::thread::scope(|scope| {
            for _ in 0..n_workers {
                let (window, halt) = (&window, &halt);
                let queue = Queue { window, records: sender.clone(), halt, n_workers };
                scope.spawn(move || {
                    let _stop = StopOnPanic(queue.halt);
                    work(&queue);
                });
            }
            // The channel closes when the last worker ends.
            drop(sender);
            let outcome = self.collect(receiver, &window, &halt, &mut record);
            halt.store(true, Ordering::Relaxed);
            outcome
        })
    }

    /// Records games until all workers have ended.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "dropping the receiver releases workers that wait to send, even after a panic"
    )]
    fn collect<E>(
        &self,
        receiver: Receiver<GameRecord>,
        window: &StartWindow<'_>,
        halt: &AtomicBool,
        record: &mut impl FnMut(&[GameRecord]) -> Result<bool, E>,
    ) -> Result<(), E> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                halt.store(true, Ordering::Relaxed);
            }
            match receiver.recv_timeout(POLL_INTERVAL) {
                Ok(first) => {
                    // Records that are already waiting share one transaction.
                    let waiting = receiver.try_iter().take(self.workers);
                    let games: Vec<GameRecord> = std::iter::once(first).chain(waiting).collect();
                    if record(&games)? {
                        halt.store(true, Ordering::Relaxed);
                    } else {
                        for game in &games {
                            window.close(&game.slot);
                        }
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }
}
