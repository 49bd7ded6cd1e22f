//! Players: the verbs of the competition's protocol, one to one.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A move as the rules write it.
pub type MoveText = String;

/// How a player identifies itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Its name.
    pub name: String,
}

/// What a player is given before a match.
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
    /// The rules cannot be played; the text says why.
    Rules(String),
    /// The role is not one of the rules'.
    UnknownRole(String),
    /// The moves reported do not fit the state the player knows.
    Moves(String),
    /// The verb does not fit the state of the match.
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

/// The move that a player would send if time were up now. The thinking thread shares it with the
/// thread that must answer in time, and learns from it when no answer is wanted any more.
///
/// A thinker may be late and still think about a turn that is over while the next one has begun.
/// Its moves are then not for this turn and are dropped.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    notes: Arc<Mutex<Notes>>,
    stop: Arc<AtomicBool>,
}

#[derive(Debug, Default)]
struct Notes {
    /// The best move so far.
    best: Option<MoveText>,
    /// How many turns have begun.
    n_asked: u64,
    /// How many of these turns the thinker has started.
    n_taken_up: u64,
}

impl Draft {
    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the best move so far of the turn that the thinker is working on.
    pub fn write(&self, best: MoveText) {
        let mut notes = self.notes();
        if notes.n_taken_up == notes.n_asked {
            notes.best = Some(best);
        }
    }

    /// The best move so far of the turn.
    pub fn read(&self) -> Option<MoveText> {
        self.notes().best.clone()
    }

    /// Begins another turn, for which there is no move yet.
    pub fn ask(&self) {
        let mut notes = self.notes();
        notes.best = None;
        notes.n_asked += 1;
    }

    /// The thinker starts on the next turn.
    pub fn take_up(&self) {
        self.notes().n_taken_up += 1;
    }

    /// No answer is wanted any more, and thinking may stop at once. This is final: the next match
    /// has another player.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether no answer is wanted any more.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The flag that is set when no answer is wanted any more.
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

    /// A match with these rules may begin soon. What the player prepares before the deadline may be
    /// kept for it.
    fn preview(&mut self, rules: &str, deadline: Instant) {
        let (_, _) = (rules, deadline);
    }

    /// A match begins; the start clock runs until the deadline.
    fn start(&mut self, setup: &Setup, deadline: Instant) -> Result<(), PlayerError>;

    /// Chooses a move. `last` is the joint move made just before, empty at the first turn.
    fn play(&mut self, last: &[MoveText], deadline: Instant) -> Result<MoveText, PlayerError>;

    /// The match ended with this joint move.
    fn stop(&mut self, last: &[MoveText]);

    /// The match was aborted.
    fn abort(&mut self);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thinker_that_is_late_notes_nothing_for_the_next_turn() {
        let draft = Draft::default();
        let thinker = draft.clone();
        draft.ask();
        thinker.take_up();
        thinker.write("first".into());
        assert_eq!(draft.read().as_deref(), Some("first"));
        draft.ask();
        thinker.write("late".into());
        assert_eq!(draft.read(), None);
        draft.ask();
        thinker.take_up();
        thinker.write("late again".into());
        assert_eq!(draft.read(), None);
        thinker.take_up();
        thinker.write("third".into());
        assert_eq!(draft.read().as_deref(), Some("third"));
    }
}
