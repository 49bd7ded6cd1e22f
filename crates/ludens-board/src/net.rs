//! Drawings of cells or dots joined by edges.

use crate::grid::{Edge, Edges};
use crate::sheet::{Sheet, longest};

/// Widths on the screen.
struct Net {
    /// Width of a cell or dot.
    node: usize,
    /// Width of the gap between two of them.
    gap: usize,
    /// Whether contents are drawn between dots.
    boxes: bool,
}

impl Sheet<'_> {
    /// The lines of a grid with edges: nodes in every second line and column.
    pub fn net(&self) -> Vec<String> {
        let boxes = self.grid.edge_use == Edges::AroundBoxes;
        let label = longest(&self.grid.column_labels);
        let net = Net {
            node: if boxes { label } else { label.max(self.cell) }.max(1),
            gap: if boxes { self.cell + 2 } else { 3 },
            boxes,
        };
        let mut lines = Vec::new();
        for row in 0..self.grid.rows {
            lines.push(self.joined(row, &net));
            if row + 1 < self.grid.rows {
                lines.push(self.between(row, &net));
            }
        }
        let gap = " ".repeat(net.gap);
        let labels = self.grid.column_labels.iter().map(|label| format!("{label:>0$}", net.node));
        let labels = format!("{:1$} {2}", "", self.margin, labels.collect::<Vec<_>>().join(&gap));
        lines.insert(if self.grid.rows_down { 0 } else { lines.len() }, labels);
        lines
    }

    /// A row of cells or dots and the edges between them.
    fn joined(&self, row: usize, net: &Net) -> String {
        let mut line = format!("{:>1$} ", self.grid.row_labels[row], self.margin);
        for column in 0..self.grid.columns {
            let before = column > 0 && self.has((column - 1, row), (column, row));
            let (written, width) = if net.boxes { ("+", 1) } else { self.text(column, row) };
            let gap = if column > 0 { net.gap } else { 0 };
            let blank = gap + net.node.saturating_sub(width);
            line += &if before { "─" } else { " " }.repeat(blank);
            line += written;
        }
        line
    }

    /// The edges from a row to the next one, and the contents of the boxes.
    fn between(&self, row: usize, net: &Net) -> String {
        let named = if self.grid.rows_down { row } else { row + 1 };
        let mut line = " ".repeat(self.margin + 1);
        for column in 0..self.grid.columns {
            let edge = if self.has((column, row), (column, row + 1)) { "│" } else { " " };
            line += &" ".repeat(net.node - 1);
            line += edge;
            let filled =
                self.grid.cell(column, named).is_some_and(|cell| !cell.contents.is_empty());
            let (written, width) =
                if net.boxes && filled { self.text(column, named) } else { ("", 0) };
            let left = (net.gap - width.min(net.gap)) / 2;
            let right = net.gap.saturating_sub(left + width);
            line.extend([&" ".repeat(left), written, &" ".repeat(right)]);
        }
        line
    }

    fn has(&self, a: (usize, usize), b: (usize, usize)) -> bool {
        let edges = &self.grid.edges;
        edges.contains(&Edge { from: a, to: b }) || edges.contains(&Edge { from: b, to: a })
    }
}
