//! The reference reasoner: complete GDL, evaluated on the rules without grounding.
//!
//! Faster reasoners are tested against it, and it runs games that cannot be grounded. Evaluation is
//! goal-directed, so that only the needed answers are computed of auxiliary relations that are huge or
//! infinite.
//!
//! Stages, one module each: `knowledge` (static relations), `order` and `planner` (rules to plans),
//! `machine` (evaluation of plans with tabling), `game` (the queries of play).

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
