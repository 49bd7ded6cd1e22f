//! Matches and tournaments between agents, and what they prove.
//!
//! - [`schedule`]: who plays whom in which seat, with which seed.
//! - [`play`]: one game; wrong moves, panics and late answers are results.
//! - [`runner`]: many games on many threads, stopped and resumed at will.
//! - [`journal`] and [`export`]: games on disk; nothing else here does input or output.
//! - [`standing`] and [`stats`]: scores with intervals, Elo, sequential tests, ratings by rank.
//! - [`plot`]: pictures with error bars.
//!
//! ```
//! use std::collections::BTreeMap;
//! use std::sync::Arc;
//! use ludens_arena::clock::{Allowance, SystemClock};
//! use ludens_arena::play::Terms;
//! use ludens_arena::runner::{Crew, Run};
//! use ludens_arena::schedule::{Pairing, Plan};
//! use ludens_search::Flat;
//! use ludens_testkit::tree_game::TreeGame;
//!
//! let tree = "roles x o\nx a\n  o b = 100 0\n  o c = 0 100\nx d\n  o e = 50 50\n  o f = 100 0\n";
//! let game = Arc::new(TreeGame::parse(tree).unwrap());
//! let plan = Plan { n_agents: 2, roles: vec![2], pairing: Pairing::RoundRobin, games_per_meeting: 10, seed: 1 };
//! let run = Run {
//!     game: Arc::clone(&game),
//!     names: &["careful".into(), "careless".into()],
//!     slots: &plan.slots().unwrap(),
//!     terms: &Terms::new(Allowance::of_iterations(50)),
//!     workers: 2,
//!     games_per_worker: 1,
//!     sprt: None,
//!     lead: None,
//!     stop: Arc::default(),
//!     clock: &SystemClock,
//! };
//! let agents = |number: usize| -> Box<dyn ludens_search::Agent<TreeGame>> {
//!     Box::new(Flat::new(Arc::clone(&game), if number == 0 { 0.7 } else { 9.9 }, 0))
//! };
//! let report = run.play(&Crew::in_turn(&agents), &mut BTreeMap::new(), &mut ()).unwrap();
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
