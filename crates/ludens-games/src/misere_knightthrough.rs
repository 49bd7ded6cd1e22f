//! Misère Knightthrough: who finishes loses. See Cazenave and Diemert, "Memorizing the Playout
//! Policy" (2017).

use crate::duel::Duel;
use crate::knightthrough::KNIGHT;
use crate::race::{Kind, Race, Step};

/// Who finishes loses.
#[derive(Clone, Copy, Debug)]
pub struct MisereKnights;

impl Kind for MisereKnights {
    const CELL: &'static str = "cell";
    const STEPS: &'static [Step] = KNIGHT;
    const MISERE: bool = true;
}

/// The game.
pub type MisereKnightthrough = Duel<Race<MisereKnights>>;

impl MisereKnightthrough {
    /// Misère Knightthrough on a board with this side length, from 4 to 8.
    pub fn sized(size: u32) -> Self {
        Duel::new(Race::new(size))
    }
}
