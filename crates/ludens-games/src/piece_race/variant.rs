//! Variants of the game.

use super::PieceRace;
use crate::breakthrough::PAWN;
use crate::duel::Duel;
use crate::knightthrough::KNIGHT;

/// A step of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Columns to the right.
    pub right: i32,
    /// Rows forward.
    pub forward: i32,
    /// Whether it may end on a piece of the opponent, which is captured.
    pub captures: bool,
}

/// The type of all pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    /// See [`PAWN`].
    Pawn,
    /// See [`KNIGHT`].
    Knight,
}

impl Piece {
    /// Its steps.
    pub fn steps(self) -> &'static [Step] {
        match self {
            Piece::Pawn => &PAWN,
            Piece::Knight => &KNIGHT,
        }
    }
}

/// A variant of the game. It is a value, not a type: every agent is compiled for every type of game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variant {
    /// The relation of the facts about pieces.
    pub cell: &'static str,
    /// The pieces.
    pub piece: Piece,
    /// Whether the player who finishes loses.
    pub misere: bool,
}

impl Variant {
    /// The game on a board with this side length, from 4 to 8.
    pub(crate) fn game(self, size: u32) -> Duel<PieceRace> {
        Duel::new(PieceRace::new(self, size))
    }
}

/// The maximum number of steps of a piece.
pub const MAX_STEPS: usize = 4;
