//! Positions of a race, small for trees and taken apart for playing.

/// Where the pieces stand, and whose turn it is: the word of White is complemented in Black's turn.
///
/// The sides stand on different cells, so that the words have cells in common only if White's is
/// complemented; only where Black has no piece does that say nothing, and then White has just
/// captured the last one and it is Black's turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RaceState {
    pub(super) white: u64,
    pub(super) black: u64,
}

/// A position, taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RaceBoard {
    pub(super) own: u64,
    pub(super) other: u64,
    pub(super) mover: usize,
}

impl RaceState {
    pub(super) fn pack(board: RaceBoard) -> Self {
        let RaceBoard { own, other, mover } = board;
        match mover {
            0 => RaceState { white: own, black: other },
            _ => RaceState { white: !other, black: own },
        }
    }

    #[inline]
    pub(super) fn mover(self) -> usize {
        usize::from(self.black == 0 || self.white & self.black != 0)
    }

    #[inline]
    pub(super) fn unpack(self) -> RaceBoard {
        match self.mover() {
            0 => RaceBoard { own: self.white, other: self.black, mover: 0 },
            _ => RaceBoard { own: self.black, other: !self.white, mover: 1 },
        }
    }
}
