//! The application as a library, for the command line, a server and other languages.
//!
//! It prints nothing, parses no arguments, and touches neither signals nor the panic hook.

mod loads;
mod player;
pub mod speed;
pub mod survey;

pub use loads::Loads;
pub use player::{AgentPlayer, Preparation};
