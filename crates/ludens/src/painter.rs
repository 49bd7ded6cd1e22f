//! Draws states: on the board that the rules suggest, or as lists of facts.

use ludens_board::{Layout, Style, draw_facts};
use ludens_catalog::LoadedGame;

/// Draws states of one game.
pub struct Painter {
    layout: Option<Layout>,
    style: Style,
}

impl Painter {
    /// A painter that has seen some states of the game.
    pub fn new(loaded: &LoadedGame, samples: &[Vec<String>], coloured: bool) -> Self {
        let layout = Layout::detect(&loaded.rules, samples, loaded.source.hints());
        Painter { layout, style: if coloured { Style::Ansi } else { Style::Plain } }
    }

    /// The state as text that ends with a line break; what has changed is marked, if colours are
    /// seen.
    pub fn draw(&self, before: Option<&[String]>, facts: &[String]) -> String {
        let mut text = match &self.layout {
            Some(layout) => layout.draw_after(before, facts, self.style),
            None => draw_facts(facts),
        };
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }
}
