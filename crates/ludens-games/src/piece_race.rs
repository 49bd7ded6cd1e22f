//! Breakthrough and its variants: each side has two home rows of pieces that move forward only; the
//! first to reach the far row, or to capture every piece of the opponent, has finished.

mod draw;
mod pieces;
mod shares;
mod state;
mod steps;
mod variant;

use ludens_core::{Move, Rng, Role};

use crate::bits::{Counted, append_members, members};
use crate::breakthrough::PAWN;
use crate::knightthrough::KNIGHT;
use crate::rules::{Outcome, PlayoutContext, Rules};
use crate::square::Square;
use crate::text::{Words, role_idx};

pub use draw::Buffers;
pub use state::{RaceBoard, RaceState};
use steps::StepTable;
pub use variant::{MAX_STEPS, Piece, Step, Variant};

/// A step of one side on one board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct StepMask {
    /// The cells from which the step stays on the board.
    from: u64,
    /// The step as a rotation of the board's word to the left.
    turn: u32,
}

/// The rules of a race on a square board. The move of step `s` from cell `c` has the number
/// `s * n_cells + c`, for both sides.
#[derive(Clone, Debug)]
pub struct PieceRace {
    variant: Variant,
    square: Square,
    /// The steps of each side.
    masks: [[StepMask; MAX_STEPS]; 2],
    /// The target row of each side.
    far: [u64; 2],
    /// The steps of each side, for weighted playouts.
    step_tables: [StepTable; 2],
}

impl PieceRace {
    /// The race on a board with this side length, from 4 to 8.
    pub fn new(variant: Variant, size: u32) -> Self {
        debug_assert!((4..=8).contains(&size), "on smaller boards, pieces can be stuck");
        let square = Square::new(size);
        let mut masks = [[StepMask::default(); MAX_STEPS]; 2];
        for (mover, sign) in [(0, 1), (1, -1)] {
            for (mask, step) in masks[mover].iter_mut().zip(variant.piece.steps()) {
                *mask = StepMask::new(square, step.right, sign * step.forward);
            }
        }
        let far = [square.row(size - 1), square.row(0)];
        let step_tables = masks
            .each_ref()
            .map(|masks| StepTable::new(masks, variant.piece.steps(), square.n_cells()));
        PieceRace { variant, square, masks, far, step_tables }
    }

    /// The pieces that can make each of the steps. The steps are an argument because code that is
    /// specialised for them is 5 % faster.
    #[inline]
    fn movable<const N: usize>(&self, board: RaceBoard, steps: &[Step; N]) -> [u64; N] {
        let mut movable = [0; N];
        for ((set, mask), step) in movable.iter_mut().zip(&self.masks[board.mover]).zip(steps) {
            let blocked = if step.captures { board.own } else { board.own | board.other };
            *set = board.own & mask.from & !blocked.rotate_right(mask.turn);
        }
        movable
    }

    /// Makes a step and passes the turn.
    #[inline]
    fn step(&self, board: RaceBoard, step: usize, from: u32) -> RaceBoard {
        let RaceBoard { own, other, mover } = board;
        let from = 1u64 << from;
        let to = from.rotate_left(self.masks[mover][step].turn);
        RaceBoard { own: other & !to, other: own ^ from ^ to, mover: 1 - mover }
    }

    /// Whether the side that has just moved has finished.
    #[inline]
    fn is_over(&self, board: RaceBoard) -> bool {
        board.own == 0 || board.other & self.far[1 - board.mover] != 0
    }

    /// The outcome if the side with the index `finisher` has finished.
    fn outcome(&self, finisher: usize) -> Outcome {
        Outcome::win(finisher ^ usize::from(self.variant.misere))
    }

