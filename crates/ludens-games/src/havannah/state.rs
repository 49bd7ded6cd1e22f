//! A compact position, and whether a new stone wins.
//!
//! The stones are two bit sets. Groups are not stored: most stones are inside the board and connect no
//! separate groups, since their neighbours of the same colour are adjacent. For the others, the groups
//! that they join are searched cell by cell.

use super::pattern::PATTERNS;
use crate::hexagon::{Hexagon, Marks};

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cells<const WORDS: usize>(pub(super) [u64; WORDS]);

impl<const WORDS: usize> Cells<WORDS> {
    /// No cell.
    pub const NONE: Self = Cells([0; WORDS]);

    /// Whether it contains a cell.
    #[inline]
    pub fn contains(&self, cell: usize) -> bool {
        self.0.get(cell / 64).is_some_and(|word| word >> (cell % 64) & 1 == 1)
    }

    /// Adds a cell.
    #[inline]
    pub fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    /// Removes and returns the first cell.
    fn pop(&mut self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        let bit = self.0[word].trailing_zeros() as usize;
        self.0[word] &= self.0[word] - 1;
        Some(word * 64 + bit)
    }

    /// The number of cells.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The cells in ascending order.
    pub fn iter(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || self.pop())
    }
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State<const WORDS: usize> {
    /// The stones of each role.
    pub(super) stones: [Cells<WORDS>; 2],
    /// The cell of the last stone, initially [`State::NO_CELL`].
    pub(super) last: u16,
    /// Index of the role to move.
    pub(super) mover: u8,
    /// Whether the last stone has won.
    pub(super) won: bool,
}

impl<const WORDS: usize> State<WORDS> {
    /// No cell.
    pub(super) const NO_CELL: u16 = u16::MAX;

    /// No stone yet.
    pub(super) fn empty() -> Self {
        State { stones: [Cells::NONE; 2], last: Self::NO_CELL, mover: 0, won: false }
    }
}

/// The pattern of the neighbours that have stones.
#[inline]
pub(super) fn pattern_at<const WORDS: usize>(
    board: &Hexagon,
    stones: &Cells<WORDS>,
    cell: usize,
) -> usize {
    let around = board.cells[cell].around.iter().enumerate();
    around
        .fold(0, |bits, (at, &other)| bits | usize::from(stones.contains(usize::from(other))) << at)
}

/// Whether a stone completes a ring, a bridge or a fork with the other stones of its colour.
pub(super) fn wins<const WORDS: usize>(
    board: &Hexagon,
    stones: &Cells<WORDS>,
    cell: usize,
) -> bool {
    let bits = pattern_at(board, stones, cell);
    let pattern = &PATTERNS[bits];
    let marks = board.cells[cell].marks;
    let joins = pattern.n_runs > 1 || (pattern.n_runs == 1 && !marks.is_empty());
    joins && links(board, stones, cell, bits) || fills_a_ring(board, stones, cell, pattern.middles)
}

/// Searches the groups that a stone joins: two runs of one group form a ring, and all groups together
/// may have the marks of a bridge or a fork.
fn links<const WORDS: usize>(
    board: &Hexagon,
    stones: &Cells<WORDS>,
    cell: usize,
    bits: usize,
) -> bool {
    let around = &board.cells[cell].around;
    let mut marks = board.cells[cell].marks;
    let mut seen = Cells::<WORDS>::NONE;
    seen.insert(cell);
    for &run in PATTERNS[bits].runs() {
        let start = usize::from(around[usize::from(run)]);
        if seen.contains(start) {
            return true;
        }
        marks = marks.and(follow(board, stones, start, &mut seen));
    }
    marks.are_linked()
}

/// Adds the group of a stone to those seen, and returns its marks.
fn follow<const WORDS: usize>(
    board: &Hexagon,
    stones: &Cells<WORDS>,
    start: usize,
    seen: &mut Cells<WORDS>,
) -> Marks {
    let (mut marks, mut open) = (Marks::default(), Cells::<WORDS>::NONE);
    open.insert(start);
    seen.insert(start);
    while let Some(cell) = open.pop() {
        marks = marks.and(board.cells[cell].marks);
        for &other in &board.cells[cell].around {
            let other = usize::from(other);
            if stones.contains(other) && !seen.contains(other) {
                seen.insert(other);
                open.insert(other);
            }
        }
    }
    marks
}

/// Whether a stone completes a ring around a single stone of its own colour: the only ring that
/// connects no separate groups, since larger rings contain smaller ones.
fn fills_a_ring<const WORDS: usize>(
    board: &Hexagon,
    stones: &Cells<WORDS>,
    cell: usize,
    middles: u8,
) -> bool {
    let is_full = |at: usize| {
        let middle = usize::from(board.cells[cell].around[at]);
        pattern_at(board, stones, middle) == 0b11_1111
    };
    (0..6).any(|at| middles >> at & 1 == 1 && is_full(at))
}
