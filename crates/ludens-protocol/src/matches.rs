//! The matches of a player: each has a thread of its own, and whoever asks gets an answer in time,
//! whatever that thread is doing.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ludens_core::{Draft, MoveText, Player, PlayerError, Setup, guard};
use tokio::sync::{oneshot, watch};

use crate::deadlines::{Deadlines, Missing, until};
use crate::info::{PlayerInfo, Status};
use crate::request::Request;

/// Makes a player for a match.
pub type MakePlayer = dyn Fn() -> Box<dyn Player> + Send + Sync;

/// The matches that are being played.
pub struct Matches {
    name: String,
    most: usize,
    make: Box<MakePlayer>,
    /// Who stands in for a player that is not ready or has failed.
    reserve: Option<Box<MakePlayer>>,
    running: Mutex<HashMap<String, Running>>,
    /// How many matches have begun.
    n_begun: AtomicU64,
    /// Whether somebody is having a look at rules of which no match has begun.
    previewing: Arc<AtomicBool>,
}

/// A match from outside its thread.
struct Running {
    /// Tells it from others that have had its name before.
    number: u64,
    orders: Sender<Order>,
    draft: Draft,
    /// Whoever stands in.
    reserve: Option<(Sender<Order>, Draft)>,
    play_clock: Duration,
    turn: Option<Turn>,
    /// Without a message until then, the match is taken to be given up.
    stale: Instant,
}

/// The last turn for which a move was asked.
struct Turn {
    last: Vec<MoveText>,
    /// The move, as soon as there is one.
    answer: watch::Receiver<Option<MoveText>>,
}

impl Turn {
    /// Whether a message asks once more for what is being thought about: its host has lost the connection.
    fn is_asked_again(&self, last: &[MoveText]) -> bool {
        self.last == last && self.answer.borrow().is_none()
    }
}

/// A move that was asked for.
struct Asked {
    /// What the player has in mind meanwhile.
    draft: Draft,
    chosen: oneshot::Receiver<Result<MoveText, PlayerError>>,
    /// What whoever stands in would do.
    reserved: Option<oneshot::Receiver<Result<MoveText, PlayerError>>>,
    /// When an answer is given in any case.
    due: Instant,
}

/// What the thread of a match is told.
enum Order {
    Start {
        setup: Setup,
        deadline: Instant,
        done: oneshot::Sender<Result<(), PlayerError>>,
    },
    Play {
        last: Vec<MoveText>,
        deadline: Instant,
        done: oneshot::Sender<Result<MoveText, PlayerError>>,
    },
    Stop {
        last: Vec<MoveText>,
    },
}

/// A match may be silent for so many play clocks, and for a minute more.
const SILENT_CLOCKS: u32 = 10;

impl Matches {
    /// No matches yet, and at most so many at once.
    pub fn new(name: impl Into<String>, most: usize, make: Box<MakePlayer>) -> Self {
        Matches {
            name: name.into(),
            most,
            make,
            reserve: None,
            running: Mutex::default(),
            n_begun: AtomicU64::default(),
            previewing: Arc::default(),
        }
    }

    /// Lets another player follow every match, one that is ready at once. Its moves are made where the
    /// first one has none in mind when time is up.
    #[must_use]
    pub fn with_reserve(mut self, make: Box<MakePlayer>) -> Self {
        self.reserve = Some(make);
        self
    }

    /// How many matches there are.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The answer to a request that was received just then.
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

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Running>> {
        // Whoever panicked with the lock has left no match half entered.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn info(&self, now: Instant) -> PlayerInfo {
        let status = if self.has_room(now) { Status::Available } else { Status::Busy };
        PlayerInfo { name: Some(self.name.clone()), status }
    }

    /// Whether another match can begin, matches of which nobody has spoken for long aside.
    fn has_room(&self, now: Instant) -> bool {
        self.lock().values().filter(|running| running.stale > now).count() < self.most
    }

    /// Lets a player have a look at rules, unless there is no room for another match or somebody is having
    /// such a look.
    async fn preview(&self, rules: String, received: Instant, clock: Duration) -> String {
        let looking = Arc::clone(&self.previewing);
        if !self.has_room(received) || looking.swap(true, Ordering::Relaxed) {
            return "busy".into();
        }
        let (mut player, deadlines) = ((self.make)(), Deadlines::of(received, clock));
        let (done, ready) = oneshot::channel();
        let look = move || {
            let _ = guard(|| player.preview(&rules, deadlines.think));
            looking.store(false, Ordering::Relaxed);
            let _ = done.send(());
        };
        if std::thread::Builder::new().spawn(look).is_err() {
            self.previewing.store(false, Ordering::Relaxed);
            return "busy".into();
        }
        // Whoever is not ready by then goes on looking; that is no reason to refuse the match.
        let _ = until(deadlines.answer, ready).await;
        "ready".into()
    }

