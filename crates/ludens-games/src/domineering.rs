//! Domineering (Göran Andersson; popularised by Martin Gardner, 1974): one player places vertical
//! dominoes, the other horizontal ones; the first player who cannot place one loses.

use ludens_core::{Move, Rng, Role};

use crate::bits::{Counted, append_members, members};
use crate::duel::Duel;
use crate::rules::{Outcome, PlayoutContext, Rules};
use crate::slots::SlotSet;
use crate::square::Square;
use crate::text::Words;

/// The rules; in the misère form, a player who cannot place a domino wins. The number of a move is
/// that of the domino's cell with the smaller coordinates.
#[derive(Clone, Debug)]
pub struct Dominoes {
    /// Whether a player who cannot place a domino wins.
    misere: bool,
    square: Square,
    /// For each role, the offset from the first to the second cell of a domino.
    steps: [u32; 2],
    /// For each role, the possible first cells of a domino.
    starts: [u64; 2],
    /// For each role and first cell, the six neighbours of the domino; off the board, the first cell
    /// itself, which is empty where the domino fits.
    beside: [Vec<[u8; 6]>; 2],
    /// For each role and first cell, [`Rules::code`] on an empty board.
    borders: [Vec<u32>; 2],
}

/// Domineering on a board with this side length, from 2 to 8.
pub fn game(size: u32) -> Duel<Dominoes> {
    Duel::new(Dominoes::new(size, false))
}

impl Dominoes {
    /// The rules for a board with this side length, from 2 to 8.
    pub fn new(size: u32, misere: bool) -> Self {
        let square = Square::new(size);
        let starts = [square.all & !square.row(size - 1), square.all & !square.last_column()];
        let beside = [(0, 1), (1, 0)].map(|second| beside(square, second));
        let borders = [0, 1].map(|role: usize| {
            let cells = (0..).zip(&beside[role]);
            cells
                .map(|(cell, beside)| {
                    beside
                        .iter()
                        .fold(cell, |code, &at| code << 1 | u32::from(u32::from(at) == cell))
                })
                .collect()
        });
        Dominoes { misere, square, steps: [size, 1], starts, beside, borders }
    }
}

/// The six neighbours of each domino whose second cell is offset by `second` from the first: one
/// before, one behind, and two on each side.
fn beside(square: Square, second: (i32, i32)) -> Vec<[u8; 6]> {
    let size = square.size.cast_signed();
    let (along_x, along_y) = second;
    let (across_x, across_y) = (along_y, along_x);
    (0..square.n_cells())
        .map(|cell| {
            let (x, y) = square.place(cell);
            let at = |along: i32, across: i32| {
                let x = x.cast_signed() + along * along_x + across * across_x;
                let y = y.cast_signed() + along * along_y + across * across_y;
                let is_on = (0..size).contains(&x) && (0..size).contains(&y);
                if is_on { (y * size + x) as u8 } else { cell as u8 }
            };
            [at(-1, 0), at(2, 0), at(0, -1), at(1, -1), at(0, 1), at(1, 1)]
        })
        .collect()
}

/// The filled cells. Two are filled at each turn, so their number gives the role to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Filled(u64);

/// A position for playouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Free {
    cells: u64,
    mover: usize,
}

/// The buffers of weighted playouts: the moves of each role.
pub type Buffers = [SlotSet; 2];

impl Filled {
    #[inline]
    fn mover(self) -> usize {
        (Counted::new(self.0).count() / 2 % 2) as usize
    }
}

impl Dominoes {
    /// The first cells of all dominoes that fit.
    #[inline]
    fn slots(&self, free: u64, mover: usize) -> u64 {
        free & free >> self.steps[mover] & self.starts[mover]
    }

    /// A superset of the first cells of all dominoes with one of these cells as a neighbour.
    #[inline]
    fn near(&self, cells: u64, mover: usize) -> u64 {
        let (along, across) = (self.steps[mover], self.steps[1 - mover]);
        let beside = cells << across | cells >> across;
        cells << along | cells >> (2 * along) | beside | beside >> along
    }

    /// The two cells of a domino.
    #[inline]
    fn domino(&self, mover: usize, first: u32) -> u64 {
        (1 | 1 << self.steps[mover]) << first
    }

    /// The outcome when the role with this index cannot move.
    fn stuck(&self, mover: usize) -> Outcome {
        Outcome::win(if self.misere { mover } else { 1 - mover })
    }
}

impl Rules for Dominoes {
    type State = Filled;
    type Board = Free;
    type Buffers = Buffers;

