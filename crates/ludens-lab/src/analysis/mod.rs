//! The result of a search as plain data, and the engine that answers queries, one JSON line each.
//!
//! [`Analysis`] is the report of a search with names instead of numbers. The engine reads queries
//! (`query`), orders them by priority (`queue`), loads each game once (`games`), and writes answers
//! (`answer`).

mod answer;
mod engine;
mod games;
mod query;
mod queue;
mod report;

pub use answer::{Answer, AnswerOptions, per_second};
pub use engine::{Defaults, Engine};
pub use games::SharedGames;
pub(crate) use report::joint_names;
pub use report::{Analysis, MoveAnalysis, Names, RoleAnalysis, percent};