    /// Step and cell of a move.
    #[inline]
    fn split(&self, m: Move) -> (usize, u32) {
        // Comparisons: a division would be slower than the rest of the move.
        let n_cells = self.square.n_cells();
        if n_cells == 64 {
            return (m.index() / 64 % MAX_STEPS, m.0 % 64);
        }
        let step: u32 = (1..MAX_STEPS as u32).map(|s| u32::from(m.0 >= s * n_cells)).sum();
        (step as usize & (MAX_STEPS - 1), m.0 - step * n_cells)
    }

    fn target(&self, role: Role, m: Move) -> (u32, u32) {
        let (step, from) = self.split(m);
        (from, (from + self.masks[role.index()][step].turn) % 64)
    }
}

impl StepMask {
    fn new(square: Square, right: i32, up: i32) -> Self {
        let size = square.size.cast_signed();
        let on_board = |c: u32, by: i32| (0..size).contains(&(c.cast_signed() + by));
        let stays = |&cell: &u32| {
            let (x, y) = square.place(cell);
            on_board(x, right) && on_board(y, up)
        };
        let from = (0..square.n_cells()).filter(stays).map(|cell| 1 << cell).sum();
        StepMask { from, turn: (up * size + right).rem_euclid(64).cast_unsigned() }
    }
}

impl Rules for PieceRace {
    type State = RaceState;
    type Board = RaceBoard;
    type Buffers = Buffers;

