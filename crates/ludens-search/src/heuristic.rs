//! Evaluation functions that are constructed before a match from the rules and the start clock alone
//! (Mańdziuk and Świechowski 2012, "Generic heuristic approach to General Game Playing").
//!
//! | file | what it does |
//! |---|---|
//! | `rows.rs` | facts as rows of tables, and the objects that can be counted |
//! | `select.rs` | selects the objects that depend on moves |
//! | `elements.rs` | counts the selected elements in states |
//! | `ledger.rs` | statistics of won and lost games; weights |
//! | `census.rs` | playouts whose states are counted |
//! | `construct.rs` | constructs the function within a budget |
//! | `function.rs` | the evaluation function |
//! | `agents.rs` | agents that use it |

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
