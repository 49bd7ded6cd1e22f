//! Breakthrough (Dan Troyka, 2000): pawns go one row forward, straight or diagonally, and capture
//! diagonally; the player who finishes wins.

use crate::duel::Duel;
use crate::piece_race::{Piece, PieceRace, Step, Variant};

/// Pawns one row forward.
pub const PAWN: [Step; 3] = [
    Step { right: -1, forward: 1, captures: true },
    Step { right: 0, forward: 1, captures: false },
    Step { right: 1, forward: 1, captures: true },
];

/// The player who finishes wins.
pub const VARIANT: Variant = Variant { cell: "cellholds", piece: Piece::Pawn, misere: false };

/// Breakthrough on a board with this side length, from 4 to 8.
pub fn game(size: u32) -> Duel<PieceRace> {
    VARIANT.game(size)
}
