//! Grids as text.

use crate::glyph::{EMPTY, Glyphs};
use crate::grid::{Cell, Edges, Grid, Topology};
use crate::legend::legend;
use crate::paint::{Ink, paint};
use crate::sheet::Sheet;

/// How text is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Characters only.
    Plain,
    /// Colours of a terminal; cells that changed are reversed.
    Ansi,
}

/// Maximum number of contents drawn per cell.
const MAX_CONTENTS: usize = 4;

/// A cell as text.
pub(crate) struct Text {
    /// Its width on the screen.
    pub width: usize,
    /// Its characters, with colour codes.
    pub written: String,
}

/// Draws a grid and its legend.
pub(crate) fn draw_grid(
    grid: &Grid,
    glyphs: &Glyphs,
    changed: &dyn Fn(usize) -> bool,
    style: Style,
) -> String {
    let texts = grid.cells.iter().enumerate();
    let texts: Vec<Text> =
        texts.map(|(at, cell)| cell_text(cell, glyphs, changed(at), style)).collect();
    let sheet = Sheet::new(grid, texts);
    let mut lines = match grid.topology {
        Topology::Square if grid.edge_use != Edges::Never => sheet.net(),
        Topology::Square => sheet.square(),
        Topology::Hex(lean) => sheet.hex(lean),
    };
    lines.extend(legend(grid, glyphs, style));
    lines.iter().flat_map(|line| [line.trim_end(), "\n"]).collect()
}

fn cell_text(cell: &Cell, glyphs: &Glyphs, changed: bool, style: Style) -> Text {
    let mut text = Text { width: 0, written: String::new() };
    let mut add = |sign: &str, ink: Ink| {
        text.width += sign.chars().count();
        text.written.push_str(&paint(sign, ink, changed, style));
    };
    for content in cell.contents.iter().take(MAX_CONTENTS) {
        add(glyphs.sign(content), Ink::of(content, glyphs));
    }
    if cell.contents.len() > MAX_CONTENTS {
        add("+", Ink::Default);
    }
    if cell.contents.is_empty() {
        add(if cell.exists { EMPTY } else { " " }, Ink::Dim);
    }
    text
}
