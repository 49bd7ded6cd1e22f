//! A state on its board as plain data, for whoever draws it.

/// How cells lie to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topology {
    /// Columns stand upright.
    Square,
    /// Hexagons: every row lies half a cell further to the given side than the row above it.
    Hex(Lean),
}

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lean {
    /// Lower rows lie further to the right.
    Right,
    /// Lower rows lie further to the left.
    Left,
}

/// One cell of a board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// What stands there, the ground first; nothing if the cell is empty.
    pub contents: Vec<String>,
    /// False for a place that is no part of the board.
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
    /// Whether the ends lie next to each other in a row or a column.
    pub(crate) fn joins_neighbours(&self) -> bool {
        self.from.0.abs_diff(self.to.0) + self.from.1.abs_diff(self.to.1) == 1
    }
}

/// A state on its board. Games with several boards have them side by side in one grid, in
/// blocks of equal size.
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
    /// What each column of blocks is called, from the left; empty for a single one.
    pub across_labels: Vec<String>,
    /// What each row of blocks is called, from the top; empty for a single one.
    pub down_labels: Vec<String>,
    /// How the cells lie to each other.
    pub topology: Topology,
    /// Whether the first coordinate is that of the uppermost row.
    pub rows_down: bool,
    /// Lines between cells.
    pub edges: Vec<Edge>,
    /// What these lines are.
    pub edge_use: Edges,
}

/// What the edges of a grid are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edges {
    /// There are none.
    Never,
    /// They join cells.
    JoinCells,
    /// They join dots; the contents of a cell stand in the box between four dots, of which the
    /// cell is the one with the lowest coordinates.
    AroundBoxes,
}

impl Grid {
    /// The cell in a column, counted from the left, and a row, counted from the top.
    pub fn cell(&self, column: usize, row: usize) -> Option<&Cell> {
        if column < self.columns { self.cells.get(row * self.columns + column) } else { None }
    }
}
