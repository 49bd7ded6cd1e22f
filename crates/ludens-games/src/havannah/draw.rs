//! Playouts whose moves are drawn by weights.
//!
//! A stone changes the keys of the empty cells beside it, and those of no others, and it does so at
//! most once for each role and cell. Keys are the same for both roles. So it is enough to know for
//! each cell the plies in which it got its marks and its stone: in how many drawings each of its keys
//! took part follows from that.

use ludens_core::{Drawn, Move};

use super::board::Board;
use super::scaled::Scaled;
use super::state::State;
use super::wheel::{Pair, Wheel};
use super::{HavannahRules, MARKS, SURROUNDINGS};
use crate::rules::{Guide, Outcome};

/// The buffers of playouts.
#[derive(Clone, Debug, Default)]
pub struct Desk<const WORDS: usize, const CELLS: usize> {
    /// The weights of all keys.
    scaled: Scaled,
    sheet: Sheet<WORDS, CELLS>,
}

/// What is known in the course of a playout.
#[derive(Clone, Debug)]
struct Sheet<const WORDS: usize, const CELLS: usize> {
    /// The weights of the moves of each role.
    wheel: Wheel<WORDS>,
    /// The marks that the keys of empty cells lack; filled cells lack none.
    lacking: [u8; CELLS],
    /// The same when the playout began.
    lacking_first: [u8; CELLS],
    times: Times<CELLS>,
    /// The keys of what was drawn.
    drawn: [u32; PLIES],
    /// For each drawing 1/z, where z is the sum of the weights.
    shares: [f32; PLIES],
    n_plies: usize,
    /// Before each ply the sum of 1/z over the drawings of one role. Many small differences are
    /// taken of large sums, hence the precision.
    sums: [f64; PLIES],
}

/// More than any playout has, and a power of two.
const PLIES: usize = 1024;

/// For each cell the first plies with each of the marks, and without it being empty. They stand in
/// columns, so that a machine compares those of several cells at once.
#[derive(Clone, Debug)]
struct Times<const CELLS: usize> {
    marked: [[u16; CELLS]; 2],
    filled: [u16; CELLS],
}

/// Later than any ply.
const NEVER: u16 = PLIES as u16;

impl<const CELLS: usize> Times<CELLS> {
    const NEVER: Self = Times { marked: [[NEVER; CELLS]; 2], filled: [NEVER; CELLS] };
}

/// All marks.
const ALL_MARKS: u8 = (SURROUNDINGS - 1) as u8;

/// The key of an empty cell.
#[inline]
fn key(cell: usize, lacking: u8) -> usize {
    cell * SURROUNDINGS as usize + usize::from(ALL_MARKS ^ lacking)
}

impl<const WORDS: usize, const CELLS: usize> Default for Sheet<WORDS, CELLS> {
    fn default() -> Self {
        Sheet {
            wheel: Wheel::default(),
            lacking: [0; CELLS],
            lacking_first: [0; CELLS],
            times: Times::NEVER,
            drawn: [0; PLIES],
            shares: [0.0; PLIES],
            n_plies: 0,
            sums: [0.0; PLIES],
        }
    }
}

impl<const WORDS: usize, const CELLS: usize> Sheet<WORDS, CELLS> {
    /// Begins a playout; `numbers` are the weights of both roles by key.
    fn open(
        &mut self,
        rules: &HavannahRules<WORDS, CELLS>,
        start: &State<WORDS>,
        numbers: &[Pair],
    ) {
        self.n_plies = 0;
        self.times = Times::NEVER;
        self.lacking = [ALL_MARKS; CELLS];
        self.lacking[rules.board.n_cells()] = 0;
        for (stones, mark) in start.stones.iter().zip(MARKS) {
            for cell in stones.iter() {
                let around = rules.board.cells[cell].around.iter();
                around.for_each(|&other| self.lacking[usize::from(other)] &= !(mark as u8));
            }
        }
        let (keys, _) = numbers.as_chunks::<{ SURROUNDINGS as usize }>();
        let cells = keys.iter().zip(&self.lacking).take(rules.board.n_cells());
        self.wheel.fill(cells.map(|(keys, lacking)| keys[usize::from(ALL_MARKS ^ lacking) & 3]));
        for cell in start.stones.iter().flat_map(|stones| stones.iter()) {
            self.lacking[cell] = 0;
            self.times.filled[cell] = 0;
            self.wheel.set(cell, [0; 2]);
        }
        self.lacking_first = self.lacking;
    }

    /// A stone has been drawn for a cell.
    #[inline]
    fn fill(&mut self, cell: usize, share: f32) {
        let ply = self.n_plies & (PLIES - 1);
        self.drawn[ply] = key(cell, self.lacking[cell]) as u32;
        self.shares[ply] = share;
        self.n_plies += 1;
        self.lacking[cell] = 0;
        self.times.filled[cell] = self.n_plies as u16;
        self.wheel.set(cell, [0; 2]);
    }

