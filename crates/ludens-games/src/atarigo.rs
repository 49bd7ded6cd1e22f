//! Atari Go, popularised by Yasutoshi Yasuda: Go in which the first capture wins. There is no passing,
//! suicide is illegal unless the stone captures, and a player without a legal move loses.

use std::ops::ControlFlow;

use ludens_core::Rng;

use crate::duel::Duel;
use crate::go::groups::{Groups, Urn};
use crate::go::points::Points;
use crate::go::{Stones, Variant};
use crate::rules::Outcome;

/// The first capture wins.
#[derive(Clone, Copy, Debug)]
pub struct FirstCapture;

/// Atari Go on a board with this side length, from 3 to 8.
pub fn game(size: u32) -> Duel<Stones<FirstCapture>> {
    Stones::game(size)
}

/// A position for playouts.
#[derive(Clone, Debug)]
pub struct Board {
    groups: Groups,
    /// The empty points.
    empty: Urn,
    mover: usize,
    /// Whether the role to move has lost a group.
    lost: bool,
}

/// Whether a group has no liberty.
fn is_captured(points: &Points, stones: u64, near: u64) -> bool {
    stones & !near != 0 && points.connected(stones & near, stones) != stones
}

impl Variant for FirstCapture {
    type Board = Board;

    #[inline]
    fn look(points: &Points, own: u64, other: u64) -> (u64, bool) {
        let empty = points.square.all & !(own | other);
        let near = points.neighbours(empty);
        let mut allowed = empty & near;
        if allowed != empty {
            // Without an adjacent empty point, a point is legal if an own group there has another
            // liberty, or a group of the opponent has none.
            let safe = points.safe(own, empty);
            let caught = other & !points.safe(other, empty);
            allowed |= empty & (points.neighbours(safe) | points.neighbours(caught));
        }
        (allowed, is_captured(points, own, near))
    }

    fn board(points: &Points, stones: [u64; 2], mover: usize) -> Board {
        let groups = Groups::new(points, stones);
        let near = points.neighbours(groups.empty);
        let lost = is_captured(points, stones[mover], near);
        Board { empty: Urn::new(groups.empty), groups, mover, lost }
    }

    /// The first legal one of all empty points in random order, which is uniformly random.
    #[inline]
    fn random_ply(points: &Points, board: &mut Board, rng: &mut Rng) -> ControlFlow<Outcome, u32> {
        let Board { groups, empty, mover, lost } = board;
        let (role_idx, mut left) = (*mover, if *lost { 0 } else { empty.len });
        while left > 0 {
            let point = empty.put_last(rng.below(left), left);
            let captures = groups.captures(points, point, role_idx);
            if captures || groups.has_room(points, point, role_idx) {
                // It is at the end of the remaining points.
                empty.put_last(left - 1, empty.len);
                empty.len -= 1;
                groups.place(points, point, role_idx);
                *lost = captures;
                *mover = 1 - role_idx;
                return ControlFlow::Continue(point);
            }
            left -= 1;
        }
        ControlFlow::Break(Outcome::win(1 - role_idx))
    }
}
