//! Tests of the tree search through its public interface.
//!
//! - `contract`: every tree policy with every playout policy on every kind of game.
//! - `textbook` and `adaptation`: the search and PPA against naive implementations of the papers.
//! - `batch`: the number of pending visits.
//! - `evaluators`: one loop for playouts, evaluation functions and priors and values as from a network.
//! - `heuristic`: agents with evaluation functions.
//! - `limit`: playouts with a length limit.
//! - `memory`: the memory limit is kept, and a full tree is still searched.
//! - `parallel`: several threads count every simulation exactly once.
//! - `proofs`: proven values against exhaustive search.
//! - `reuse`, `cycles`, `together`: tree reuse from move to move, rules with cycles, and many searches with
//!   one evaluator.
//! - `games`, `policies`, `thinker`, `print`: helpers for the others.

mod adaptation;
mod batch;
mod contract;
mod cycles;
mod evaluators;
mod games;
mod heuristic;
mod limit;
mod memory;
mod parallel;
mod policies;
mod print;
mod proofs;
mod reuse;
mod textbook;
mod thinker;
mod together;
