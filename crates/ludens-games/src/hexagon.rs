//! Hexagonal boards of hexagonal cells. Coordinates are axial: the neighbours of `x, y` are at
//! `+1, 0`, at `0, +1`, at `-1, +1` and opposite. Cells are numbered row by row, without gaps.

use crate::text::number;

/// Offsets of the six neighbours of a cell, in circular order.
const AROUND: [(i32, i32); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// A cell of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Column and row, from 0.
    pub place: (u32, u32),
    /// The neighbours in circular order; off the board, the number of cells.
    pub around: [u16; 6],
    /// Its edges and corners, see [`Marks`].
    pub marks: Marks,
}

/// A set of edges and corners of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Marks(u16);

impl Marks {
    /// The marks of a cell at these sides of the board: a cell at two sides is a corner and belongs to
    /// no edge.
    fn of_sides(sides: u16) -> Self {
        let is_corner = sides & sides.wrapping_sub(1) != 0;
        // A corner between two sides has the number of the lower one; that between the first and the
        // last side has the number of the last.
        let corner = if sides == 0b10_0001 { 1 << 5 } else { sides & sides.wrapping_neg() };
        Marks(if is_corner { corner << 6 } else { sides })
    }

    /// The union of both.
    #[must_use]
    #[inline]
    pub fn and(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there are two corners or three edges.
    #[inline]
    pub fn are_linked(self) -> bool {
        let without_lowest = |set: u16| set & set.wrapping_sub(1);
        let (edges, corners) = (self.0 & 0x3f, self.0 >> 6);
        without_lowest(corners) != 0 || without_lowest(without_lowest(edges)) != 0
    }
}

/// A board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hexagon {
    /// Cells along one side.
    pub size: u32,
    /// All cells by number.
    pub cells: Vec<Cell>,
    /// The number of each place, row by row, including places without a cell.
    numbers: Vec<Option<u16>>,
}

impl Hexagon {
    /// The board with `size` cells along one side.
    pub fn new(size: u32) -> Self {
        let mut board = Hexagon { size, cells: Vec::new(), numbers: Vec::new() };
        let width = 2 * size - 1;
        let is_cell = |x: u32, y: u32| (size - 1..=3 * size - 3).contains(&(x + y));
        let places: Vec<_> = (0..width).flat_map(|y| (0..width).map(move |x| (x, y))).collect();
        let mut n_cells = 0;
        for &(x, y) in &places {
            board.numbers.push(is_cell(x, y).then_some(n_cells));
            n_cells += u16::from(is_cell(x, y));
        }
        let cell = |&place: &(u32, u32)| board.cell(place, n_cells);
        board.cells = places.iter().filter(|(x, y)| is_cell(*x, *y)).map(cell).collect();
        board
    }

    fn cell(&self, (x, y): (u32, u32), n_cells: u16) -> Cell {
        let moved = |(right, down): (i32, i32)| {
            self.number(x.checked_add_signed(right)?, y.checked_add_signed(down)?)
        };
        let last = 2 * self.size - 2;
        // The six sides in circular order.
        let sides = [
            y == 0,
            x == last,
            x + y == 3 * self.size - 3,
            y == last,
            x == 0,
            x + y == self.size - 1,
        ];
        let sides = sides.iter().rev().fold(0, |set, &at| set << 1 | u16::from(at));
        let around = AROUND.map(|step| moved(step).unwrap_or(n_cells));
        Cell { place: (x, y), around, marks: Marks::of_sides(sides) }
    }

    fn number(&self, x: u32, y: u32) -> Option<u16> {
        let width = 2 * self.size - 1;
        if x < width && y < width { self.numbers[(y * width + x) as usize] } else { None }
    }

    /// The number of cells.
    pub fn n_cells(&self) -> usize {
        self.cells.len()
    }

    /// Column and row of a cell as the rules of the library write them, from 1.
    pub fn name(&self, cell: usize) -> String {
        let (x, y) = self.cells[cell].place;
        format!("{} {}", x + 1, y + 1)
    }

    /// The cell with these coordinates, written from 1.
    pub fn parse(&self, x: &str, y: &str) -> Option<usize> {
        let coordinate = |word| number(word)?.checked_sub(1);
        self.number(coordinate(x)?, coordinate(y)?).map(usize::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_has_six_corners_and_six_edges() {
        for size in 2..=15 {
            let board = Hexagon::new(size);
            assert_eq!(board.n_cells() as u32, 3 * size * (size - 1) + 1);
            for bit in 0..12 {
                let marked = board.cells.iter().filter(|cell| cell.marks.0 == 1 << bit).count();
                assert_eq!(marked as u32, if bit < 6 { size - 2 } else { 1 }, "{size} {bit}");
            }
            let marked = board.cells.iter().filter(|cell| !cell.marks.is_empty()).count();
            assert_eq!(marked as u32, 6 * (size - 1));
        }
    }

    #[test]
    fn neighbours_are_mutual_and_in_circular_order() {
        let board = Hexagon::new(5);
        for (number, cell) in board.cells.iter().enumerate() {
            for (at, &other) in cell.around.iter().enumerate() {
                let Some(other) = board.cells.get(usize::from(other)) else { continue };
                assert_eq!(usize::from(other.around[(at + 3) % 6]), number);
                // The next one around the cell is a neighbour of this one, too.
                assert_eq!(other.around[(at + 2) % 6], cell.around[(at + 1) % 6]);
            }
        }
    }
}
