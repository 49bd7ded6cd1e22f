//! A state on its board as plain data.

/// The arrangement of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topology {
    /// A rectangular grid.
    Square,
    /// Hexagons: every row is shifted by half a cell relative to the row above.
    Hex(Lean),
}

/// The direction of the shift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lean {
    /// Lower rows are shifted to the right.
    Right,
    /// Lower rows are shifted to the left.
    Left,
}

/// One cell of a board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// Its contents, bottom layer first; none if it is empty.
    pub contents: Vec<String>,
    /// Whether it is part of the board.
    pub exists: bool,
}

/// A line between two neighbouring cells, each as column from the left and row from the top.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Edge {
    /// One end.
    pub from: (usize, usize),
    /// The other end.
    pub to: (usize, usize),
}

impl Edge {
    /// Whether the ends are neighbours in a row or a column.
    pub(crate) fn joins_neighbours(&self) -> bool {
        self.from.0.abs_diff(self.to.0) + self.from.1.abs_diff(self.to.1) == 1
    }
}

/// A state on its board. Several boards are blocks of equal size in one grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grid {
    /// Number of columns.
    pub columns: usize,
    /// Number of rows.
    pub rows: usize,
    /// The cells, row by row from the top, each row from the left.
    pub cells: Vec<Cell>,
    /// The coordinate of each column, from the left.
    pub column_labels: Vec<String>,
    /// The coordinate of each row, from the top; empty text for a board of one row.
    pub row_labels: Vec<String>,
    /// Number of columns of a block.
    pub block_columns: usize,
    /// Number of rows of a block.
    pub block_rows: usize,
    /// Names of the columns of blocks, from the left; empty for a single one.
    pub across_labels: Vec<String>,
    /// Names of the rows of blocks, from the top; empty for a single one.
    pub down_labels: Vec<String>,
    /// The arrangement of cells.
    pub topology: Topology,
    /// Whether the first coordinate is the top row.
    pub rows_down: bool,
    /// Lines between cells.
    pub edges: Vec<Edge>,
    /// The meaning of the edges.
    pub edge_use: Edges,
}

/// The meaning of the edges of a grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edges {
    /// There are none.
    Never,
    /// They join cells.
    JoinCells,
    /// They join dots; the contents of a cell are drawn in the box between four dots, whose lowest
    /// coordinates are those of the cell.
    AroundBoxes,
}

impl Grid {
    /// The cell in a column, counted from the left, and a row, counted from the top.
    pub fn cell(&self, column: usize, row: usize) -> Option<&Cell> {
        if column < self.columns { self.cells.get(row * self.columns + column) } else { None }
    }
}
