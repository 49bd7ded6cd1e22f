//! Positions given by facts and moves as text.

use std::sync::Arc;

use ludens_catalog::{WithGame, canonical_term};
use ludens_core::Game;
use serde::{Deserialize, Serialize};

use super::find_move::shortened;
use super::typed::{AnyPosition, Typed};
use super::{InputError, Session, SessionError, Turn};
use crate::prepared_game::PreparedGame;

/// The field of a query with the initial facts.
pub const INITIAL: &str = "initialState";
/// The field of a query with the moves.
pub const MOVES: &str = "moves";

/// The initial state of a match, and its moves.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Setup {
    /// The initial facts; `None` for the initial state of the rules.
    pub initial: Option<Vec<String>>,
    /// The turns.
    pub turns: Vec<Turn>,
}

impl Setup {
    /// The match after `turns` turns.
    pub fn session(&self, game: Arc<PreparedGame>, turns: usize) -> Result<Session, SessionError> {
        let mut session = match &self.initial {
            Some(facts) => Session::from_facts(game, facts)?,
            None => Session::new(game)?,
        };
        for (made, turn) in self.turns[..turns].iter().enumerate() {
            if session.is_terminal() {
                let error = format!("the game is over after {made} of {turns} moves");
                return Err(InputError::of(MOVES, error).into());
            }
            session.play_turn(turn)?;
        }
        Ok(session)
    }
}

/// The position with the given facts.
pub(super) fn from_facts(
    game: &PreparedGame,
    facts: &[String],
) -> Result<Box<dyn AnyPosition>, InputError> {
    game.loaded.game.with(FromFacts(facts))
}

struct FromFacts<'a>(&'a [String]);

impl WithGame for FromFacts<'_> {
    type Out = Result<Box<dyn AnyPosition>, InputError>;

    fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
        let state = parse(&*game, self.0)?;
        Ok(Box::new(Typed::new(game, state)))
    }
}

fn parse<G: Game>(game: &G, facts: &[String]) -> Result<G::State, InputError> {
    let canonical = |text: &String| {
        let refused =
            || InputError::of(INITIAL, format!("`{}` is not a ground term", shortened(text)));
        canonical_term(text).ok_or_else(refused)
    };
    let mut facts = facts.iter().map(canonical).collect::<Result<Vec<_>, _>>()?;
    facts.sort_unstable();
    facts.dedup();
    game.parse_state(&facts).ok_or_else(|| {
        let invalid_alone = |fact: &&String| game.parse_state(&[(*fact).clone()]).is_none();
        let mut unknown = facts.iter().filter(invalid_alone);
        // If no single fact is a valid state, the unknown one cannot be identified.
        match unknown.next() {
            Some(fact) if unknown.count() + 1 < facts.len() => {
                let error = format!("`{}` is not a fact of this game", shortened(fact));
                InputError::of(INITIAL, error)
            }
            _ => InputError::of(INITIAL, "these facts are not a state of this game"),
        }
    })
}
