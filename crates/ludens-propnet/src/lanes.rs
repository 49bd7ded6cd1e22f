//! Bit-sliced simulation of 256 lanes: every signal is a plane of 256 bits, one bit for each lane.
//!
//! `LanePrograms` are the programs; an evaluator (`Interpreted`, or machine code) runs them; a
//! `LaneSimulator` runs playouts with it.

mod base;
mod batch;
mod census;
mod check;
mod engine;
mod exclusion;
mod interpret;
mod layout;
mod leaves;
mod payout;
mod plane;
mod play;
mod ply_counters;
mod policy;
mod programs;
mod random;
mod relay;
mod sample;
mod simulator;
mod stream;
mod supply;
mod task;
mod transpose;

pub use engine::{Compiled, LaneEngine};
pub(crate) use exclusion::{Literal, necessary};
pub use interpret::Interpreted;
pub use layout::Layout;
pub(crate) use plane::{LaneMemory, Plane};
pub use programs::{LanePrograms, Planned};
pub(crate) use sample::sample;
pub(crate) use simulator::LaneSimulator;
pub use task::Task;

pub use crate::program::{Gates, Program};

/// Evaluates 256 lanes at once, on any machine.
pub type Lanes = LaneEngine<Interpreted>;

/// Evaluates 256 lanes at once by machine code.
pub type Jit = LaneEngine<Compiled>;
