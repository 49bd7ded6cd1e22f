//! Matches and tournaments between agents, and the statistics of their results.
//!
//! - [`schedule`]: which agents play in which seats, with which seeds.
//! - [`play`]: one game; illegal moves, panics and late answers are results.
//! - [`runner`]: many games on many threads; can be interrupted and resumed at any time.
//! - [`record`]: the record of a game.
//! - [`journal`] and [`export`]: games on disk. No other module does I/O.
//! - [`standing`] and [`stats`]: scores with intervals, Elo, sequential tests, ratings from ranks.
//! - [`plot`]: plots with error bars.
//!
//! A *game* here is one game played, from its initial state to its end; a *match* or *tournament* is
//! a schedule of games.
//!
//! ```
//! use std::collections::BTreeMap;
//! use std::sync::Arc;
//! use ludens_arena::clock::{Allowance, SystemClock};
//! use ludens_arena::play::Terms;
//! use ludens_arena::runner::{AgentRunner, Scheduler};
//! use ludens_arena::schedule::{Pairing, Plan};
//! use ludens_search::{Agent, Flat};
//! use ludens_testkit::tree_game::TreeGame;
//!
//! let tree = "roles x o\nx a\n  o b = 100 0\n  o c = 0 100\nx d\n  o e = 50 50\n  o f = 100 0\n";
//! let game = Arc::new(TreeGame::parse(tree).unwrap());
//! let plan = Plan { n_agents: 2, roles: vec![2], pairing: Pairing::RoundRobin, games_per_meeting: 10, seed: 1 };
//! let scheduler = Scheduler {
//!     names: &["careful".into(), "careless".into()],
//!     slots: &plan.slots().unwrap(),
//!     workers: 2,
//!     sprt: None,
//!     lead: None,
//!     stop: Arc::default(),
//! };
//! let agents = |number: usize| -> Box<dyn Agent<TreeGame>> {
//!     Box::new(Flat::new(Arc::clone(&game), if number == 0 { 0.7 } else { 9.9 }, 0))
//! };
//! let terms = Terms::new(Allowance::of_iterations(50));
//! let runner = AgentRunner::in_turn(Arc::clone(&game), &terms, &agents, &SystemClock);
//! let report = runner.run(&scheduler, &mut BTreeMap::new(), &mut ()).unwrap();
//! assert_eq!((report.played, report.board.standing().games), (10, 10));
//! ```

pub mod clock;
pub mod export;
mod fingerprint;
pub mod journal;
pub mod play;
pub mod plot;
pub mod record;
pub mod runner;
pub mod schedule;
pub mod standing;
pub mod stats;
