//! Plays what is missing of a schedule, on several threads, and can be stopped at any time.
//!
//! Each worker has a set of games in progress and lets them think together ([`Thinker`]). Games
//! that end go to the calling thread, which alone writes them down, keeps the score and tells the
//! observer. Games that are stopped half-way leave no trace: the same call plays them again from
//! their seeds.

mod gate;
mod ledger;
mod watch;
mod worker;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use ludens_core::Game;

use crate::clock::Clock;
use crate::play::{AgentMaker, InTurn, Terms, Thinker};
use crate::record::GameRecord;
use crate::schedule::Slot;
use crate::standing::Scoreboard;
use crate::stats::{Sprt, SprtState, Verdict};

use gate::Gate;
pub use ledger::Ledger;
use watch::Watch;
pub use watch::judge_games;
use worker::Worker;

/// What is to be played, and how.
pub struct Run<'a, G: Game> {
    /// The game.
    pub game: Arc<G>,
    /// Names of all agents of the schedule.
    pub names: &'a [String],
    /// The games to play; those of other games of the plan are left out by the caller.
    pub slots: &'a [Slot],
    /// Under which terms.
    pub terms: &'a Terms,
    /// How many threads think.
    pub workers: usize,
    /// How many games each of them plays at the same time.
    pub games_per_worker: usize,
    /// Ends the run as soon as it has a verdict on the first two agents.
    pub sprt: Option<Sprt>,
    /// With a sequential test: how many games may be begun ahead of the first one that has not
    /// ended, at the least; more when many are over. `None` for any number.
    pub lead: Option<usize>,
    /// Raised to end the run.
    pub stop: Arc<AtomicBool>,
    /// What time it is.
    pub clock: &'a dyn Clock,
}

/// Who plays.
pub struct Crew<'a, G: Game> {
    /// Makes agents.
    pub agents: &'a AgentMaker<'a, G>,
    /// Makes what lets them think, one a worker.
    pub thinker: &'a ThinkerMaker<'a, G>,
}

/// Makes a thinker; called on the thread of its worker.
pub type ThinkerMaker<'a, G> = dyn Fn() -> Box<dyn Thinker<G>> + Sync + 'a;

impl<'a, G: Game> Crew<'a, G> {
    /// Agents that think one after the other.
    pub fn in_turn(agents: &'a AgentMaker<'a, G>) -> Self {
        Crew { agents, thinker: &|| Box::new(InTurn) }
    }
}

/// Hears of the progress.
pub trait Observer {
    /// The run begins: so many games are done already, so many there are in all.
    fn begun(&mut self, done: usize, total: usize, board: &Scoreboard) {
        let _ = (done, total, board);
    }

    /// A game ended and was written down. It is told as it stands in the ledger, also where
    /// somebody else has played it before.
    fn game_ended(&mut self, game: &GameRecord, board: &Scoreboard);
}

/// Hears nothing.
impl Observer for () {
    fn game_ended(&mut self, _game: &GameRecord, _board: &Scoreboard) {}
}

/// What a run came to.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// The score of all games, those of earlier runs included.
    pub board: Scoreboard,
    /// Games of this run.
    pub played: usize,
    /// Games still missing.
    pub missing: usize,
    /// How the sequential test stands.
    pub sprt: Option<SprtState>,
}

/// Why a run failed.
#[derive(Debug)]
pub enum RunError<E> {
    /// A game could not be read or written down.
    Ledger(E),
    /// The ledger has another game at this place of the schedule.
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

/// How long the coordinator waits before it looks at the stop flag again.
const LOOK_UP: Duration = Duration::from_millis(20);

impl<G: Game> Run<'_, G> {
    /// Plays all games that the ledger does not have.
    pub fn play<L: Ledger>(
        &self,
        crew: &Crew<'_, G>,
        ledger: &mut L,
        observer: &mut dyn Observer,
    ) -> Result<RunReport, RunError<L::Error>> {
        let mut done = BTreeMap::new();
        for game in ledger.games().map_err(RunError::Ledger)? {
            done.insert(game.slot.index, game);
        }
        let (missing, mut progress) = self.take_stock(done)?;
        let done = self.slots.len() - missing.len();
        observer.begun(done, self.slots.len(), &progress.board);
        if !progress.is_decided() && !self.stop.load(Ordering::Relaxed) {
            self.play_missing(&missing, crew, |games| progress.take(games, ledger, observer))?;
        }
        let Progress { board, watch, played, found } = progress;
        let missing = missing.len() - played - found;
        Ok(RunReport { board, played, missing, sprt: watch.map(Watch::into_state) })
    }

