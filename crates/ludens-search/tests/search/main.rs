//! What shows that the tree search is right, seen from outside.
//!
//! - `contract`: every tree policy with every playout policy on every kind of game.
//! - `textbook` and `adaptation`: the search and PPA against naive implementations of the papers.
//! - `batch`: how many visits are under way.
//! - `evaluators`: one loop for playouts, evaluation functions and what a network would say.
//! - `limit`: playouts that are cut.
//! - `memory`: the limit in bytes is kept, and the search goes on.
//! - `parallel`: several threads lose and double nothing.
//! - `proofs`: what the solver settles, against exhaustive search.
//! - `reuse`, `cycles`, `together`: what is kept from move to move, rules that lead back, and many
//!   searches with one evaluator.
//! - `games`, `policies`, `thinker`, `print`: what the others have in common.

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
