//! A match in progress, whatever the type of its game: one owned type for the command line, for a server
//! and for other languages.
//!
//! ```
//! use std::ops::ControlFlow;
//! use ludens_arena::clock::Allowance;
//! use ludens_catalog::{Cache, load_agent};
//! use ludens_lab::{LoadSettings, PreparedGame, Session, ThinkSettings};
//!
//! let game = PreparedGame::load("tictactoe", &LoadSettings::default(), &Cache::off(), &mut |_| {})?;
//! let mut session = Session::new(game)?;
//! session.play(&["(mark 2 2)", "noop"])?;
//! assert_eq!(session.legal(1).len(), 8);
//!
//! let agent = session.add_agent(&load_agent("uct")?, 1)?;
//! let settings = ThinkSettings::new(Allowance::of_iterations(500));
//! let analysis = session.think(agent, &settings, &mut |_| ControlFlow::Continue(()))?;
//! let best = analysis.roles[1].best().unwrap().to_owned();
//! session.play(&["noop", &best])?;
//! assert_eq!(session.moves().len(), 2);
//! assert!(session.undo() && !session.is_terminal());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analyse;
mod error;
mod find_move;
mod position;
mod settings;
mod setup;
mod typed;

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use ludens_board::{Grid, Style};
use ludens_catalog::{AgentSpec, Header};
use ludens_core::{Move, Role, View, guard};

use crate::analysis::{Analysis, joint_names};
use crate::natural_order::natural_order;
use crate::prepared_game::PreparedGame;

pub use error::{InputError, SessionError};
pub(crate) use find_move::shortened;
pub use find_move::{Turn, normalised};
pub use position::Position;
pub use settings::ThinkSettings;
pub use setup::{INITIAL, MOVES, Setup};

use find_move::LegalMoves;
use typed::{AnyPosition, Request};

/// Receives intermediate results of a search; `Break` ends the search.
pub type Watch<'a> = dyn FnMut(&Analysis) -> ControlFlow<()> + 'a;

/// A match in progress: the position, its history, and its agents.
pub struct Session {
    game: Arc<PreparedGame>,
    position: Box<dyn AnyPosition>,
    moves: Vec<Vec<String>>,
}

/// An agent of a session. It keeps its search tree from one position to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AgentId(usize);

impl Session {
    /// A match in its initial position.
    pub fn new(game: Arc<PreparedGame>) -> Result<Self, SessionError> {
        let position = guard(|| typed::initial(&game))?;
        Ok(Session { game, position, moves: Vec::new() })
    }

    /// A match that begins with given facts.
    pub fn from_facts(game: Arc<PreparedGame>, facts: &[String]) -> Result<Self, SessionError> {
        let position = guard(|| setup::from_facts(&game, facts))??;
        Ok(Session { game, position, moves: Vec::new() })
    }

    /// The game.
    pub fn game(&self) -> &Arc<PreparedGame> {
        &self.game
    }

    /// The header of the rules.
    pub fn header(&self) -> &Header {
        &self.game.loaded.source.header
    }

    /// The title of the game, or its name if it has none.
    pub fn title(&self) -> &str {
        self.game.title()
    }

    /// The roles in the order of the rules.
    pub fn roles(&self) -> &[String] {
        self.game.loaded.game.roles()
    }

    /// The joint moves so far.
    pub fn moves(&self) -> &[Vec<String>] {
        &self.moves
    }

    /// How many joint moves were made.
    pub fn turn(&self) -> usize {
        self.moves.len()
    }

    /// Whether the match is over.
    pub fn is_terminal(&self) -> bool {
        self.view().terminal
    }

    /// The goal value of each role, if the match is over.
    pub fn goals(&self) -> Option<Vec<i64>> {
        let goal = |payoff: &f32| (payoff * 100.0).round() as i64;
        self.is_terminal().then(|| self.view().payoffs.iter().map(goal).collect())
    }

    /// The legal moves of a role in natural order: the same for all reasoners.
    pub fn legal(&self, role_idx: usize) -> Vec<String> {
        let role = Role(role_idx as u8);
        let name = |&mv: &Move| self.position.move_name(role, mv);
        let mut names: Vec<String> = self.view().legal[role].iter().map(name).collect();
        names.sort_by_cached_key(|name| natural_order(name));
        names
    }

