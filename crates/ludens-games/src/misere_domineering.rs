//! Misère Domineering: the first player who cannot place a domino wins. See Cazenave and Diemert, "Memorizing
//! the Playout Policy" (2017).

use crate::domineering::Dominoes;
use crate::duel::Duel;

/// Misère Domineering on a board with this side length, from 2 to 8.
pub fn game(size: u32) -> Duel<Dominoes> {
    Duel::new(Dominoes::new(size, true))
}
