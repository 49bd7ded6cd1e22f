//! Misère Breakthrough: who finishes loses. See Cazenave and Diemert, "Memorizing the Playout
//! Policy" (2017).

use crate::breakthrough::PAWN;
use crate::duel::Duel;
use crate::race::{Kind, Race, Step};

/// Who finishes loses.
#[derive(Clone, Copy, Debug)]
pub struct MiserePawns;

impl Kind for MiserePawns {
    const CELL: &'static str = "cellholds";
    const STEPS: &'static [Step] = PAWN;
    const MISERE: bool = true;
}

/// The game.
pub type MisereBreakthrough = Duel<Race<MiserePawns>>;

impl MisereBreakthrough {
    /// Misère Breakthrough on a board with this side length, from 4 to 8.
    pub fn sized(size: u32) -> Self {
        Duel::new(Race::new(size))
    }
}
