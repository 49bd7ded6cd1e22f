//! Playouts whose moves are drawn by weights.
//!
//! A stone changes the keys of the empty cells beside it, and those of no others. Keys are the same
//! for both roles, so that one list of them serves both: which keys cells had, and from which ply to
//! which. In how many drawings a key took part follows from that.

use ludens_core::{Drawn, Move};

use super::board::Board;
use super::state::State;
use super::{HavannahRules, MARKS, SURROUNDINGS};
use crate::rules::{Guide, Outcome, Rules};
use crate::wheel::Wheel;

/// The buffers of playouts.
#[derive(Clone, Debug)]
pub struct Desk<const WORDS: usize, const CELLS: usize> {
    /// The weights of the moves of each role.
    wheels: [Wheel<WORDS>; 2],
    /// The key of each empty cell.
    codes: [u32; CELLS],
    /// The ply from which on each has it.
    since: [u16; CELLS],
    /// The keys that have gone.
    gone: Vec<Stay>,
    plies: Vec<Ply>,
    /// Before each ply the sum of 1/z over the drawings of one role, where z is the sum of the
    /// weights. Many small differences are taken of large sums, hence the precision.
    sums: [f64; PLIES],
}

/// More than any playout has, and a power of two.
const PLIES: usize = 1024;

/// A key that a cell had.
#[derive(Clone, Copy, Debug)]
struct Stay {
    code: u32,
    /// The first ply in which it had the key.
    from: u16,
    /// The first one in which it did not have it any more.
    to: u16,
}

/// A move that was drawn.
#[derive(Clone, Copy, Debug)]
struct Ply {
    code: u32,
    /// 1/z.
    share: f32,
}

impl<const WORDS: usize, const CELLS: usize> Default for Desk<WORDS, CELLS> {
    fn default() -> Self {
        Desk {
            wheels: [Wheel::default(), Wheel::default()],
            codes: [0; CELLS],
            since: [0; CELLS],
            gone: Vec::new(),
            plies: Vec::new(),
            sums: [0.0; PLIES],
        }
    }
}

impl<const WORDS: usize, const CELLS: usize> Desk<WORDS, CELLS> {
    /// Begins a playout.
    fn open(
        &mut self,
        rules: &HavannahRules<WORDS, CELLS>,
        start: &State<WORDS>,
        board: &Board<CELLS>,
        weights: [&[f32]; 2],
    ) {
        self.gone.clear();
        self.plies.clear();
        self.since = [0; CELLS];
        self.codes = std::array::from_fn(|cell| cell as u32 * SURROUNDINGS);
        for (stones, mark) in start.stones.iter().zip(MARKS) {
            for cell in stones.iter() {
                // Off the board it does no harm.
                let around = rules.board.cells[cell].around.iter();
                around.for_each(|&other| self.codes[usize::from(other)] |= mark);
            }
        }
        for (wheel, weights) in self.wheels.iter_mut().zip(weights) {
            wheel.clear();
            let codes = &self.codes;
            board.empty_cells().for_each(|cell| wheel.set(cell, weights[codes[cell] as usize]));
        }
    }

    /// What a cell has had as its key until now.
    #[inline]
    fn stay(&self, cell: usize) -> Stay {
        let to = self.plies.len() as u16;
        Stay { code: self.codes[cell], from: self.since[cell], to }
    }

    /// A stone has been put on a cell.
    #[inline]
    fn fill(&mut self, cell: usize, share: f32) {
        self.plies.push(Ply { code: self.codes[cell], share });
        self.gone.push(self.stay(cell));
        self.wheels.iter_mut().for_each(|wheel| wheel.set(cell, 0.0));
    }

    /// Whether a stone beside it changes the key of a cell.
    #[inline]
    fn lacks(&self, cell: usize, mark: u32) -> bool {
        self.codes[cell] & mark == 0
    }

    /// A stone has been put beside an empty cell that had none of its role there.
    #[inline]
    fn surround(&mut self, cell: usize, mark: u32, weights: [&[f32]; 2]) {
        let stay = self.stay(cell);
        self.gone.push(stay);
        self.since[cell] = stay.to;
        let code = stay.code | mark;
        self.codes[cell] = code;
        for (wheel, weights) in self.wheels.iter_mut().zip(weights) {
            wheel.set(cell, weights[code as usize]);
        }
    }

    /// The playout has ended; all keys are gone then.
    fn close(&mut self, n_cells: usize, board: &Board<CELLS>) {
        let mut end = self.gone.len();
        self.gone.resize(end + n_cells, Stay { code: 0, from: 0, to: 0 });
        for cell in 0..n_cells {
            // Written in any case, counted if there is one: no machine foresees which has.
            self.gone[end] = self.stay(cell);
            end += usize::from(board.is_empty(cell));
        }
        self.gone.truncate(end);
    }

    /// Tells what a role has drawn; `first` is the first ply that was its own.
    fn report(&mut self, first: usize, drawn: &mut Drawn) {
        let own = self.plies.iter().skip(first).step_by(2);
        drawn.chosen.extend(own.map(|ply| ply.code));
        let mut now = 0.0;
        for (at, ply) in self.plies.iter().enumerate() {
            self.sums[at & (PLIES - 1)] = now;
            now += if at % 2 == first { f64::from(ply.share) } else { 0.0 };
        }
        self.sums[self.plies.len() & (PLIES - 1)] = now;
        let sum = |ply: u16| self.sums[usize::from(ply) & (PLIES - 1)];
        let shares = &mut drawn.shares;
        shares.resize(self.gone.len(), (0, 0.0));
        let mut end = 0;
        for stay in &self.gone {
            let share = sum(stay.to) - sum(stay.from);
            // Written in any case, counted if there is one: no machine foresees which has.
            shares[end] = (stay.code, share as f32);
            end += usize::from(share > 0.0);
        }
        shares.truncate(end);
    }
}

impl<const WORDS: usize, const CELLS: usize> HavannahRules<WORDS, CELLS> {
    /// Plays a game to its end.
    pub(super) fn draw_stones(
        &self,
        start: &State<WORDS>,
        weights: [&[f32]; 2],
        guide: Guide<'_, Desk<WORDS, CELLS>>,
        mut record: impl FnMut(Move),
    ) -> Outcome {
        let Guide { desk, rng, drawn, .. } = guide;
        let (mut board, mut mover) = (self.board(start), usize::from(start.mover));
        desk.open(self, start, &board, weights);
        let mut changed = [0; 8];
        while board.outcome().is_none() {
            let (cell, total) = desk.wheels[mover].draw(rng);
            record(Move(cell as u32));
            desk.fill(cell, 1.0 / total);
            board.settle(&self.board, cell);
            // Listed first: no machine foresees which cells are empty.
            let (mut n_changed, mark) = (0, MARKS[mover]);
            for &other in &self.board.cells[cell].around {
                changed[n_changed & 7] = other;
                let other = usize::from(other);
                n_changed += usize::from(board.is_empty(other) & desk.lacks(other, mark));
            }
            for &other in &changed[..n_changed] {
                desk.surround(usize::from(other), mark, weights);
            }
            mover = 1 - mover;
        }
        desk.close(self.board.n_cells(), &board);
        let outcome = board.outcome().unwrap_or(Outcome::Draw);
        for ((role_idx, drawn), payoff) in drawn.iter_mut().enumerate().zip(outcome.payoffs()) {
            if payoff > 0.0 {
                desk.report(role_idx ^ usize::from(start.mover), drawn);
            }
        }
        outcome
    }
}
