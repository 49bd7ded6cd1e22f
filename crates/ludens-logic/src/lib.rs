//! The reference reasoner: complete GDL, evaluated on the rules themselves.
//!
//! Faster reasoners are checked against it, and it runs games that cannot be grounded. Evaluation
//! is goal-directed, so that helper relations that would be huge or infinite if written out are
//! only asked for the answers that a rule needs.
//!
//! Stages, one module each: `knowledge` (facts, and what follows from facts alone), `order` and
//! `planner` (rules to plans), `machine` (plans run with tables), `game` (the questions of play).

mod explain;
mod game;
mod halt;
mod hash;
mod knowledge;
mod machine;
mod order;
mod plan;
mod planner;
mod relation;
mod state;
mod statistics;
mod store;
mod table;

pub use game::{Limits, LogicGame, State};
pub use knowledge::Statics;

/// Ground terms as small numbers.
pub mod terms {
    pub use crate::hash::hash;
    pub use crate::planner::ground_value;
    pub use crate::store::{Functor, Store, Value};
}
