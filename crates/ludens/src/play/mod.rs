//! A match in the terminal: output and input.

mod listing;
mod screen;
mod terminal_match;
mod user_command;

pub use screen::Screen;
pub use terminal_match::{Agents, Settings, TerminalMatch};
