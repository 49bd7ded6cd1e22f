//! What tells one race from another.

use super::Race;
use crate::breakthrough::PAWN;
use crate::duel::Duel;
use crate::knightthrough::KNIGHT;

/// A way in which a piece moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Columns to the right.
    pub right: i32,
    /// Rows forward.
    pub forward: i32,
    /// Whether it may end on a piece of the opponent, which is captured.
    pub captures: bool,
}

/// What all pieces of a race are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    /// See [`PAWN`].
    Pawn,
    /// See [`KNIGHT`].
    Knight,
}

impl Piece {
    /// How it moves.
    pub fn steps(self) -> &'static [Step] {
        match self {
            Piece::Pawn => &PAWN,
            Piece::Knight => &KNIGHT,
        }
    }
}

/// What tells one race from another. It is a value, not a type: every agent is compiled for every
/// type of game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// The relation of the facts that say where pieces stand.
    pub cell: &'static str,
    /// What races.
    pub piece: Piece,
    /// Whether who finishes loses.
    pub misere: bool,
}

impl Kind {
    /// The game on a board with this side length, from 4 to 8.
    pub(crate) fn game(self, size: u32) -> Duel<Race> {
        Duel::new(Race::new(self, size))
    }
}

/// No piece has more ways to move.
pub const MAX_STEPS: usize = 4;
