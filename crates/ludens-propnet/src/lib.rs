//! Rules to propositional networks, and networks evaluated.
//!
//! The stages: `ground` (which atoms can hold, which instances of rules can fire), `net` (gates,
//! equal ones shared, constants folded), `scalar` (one state at a time), `game` (the questions of
//! play).

pub mod ground;
pub mod net;
pub mod scalar;

mod game;

pub use game::{Bits, ScalarGame};
