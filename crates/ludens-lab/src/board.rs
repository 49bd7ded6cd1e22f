//! Drawings of positions: on the detected board of the rules, or as lists of facts.

use std::time::Duration;

use ludens_board::{Grid, Layout, Style, draw_facts};
use ludens_catalog::LoadedGame;
use ludens_core::Budget;

use crate::survey::{Options, survey_game};

/// Limits of the random games that sample the contents of a board: number, length and time.
const SAMPLE_GAMES: u64 = 3;
const SAMPLE_PLIES: u32 = 200;
const SAMPLE_TIME: Duration = Duration::from_millis(500);

/// The board of a game, if it has one.
pub struct Board {
    layout: Option<Layout>,
}

impl Board {
    /// Detects the board of a game; a few random games sample its contents.
    pub fn detect(loaded: &LoadedGame) -> Self {
        let budget = Budget::unlimited().with_iterations(SAMPLE_GAMES).with_time(SAMPLE_TIME);
        let options = Options { max_plies: SAMPLE_PLIES, ..Options::default() };
        Board::of_samples(loaded, &survey_game(&loaded.game, options, &budget).samples)
    }

    /// Detects the board of a game, given some of its states.
    pub fn of_samples(loaded: &LoadedGame, samples: &[Vec<String>]) -> Self {
        Board { layout: Layout::detect(&loaded.rules, samples, loaded.source.hints()) }
    }

    /// A state as data.
    pub fn grid(&self, facts: &[String]) -> Option<Grid> {
        self.layout.as_ref().map(|layout| layout.grid(facts))
    }

    /// The cells that a move names, each as column from the left and row from the top.
    pub fn cells_of_move(&self, text: &str) -> Vec<(usize, usize)> {
        self.layout.as_ref().map_or(Vec::new(), |layout| layout.cells_of_term(text))
    }

    /// A state as text that ends with a line break; [`Style::Ansi`] marks changes.
    pub fn draw(&self, before: Option<&[String]>, facts: &[String], style: Style) -> String {
        let mut text = match &self.layout {
            Some(layout) => layout.draw_after(before, facts, style),
            None => draw_facts(facts),
        };
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }
}
