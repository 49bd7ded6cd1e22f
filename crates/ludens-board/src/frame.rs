//! The cells of a board, and the place of a fact among them.

use crate::coordinate::Coordinate;
use crate::grid::Topology;
use crate::layer::{Layer, Panel};

/// The cells of a board.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// Symbols of the columns of a block.
    pub columns: Vec<String>,
    /// Symbols of the rows of a block, the lowest coordinate first.
    pub rows: Vec<String>,
    /// Symbols of the blocks from the left; at least one.
    pub across: Vec<String>,
    /// Symbols of the blocks in the other direction; at least one.
    pub down: Vec<String>,
    /// Whether the lowest coordinate is at the top.
    pub rows_down: bool,
    /// The arrangement of cells.
    pub topology: Topology,
}

impl Frame {
    /// Columns of all blocks.
    pub fn width(&self) -> usize {
        self.columns.len() * self.across.len()
    }

    /// Rows of all blocks.
    pub fn height(&self) -> usize {
        self.rows.len() * self.down.len()
    }

    /// Column from the left and row from the top of a fact.
    pub fn place(&self, layer: &Layer, args: &[String]) -> Option<(usize, usize)> {
        let column = find(&self.columns, layer.x, args)?;
        let row = layer.y.map_or(Some(0), |y| find(&self.rows, y, args))?;
        let across = block(&self.across, layer.across, args)?;
        let down = block(&self.down, layer.down, args)?;
        let from_bottom = down * self.rows.len() + row;
        let height = self.height();
        let from_top = if self.rows_down { from_bottom } else { height - 1 - from_bottom };
        Some((across * self.columns.len() + column, from_top))
    }

    /// Column from the left and row from the top of two coordinates on a single board.
    pub fn at(&self, x: &str, y: &str) -> Option<(usize, usize)> {
        let column = self.columns.iter().position(|s| s == x)?;
        let row = self.rows.iter().position(|s| s == y)?;
        Some((column, if self.rows_down { row } else { self.rows.len() - 1 - row }))
    }

    /// Index of a fact's cell, row by row from the top.
    pub fn index(&self, layer: &Layer, args: &[String]) -> Option<usize> {
        self.place(layer, args).map(|(column, row)| row * self.width() + column)
    }

    /// Symbols of rows, from the top.
    pub fn downwards(&self, symbols: &[String]) -> Vec<String> {
        let mut symbols = symbols.to_vec();
        if !self.rows_down {
            symbols.reverse();
        }
        symbols
    }
}

fn find(symbols: &[String], coordinate: Coordinate, args: &[String]) -> Option<usize> {
    let symbol = coordinate.of(args)?;
    symbols.iter().position(|s| s == symbol)
}

fn block(symbols: &[String], panel: Panel, args: &[String]) -> Option<usize> {
    match panel {
        Panel::Fixed(at) => Some(at),
        Panel::Given(coordinate) => find(symbols, coordinate, args),
    }
}