    /// Whether a stone beside it changes the key of a cell.
    #[inline]
    fn lacks(&self, cell: usize, mark: u32) -> bool {
        u32::from(self.lacking[cell]) & mark != 0
    }

    /// A stone has been put beside an empty cell that had none of its role there.
    #[inline]
    fn surround(&mut self, cell: usize, role_idx: usize, numbers: &[Pair]) {
        let lacking = self.lacking[cell] ^ MARKS[role_idx] as u8;
        self.lacking[cell] = lacking;
        self.times.marked[role_idx][cell] = self.n_plies as u16;
        self.wheel.set(cell, numbers[key(cell, lacking)]);
    }

    /// Tells what a role has drawn; `first` is the first ply that was its own.
    fn report(&mut self, n_cells: usize, first: usize, drawn: &mut Drawn) {
        let n_plies = self.n_plies;
        drawn.chosen.extend(self.drawn[..n_plies].iter().skip(first).step_by(2));
        let mut now = 0.0;
        for (at, (sum, &share)) in self.sums.iter_mut().zip(&self.shares[..n_plies]).enumerate() {
            *sum = now;
            now += if at % 2 == first { f64::from(share) } else { 0.0 };
        }
        self.sums[n_plies] = now;
        drawn.all_shares.resize(n_cells * SURROUNDINGS as usize, 0.0);
        let (keys, _) = drawn.all_shares.as_chunks_mut::<{ SURROUNDINGS as usize }>();
        let [early, late, end, firsts] = self.times.spans(n_plies as u16);
        let spans = early.iter().zip(&late).zip(&end).zip(&firsts);
        for ((keys, lacking), (((early, late), end), first)) in
            keys.iter_mut().zip(&self.lacking_first).zip(spans)
        {
            // A cell has one key, with the first mark another one, and with both a third.
            let [early, late, end] =
                [early, late, end].map(|&ply| self.sums[usize::from(ply) & (PLIES - 1)]);
            let marks = usize::from(ALL_MARKS ^ lacking);
            let marked = marks | usize::from(*first);
            keys[marks & 3] += early as f32;
            keys[marked & 3] += (late - early) as f32;
            keys[usize::from(ALL_MARKS)] += (end - late) as f32;
        }
    }
}

impl<const CELLS: usize> Times<CELLS> {
    /// For each cell the plies in which it got its first mark, its second one and its stone, none of
    /// them after the last ply or its stone, and which mark was the first.
    fn spans(&self, n_plies: u16) -> [[u16; CELLS]; 4] {
        let mut spans = [[0; CELLS]; 4];
        let [early, late, ends, firsts] = &mut spans;
        for cell in 0..CELLS {
            let end = self.filled[cell].min(n_plies);
            let [a, b] = [self.marked[0][cell].min(end), self.marked[1][cell].min(end)];
            (early[cell], late[cell], ends[cell]) = (a.min(b), a.max(b), end);
            firsts[cell] = if b < a { MARKS[1] as u16 } else { MARKS[0] as u16 };
        }
        spans
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
        let Guide { desk: Desk { scaled, sheet }, rng, drawn, versions } = guide;
        for ((role_idx, weights), version) in weights.into_iter().enumerate().zip(versions) {
            scaled.take(role_idx, weights, version);
        }
        let numbers = scaled.numbers();
        sheet.open(self, start, numbers);
        let mut board = Board::<CELLS>::of_stones(&self.board, start);
        let (mut mover, mut changed) = (usize::from(start.mover), [0; 8]);
        let mut next = sheet.wheel.draw(mover, rng);
        while board.outcome().is_none() {
            let (cell, total) = next;
            record(Move(cell as u32));
            sheet.fill(cell, 1.0 / scaled.weight(mover, total));
            // Listed first: no machine foresees which cells are empty.
            let mut n_changed = 0;
            for &other in &self.board.cells[cell].around {
                changed[n_changed & 7] = other;
                n_changed += usize::from(sheet.lacks(usize::from(other), MARKS[mover]));
            }
            for &other in &changed[..n_changed] {
                sheet.surround(usize::from(other), mover, numbers);
            }
            mover = 1 - mover;
            // The next stone is drawn before this one is joined to its group: that takes jumps which no
            // machine foresees, and drawing goes on meanwhile. What is drawn after the last stone counts
            // for nothing.
            next = sheet.wheel.draw(mover, rng);
            board.settle(&self.board, cell);
        }
        let outcome = board.outcome().unwrap_or(Outcome::Draw);
        for ((role_idx, drawn), payoff) in drawn.iter_mut().enumerate().zip(outcome.payoffs()) {
            if payoff > 0.0 {
                let first = role_idx ^ usize::from(start.mover);
                sheet.report(self.board.n_cells(), first, drawn);
            }
        }
        outcome
    }
}
