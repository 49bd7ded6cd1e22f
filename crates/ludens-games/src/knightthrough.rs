//! Knightthrough: knights jump as in chess, but only forward, and capture where they land; who
//! finishes wins.

use crate::duel::Duel;
use crate::race::{Kind, Race, Step};

/// The four jumps of a knight that lead forward.
pub(crate) const KNIGHT: &[Step] = &[
    Step { right: -2, forward: 1, captures: true },
    Step { right: -1, forward: 2, captures: true },
    Step { right: 1, forward: 2, captures: true },
    Step { right: 2, forward: 1, captures: true },
];

/// Who finishes wins.
#[derive(Clone, Copy, Debug)]
pub struct Knights;

impl Kind for Knights {
    const CELL: &'static str = "cell";
    const STEPS: &'static [Step] = KNIGHT;
    const MISERE: bool = false;
}

/// The game.
pub type Knightthrough = Duel<Race<Knights>>;

impl Knightthrough {
    /// Knightthrough on a board with this side length, from 4 to 8.
    pub fn sized(size: u32) -> Self {
        Duel::new(Race::new(size))
    }
}
