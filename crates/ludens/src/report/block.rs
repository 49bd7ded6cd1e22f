//! Lines at a terminal that are redrawn in place.

use std::io::{IsTerminal, Write};

/// A block on the error stream that is redrawn, and removed at the end. Without a terminal nothing is
/// written.
pub struct Block {
    is_visible: bool,
    /// The number of drawn lines.
    drawn: usize,
}

impl Block {
    /// A block without text; `silent` to draw nothing.
    pub fn new(silent: bool) -> Self {
        Block { is_visible: !silent && std::io::stderr().is_terminal(), drawn: 0 }
    }

    /// Whether anything is drawn.
    pub fn is_visible(&self) -> bool {
        self.is_visible
    }

    /// Replaces the text, in which each line has its end.
    pub fn show(&mut self, text: &str) {
        if self.is_visible {
            // Without line wrapping, since a second line would not be overwritten.
            write(&format!("{}\x1b[?7l{text}\x1b[?7h", self.wiped()));
            self.drawn = text.lines().count();
        }
    }

    /// Moves the cursor to the beginning of the block and clears everything below it.
    fn wiped(&self) -> String {
        match self.drawn {
            0 => String::new(),
            drawn => format!("\x1b[{drawn}A\r\x1b[J"),
        }
    }
}

fn write(text: &str) {
    let mut out = std::io::stderr().lock();
    // A block that cannot be drawn is not a failure of the command.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

impl Drop for Block {
    fn drop(&mut self) {
        if self.drawn > 0 {
            write(&self.wiped());
        }
    }
}
