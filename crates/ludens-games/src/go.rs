//! Atari Go and Nogo: stones are placed on a square board and are never moved; adjacent stones of one
//! colour are a group, and the empty points adjacent to a group are its liberties.

pub mod groups;
pub mod points;

use std::marker::PhantomData;
use std::ops::ControlFlow;

use ludens_core::{Move, Rng, Role};

use crate::bits::{append_members, members};
use crate::duel::Duel;
use crate::rules::{Outcome, PlayoutContext, Rules};
use crate::slots::SlotSet;
use crate::text::{Words, role_idx};

use points::Points;

/// A variant of the game.
pub trait Variant: Send + Sync + 'static {
    /// A position for playouts.
    type Board: Clone + Send;

    /// The legal points of the role to move, and whether it has lost already.
    fn look(points: &Points, own: u64, other: u64) -> (u64, bool);

    /// The board with these stones and the role with the index `mover` to move.
    fn board(points: &Points, stones: [u64; 2], mover: usize) -> Self::Board;

    /// Plays on a uniformly random legal point, or ends the game.
    fn random_ply(
        points: &Points,
        board: &mut Self::Board,
        rng: &mut Rng,
    ) -> ControlFlow<Outcome, u32>;
}

/// The rules of a variant. The number of a move is that of the point.
#[derive(Clone, Debug)]
pub struct Stones<K> {
    points: Points,
    variant: PhantomData<K>,
}

/// The stones of each role. One is placed at each turn, so their number gives the role to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Placed([u64; 2]);

impl<K: Variant> Stones<K> {
    /// The game on a board with this side length, from 3 to 8.
    pub(crate) fn game(size: u32) -> Duel<Self> {
        Duel::new(Stones { points: Points::new(size), variant: PhantomData })
    }
}

/// The buffers of weighted playouts: the moves of each role.
pub type Buffers = [SlotSet; 2];

impl Placed {
    #[inline]
    fn mover(self) -> usize {
        ((self.0[0] ^ self.0[1]).count_ones() % 2) as usize
    }
}

impl<K: Variant> Rules for Stones<K> {
    type State = Placed;
    type Board = K::Board;
    type Buffers = Buffers;

    const ROLES: [&'static str; 2] = ["black", "white"];
    const UNDECIDED: f32 = 0.5;
    const INTERLEAVED: usize = 1;

    fn initial(&self) -> Placed {
        Placed([0; 2])
    }

    #[inline]
    fn mover(&self, state: &Placed) -> usize {
        state.mover()
    }

    #[inline]
    fn look(&self, state: &Placed, legal: &mut Vec<Move>) -> Option<Outcome> {
        let mover = state.mover();
        let (allowed, lost) = K::look(&self.points, state.0[mover], state.0[1 - mover]);
        append_members(&[allowed], 0, 64, legal);
        (lost || allowed == 0).then(|| Outcome::win(1 - mover))
    }

    #[inline]
    fn make(&self, state: &mut Placed, m: Move) {
        let mover = state.mover();
        state.0[mover] |= 1 << m.0;
    }

    fn n_moves(&self) -> u32 {
        self.points.square.n_cells()
    }

    fn n_features(&self) -> u32 {
        1 << 8
    }

    /// The point, and the colours of its four neighbours: empty, black, white or off the board.
    fn code(&self, state: &Placed, _role: Role, m: Move) -> u32 {
        m.0 << 8 | self.points.surroundings(state.0, m.0)
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        format!("(play {})", self.points.square.name(m.0))
    }

    fn parse_move(&self, _role: Role, words: &Words<'_>) -> Option<Move> {
        let [x, y] = words.after("play")?;
        self.points.square.parse(x, y).map(Move)
    }

    fn n_facts(&self) -> u32 {
        2 * self.points.square.n_cells()
    }

    fn fact_name(&self, fact: u32) -> String {
        let n_points = self.points.square.n_cells();
        let (role, point) = (fact / n_points, fact % n_points);
        format!("(cell {} {})", self.points.square.name(point), Self::ROLES[role as usize])
    }

    fn facts(&self, state: &Placed) -> impl Iterator<Item = u32> {
        let (n_points, [black, white]) = (self.points.square.n_cells(), state.0);
        members(black).chain(members(white).map(move |point| n_points + point))
    }

    fn parse_state(&self, facts: &[Words<'_>], mover: usize) -> Option<Placed> {
        let mut stones = [0u64; 2];
        for fact in facts {
            let [x, y, role] = fact.after("cell")?;
            stones[role_idx(Self::ROLES, role)?] |= 1 << self.points.square.parse(x, y)?;
        }
        let [black, white] = stones;
        let is_turn = black.count_ones() == white.count_ones() + mover as u32;
        (black & white == 0 && is_turn).then_some(Placed(stones))
    }

    fn board(&self, state: &Placed) -> K::Board {
        K::board(&self.points, state.0, state.mover())
    }

    #[inline]
    fn random_ply(
        &self,
        board: &mut K::Board,
        rng: &mut Rng,
        record: &mut impl FnMut(Move),
    ) -> Option<Outcome> {
        match K::random_ply(&self.points, board, rng) {
            ControlFlow::Continue(point) => {
                record(Move(point));
                None
            }
            ControlFlow::Break(outcome) => Some(outcome),
        }
    }
    fn draw_playout(
        &self,
        start: &Placed,
        weights: [&[f32]; 2],
        context: PlayoutContext<'_, Buffers>,
        mut record: impl FnMut(Move),
    ) -> Outcome {
        let PlayoutContext { buffers, rng, stats, .. } = context;
        buffers.iter_mut().for_each(SlotSet::clear);
        let (mut stones, mut mover) = (start.0, start.mover());
        // The points adjacent to stones placed since the last turn of each role.
        let mut stale = [0; 2];
        loop {
            let (allowed, lost) = K::look(&self.points, stones[mover], stones[1 - mover]);
            if lost || allowed == 0 {
                break;
            }
            let code = |point| point << 8 | self.points.surroundings(stones, point);
            buffers[mover].refresh(allowed, stale[mover], weights[mover], code);
            stale[mover] = 0;
            let point = buffers[mover].draw(rng);
            record(Move(point));
            stones[mover] |= 1 << point;
            stale = stale.map(|set| set | self.points.beside[point as usize]);
            mover = 1 - mover;
        }
        buffers[1 - mover].report(&mut stats[1 - mover]);
        Outcome::win(1 - mover)
    }
}
