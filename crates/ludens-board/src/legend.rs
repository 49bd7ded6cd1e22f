//! The legend of a drawing.

use std::collections::BTreeSet;

use crate::draw::Style;
use crate::glyph::{EMPTY, Glyphs};
use crate::grid::Grid;
use crate::paint::{Ink, paint};

/// The maximum line width.
const WIDTH: usize = 78;

/// The legend of the signs on the grid that are not self-explanatory.
pub(crate) fn legend(grid: &Grid, glyphs: &Glyphs, style: Style) -> Vec<String> {
    let contents: BTreeSet<&String> = grid.cells.iter().flat_map(|cell| &cell.contents).collect();
    let mut lines: Vec<String> = Vec::new();
    let mut room = 0;
    let mut add = |sign: &str, ink: Ink, meaning: &str| {
        let width = sign.chars().count() + meaning.chars().count() + 3;
        if width > room {
            lines.push(String::new());
            room = WIDTH;
        }
        room -= width.min(room);
        if let Some(line) = lines.last_mut() {
            let gap = if line.is_empty() { "" } else { "  " };
            *line = format!("{line}{gap}{} {meaning}", paint(sign, ink, false, style));
        }
    };
    if grid.cells.iter().any(|cell| cell.exists && cell.contents.is_empty()) {
        for name in &glyphs.empty {
            add(EMPTY, Ink::Dim, name);
        }
    }
    for content in contents {
        let sign = glyphs.sign(content);
        if sign != content {
            add(sign, Ink::of(content, glyphs), content);
        }
    }
    lines
}
