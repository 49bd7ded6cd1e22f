//! Propositional networks: from rules to networks, and their evaluators.
//!
//! The stages: [`ground`] (the atoms that can hold, the rule instances that can fire), [`net`] (gates,
//! equal ones shared, constants folded), [`Network`] (the net with its names), and its evaluators
//! ([`Engine`]): [`Scalar`] one state at a time, [`lanes`] 256 at once, [`Mixed`] both. [`PropGame`]
//! is the game that they evaluate.

pub mod features;
pub mod ground;
pub mod lanes;
pub mod net;

mod bits;
mod circuit;
mod cover;
mod decisive;
mod engine;
mod game;
mod jit;
mod latch;
mod mixed;
mod names;
mod network;
mod passes;
mod program;
mod scalar;
mod select;
mod structure;

pub use bits::{Bits, ones};
pub use engine::Engine;
pub use features::MoveFeatures;
pub use game::PropGame;
pub use latch::{Latch, latches};
pub use mixed::Mixed;
pub use network::{Goal, Network};
pub use scalar::{Scalar, Scratch};
pub use structure::structure;