    async fn start(&self, id: String, setup: Setup, deadlines: Deadlines) -> String {
        let Some(Entered { number, ready, reserve }) = self.enter(&id, &setup, deadlines) else {
            return "busy".into();
        };
        // Whoever is not ready yet goes on preparing itself while the first move is asked for.
        if let Ok(Ok(())) | Err(Missing::Late) = until(deadlines.answer, ready).await {
            return "ready".into();
        }
        if let Some(reserve) = reserve
            && let Ok(Ok(())) | Err(Missing::Late) = until(deadlines.answer, reserve).await
        {
            return "ready".into();
        }
        // The match may have been given up meanwhile, and another one may have its name.
        let mut running = self.lock();
        if running.get(&id).is_some_and(|running| running.number == number) {
            running.remove(&id);
        }
        "busy".into()
    }

    /// Begins a match, if there is room and no other with its name.
    fn enter(&self, id: &str, setup: &Setup, deadlines: Deadlines) -> Option<Entered> {
        let now = Instant::now();
        let mut running = self.lock();
        running.retain(|_, running| running.stale > now);
        if running.len() >= self.most || running.contains_key(id) {
            return None;
        }
        let play_clock = setup.play_clock;
        let reserve = self.reserve.as_ref().and_then(|make| seat(make(), setup, deadlines.think));
        let (orders, draft, ready) = seat((self.make)(), setup, deadlines.think)?;
        let (reserve, reserve_ready) =
            reserve.map(|(orders, draft, ready)| ((orders, draft), ready)).unzip();
        let stale = stale_after(deadlines.answer, play_clock);
        let number = self.n_begun.fetch_add(1, Ordering::Relaxed);
        let (turn, begun) = (None, id.to_owned());
        running.insert(begun, Running { number, orders, draft, reserve, play_clock, turn, stale });
        Some(Entered { number, ready, reserve: reserve_ready })
    }

    async fn play(&self, id: &str, last: Vec<MoveText>, received: Instant) -> String {
        let Some(mut answer) = self.turn(id, last, received) else { return "busy".into() };
        let answer = answer.wait_for(Option::is_some).await;
        answer.ok().and_then(|answer| answer.clone()).unwrap_or_else(|| NO_MOVE.into())
    }

    /// What comes of a turn, which begins unless it has begun before. It goes on if whoever asked has gone.
    fn turn(
        &self,
        id: &str,
        last: Vec<MoveText>,
        received: Instant,
    ) -> Option<watch::Receiver<Option<MoveText>>> {
        let mut running = self.lock();
        let running = running.get_mut(id)?;
        if let Some(turn) = running.turn.as_ref().filter(|turn| turn.is_asked_again(&last)) {
            return Some(turn.answer.clone());
        }
        let asked = running.ask(last.clone(), received)?;
        let (tell, answer) = watch::channel(None);
        tokio::spawn(async move { tell.send(Some(asked.answer().await)) });
        running.turn = Some(Turn { last, answer: answer.clone() });
        Some(answer)
    }

    fn stop(&self, id: &str, last: Vec<MoveText>) -> String {
        let Some(running) = self.lock().remove(id) else { return "busy".into() };
        // A thread that is gone needs no order.
        let _ = running.orders.send(Order::Stop { last });
        "done".into()
    }

    fn abort(&self, id: &str) -> String {
        if self.lock().remove(id).is_none() {
            return "busy".into();
        }
        "aborted".into()
    }
}

/// The answer of a player that has none.
const NO_MOVE: &str = "nil";

impl Running {
    /// Asks for a move.
    fn ask(&mut self, last: Vec<MoveText>, received: Instant) -> Option<Asked> {
        let Deadlines { think, answer } = Deadlines::of(received, self.play_clock);
        let (done, chosen) = oneshot::channel();
        self.draft.ask();
        let reserved = self.reserve.as_ref().and_then(|(orders, _)| {
            let (done, reserved) = oneshot::channel();
            orders.send(Order::Play { last: last.clone(), deadline: think, done }).ok()?;
            Some(reserved)
        });
        self.orders.send(Order::Play { last, deadline: think, done }).ok()?;
        self.stale = stale_after(answer, self.play_clock);
        Some(Asked { draft: self.draft.clone(), chosen, reserved, due: answer })
    }
}

