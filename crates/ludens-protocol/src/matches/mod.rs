//! The matches of a player. Each runs on its own thread, and every request is answered in time,
//! whatever that thread is doing.

mod refusal;
mod seat;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ludens_core::{Draft, MoveText, Player, Setup, guard};
use tokio::sync::{oneshot, watch};

use crate::deadlines::{Deadlines, Missing, until};
use crate::info::{PlayerInfo, Status};
use crate::request::Request;
pub use refusal::{Refusal, RefusalReason};
use seat::{Chosen, Ready, Seat};

/// Creates a player for a match.
pub type MakePlayer = dyn Fn() -> Box<dyn Player> + Send + Sync;

/// Is told of every START that is refused.
type OnRefusal = dyn Fn(&Refusal) + Send + Sync;

/// The running matches.
pub struct Matches {
    name: String,
    /// The maximum number of matches at the same time.
    capacity: usize,
    make: Box<MakePlayer>,
    /// Creates the stand-in for a player that is not ready or has failed.
    reserve: Option<Box<MakePlayer>>,
    on_refusal: Option<Box<OnRefusal>>,
    running: Mutex<HashMap<String, RunningMatch>>,
    /// How many matches have started.
    n_started: AtomicU64,
    /// Whether a preview is running.
    previewing: Arc<AtomicBool>,
}

/// A match as seen from outside its threads.
struct RunningMatch {
    /// Distinguishes it from earlier matches with the same id.
    number: u64,
    role: String,
    player: Seat,
    reserve: Option<Seat>,
    play_clock: Duration,
    turn: Option<Turn>,
    /// Without a message until then, the match counts as abandoned.
    stale: Instant,
}

/// The last turn that a move was requested for.
struct Turn {
    last: Vec<MoveText>,
    /// The move, once there is one.
    answer: watch::Receiver<Option<MoveText>>,
}

impl Turn {
    /// Whether a message repeats the request in progress: its host lost the connection.
    fn is_repeated_by(&self, last: &[MoveText]) -> bool {
        self.last == last && self.answer.borrow().is_none()
    }
}

/// A move in progress.
struct PendingMove {
    /// The best move of the player so far.
    draft: Draft,
    chosen: Chosen,
    /// The move of the stand-in.
    reserve: Option<Chosen>,
    /// When the answer is sent in any case.
    due: Instant,
}

/// A match counts as abandoned after this many play clocks and a minute without a message.
const SILENT_CLOCKS: u32 = 10;

impl Matches {
    /// No matches yet, and at most `capacity` at the same time.
    pub fn new(name: impl Into<String>, capacity: usize, make: Box<MakePlayer>) -> Self {
        Matches {
            name: name.into(),
            capacity,
            make,
            reserve: None,
            on_refusal: None,
            running: Mutex::default(),
            n_started: AtomicU64::default(),
            previewing: Arc::default(),
        }
    }

    /// Adds a stand-in that follows every match and is ready at once. Its moves are sent if the
    /// player has none when time is up.
    #[must_use]
    pub fn with_reserve(mut self, make: Box<MakePlayer>) -> Self {
        self.reserve = Some(make);
        self
    }

    /// Passes on every START that is refused before a player sees it, for a log.
    #[must_use]
    pub fn on_refusal(mut self, told: impl Fn(&Refusal) + Send + Sync + 'static) -> Self {
        self.on_refusal = Some(Box::new(told));
        self
    }

