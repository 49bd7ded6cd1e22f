//! Layout of a drawing as lines of text, with labels and frames.

use std::ops::Range;

use crate::draw::Text;
use crate::grid::{Grid, Lean};

/// The preferred maximum width of a drawing.
const MAX_WIDTH: usize = 78;

/// Labels up to this length widen their columns.
const SHORT_LABEL: usize = 4;

/// A grid with the texts of its cells.
pub(crate) struct Sheet<'a> {
    /// The grid.
    pub grid: &'a Grid,
    texts: Vec<Text>,
    /// Width of a cell.
    pub cell: usize,
    /// Width of the row labels.
    pub margin: usize,
    /// Width of the labels for rows of blocks.
    outer: usize,
    /// Whether column labels are written vertically.
    upright: bool,
}

impl<'a> Sheet<'a> {
    /// Measures a grid; there is a text for each of its cells.
    pub fn new(grid: &'a Grid, texts: Vec<Text>) -> Self {
        let widest = texts.iter().map(|text| text.width).max().unwrap_or(1);
        let label = longest(&grid.column_labels);
        let (margin, outer) = (longest(&grid.row_labels), longest(&grid.down_labels));
        let columns = if grid.down_labels.is_empty() { grid.block_columns } else { grid.columns };
        let width = margin + outer + 4 + columns * (label + 1);
        let limit = if label <= SHORT_LABEL { MAX_WIDTH } else { MAX_WIDTH * 2 / 3 };
        let upright = label > widest && width > limit;
        let name = longest(&grid.across_labels).saturating_sub(1);
        let name = name.div_ceil(grid.block_columns.max(1));
        let cell = if upright { widest } else { widest.max(label) }.max(name.saturating_sub(1));
        Sheet { grid, texts, cell, margin, outer, upright }
    }

    /// The lines of a rectangular grid; blocks that do not fit side by side are stacked.
    pub fn square(&self) -> Vec<String> {
        let blocks = self.grid.columns / self.grid.block_columns.max(1);
        let fitting = MAX_WIDTH.saturating_sub(self.left() + 2) / (self.block_width() + 1);
        let band =
            if self.grid.down_labels.is_empty() { fitting.clamp(1, blocks.max(1)) } else { blocks };
        let starts = (0..blocks).step_by(band.max(1));
        starts.flat_map(|start| self.band(start..(start + band).min(blocks))).collect()
    }

    /// Several blocks side by side.
    fn band(&self, blocks: Range<usize>) -> Vec<String> {
        let mut lines = Vec::new();
        for row in 0..self.grid.rows {
            if row % self.grid.block_rows == 0 {
                let corners = if row == 0 { ["┌", "┬", "┐"] } else { ["├", "┼", "┤"] };
                lines.push(self.rule(blocks.len(), corners));
            }
            lines.push(self.row(row, &blocks));
        }
        lines.push(self.rule(blocks.len(), ["└", "┴", "┘"]));
        let mut labels = self.column_labels(&blocks);
        if self.grid.rows_down {
            labels.reverse();
            return labels.into_iter().flatten().chain(lines).collect();
        }
        lines.extend(labels.into_iter().flatten());
        lines
    }

    fn row(&self, row: usize, blocks: &Range<usize>) -> String {
        let mut line = self.row_label(row);
        for block in blocks.clone() {
            line.push_str(" │");
            for column in self.columns(block) {
                line.push_str(&self.padded(row * self.grid.columns + column, self.cell + 1));
            }
        }
        line + " │"
    }

    fn columns(&self, block: usize) -> Range<usize> {
        block * self.grid.block_columns..(block + 1) * self.grid.block_columns
    }

    /// The label of a row, with that of the block at its middle row.
    fn row_label(&self, row: usize) -> String {
        let (block, inside) = (row / self.grid.block_rows, row % self.grid.block_rows);
        let middle = inside == self.grid.block_rows / 2;
        let name = self.grid.down_labels.get(block).filter(|_| middle).map_or("", String::as_str);
        let gap = if self.outer > 0 { " " } else { "" };
        format!("{name:>0$}{gap}{1:>2$}", self.outer, self.grid.row_labels[row], self.margin)
    }

