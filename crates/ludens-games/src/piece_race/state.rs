//! Positions: compact for trees, unpacked for playouts.

/// The pieces and the role to move: White's word is complemented when Black is to move.
///
/// The sides occupy different cells, so the words intersect only if White's is complemented. The
/// exception is that Black has no piece: then White has just captured the last one, and Black is to
/// move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RaceState {
    pub(super) white: u64,
    pub(super) black: u64,
}

/// An unpacked position.
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
