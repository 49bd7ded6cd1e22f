//! Knightthrough: knights jump as in chess, but only forward, and capture where they land;
//! the player who finishes wins.

use crate::duel::Duel;
use crate::piece_race::{Piece, PieceRace, Step, Variant};

/// The four jumps of a knight that lead forward.
pub const KNIGHT: [Step; 4] = [
    Step { right: -2, forward: 1, captures: true },
    Step { right: -1, forward: 2, captures: true },
    Step { right: 1, forward: 2, captures: true },
    Step { right: 2, forward: 1, captures: true },
];

/// The player who finishes wins.
pub const VARIANT: Variant = Variant { cell: "cell", piece: Piece::Knight, misere: false };

/// Knightthrough on a board with this side length, from 4 to 8.
pub fn game(size: u32) -> Duel<PieceRace> {
    VARIANT.game(size)
}
