//! What is being done just now, for people who wait at a terminal.

use std::io::IsTerminal;

/// A line on the error stream that is written over again and again, if somebody can see it.
pub struct Progress {
    seen: bool,
}

impl Progress {
    /// Progress that is shown on a terminal only.
    pub fn new() -> Self {
        Progress { seen: std::io::stderr().is_terminal() }
    }

    /// Says what is being done.
    pub fn say(&self, what: &str) {
        if self.seen {
            eprint!("\r\x1b[K{what}");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.say("");
    }
}
