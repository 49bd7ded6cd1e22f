//! A match in the terminal: what is shown, and what the user types.

mod listing;
mod screen;
mod terminal_match;
mod words;

pub use screen::Screen;
pub use terminal_match::{Agents, Settings, TerminalMatch};
