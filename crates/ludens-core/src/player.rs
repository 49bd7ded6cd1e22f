//! Players: one method for each message of the competition's protocol.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A move as the rules write it.
pub type MoveText = String;

/// The identity of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Its name.
    pub name: String,
}

/// What a player gets at the start of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The rules as text.
    pub rules: String,
    /// The role to play, in the spelling of the rules.
    pub role: String,
    /// How long each move may take.
    pub play_clock: Duration,
}

/// Why a player cannot continue. The host decides what that means for the match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerError {
    /// The rules cannot be played, for this reason.
    Rules(String),
    /// The rules have no such role.
    UnknownRole(String),
    /// The reported moves are inconsistent with the player's state.
    Moves(String),
    /// The call is not allowed in the current state of the match.
    OutOfOrder(&'static str),
}

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerError::Rules(why) => write!(f, "the rules cannot be played: {why}"),
            PlayerError::UnknownRole(role) => write!(f, "the rules have no role `{role}`"),
            PlayerError::Moves(why) => write!(f, "the reported moves do not fit: {why}"),
            PlayerError::OutOfOrder(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for PlayerError {}

/// The best move of a player so far, to be sent when time runs out. The searching thread shares it with
/// the thread that must answer in time; it also carries the flag that stops the search.
///
/// The searching thread may be late and still work on a turn that is over while the next one has begun.
/// Its moves then do not belong to the current turn and are dropped.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    shared: Arc<Mutex<Shared>>,
    stop: Arc<AtomicBool>,
}

#[derive(Debug, Default)]
struct Shared {
    /// The best move so far.
    best: Option<MoveText>,
    /// How many turns have begun.
    n_begun: u64,
    /// How many of these turns the searching thread has started.
    n_started: u64,
}

impl Draft {
    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the best move so far of the turn that the searching thread is working on.
    pub fn write(&self, best: MoveText) {
        let mut shared = self.shared();
        if shared.n_started == shared.n_begun {
            shared.best = Some(best);
        }
    }

    /// The best move so far of the current turn.
    pub fn read(&self) -> Option<MoveText> {
        self.shared().best.clone()
    }

    /// Begins another turn, which has no move yet.
    pub fn ask(&self) {
        let mut shared = self.shared();
        shared.best = None;
        shared.n_begun += 1;
    }

    /// The searching thread starts on the next turn.
    pub fn take_up(&self) {
        self.shared().n_started += 1;
    }

    /// Stops the search: no answer is needed any more. This is final; the next match has another player.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search is stopped.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The flag that stops the search.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }
}

/// Plays matches.
pub trait Player: Send {
    /// The player's identity.
    fn info(&self) -> Info;

    /// The draft of the best move so far; by default it stays empty.
    fn draft(&self) -> Draft {
        Draft::default()
    }

    /// A match with these rules may begin soon. The player may prepare for it until the deadline.
    fn preview(&mut self, rules: &str, deadline: Instant) {
        let (_, _) = (rules, deadline);
    }

    /// A match begins; the start clock runs until the deadline.
    fn start(&mut self, setup: &Setup, deadline: Instant) -> Result<(), PlayerError>;

    /// Chooses a move. `last` is the joint move made just before, empty at the first turn.
    fn play(&mut self, last: &[MoveText], deadline: Instant) -> Result<MoveText, PlayerError>;

    /// Others think, or the host pauses: the player may use the time until the flag is set, or return at once.
    fn ponder(&mut self, stop: &Arc<AtomicBool>) {
        let _ = stop;
    }

    /// The match ended with this joint move.
    fn stop(&mut self, last: &[MoveText]);

    /// The match was aborted.
    fn abort(&mut self);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_moves_do_not_count_for_the_next_turn() {
        let draft = Draft::default();
        let search = draft.clone();
        draft.ask();
        search.take_up();
        search.write("first".into());
        assert_eq!(draft.read().as_deref(), Some("first"));
        draft.ask();
        search.write("late".into());
        assert_eq!(draft.read(), None);
        draft.ask();
        search.take_up();
        search.write("late again".into());
        assert_eq!(draft.read(), None);
        search.take_up();
        search.write("third".into());
        assert_eq!(draft.read().as_deref(), Some("third"));
    }
}
