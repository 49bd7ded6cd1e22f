//! Searches older than Monte Carlo tree search: depth-limited and exhaustive search, and nested
//! Monte Carlo search for puzzles. Each is one self-contained file.
//!
//! | file | agent | for |
//! |---|---|---|
//! | `minimax.rs` | [`Minimax`] | two roles that move in turn: α–β with iterative deepening |
//! | `maxn.rs` | [`MaxN`] | any number of roles, also with simultaneous moves |
//! | `nested.rs` | [`Nested`] | one role: nested Monte Carlo search |
//! | `nrpa.rs` | [`Nrpa`] | one role: nested rollout policy adaptation |
//! | `planner.rs` | [`Planner`] | one role: best-first search by novelty and nearness to the goal |
//! | `solver.rs` | [`Solver`] | games small enough to search every state |
//! | `outcome.rs` | [`OutcomeSearch`] | exact outcomes of moves, one or two roles: α–β with null windows |
//! | `forced.rs` | [`ForcedSearch`] | results that are forced within some moves: AND/OR search |
//! | `endgame.rs` | [`Endgame`] | any agent, made exact where the rest of the game can be searched |
//!
//! They share the evaluation at the depth limit (`value`), the preferences of roles (`preference`),
//! hashes of states (`fingerprint`), the count of work against the budget (`meter`), the root
//! (`root`), and for puzzles the root statistics (`root_stats`) and the best line (`plan`).

mod endgame;
mod fingerprint;
mod forced;
mod matrix;
mod maxn;
mod meter;
mod minimax;
mod nested;
mod nrpa;
mod outcome;
mod plan;
mod planner;
mod preference;
mod root;
mod root_stats;
mod solver;
mod value;

pub use endgame::Endgame;
pub use forced::{Forced, ForcedSearch, OutOfStates};
pub use maxn::MaxN;
pub use minimax::Minimax;
pub use nested::Nested;
pub use nrpa::{Nrpa, NrpaOptions};
pub use outcome::{OutcomeSearch, Outcomes};
pub use planner::Planner;
pub use root::Verdict;
pub use solver::{Solution, SolvedMove, Solver, Unsolved, solve};
pub use value::{EvenValue, PlayoutValue, StateValue};

#[cfg(test)]
mod brute;
#[cfg(test)]
mod testgames;