    /// How many legal moves each role has.
    pub fn n_legal(&self) -> Vec<usize> {
        self.view().legal.iter().map(Vec::len).collect()
    }

    /// A role without a legal move in a match that is not over, which occurs only with invalid rules.
    pub fn stuck_role(&self) -> Option<&str> {
        let view = self.view();
        let stuck = view.legal.entries().find(|(_, legal)| !view.terminal && legal.is_empty());
        stuck.map(|(role, _)| self.roles()[role.index()].as_str())
    }

    /// The facts that hold.
    pub fn facts(&self) -> Result<Vec<String>, SessionError> {
        Ok(guard(|| self.position.facts(0))?.unwrap_or_default())
    }

    /// The facts that held before the last joint move.
    pub fn facts_before(&self) -> Result<Option<Vec<String>>, SessionError> {
        Ok(guard(|| self.position.facts(1))?)
    }

    /// The board as data, if the rules have one.
    pub fn board(&self) -> Result<Option<Grid>, SessionError> {
        Ok(self.game.board().grid(&self.facts()?))
    }

    /// The position as text; [`Style::Ansi`] marks the changes of the last move.
    pub fn draw(&self, style: Style) -> Result<String, SessionError> {
        let before = self.facts_before()?;
        Ok(self.game.board().draw(before.as_deref(), &self.facts()?, style))
    }

    /// Plays a joint move: one move for each role, in any spelling that names a legal one.
    pub fn play<S: AsRef<str>>(&mut self, joint: &[S]) -> Result<(), SessionError> {
        let moves = joint.iter().map(|text| text.as_ref().to_owned()).collect();
        self.play_turn(&Turn::Joint(moves))
    }

    /// Plays a turn: a joint move, or the move of the only role that has a choice.
    pub fn play_turn(&mut self, turn: &Turn) -> Result<(), SessionError> {
        if self.is_terminal() {
            return Err(InputError::of(MOVES, "the game is over").into());
        }
        let joint = guard(|| LegalMoves::of(self).joint(turn))??;
        let names = guard(|| {
            self.position.play(&joint);
            joint_names(std::slice::from_ref(&joint), &|role, mv| self.position.move_name(role, mv))
        })?;
        self.moves.extend(names);
        Ok(())
    }

    /// Undoes the last joint move, if there is one; returns whether there was.
    pub fn undo(&mut self) -> bool {
        let undone = self.moves.pop().is_some();
        if undone {
            self.position.undo();
        }
        undone
    }

    /// Whether an agent can play this game.
    fn check_agent(&self, agent: &AgentSpec) -> Result<(), SessionError> {
        let fits = agent.check_game(&self.game.loaded.game);
        fits.map_err(|error| SessionError::Input(InputError::from_catalog("agent", &error)))
    }

    /// Adds an agent that can search any position of the session.
    pub fn add_agent(&mut self, agent: &AgentSpec, seed: u64) -> Result<AgentId, SessionError> {
        self.check_agent(agent)?;
        Ok(AgentId(guard(|| self.position.add_agent(agent, seed))?))
    }

    /// Searches the position with an agent, for all roles at once.
    pub fn think(
        &mut self,
        AgentId(agent): AgentId,
        settings: &ThinkSettings,
        watch: &mut Watch<'_>,
    ) -> Result<Analysis, SessionError> {
        let begun = Instant::now();
        let roles = self.game.loaded.game.roles();
        let mut analysis = Analysis::default();
        let mut request = Request {
            agent,
            budget: settings.budget(),
            every: settings.every.unwrap_or(std::time::Duration::MAX),
            watch: &mut |report, names| {
                watch(&Analysis::new(report, roles, names).after(begun.elapsed()))
            },
            done: &mut |report, names| analysis = Analysis::new(report, roles, names),
        };
        guard(|| self.position.think(&mut request))?;
        Ok(analysis.after(begun.elapsed()))
    }

    fn view(&self) -> &View {
        self.position.view()
    }
}
