//! The record of a hosted match.

use std::fmt;
use std::time::Duration;

use crate::client::AskError;

/// The fault of a player in a step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Fault {
    /// No fault.
    #[default]
    None,
    /// It did not answer in time.
    Late,
    /// The connection failed.
    Connection,
    /// It answered with something other than a legal move; the text is shortened and escaped.
    Illegal(String),
    /// It answered START with `busy`, or with nothing.
    Refused(String),
}

impl Fault {
    /// The code in match records.
    pub fn code(&self) -> String {
        match self {
            Fault::None => String::new(),
            Fault::Late => "TO".into(),
            Fault::Connection => "CE".into(),
            Fault::Refused(answer) if answer.is_empty() => "IL null".into(),
            Fault::Illegal(answer) | Fault::Refused(answer) => format!("IL {answer}"),
        }
    }
}

impl From<AskError> for Fault {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Late => Fault::Late,
            AskError::Connection => Fault::Connection,
        }
    }
}

/// The course of a hosted match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Played {
    /// The facts of each state from the initial one on, as the reasoner writes them.
    pub states: Vec<Vec<String>>,
    /// When each state was reached, since the start of the match.
    pub times: Vec<Duration>,
    /// The joint moves, as the reasoner writes them.
    pub moves: Vec<Vec<String>>,
    /// Faults at the start, then in each step.
    pub faults: Vec<Vec<Fault>>,
    /// The goal value of each role; empty if the rules define none.
    pub goals: Vec<i64>,
    /// The first role without a goal value in the terminal state, if there is one.
    pub without_goal: Option<String>,
    /// Why the host aborted the match, if it did.
    pub given_up: Option<GivenUp>,
    /// Response times of the player of each role.
    pub paces: Vec<ResponseTimes>,
}

impl Played {
    /// Why the match has no result, if it has none.
    pub fn flaw(&self) -> Option<String> {
        let given_up = self.given_up.as_ref().map(GivenUp::to_string);
        let goal = |role| format!("the rules give `{role}` no goal value at the end");
        given_up.or_else(|| self.without_goal.as_ref().map(goal))
    }
}

/// Why a host aborted a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GivenUp {
    /// A role has no legal move in a state that is not terminal: some published rules allow that.
    NoMove(String),
    /// The match reached the maximum number of steps.
    Steps(usize),
    /// The player of a role did not accept START.
    NotStarted {
        /// The role.
        role: String,
        /// What the player did instead.
        fault: Fault,
    },
}

impl fmt::Display for GivenUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GivenUp::NoMove(role) => write!(f, "`{role}` has no legal move"),
            GivenUp::Steps(most) => write!(f, "not over after {most} steps"),
            GivenUp::NotStarted { role, fault } => {
                write!(f, "the player of `{role}` does not play: {}", without_start(fault))
            }
        }
    }
}

/// What a player did that does not play.
fn without_start(fault: &Fault) -> String {
    match fault {
        Fault::Late => "it did not answer START in time".into(),
        Fault::Connection => "the connection failed at START".into(),
        Fault::Refused(answer) if answer.is_empty() => "its answer to START was empty".into(),
        Fault::None | Fault::Illegal(_) | Fault::Refused(_) => {
            let answer = fault.code();
            format!("it answered START with `{}`", answer.trim_start_matches("IL "))
        }
    }
}

/// Response times of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ResponseTimes {
    /// The number of requested moves.
    pub asked: u64,
    /// The sum of all times.
    pub total: Duration,
    /// The longest time.
    pub longest: Duration,
}

impl ResponseTimes {
    pub(super) fn add(&mut self, time: Duration) {
        self.asked += 1;
        self.total += time;
        self.longest = self.longest.max(time);
    }
}
