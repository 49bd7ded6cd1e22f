//! 256 games at once: every signal is a plane of 256 bits, one bit for each game.
//!
//! `LanePrograms` are what must be computed; an evaluator (`Interpreted`, or machine code) computes
//! it; a `LaneSimulator` plays with it.

mod ages;
mod base;
mod census;
mod check;
mod engine;
mod exclusion;
mod interpret;
mod leaves;
mod payout;
mod plane;
mod play;
mod policy;
mod programs;
mod random;
mod relay;
mod sample;
mod simulator;
mod stream;
mod successors;
mod supply;
mod transpose;

pub use check::check_steps;
pub use engine::{Code, Compiled, LaneEngine};
pub use interpret::Interpreted;
pub use leaves::{Leaves, Shared, When};
pub use plane::{LaneMemory, Plane};
pub use programs::{LanePrograms, Layout, Planned, Task};
pub use simulator::LaneSimulator;
pub(crate) use successors::Expansion;
pub use successors::{Played, Successors};
