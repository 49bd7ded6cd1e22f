//! A game in the terminal: who moves, what is shown, what the user types.

mod listing;
mod screen;
mod session;
mod words;

pub use session::{Agents, Session, Settings};
pub use words::plain;