    /// What is missing, and how things stand with what is not.
    fn take_stock<E>(
        &self,
        mut done: BTreeMap<usize, GameRecord>,
    ) -> Result<(Vec<&Slot>, Progress), RunError<E>> {
        let board = Scoreboard::new(self.names);
        let watch = self.sprt.map(|sprt| Watch::new(sprt, self.slots));
        let mut progress = Progress { board, watch, played: 0, found: 0 };
        let mut missing = Vec::new();
        for slot in self.slots {
            match done.remove(&slot.index) {
                None => missing.push(slot),
                Some(game) if game.slot == *slot => progress.count(&game),
                Some(_) => return Err(RunError::OtherSchedule(slot.index)),
            }
        }
        Ok((missing, progress))
    }

    fn play_missing<E>(
        &self,
        missing: &[&Slot],
        crew: &Crew<'_, G>,
        mut take: impl FnMut(&[GameRecord]) -> Result<bool, E>,
    ) -> Result<(), RunError<E>> {
        let halt = Arc::new(AtomicBool::new(false));
        let lead = self.lead.filter(|_| self.sprt.is_some());
        let gate = Gate::new(missing, self.slots.len() - missing.len(), lead);
        let n_workers = self.workers.clamp(1, missing.len().max(1));
        // Workers wait when games are not written down as fast as they end: few are lost then if
        // the program dies.
        let (sender, receiver) = sync_channel(n_workers);
        std::thread::scope(|scope| {
            for _ in 0..n_workers {
                let sender = sender.clone();
                let worker = Worker { run: self, crew, gate: &gate, n_workers, halt: &halt };
                scope.spawn(move || worker.work(&sender));
            }
            // The workers' senders are the last ones: when they are gone, all games are over.
            drop(sender);
            let outcome = self.collect(receiver, &gate, &halt, &mut take);
            halt.store(true, Ordering::Relaxed);
            outcome.map_err(RunError::Ledger)
        })
    }

    /// Takes in games until there are no more, or somebody wants an end.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "no worker may wait for ever, even after a panic"
    )]
    fn collect<E>(
        &self,
        receiver: Receiver<GameRecord>,
        gate: &Gate<'_>,
        halt: &AtomicBool,
        take: &mut impl FnMut(&[GameRecord]) -> Result<bool, E>,
    ) -> Result<(), E> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                halt.store(true, Ordering::Relaxed);
            }
            match receiver.recv_timeout(LOOK_UP) {
                Ok(first) => {
                    // What waits already is written down together: one transaction for all.
                    let waiting = receiver.try_iter().take(self.workers);
                    let games: Vec<GameRecord> = std::iter::once(first).chain(waiting).collect();
                    if take(&games)? {
                        halt.store(true, Ordering::Relaxed);
                    } else {
                        for game in &games {
                            gate.end(&game.slot);
                        }
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }
}

/// The state of a run on the calling thread.
struct Progress {
    board: Scoreboard,
    watch: Option<Watch>,
    /// Games of this run.
    played: usize,
    /// Games that others have written down while this run played them as well.
    found: usize,
}

impl Progress {
    /// Writes games down and counts them; whether the run is decided. Where somebody else has
    /// written the same game down before, that one counts, as it does for all who read the ledger.
    fn take<L: Ledger>(
        &mut self,
        games: &[GameRecord],
        ledger: &mut L,
        observer: &mut dyn Observer,
    ) -> Result<bool, L::Error> {
        let earlier = ledger.record(games)?;
        for (game, earlier) in games.iter().zip(&earlier) {
            *if earlier.is_none() { &mut self.played } else { &mut self.found } += 1;
            let game = earlier.as_ref().unwrap_or(game);
            self.count(game);
            observer.game_ended(game, &self.board);
        }
        Ok(self.is_decided())
    }

    fn count(&mut self, game: &GameRecord) {
        self.board.add(game);
        if let Some(watch) = &mut self.watch {
            watch.add(game);
        }
    }

    fn is_decided(&self) -> bool {
        self.watch.as_ref().is_some_and(|watch| watch.state().verdict != Verdict::Continue)
    }
}
