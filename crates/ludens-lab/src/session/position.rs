//! A position as plain data.

use serde::Serialize;

use super::{Session, SessionError};

/// A position without analysis.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Position {
    /// The roles in the order of the rules.
    pub roles: Vec<String>,
    /// The number of joint moves made.
    pub turn: usize,
    /// The facts that hold.
    pub facts: Vec<String>,
    /// The facts that held before the last joint move.
    pub before: Option<Vec<String>>,
    /// How many legal moves each role has.
    pub legal: Vec<usize>,
    /// The goal value of each role, if the match is over.
    pub goals: Option<Vec<f64>>,
}

impl Session {
    /// The position as plain data.
    pub fn position(&self) -> Result<Position, SessionError> {
        Ok(Position {
            roles: self.roles().to_vec(),
            turn: self.turn(),
            facts: self.facts()?,
            before: self.facts_before()?,
            legal: self.n_legal(),
            goals: self.percent_goals(),
        })
    }

    /// Payoffs in percent, with two digits after the point, if the match is over.
    pub(super) fn percent_goals(&self) -> Option<Vec<f64>> {
        super::analyse::goals(self.position.view())
    }
}
