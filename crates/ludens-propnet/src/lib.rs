//! Rules to propositional networks, and networks evaluated.
//!
//! The stages: `ground` (which atoms can hold, which instances of rules can fire), `net` (gates,
//! equal ones shared, constants folded), `network` (the net with its names), `scalar` (one state
//! at a time), `game` (the questions of play).

pub mod any;
pub mod circuit;
pub mod cover;
pub mod engine;
pub mod features;
pub mod ground;
pub mod jit;
pub mod lanes;
pub mod latch;
pub mod mixed;
pub mod net;
pub mod network;
pub mod passes;
pub mod program;
pub mod scalar;
pub mod select;

mod bits;
mod game;
mod names;

pub use any::AnyEngine;
pub use bits::Bits;
pub use features::MoveFeatures;
pub use game::PropGame;
pub use lanes::LaneEngine;
pub use mixed::Mixed;
pub use network::Network;
pub use scalar::Scalar;

/// A ground game whose evaluator was chosen at run time.
pub type GroundGame = PropGame<AnyEngine>;

/// A ground game that is evaluated one state at a time.
pub type ScalarGame = PropGame<Scalar>;

/// Evaluates 256 lanes at once, on any machine.
pub type Lanes = LaneEngine<lanes::Interpreted>;

/// Evaluates 256 lanes at once by machine code.
pub type Jit = LaneEngine<lanes::Compiled>;

/// A ground game that is evaluated 256 lanes at once.
pub type LanesGame = PropGame<Lanes>;

/// A ground game that is evaluated 256 lanes at once by machine code.
pub type JitGame = PropGame<Jit>;

/// A ground game that is evaluated one state at a time, but 256 at once in playouts.
pub type MixedGame = PropGame<Mixed>;
