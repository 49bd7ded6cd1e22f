//! Misère Knightthrough: the player who finishes loses. See Cazenave and Diemert, "Memorizing the Playout
//! Policy" (2017).

use crate::duel::Duel;
use crate::knightthrough;
use crate::piece_race::{PieceRace, Variant};

/// The player who finishes loses.
pub const VARIANT: Variant = Variant { misere: true, ..knightthrough::VARIANT };

/// Misère Knightthrough on a board with this side length, from 4 to 8.
pub fn game(size: u32) -> Duel<PieceRace> {
    VARIANT.game(size)
}
