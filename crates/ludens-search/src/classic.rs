//! Searches older than the Monte Carlo tree: whole games looked through to a depth or to the end,
//! and nested playouts for puzzles. Each is one file and stands on its own.
//!
//! | file | agent | for |
//! |---|---|---|
//! | `minimax.rs` | [`Minimax`] | two roles in turn: α–β with iterative deepening |
//! | `maxn.rs` | [`MaxN`] | any number of roles, also at the same time |
//! | `nested.rs` | [`Nested`] | one role: nested Monte Carlo search |
//! | `nrpa.rs` | [`Nrpa`] | one role: nested rollout policy adaptation |
//! | `solver.rs` | [`Solver`] | games so small that every state can be searched |
//!
//! What they share is below them: the evaluation at the depth limit (`value`), which outcome a
//! role prefers (`preference`), states as numbers (`fingerprint`), the budget as it is spent
//! (`meter`), the root (`root`), and the line of play that puzzles remember (`plan`).

mod fingerprint;
mod matrix;
mod maxn;
mod meter;
mod minimax;
mod nested;
mod nrpa;
mod openings;
mod plan;
mod preference;
mod root;
mod solver;
mod value;

pub use maxn::MaxN;
pub use minimax::Minimax;
pub use nested::Nested;
pub use nrpa::{Nrpa, NrpaOptions};
pub use root::Verdict;
pub use solver::{Solution, SolvedMove, Solver, Unsolved, solve};
pub use value::{EvenValue, PlayoutValue, StateValue};

#[cfg(test)]
mod brute;
#[cfg(test)]
mod testgames;
