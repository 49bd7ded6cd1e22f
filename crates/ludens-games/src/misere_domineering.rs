//! Misère Domineering: who first cannot place a domino wins. See Cazenave and Diemert, "Memorizing
//! the Playout Policy" (2017).

use crate::domineering::Dominoes;
use crate::duel::Duel;

/// The game.
pub type MisereDomineering = Duel<Dominoes<true>>;
