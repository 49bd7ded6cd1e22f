//! A position for playouts, with groups as a union-find forest whose roots have the edges and corners
//! of their groups.

use super::pattern::PATTERNS;
use super::state::{Cells, State};
use crate::hexagon::{Hexagon, Marks};
use crate::rules::Outcome;

/// The content of cells off the board.
const OUTSIDE: u8 = 3;

/// A position with its groups, for boards of fewer than `CELLS` cells.
#[derive(Clone, Debug)]
pub struct Board<const CELLS: usize> {
    /// The content of each cell: 0 for empty, 1 and 2 for stones, and [`OUTSIDE`] after the last cell,
    /// for everything off the board.
    colours: [u8; CELLS],
    /// The parent of each stone; a root is its own parent.
    parents: [u16; CELLS],
    /// For each root, the edges and corners of its group.
    marks: [Marks; CELLS],
    /// The empty cells in any order; the first `n_empty` are valid.
    empty: [u16; CELLS],
    n_empty: usize,
    mover: usize,
    outcome: Option<Outcome>,
}

impl<const CELLS: usize> Board<CELLS> {
    /// The board of a state.
    pub(super) fn new<const WORDS: usize>(board: &Hexagon, state: &State<WORDS>) -> Self {
        let mut shown = Board::of_stones(board, state);
        let [red, blue] = &state.stones;
        let mut n_empty = 0;
        for cell in 0..board.n_cells() {
            // Written unconditionally, and counted if empty, to avoid a mispredicted branch.
            shown.empty[n_empty] = cell as u16;
            n_empty += usize::from((red.0[cell / 64] | blue.0[cell / 64]) >> (cell % 64) & 1 == 0);
        }
        shown
    }

    /// The same without the list of empty cells.
    pub(super) fn of_stones<const WORDS: usize>(board: &Hexagon, state: &State<WORDS>) -> Self {
        let n_stones: u32 = state.stones.iter().map(Cells::count).sum();
        let mut shown = Board {
            colours: [0; CELLS],
            parents: [0; CELLS],
            marks: [Marks::default(); CELLS],
            empty: [0; CELLS],
            n_empty: board.n_cells() - n_stones as usize,
            mover: usize::from(state.mover),
            outcome: None,
        };
        for (role_idx, stones) in state.stones.iter().enumerate() {
            // The state knows the winner.
            stones.iter().for_each(|cell| _ = shown.connect(board, cell, role_idx));
        }
        shown.colours[board.n_cells()] = OUTSIDE;
        let is_full = shown.n_empty == 0;
        let won = state.won.then(|| Outcome::win(1 - shown.mover));
        shown.outcome = won.or(is_full.then_some(Outcome::Draw));
        shown
    }

    /// The outcome of a finished game.
    #[inline]
    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The number of empty cells.
    #[inline]
    pub(super) fn n_empty(&self) -> usize {
        self.n_empty
    }

    /// Places a stone on the empty cell with this index in their list, and returns the cell.
    #[inline]
    pub(super) fn place(&mut self, board: &Hexagon, at: usize) -> usize {
        let cell = usize::from(self.empty[at]);
        self.empty[at] = self.empty[self.n_empty - 1];
        self.fill(board, cell);
        cell
    }

    /// Places a stone on an empty cell, without updating the list of empty cells.
    #[inline]
    pub(super) fn fill(&mut self, board: &Hexagon, cell: usize) {
        self.n_empty -= 1;
        if self.connect(board, cell, self.mover) {
            self.outcome = Some(Outcome::win(self.mover));
        } else if self.n_empty == 0 {
            self.outcome = Some(Outcome::Draw);
        }
        self.mover = 1 - self.mover;
    }

    /// Places a stone and joins it with adjacent groups; whether it wins.
    #[inline]
    fn connect(&mut self, board: &Hexagon, cell: usize, role_idx: usize) -> bool {
        let colour = role_idx as u8 + 1;
        let around = &board.cells[cell].around;
        let mut bits = 0;
        for (at, &other) in around.iter().enumerate() {
            bits |= usize::from(self.colours[usize::from(other)] == colour) << at;
        }
        self.colours[cell] = colour;
        self.parents[cell] = cell as u16;
        let mut marks = board.cells[cell].marks;
        let (pattern, mut closes) = (&PATTERNS[bits], false);
        for &run in pattern.runs() {
            let root = self.root(usize::from(around[usize::from(run)]));
            // A run whose group is that of another run, now the stone's own, closes a ring.
            closes |= root == cell;
            self.parents[root] = cell as u16;
            marks = marks.and(self.marks[root]);
        }
        self.marks[cell] = marks;
        closes || marks.are_linked() || self.fills_a_ring(board, cell, pattern.middles)
    }

    /// The root of a stone's group, with path halving.
    #[inline]
    fn root(&mut self, mut cell: usize) -> usize {
        loop {
            let parent = usize::from(self.parents[cell]);
            if parent == cell {
                return cell;
            }
            self.parents[cell] = self.parents[parent];
            cell = usize::from(self.parents[cell]);
        }
    }

    /// Whether a stone completes a ring around a single stone of its own colour.
    #[inline]
    fn fills_a_ring(&self, board: &Hexagon, cell: usize, middles: u8) -> bool {
        let colour = self.colours[cell];
        let is_own = |&other: &u16| self.colours[usize::from(other)] == colour;
        let is_full = |at: usize| {
            let middle = usize::from(board.cells[cell].around[at]);
            board.cells[middle].around.iter().all(is_own)
        };
        middles != 0 && (0..6).any(|at| middles >> at & 1 == 1 && is_full(at))
    }
}
