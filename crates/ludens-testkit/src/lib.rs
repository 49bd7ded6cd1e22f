//! Tools that check games, reasoners and searches.
//!
//! - [`contract`]: the contract of every game, checked on random playouts.
//! - [`lockstep`]: two reasoners on the same random playouts, compared in full sets.
//! - [`same_states`]: two evaluators of the same states, one or many at a time, bit by bit.
//! - [`sampling`], [`exact`] and [`choice_rules`]: playouts compared with exact probabilities, and
//!   rules of games whose payoffs reveal the moves made.
//! - [`perft`]: counts of paths, with their payoffs.
//! - [`playthrough`], [`golden`] and [`library`]: human-readable golden files.
//! - [`naive`] and [`random_rules`]: a minimal evaluator as an oracle, and random rules to test with.
//! - [`hash_game`] and [`tree_game`]: games for testing searches.
//! - [`chi_square`] and [`z_test`]: statistics with a stated rate of false alarms.
//! - [`fuzz`]: fuzzing with hostile texts.
//!
//! ```
//! use std::sync::Arc;
//! use ludens_testkit::{contract, tree_game::TreeGame};
//!
//! let tree = "roles x o\n\
//!             x left\n\
//!             \x20 o in = 100 0\n\
//!             \x20 o out = 0 100\n\
//!             x right = 50 50\n";
//! let game = Arc::new(TreeGame::parse(tree).unwrap());
//! let report = contract::check_game(&game, &contract::Options::default()).unwrap();
//! assert_eq!(report.longest, 2);
//! ```

pub mod chi_square;
pub mod choice_rules;
pub mod contract;
pub mod exact;
pub mod fuzz;
pub mod golden;
pub mod hash_game;
pub mod library;
pub mod lockstep;
pub mod naive;
pub mod perft;
pub mod playthrough;
pub mod random_rules;
pub mod same_states;
pub mod sampling;
pub mod tree_game;
pub mod z_test;
