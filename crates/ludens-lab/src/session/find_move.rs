//! Finds legal moves by their text.

use ludens_catalog::nearest;
use ludens_core::{Move, Role, View};
use serde::{Deserialize, Serialize};

use super::typed::AnyPosition;
use super::{InputError, MOVES, Session};

/// The maximum number of legal moves in a message.
const MAX_LISTED: usize = 8;

/// The moves of one turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Turn {
    /// A move for each role.
    Joint(Vec<String>),
    /// The move of the only role that has a choice.
    Mover(String),
}

/// The legal moves of a position.
pub(super) struct LegalMoves<'a> {
    roles: &'a [String],
    position: &'a dyn AnyPosition,
    view: &'a View,
    /// How many joint moves were made before.
    turn: usize,
}

impl<'a> LegalMoves<'a> {
    /// The legal moves of the position of a session.
    pub(super) fn of(session: &'a Session) -> Self {
        let (position, turn) = (&*session.position, session.turn());
        LegalMoves { roles: session.roles(), position, view: position.view(), turn }
    }

    /// The joint move of a turn.
    pub(super) fn joint(&self, turn: &Turn) -> Result<Vec<Move>, InputError> {
        match turn {
            Turn::Joint(moves) => {
                let (needed, given) = (self.roles.len(), moves.len());
                if needed != given {
                    let error = format!(
                        "turn {} has {given} moves, but there are {needed} roles: {}",
                        self.turn,
                        self.roles.join(", ")
                    );
                    return Err(InputError::of(MOVES, error));
                }
                let find = |(role, text): (Role, &String)| {
                    self.find(role, text).ok_or_else(|| self.illegal(role, text))
                };
                Role::all(needed).zip(moves).map(find).collect()
            }
            Turn::Mover(text) => {
                let role = self.mover(text)?;
                let moved = self.find(role, text).ok_or_else(|| self.illegal(role, text))?;
                let choose = |(other, legal): (Role, &Vec<Move>)| {
                    if other == role { Some(moved) } else { legal.first().copied() }
                };
                let joint: Option<Vec<_>> = self.view.legal.entries().map(choose).collect();
                joint.ok_or_else(|| InputError::of(MOVES, "a role has no legal move"))
            }
        }
    }

    /// The role that a single move belongs to.
    fn mover(&self, text: &str) -> Result<Role, InputError> {
        let legal = || self.view.legal.entries();
        let deciders: Vec<Role> =
            legal().filter(|(_, moves)| moves.len() > 1).map(|(role, _)| role).collect();
        match deciders[..] {
            [decider] => Ok(decider),
            [] => {
                let mover =
                    legal().map(|(role, _)| role).find(|&role| self.find(role, text).is_some());
                Ok(mover.unwrap_or(Role(0)))
            }
            _ => {
                let name = |role: &Role| self.roles[role.index()].as_str();
                let names: Vec<_> = deciders.iter().map(name).collect();
                let error = format!(
                    "turn {} is one move, but {} decide at the same time",
                    self.turn,
                    names.join(" and ")
                );
                let hint =
                    format!("give a list with a move for each of {} roles", self.roles.len());
                Err(InputError::of(MOVES, error).with_hint(Some(hint)))
            }
        }
    }

    fn find(&self, role: Role, text: &str) -> Option<Move> {
        let wanted = normalised(text);
        let same = |&&mv: &&Move| normalised(&self.position.move_name(role, mv)) == wanted;
        self.view.legal[role].iter().find(same).copied()
    }

    fn illegal(&self, role: Role, text: &str) -> InputError {
        let names: Vec<_> =
            self.view.legal[role].iter().map(|&mv| self.position.move_name(role, mv)).collect();
        let hint = if let Some(nearest) = nearest(text, names.iter().map(String::as_str)) {
            format!("did you mean `{nearest}`?")
        } else {
            let rest = if names.len() > MAX_LISTED { ", …" } else { "" };
            format!("legal moves: {}{rest}", names[..names.len().min(MAX_LISTED)].join(", "))
        };
        let (text, name) = (shortened(text), &self.roles[role.index()]);
        let error = format!("`{text}` is not legal for `{name}` in turn {}", self.turn);
        InputError::of(MOVES, error).with_hint(Some(hint))
    }
}

/// A move in lower case, without outer parentheses and with single blanks.
pub fn normalised(text: &str) -> String {
    let text = text.to_lowercase().replace('(', " ( ").replace(')', " ) ");
    let words: Vec<_> = text.split_whitespace().collect();
    let inner = match words[..] {
        ["(", ref inner @ .., ")"] => inner,
        ref all => all,
    };
    inner.join(" ")
}

/// A text truncated for messages.
pub(crate) fn shortened(text: &str) -> String {
    let shown: String = text.chars().take(80).collect();
    if shown.len() < text.len() { format!("{shown}…") } else { shown }
}
