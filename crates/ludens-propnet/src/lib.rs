//! Rules to propositional networks, and networks evaluated.
//!
//! The stages: `ground` (which atoms can hold, which instances of rules can fire), `net` (gates,
//! equal ones shared, constants folded), `network` (the net with its names), `scalar` (one state
//! at a time), `game` (the questions of play).

pub mod engine;
pub mod ground;
pub mod net;
pub mod network;
pub mod scalar;

mod game;
mod names;

pub use game::{Bits, PropGame};
pub use network::Network;
pub use scalar::Scalar;

/// A ground game that is evaluated one state at a time.
pub type ScalarGame = PropGame<Scalar>;
