//! Nogo, also called Anti-Atari-Go (BIRS workshop on combinatorial games, 2011): stones are placed
//! as in Go, but captures and suicide are both illegal; a player without a legal move loses.

use std::ops::ControlFlow;

use ludens_core::Rng;

use crate::duel::Duel;
use crate::go::groups::{Groups, Urn};
use crate::go::points::Points;
use crate::go::{Stones, Variant};
use crate::rules::Outcome;

/// No captures and no suicide.
#[derive(Clone, Copy, Debug)]
pub struct NoCapture;

/// Nogo on a board with this side length, from 3 to 8.
pub fn game(size: u32) -> Duel<Stones<NoCapture>> {
    Stones::game(size)
}

/// A position for playouts.
#[derive(Clone, Debug)]
pub struct Board {
    groups: Groups,
    /// For each role, a superset of its legal points. An illegal point stays illegal: the group that
    /// would be captured or die there has no other liberty, and can only grow on this very point.
    candidates: [Urn; 2],
    mover: usize,
}

impl Variant for NoCapture {
    type Board = Board;

    #[inline]
    fn look(points: &Points, own: u64, other: u64) -> (u64, bool) {
        let empty = points.square.all & !(own | other);
        let mut room = points.neighbours(empty);
        if empty & !room != 0 {
            room |= points.neighbours(points.safe(own, empty));
        }
        let caught = other & !points.safe(other, empty);
        (empty & room & !points.neighbours(caught), false)
    }

    fn board(points: &Points, stones: [u64; 2], mover: usize) -> Board {
        let groups = Groups::new(points, stones);
        let candidates = Urn::new(groups.empty);
        Board { candidates: [candidates.clone(), candidates], groups, mover }
    }

    /// Draws candidates without replacement until one is legal.
    #[inline]
    fn random_ply(points: &Points, board: &mut Board, rng: &mut Rng) -> ControlFlow<Outcome, u32> {
        let Board { groups, candidates, mover } = board;
        let (role_idx, candidates) = (*mover, &mut candidates[*mover]);
        while candidates.len > 0 {
            let point = candidates.put_last(rng.below(candidates.len), candidates.len);
            candidates.len -= 1;
            let is_legal = groups.empty >> point & 1 == 1
                && groups.has_room(points, point, role_idx)
                && !groups.captures(points, point, role_idx);
            if is_legal {
                groups.place(points, point, role_idx);
                *mover = 1 - role_idx;
                return ControlFlow::Continue(point);
            }
        }
        ControlFlow::Break(Outcome::win(1 - role_idx))
    }
}