    const ROLES: [&'static str; 2] = ["vertical", "horizontal"];
    const UNDECIDED: f32 = 0.0;
    const INTERLEAVED: usize = 4;

    fn initial(&self) -> Filled {
        Filled(0)
    }

    #[inline]
    fn mover(&self, state: &Filled) -> usize {
        state.mover()
    }

    #[inline]
    fn look(&self, state: &Filled, legal: &mut Vec<Move>) -> Option<Outcome> {
        let mover = state.mover();
        let slots = self.slots(self.square.all & !state.0, mover);
        append_members(&[slots], 0, 64, legal);
        (slots == 0).then(|| self.stuck(mover))
    }

    #[inline]
    fn make(&self, state: &mut Filled, m: Move) {
        state.0 |= self.domino(state.mover(), m.0);
    }

    fn n_moves(&self) -> u32 {
        self.square.n_cells()
    }

    fn n_features(&self) -> u32 {
        1 << 6
    }

    /// The move, and which of the six neighbours of the domino are filled or off the board.
    fn code(&self, state: &Filled, role: Role, m: Move) -> u32 {
        let beside = &self.beside[role.index()][m.index()];
        let filled = beside.iter().fold(0, |code, &cell| code << 1 | (state.0 >> cell & 1) as u32);
        self.borders[role.index()][m.index()] | filled
    }

    fn move_name(&self, role: Role, m: Move) -> String {
        let second = m.0 + self.steps[role.index()];
        format!("(place {} {})", self.square.name(m.0), self.square.name(second))
    }

    fn parse_move(&self, role: Role, words: &Words<'_>) -> Option<Move> {
        let [x1, y1, x2, y2] = words.after("place")?;
        let (first, second) = (self.square.parse(x1, y1)?, self.square.parse(x2, y2)?);
        let is_start = self.starts[role.index()] >> first & 1 == 1;
        (is_start && first + self.steps[role.index()] == second).then_some(Move(first))
    }

    fn can_have(&self, role: Role, m: Move) -> bool {
        self.starts[role.index()] >> m.0 & 1 == 1
    }

    fn n_facts(&self) -> u32 {
        self.square.n_cells()
    }

    fn fact_name(&self, fact: u32) -> String {
        format!("(cell {} filled)", self.square.name(fact))
    }

    fn facts(&self, state: &Filled) -> impl Iterator<Item = u32> {
        members(state.0)
    }

    fn parse_state(&self, facts: &[Words<'_>], mover: usize) -> Option<Filled> {
        let mut state = Filled(0);
        for fact in facts {
            let [x, y, filled] = fact.after("cell")?;
            filled.eq_ignore_ascii_case("filled").then_some(())?;
            state.0 |= 1 << self.square.parse(x, y)?;
        }
        (state.0.count_ones().is_multiple_of(2) && state.mover() == mover).then_some(state)
    }

    fn board(&self, state: &Filled) -> Free {
        Free { cells: self.square.all & !state.0, mover: state.mover() }
    }

    #[inline]
    fn random_ply(
        &self,
        board: &mut Free,
        rng: &mut Rng,
        record: &mut impl FnMut(Move),
    ) -> Option<Outcome> {
        let slots = self.slots(board.cells, board.mover);
        if slots == 0 {
            return Some(self.stuck(board.mover));
        }
        let first = Counted::new(slots).draw(rng);
        record(Move(first));
        board.cells &= !self.domino(board.mover, first);
        board.mover = 1 - board.mover;
        None
    }
    fn draw_playout(
        &self,
        start: &Filled,
        weights: [&[f32]; 2],
        context: PlayoutContext<'_, Buffers>,
        mut record: impl FnMut(Move),
    ) -> Outcome {
        let PlayoutContext { buffers, rng, stats, .. } = context;
        buffers.iter_mut().for_each(SlotSet::clear);
        let (mut state, mut mover) = (*start, start.mover());
        // The filled cells at the last turn of each role.
        let mut seen = [state.0; 2];
        loop {
            let slots = self.slots(self.square.all & !state.0, mover);
            if slots == 0 {
                break;
            }
            let (role, stale) = (Role(mover as u8), self.near(state.0 ^ seen[mover], mover));
            let code = |first| self.code(&state, role, Move(first));
            buffers[mover].refresh(slots, stale, weights[mover], code);
            seen[mover] = state.0;
            let first = buffers[mover].draw(rng);
            record(Move(first));
            state.0 |= self.domino(mover, first);
            mover = 1 - mover;
        }
        let winner = if self.misere { mover } else { 1 - mover };
        buffers[winner].report(&mut stats[winner]);
        Outcome::win(winner)
    }
}
