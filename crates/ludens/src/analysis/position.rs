//! From facts and moves as text to a state of the game.

use ludens_catalog::{canonical_term, nearest};
use ludens_core::{Game, Move, Role, View};

use super::slip::Slip;
use crate::play::plain;

/// The fields of a query that say which position is meant.
pub const INITIAL: &str = "initialState";
/// The moves that were made.
pub const MOVES: &str = "moves";

/// How many legal moves a message names.
const NAMED: usize = 8;

/// What was done in one turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A move for each role.
    Joint(Vec<String>),
    /// A move of the role that decides; the others have no choice.
    Mover(String),
}

/// Where the game began, and what was done in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// The facts that held at first; `None` is where the rules begin.
    pub initial: Option<Vec<String>>,
    /// Turn by turn.
    pub turns: Vec<Turn>,
}

/// A state in which play stands, and the facts of the one before it.
pub struct Reached<S> {
    /// The state.
    pub state: S,
    /// What held before the last move.
    pub before: Option<Vec<String>>,
}

impl Setup {
    /// The state after so many turns.
    pub fn reach<G: Game>(&self, game: &G, turns: usize) -> Result<Reached<G::State>, Slip> {
        let mut state = self.start(game)?;
        let (mut view, mut before) = (View::default(), None);
        for (made, turn) in self.turns[..turns].iter().enumerate() {
            game.look(&state, &mut view);
            if view.terminal {
                let error = format!("the game is over after {made} of {turns} moves");
                return Err(Slip::of(MOVES, error));
            }
            let joint = Legal { game, view: &view, made }.joint(turn)?;
            if made + 1 == turns {
                before = Some(game.facts(&state));
            }
            game.play(&mut state, &joint);
        }
        Ok(Reached { state, before })
    }

    fn start<G: Game>(&self, game: &G) -> Result<G::State, Slip> {
        let Some(facts) = &self.initial else { return Ok(game.initial()) };
        let spelt = |text: &String| {
            let refused = || Slip::of(INITIAL, format!("`{}` is not a ground term", short(text)));
            canonical_term(text).ok_or_else(refused)
        };
        let mut facts = facts.iter().map(spelt).collect::<Result<Vec<_>, _>>()?;
        facts.sort_unstable();
        facts.dedup();
        game.parse_state(&facts).ok_or_else(|| {
            let alone = |fact: &&String| game.parse_state(&[(*fact).clone()]).is_none();
            let mut strangers = facts.iter().filter(alone);
            // A game that knows no single fact as a state says nothing about which one is wrong.
            match strangers.next() {
                Some(fact) if strangers.count() + 1 < facts.len() => {
                    Slip::of(INITIAL, format!("`{}` is not a fact of this game", short(fact)))
                }
                _ => Slip::of(INITIAL, "these facts are no state of this game"),
            }
        })
    }
}

/// What can be done in a state after some moves.
struct Legal<'a, G> {
    game: &'a G,
    view: &'a View,
    made: usize,
}

impl<G: Game> Legal<'_, G> {
    fn joint(&self, turn: &Turn) -> Result<Vec<Move>, Slip> {
        match turn {
            Turn::Joint(moves) => {
                let (needed, given) = (self.game.roles().len(), moves.len());
                if needed != given {
                    let error = format!(
                        "turn {} has {given} moves, but there are {needed} roles: {}",
                        self.made,
                        self.game.roles().join(", ")
                    );
                    return Err(Slip::of(MOVES, error));
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
                joint.ok_or_else(|| Slip::of(MOVES, "a role has no legal move"))
            }
        }
    }

    /// The role that is meant where only one move is told.
    fn mover(&self, text: &str) -> Result<Role, Slip> {
        let legal = || self.view.legal.entries();
        let deciders: Vec<Role> =
            legal().filter(|(_, moves)| moves.len() > 1).map(|(role, _)| role).collect();
        match deciders[..] {
            [decider] => Ok(decider),
            [] => {
                let able =
                    legal().map(|(role, _)| role).find(|&role| self.find(role, text).is_some());
                Ok(able.unwrap_or(Role(0)))
            }
            _ => {
                let name = |role: &Role| self.game.roles()[role.index()].as_str();
                let names: Vec<_> = deciders.iter().map(name).collect();
                let error = format!(
                    "turn {} is one move, but {} decide at the same time",
                    self.made,
                    names.join(" and ")
                );
                let hint = format!(
                    "give a list with a move for each of {} roles",
                    self.game.roles().len()
                );
                Err(Slip::of(MOVES, error).hinting(Some(hint)))
            }
        }
    }

    fn find(&self, role: Role, text: &str) -> Option<Move> {
        let wanted = plain(text);
        let same = |&&mv: &&Move| plain(&self.game.move_name(role, mv)) == wanted;
        self.view.legal[role].iter().find(same).copied()
    }

    fn illegal(&self, role: Role, text: &str) -> Slip {
        let names: Vec<_> =
            self.view.legal[role].iter().map(|&mv| self.game.move_name(role, mv)).collect();
        let hint = if let Some(nearest) = nearest(text, names.iter().map(String::as_str)) {
            format!("did you mean `{nearest}`?")
        } else {
            let rest = if names.len() > NAMED { ", …" } else { "" };
            format!("legal are: {}{rest}", names[..names.len().min(NAMED)].join(", "))
        };
        let (text, name) = (short(text), &self.game.roles()[role.index()]);
        let error = format!("`{text}` is not legal for `{name}` in turn {}", self.made);
        Slip::of(MOVES, error).hinting(Some(hint))
    }
}

/// A text that fits into a message.
pub fn short(text: &str) -> String {
    let shown: String = text.chars().take(80).collect();
    if shown.len() < text.len() { format!("{shown}…") } else { shown }
}