    fn padded(&self, at: usize, width: usize) -> String {
        let text = &self.texts[at];
        format!("{:1$}{2}", "", width.saturating_sub(text.width), text.written)
    }

    /// The text of a cell and its width.
    pub fn text(&self, column: usize, row: usize) -> (&str, usize) {
        let text = &self.texts[row * self.grid.columns + column];
        (&text.written, text.width)
    }

    fn left(&self) -> usize {
        self.margin + self.outer + usize::from(self.outer > 0)
    }

    fn block_width(&self) -> usize {
        self.grid.block_columns * (self.cell + 1) + 1
    }

    fn rule(&self, blocks: usize, [start, middle, end]: [&str; 3]) -> String {
        let dashes = vec!["─".repeat(self.block_width()); blocks].join(middle);
        format!("{:1$} {start}{dashes}{end}", "", self.left())
    }

    /// The labels of the columns, then those of the blocks, as lines.
    fn column_labels(&self, blocks: &Range<usize>) -> Vec<Vec<String>> {
        let lines = if self.upright { longest(&self.grid.column_labels) } else { 1 };
        let columns = (0..lines).map(|line| self.label_line(line, blocks)).collect();
        vec![columns, self.block_names(blocks).into_iter().collect()]
    }

    fn label_line(&self, line: usize, blocks: &Range<usize>) -> String {
        let mut out = " ".repeat(self.left());
        for block in blocks.clone() {
            out.push_str("  ");
            for label in &self.grid.column_labels[self.columns(block)] {
                let letter = label.chars().nth(line).map(String::from).unwrap_or_default();
                let shown = if self.upright { &letter } else { label };
                let blank = (self.cell + 1).saturating_sub(shown.chars().count());
                out += &" ".repeat(blank);
                out += shown;
            }
        }
        out
    }

    fn block_names(&self, blocks: &Range<usize>) -> Option<String> {
        let names = self.grid.across_labels.get(blocks.clone())?;
        let width = self.block_width();
        let centred: Vec<String> = names.iter().map(|name| format!("{name:^width$}")).collect();
        Some(format!("{:1$}  {2}", "", self.left(), centred.join(" ")))
    }

    /// The lines of a hexagonal grid: every row is shifted by half a cell.
    pub fn hex(&self, lean: Lean) -> Vec<String> {
        let pitch = (self.cell + 1).next_multiple_of(2);
        let last = self.grid.rows.saturating_sub(1);
        let mut lines = Vec::new();
        for row in 0..self.grid.rows {
            let indent = if lean == Lean::Right { row } else { last - row } * (pitch / 2);
            let mut line = format!("{:indent$}{:>2$}", "", self.grid.row_labels[row], self.margin);
            for column in 0..self.grid.columns {
                line.push_str(&self.padded(row * self.grid.columns + column, pitch));
            }
            lines.push(line);
        }
        let labels = self.hex_labels(lean, pitch);
        lines.insert(if self.grid.rows_down { 0 } else { lines.len() }, labels);
        lines
    }

    /// The column labels, which continue the slant of the columns.
    fn hex_labels(&self, lean: Lean, pitch: usize) -> String {
        let half = pitch / 2;
        let towards = (lean == Lean::Right) != self.grid.rows_down;
        let indent = if towards {
            self.grid.rows * half + self.margin
        } else {
            self.margin.saturating_sub(half)
        };
        let labels = self.grid.column_labels.iter().map(|label| format!("{label:>pitch$}"));
        " ".repeat(indent) + &labels.collect::<String>()
    }
}

/// The length of the longest label.
pub(crate) fn longest(labels: &[String]) -> usize {
    labels.iter().map(|label| label.chars().count()).max().unwrap_or(0)
}
