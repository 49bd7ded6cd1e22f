//! Why a START is refused although its rules may be fine.

use std::fmt;

/// A START that was answered with `busy` before a player saw it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The match id.
    pub id: String,
    /// The role.
    pub role: String,
    /// The reason.
    pub why: RefusalReason,
}

/// Why a START is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RefusalReason {
    /// A match with this id is running, in which the player has this role. Messages during a match do not
    /// name the role, so there cannot be another one.
    SameMatch(String),
    /// This many matches are running, and no more are allowed.
    Full(usize),
    /// The system has no more threads.
    NoThread,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refusal { id, role, why } = self;
        write!(f, "START of the match `{id}` for the role `{role}` is answered `busy`: ")?;
        match why {
            RefusalReason::SameMatch(own) if own == role => f.write_str("that match is running"),
            RefusalReason::SameMatch(own) => write!(
                f,
                "this player has the role `{own}` in a match with that id; a player process can have one role \
                 for each match id"
            ),
            RefusalReason::Full(1) => f.write_str("another match is running, and one is allowed"),
            RefusalReason::Full(n) => write!(f, "{n} matches are running, and no more are allowed"),
            RefusalReason::NoThread => f.write_str("the system has no more threads"),
        }
    }
}
