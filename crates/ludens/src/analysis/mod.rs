//! What a search thinks of a position, for people and for programs.
//!
//! `position` goes from texts to a state, `study` lets an agent think about it, `insight` puts the report
//! into words. On top of them are the block that is seen while the computer thinks (`live`), and the
//! engine that answers queries, a JSON line each (`query`, `queue`, `engine`, `answer`, `shelf`).

mod answer;
mod engine;
mod insight;
mod live;
mod position;
mod query;
mod queue;
mod shelf;
mod slip;
mod study;
mod table;

pub use answer::{Answer, Wishes};
pub use engine::{Defaults, Engine};
pub use insight::{Insight, MoveInsight};
pub use live::Live;
pub use position::{Setup, Turn};
pub use query::Limits;
pub use shelf::{Shelf, Shelved};
pub use slip::Slip;
pub use study::Study;
pub use table::{tell, thoughts};
