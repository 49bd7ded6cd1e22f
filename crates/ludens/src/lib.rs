//! General game playing: load a game from its rules, let agents play it, and follow their analysis.
//!
//! ```
//! let game = ludens::load("tictactoe")?;
//! let result = ludens::play(&game, &["uct", "random"], ludens::iterations(200))?;
//! println!("{result}");
//! # assert!(result.goals[0] + result.goals[1] == 100.0);
//! # Ok::<(), ludens::Error>(())
//! ```
//!
//! Rules may also come as text, in the Game Description Language:
//!
//! ```
//! let rules = "(role left) (role right) (<= (legal ?r (pick ?n)) (role ?r) (number ?n) (not (true over)))
//!     (number 1) (number 2) (init start) (<= (next over) (true start)) (<= terminal (true over))
//!     (<= (next (chosen ?r ?n)) (does ?r (pick ?n)))
//!     (<= (goal ?r ?g) (true (chosen ?r ?n)) (worth ?n ?g)) (worth 1 0) (worth 2 100)";
//! let game = ludens::load_text("pick", rules)?;
//! let result = ludens::play(&game, &["uct", "random"], ludens::iterations(100))?;
//! println!("{result}");
//! # assert_eq!(result.goals[0], 100.0);
//! # Ok::<(), ludens::Error>(())
//! ```
//!
//! A [`Session`] is a match that the caller controls: it has the position as facts and as a board, legal
//! moves as text, undo, and agents whose searches report to the caller.
//!
//! ```
//! use std::{ops::ControlFlow, time::Duration};
//!
//! let mut session = ludens::Session::new(ludens::load("connectfour")?)?;
//! session.play(&["(drop 4)", "noop"])?;
//! let agent = session.add_agent(&"uct + mast".parse()?, 1)?;
//! let every = Some(Duration::from_millis(10));
//! let settings = ludens::ThinkSettings { every, ..ludens::ThinkSettings::new(ludens::iterations(2000)) };
//! let mut n_reports = 0;
//! let analysis = session.think(agent, &settings, &mut |so_far| {
//!     n_reports += 1;
//!     println!("{} playouts, best {:?}", so_far.iterations, so_far.roles[1].best());
//!     ControlFlow::Continue(())
//! })?;
//! let best = analysis.roles[1].best().unwrap();
//! session.play(&["noop", best])?;
//! println!("{}", session.draw(ludens::Style::Plain)?);
//! # assert!(n_reports > 0 && session.turn() == 2);
//! # Ok::<(), ludens::Error>(())
//! ```
//!
//! [`lab`] has contests, experiments, analysis, players and hosts; [`catalog`] has the names of all games
//! and agents.

use std::sync::Arc;

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

pub use ludens_arena::clock::Allowance;
pub use ludens_board::{Grid, Style};
pub use ludens_catalog as catalog;
pub use ludens_catalog::AgentSpec;
pub use ludens_lab as lab;
pub use ludens_lab::{
    LoadSettings, MatchResult, MatchSettings, PreparedGame, Session, SessionError, Stop,
    ThinkSettings, analysis::Analysis,
};

use ludens_catalog::{Cache, LoadedSource, load_agent, load_source};

/// Any error of this crate, for callers that only report it.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// Loads the game that `spec` names: a name of the library, such as `hex(size=5)`, or a path.
pub fn load(spec: &str) -> Result<Arc<PreparedGame>, Error> {
    prepare(load_source(spec)?)
}

/// Loads a game from its rules.
pub fn load_text(name: &str, rules: &str) -> Result<Arc<PreparedGame>, Error> {
    prepare(LoadedSource::from_bytes(name, rules.as_bytes()))
}

fn prepare(source: LoadedSource) -> Result<Arc<PreparedGame>, Error> {
    let settings = LoadSettings::default();
    Ok(PreparedGame::from_source(source, &settings, &Cache::off(), &mut |_| {})?)
}

/// Plays one match: an agent for each role, such as `uct + mast`, in the order of the rules.
pub fn play(
    game: &PreparedGame,
    agents: &[&str],
    allowance: Allowance,
) -> Result<MatchResult, Error> {
    let agents = agents.iter().map(|text| load_agent(text)).collect::<Result<_, _>>()?;
    Ok(game.play_match(&MatchSettings::new(agents, allowance))?)
}

/// A limit of iterations per move.
pub fn iterations(iterations: u64) -> Allowance {
    Allowance::of_iterations(iterations)
}