    /// The number of matches.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether there are no matches.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The answer to a request that arrived at `received`.
    pub async fn answer(&self, request: Request, received: Instant) -> String {
        match request {
            Request::Info => self.info(received).to_string(),
            Request::Preview { rules, clock } => self.preview(rules, received, clock).await,
            Request::Start { id, role, rules, start_clock, play_clock } => {
                let setup = Setup { rules, role, play_clock };
                self.start(id, setup, Deadlines::of(received, start_clock)).await
            }
            Request::Play { id, last } => self.play(&id, last, received).await,
            Request::Stop { id, last } => self.stop(&id, last),
            Request::Abort { id } => self.abort(&id),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, RunningMatch>> {
        // No panic leaves the map in an invalid state.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn info(&self, now: Instant) -> PlayerInfo {
        let status = if self.has_room(now) { Status::Available } else { Status::Busy };
        PlayerInfo { name: Some(self.name.clone()), status }
    }

    /// Whether another match can start; abandoned ones do not count.
    fn has_room(&self, now: Instant) -> bool {
        self.lock().values().filter(|running| running.stale > now).count() < self.capacity
    }

    /// Lets a player preview rules, unless there is no room or another preview is running.
    async fn preview(&self, rules: String, received: Instant, clock: Duration) -> String {
        let previewing = Arc::clone(&self.previewing);
        if !self.has_room(received) || previewing.swap(true, Ordering::Relaxed) {
            return "busy".into();
        }
        let (mut player, deadlines) = ((self.make)(), Deadlines::of(received, clock));
        let (done, ready) = oneshot::channel();
        let preview = move || {
            let _ = guard(|| player.preview(&rules, deadlines.think));
            previewing.store(false, Ordering::Relaxed);
            let _ = done.send(());
        };
        if std::thread::Builder::new().spawn(preview).is_err() {
            self.previewing.store(false, Ordering::Relaxed);
            return "busy".into();
        }
        // A preview that takes longer continues; that is no reason to refuse the match.
        let _ = until(deadlines.answer, ready).await;
        "ready".into()
    }

    async fn start(&self, id: String, setup: Setup, deadlines: Deadlines) -> String {
        let Started { number, ready, reserve } = match self.enter(&id, &setup, deadlines) {
            Ok(started) => started,
            Err(why) => {
                let refusal = Refusal { id, role: setup.role, why };
                if let Some(told) = &self.on_refusal {
                    told(&refusal);
                }
                return "busy".into();
            }
        };
        // A player that is not ready continues to prepare while its first move is requested.
        if let Ok(Ok(())) | Err(Missing::Late) = until(deadlines.answer, ready).await {
            return "ready".into();
        }
        if let Some(reserve) = reserve
            && let Ok(Ok(())) | Err(Missing::Late) = until(deadlines.answer, reserve).await
        {
            return "ready".into();
        }
        // Meanwhile the match may have been aborted and another may have its id.
        let mut running = self.lock();
        if running.get(&id).is_some_and(|running| running.number == number) {
            running.remove(&id);
        }
        "busy".into()
    }

    /// Starts a match, if there is room and no other with its id.
    fn enter(
        &self,
        id: &str,
        setup: &Setup,
        deadlines: Deadlines,
    ) -> Result<Started, RefusalReason> {
        let now = Instant::now();
        let mut running = self.lock();
        running.retain(|_, running| running.stale > now);
        if let Some(same) = running.get(id) {
            return Err(RefusalReason::SameMatch(same.role.clone()));
        }
        if running.len() >= self.capacity {
            return Err(RefusalReason::Full(running.len()));
        }
        let seat = |make: &MakePlayer| Seat::new(make(), setup, deadlines.think);
        let (reserve, reserve_ready) = self.reserve.as_deref().and_then(seat).unzip();
        let (player, ready) = seat(&*self.make).ok_or(RefusalReason::NoThread)?;
        let number = self.n_started.fetch_add(1, Ordering::Relaxed);
        let (role, play_clock) = (setup.role.clone(), setup.play_clock);
        let stale = stale_after(deadlines.answer, play_clock);
        let started = RunningMatch { number, role, player, reserve, play_clock, turn: None, stale };
        running.insert(id.to_owned(), started);
        Ok(Started { number, ready, reserve: reserve_ready })
    }

    async fn play(&self, id: &str, last: Vec<MoveText>, received: Instant) -> String {
        let Some(mut answer) = self.turn(id, last, received) else { return "busy".into() };
        let answer = answer.wait_for(Option::is_some).await;
        answer.ok().and_then(|answer| answer.clone()).unwrap_or_else(|| NO_MOVE.into())
    }

    /// The answer of a turn, which starts unless it is in progress. It continues if the connection
    /// of the request is lost.
    fn turn(
        &self,
        id: &str,
        last: Vec<MoveText>,
        received: Instant,
    ) -> Option<watch::Receiver<Option<MoveText>>> {
        let mut running = self.lock();
        let running = running.get_mut(id)?;
        if let Some(turn) = running.turn.as_ref().filter(|turn| turn.is_repeated_by(&last)) {
            return Some(turn.answer.clone());
        }
        let pending = running.request_move(last.clone(), received)?;
        let (sender, answer) = watch::channel(None);
        tokio::spawn(async move { sender.send(Some(pending.answer().await)) });
        running.turn = Some(Turn { last, answer: answer.clone() });
        Some(answer)
    }

    fn stop(&self, id: &str, last: Vec<MoveText>) -> String {
        let Some(running) = self.lock().remove(id) else { return "busy".into() };
        running.player.stop(last);
        "done".into()
    }

    fn abort(&self, id: &str) -> String {
        if self.lock().remove(id).is_none() {
            return "busy".into();
        }
        "aborted".into()
    }
}

/// The answer of a player without a move.
const NO_MOVE: &str = "nil";

impl RunningMatch {
    fn request_move(&mut self, last: Vec<MoveText>, received: Instant) -> Option<PendingMove> {
        let Deadlines { think, answer } = Deadlines::of(received, self.play_clock);
        self.player.draft.ask();
        let reserve = self.reserve.as_ref().and_then(|reserve| reserve.play(last.clone(), think));
        let chosen = self.player.play(last, think)?;
        self.stale = stale_after(answer, self.play_clock);
        Some(PendingMove { draft: self.player.draft.clone(), chosen, reserve, due: answer })
    }
}

impl PendingMove {
    /// The move of the player; when time is up, its best move so far, else that of the stand-in.
    async fn answer(self) -> MoveText {
        if let Ok(Ok(chosen)) = until(self.due, self.chosen).await {
            return chosen;
        }
        if let Some(best) = self.draft.read() {
            return best;
        }
        let reserve = match self.reserve {
            Some(reserve) => until(self.due, reserve).await.ok().and_then(Result::ok),
            None => None,
        };
        reserve.unwrap_or_else(|| NO_MOVE.into())
    }
}

/// A match that has started.
struct Started {
    number: u64,
    ready: Ready,
    /// Whether the stand-in is ready.
    reserve: Option<Ready>,
}

fn stale_after(deadline: Instant, play_clock: Duration) -> Instant {
    deadline + play_clock * SILENT_CLOCKS + Duration::from_mins(1)
}