    const ROLES: [&'static str; 2] = ["white", "black"];
    const UNDECIDED: f32 = 0.0;
    const INTERLEAVED: usize = 4;

    fn initial(&self) -> RaceState {
        let rows = |y| self.square.row(y) | self.square.row(y + 1);
        RaceState { white: rows(0), black: rows(self.square.size - 2) }
    }

    fn mover(&self, state: &RaceState) -> usize {
        state.mover()
    }

    #[inline]
    fn look(&self, state: &RaceState, legal: &mut Vec<Move>) -> Option<Outcome> {
        let board = state.unpack();
        let n_cells = self.square.n_cells();
        match self.variant.piece {
            Piece::Pawn => append_members(&self.movable(board, &PAWN), 0, n_cells, legal),
            Piece::Knight => append_members(&self.movable(board, &KNIGHT), 0, n_cells, legal),
        }
        self.is_over(board).then(|| self.outcome(1 - board.mover))
    }

    #[inline]
    fn make(&self, state: &mut RaceState, m: Move) {
        let (step, from) = self.split(m);
        *state = RaceState::pack(self.step(state.unpack(), step, from));
    }

    fn n_moves(&self) -> u32 {
        self.variant.piece.steps().len() as u32 * self.square.n_cells()
    }

    fn n_features(&self) -> u32 {
        2
    }

    /// The move, and whether it captures.
    fn code(&self, state: &RaceState, role: Role, m: Move) -> u32 {
        let RaceBoard { own, other, mover } = state.unpack();
        let opponents = if mover == role.index() { other } else { own };
        let (_, to) = self.target(role, m);
        2 * m.0 + (opponents >> to & 1) as u32
    }

    fn codes(&self, state: &RaceState, role: Role, moves: &[Move], out: &mut Vec<u32>) {
        let RaceBoard { own, other, mover } = state.unpack();
        let opponents = if mover == role.index() { other } else { own };
        // For each step, the cells from which it ends on a piece of the opponent.
        let captures = self.masks[role.index()].map(|mask| opponents.rotate_right(mask.turn));
        let code = |m: Move, step: usize, from: u32| 2 * m.0 + (captures[step] >> from & 1) as u32;
        if self.square.n_cells() == 64 {
            // The usual board, where shifts decode the number of a move.
            out.extend(moves.iter().map(|&m| code(m, m.index() / 64 % MAX_STEPS, m.0 % 64)));
        } else {
            let split = |&m: &Move| (m, self.split(m));
            out.extend(moves.iter().map(split).map(|(m, (step, from))| code(m, step, from)));
        }
    }

    fn move_name(&self, role: Role, m: Move) -> String {
        let (from, to) = self.target(role, m);
        format!("(move {} {})", self.square.name(from), self.square.name(to))
    }

    fn parse_move(&self, role: Role, words: &Words<'_>) -> Option<Move> {
        let [x1, y1, x2, y2] = words.after("move")?;
        let (from, to) = (self.square.parse(x1, y1)?, self.square.parse(x2, y2)?);
        let leads_there =
            |mask: &StepMask| mask.from >> from & 1 == 1 && (from + mask.turn) % 64 == to;
        let masks = &self.masks[role.index()][..self.variant.piece.steps().len()];
        let step = masks.iter().position(leads_there)?;
        Some(Move(step as u32 * self.square.n_cells() + from))
    }

    fn can_have(&self, role: Role, m: Move) -> bool {
        let (step, from) = self.split(m);
        self.masks[role.index()][step].from >> from & 1 == 1
    }

    fn n_facts(&self) -> u32 {
        2 * self.square.n_cells()
    }

    fn fact_name(&self, fact: u32) -> String {
        let (role, cell) = (fact / self.square.n_cells(), fact % self.square.n_cells());
        format!("({} {} {})", self.variant.cell, self.square.name(cell), Self::ROLES[role as usize])
    }

    fn facts(&self, state: &RaceState) -> impl Iterator<Item = u32> {
        let RaceBoard { own, other, mover } = state.unpack();
        let [white, black] = if mover == 0 { [own, other] } else { [other, own] };
        let n_cells = self.square.n_cells();
        members(white).chain(members(black).map(move |cell| n_cells + cell))
    }

    fn parse_state(&self, facts: &[Words<'_>], mover: usize) -> Option<RaceState> {
        let mut pieces = [0; 2];
        for fact in facts {
            let [x, y, side] = fact.after(self.variant.cell)?;
            pieces[role_idx(Self::ROLES, side)?] |= 1 << self.square.parse(x, y)?;
        }
        let board = RaceBoard { own: pieces[mover], other: pieces[1 - mover], mover };
        let state = RaceState::pack(board);
        (board.own & board.other == 0 && state.unpack() == board).then_some(state)
    }

    fn board(&self, state: &RaceState) -> RaceBoard {
        state.unpack()
    }

    #[inline]
    fn random_ply(
        &self,
        board: &mut RaceBoard,
        rng: &mut Rng,
        record: &mut impl FnMut(Move),
    ) -> Option<Outcome> {
        if self.is_over(*board) {
            return Some(self.outcome(1 - board.mover));
        }
        let (step, from) = match self.variant.piece {
            Piece::Pawn => draw(self.movable(*board, &PAWN), rng),
            Piece::Knight => draw(self.movable(*board, &KNIGHT), rng),
        };
        record(Move(step as u32 * self.square.n_cells() + from));
        *board = self.step(*board, step, from);
        None
    }
    fn draw_playout(
        &self,
        start: &RaceState,
        weights: [&[f32]; 2],
        context: PlayoutContext<'_, Buffers>,
        record: impl FnMut(Move),
    ) -> Outcome {
        match self.variant.piece {
            Piece::Pawn => self.draw_steps(&PAWN, start.unpack(), weights, context, record),
            Piece::Knight => self.draw_steps(&KNIGHT, start.unpack(), weights, context, record),
        }
    }
}

/// A uniformly random pair of a step and a piece that can make it.
#[inline]
fn draw<const N: usize>(movable: [u64; N], rng: &mut Rng) -> (usize, u32) {
    let (mut sets, mut sums) = ([Counted::default(); MAX_STEPS], [0; MAX_STEPS + 1]);
    for step in 0..N {
        sets[step] = Counted::new(movable[step]);
        sums[step + 1] = sums[step] + sets[step].count();
    }
    let number = rng.below(sums[N] as usize) as u32;
    // Summing comparisons is cheaper than mispredicted branches.
    let step: usize = sums[1..N].iter().map(|&sum| usize::from(number >= sum)).sum();
    let step = step & (MAX_STEPS - 1);
    (step, sets[step].nth(number - sums[step]))
}