impl Asked {
    /// The move of the player, else what it has in mind when time is up, else that of whoever stands in.
    async fn answer(self) -> MoveText {
        if let Ok(Ok(chosen)) = until(self.due, self.chosen).await {
            return chosen;
        }
        if let Some(best) = self.draft.read() {
            return best;
        }
        let reserved = match self.reserved {
            Some(reserved) => until(self.due, reserved).await.ok().and_then(Result::ok),
            None => None,
        };
        reserved.unwrap_or_else(|| NO_MOVE.into())
    }
}

/// A match that has begun.
struct Entered {
    number: u64,
    ready: Ready,
    /// Whether whoever stands in is ready.
    reserve: Option<Ready>,
}

/// Whether a player is ready, as soon as it knows.
type Ready = oneshot::Receiver<Result<(), PlayerError>>;

/// Gives a player a thread and lets it prepare itself.
fn seat(
    player: Box<dyn Player>,
    setup: &Setup,
    deadline: Instant,
) -> Option<(Sender<Order>, Draft, Ready)> {
    let (orders, inbox) = channel();
    let draft = player.draft();
    std::thread::Builder::new().spawn(move || serve(player, &inbox)).ok()?;
    let (done, ready) = oneshot::channel();
    orders.send(Order::Start { setup: setup.clone(), deadline, done }).ok()?;
    Some((orders, draft, ready))
}

/// Matches that are dropped stop thinking.
impl Drop for Running {
    fn drop(&mut self) {
        self.draft.stop();
        self.reserve.iter().for_each(|(_, draft)| draft.stop());
    }
}

fn stale_after(deadline: Instant, play_clock: Duration) -> Instant {
    deadline + play_clock * SILENT_CLOCKS + Duration::from_mins(1)
}

/// Does what a match is told, until nobody can tell it anything any more. A panic is an answer that
/// does not come; the match goes on.
fn serve(mut player: Box<dyn Player>, inbox: &Receiver<Order>) {
    while let Ok(order) = inbox.recv() {
        let _ = guard(|| obey(&mut *player, order));
    }
}

fn obey(player: &mut dyn Player, order: Order) {
    // Whoever asked may have gone.
    match order {
        Order::Start { setup, deadline, done } => {
            let _ = done.send(player.start(&setup, deadline));
        }
        Order::Play { last, deadline, done } => {
            player.draft().take_up();
            let _ = done.send(player.play(&last, deadline));
        }
        Order::Stop { last } => player.stop(&last),
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Info;

    use super::*;

    /// Thinks until nobody waits any more.
    #[derive(Default)]
    struct Thinker(Draft);

    impl Player for Thinker {
        fn info(&self) -> Info {
            Info { name: "thinker".into() }
        }

        fn draft(&self) -> Draft {
            self.0.clone()
        }

        fn start(&mut self, _setup: &Setup, _deadline: Instant) -> Result<(), PlayerError> {
            Ok(())
        }

        fn play(&mut self, last: &[MoveText], _deadline: Instant) -> Result<MoveText, PlayerError> {
            while !self.0.is_stopped() {
                std::thread::yield_now();
            }
            Ok(last.join(" "))
        }

        fn stop(&mut self, _last: &[MoveText]) {}

        fn abort(&mut self) {}
    }

    #[test]
    fn a_message_that_comes_again_belongs_to_the_same_turn() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.expect("there is a runtime").block_on(async {
            let make = || -> Box<dyn Player> { Box::new(Thinker::default()) };
            let matches = Matches::new("thinkers", 1, Box::new(make));
            let (now, clock) = (Instant::now(), Duration::from_mins(10));
            let setup = Setup { rules: String::new(), role: String::new(), play_clock: clock };
            assert!(matches.enter("m", &setup, Deadlines::of(now, clock)).is_some());
            let ask = |moves: &[&str]| {
                let moves = moves.iter().map(|&mv| mv.to_owned()).collect();
                matches.turn("m", moves, now).expect("there is a match")
            };
            let (first, again, next) = (ask(&["a", "b"]), ask(&["a", "b"]), ask(&["b", "a"]));
            assert!(first.same_channel(&again));
            assert!(!first.same_channel(&next), "other moves are another turn");
            assert_eq!(matches.abort("m"), "aborted");
            for (mut asked, answer) in [(first, "a b"), (again, "a b"), (next, "b a")] {
                let told = asked.wait_for(Option::is_some).await.expect("there is an answer");
                assert_eq!(told.as_deref(), Some(answer));
            }
        });
    }
}
