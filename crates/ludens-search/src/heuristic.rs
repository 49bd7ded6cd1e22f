//! Evaluation functions that are made for a game before it begins, from its rules and a clock alone
//! (Mańdziuk and Świechowski 2012, "Generic heuristic approach to General Game Playing").
//!
//! | file | what it does |
//! |---|---|
//! | `rows.rs` | facts as rows of tables, and what can be counted of them |
//! | `select.rs` | finds what depends on the moves of players |
//! | `elements.rs` | counts it in states |
//! | `ledger.rs` | keeps what was counted in won and lost games; weights |
//! | `census.rs` | plays games and counts in them |
//! | `construct.rs` | makes the function within a budget |
//! | `function.rs` | the function |
//! | `agents.rs` | agents that play by it |

mod agents;
mod census;
mod construct;
mod elements;
mod function;
mod ledger;
mod rows;
mod select;

pub use agents::{Greedy, Guidance, Guided, HeuristicMinimax, Lesson};
pub use construct::Construction;
pub use elements::Counted;
pub use function::{Heuristic, HeuristicFunction, Term};
pub use ledger::Decided;
pub use rows::Object;

#[cfg(test)]
mod tests;
