//! Square boards of up to 64 cells: cell `x, y` is the bit `y * size + x` of a word, from 0.

use crate::text::number;

/// A square board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Square {
    /// Side length, at most 8.
    pub size: u32,
    /// All cells.
    pub all: u64,
    /// The cells of the first column.
    pub first_column: u64,
}

impl Square {
    /// A board with a side length from 1 to 8.
    pub fn new(size: u32) -> Self {
        debug_assert!((1..=8).contains(&size), "boards have up to 64 cells");
        let all = u64::MAX >> (64 - size * size);
        let first_column = (0..size).map(|y| 1 << (y * size)).sum();
        Square { size, all, first_column }
    }

    /// The number of cells.
    pub fn n_cells(&self) -> u32 {
        self.size * self.size
    }

    /// The cells of a row.
    pub fn row(&self, y: u32) -> u64 {
        (u64::MAX >> (64 - self.size)) << (y * self.size)
    }

    /// The cells of the last column.
    pub fn last_column(&self) -> u64 {
        self.first_column << (self.size - 1)
    }

    /// Column and row of a cell, from 0.
    pub fn place(&self, cell: u32) -> (u32, u32) {
        (cell % self.size, cell / self.size)
    }

    /// Column and row of a cell as the rules of the library write them, from 1.
    pub fn name(&self, cell: u32) -> String {
        let (x, y) = self.place(cell);
        format!("{} {}", x + 1, y + 1)
    }

    /// The cell with these coordinates, written from 1.
    pub fn parse(&self, x: &str, y: &str) -> Option<u32> {
        let coordinate = |word| number(word)?.checked_sub(1).filter(|&c| c < self.size);
        Some(coordinate(y)? * self.size + coordinate(x)?)
    }
}
