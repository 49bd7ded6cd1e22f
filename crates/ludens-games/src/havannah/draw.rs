//! Weighted playouts.
//!
//! A stone changes only the keys of adjacent empty cells, at most once for each role and cell. Keys
//! are the same for both roles. So the plies in which each cell got its marks and its stone determine
//! in which draws each of its keys took part.

use ludens_core::{DrawStats, Move};

use super::board::Board;
use super::roulette::{Pair, Roulette};
use super::scaled::Scaled;
use super::state::State;
use super::{HavannahRules, MARKS, SURROUNDINGS};
use crate::rules::{Outcome, PlayoutContext};

/// The buffers of playouts.
#[derive(Clone, Debug, Default)]
pub struct Buffers<const WORDS: usize, const CELLS: usize> {
    /// The weights of all keys.
    scaled: Scaled,
    log: PlayoutLog<WORDS, CELLS>,
}

/// The log of a playout.
#[derive(Clone, Debug)]
struct PlayoutLog<const WORDS: usize, const CELLS: usize> {
    /// The weights of the moves of each role.
    roulette: Roulette<WORDS>,
    /// The marks missing in the keys of empty cells; filled cells miss none.
    lacking: [u8; CELLS],
    /// The same at the start of the playout.
    lacking_first: [u8; CELLS],
    times: Times<CELLS>,
    /// The keys of the drawn moves.
    chosen: [u32; PLIES],
    /// For each draw 1/z, where z is the sum of the weights.
    shares: [f32; PLIES],
    n_plies: usize,
    /// Before each ply, the sum of 1/z over the draws of one role. Small differences of large sums
    /// need double precision.
    sums: [f64; PLIES],
}

/// More plies than any playout has, and a power of two.
const PLIES: usize = 1024;

/// For each cell, the plies in which it got each mark and its stone, in columns for vector
/// comparisons.
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

impl<const WORDS: usize, const CELLS: usize> Default for PlayoutLog<WORDS, CELLS> {
    fn default() -> Self {
        PlayoutLog {
            roulette: Roulette::default(),
            lacking: [0; CELLS],
            lacking_first: [0; CELLS],
            times: Times::NEVER,
            chosen: [0; PLIES],
            shares: [0.0; PLIES],
            n_plies: 0,
            sums: [0.0; PLIES],
        }
    }
}

impl<const WORDS: usize, const CELLS: usize> PlayoutLog<WORDS, CELLS> {
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
        self.roulette.fill(cells.map(|(keys, lacking)| keys[usize::from(ALL_MARKS ^ lacking) & 3]));
        for cell in start.stones.iter().flat_map(|stones| stones.iter()) {
            self.lacking[cell] = 0;
            self.times.filled[cell] = 0;
            self.roulette.set(cell, [0; 2]);
        }
        self.lacking_first = self.lacking;
    }

    /// Records the stone drawn for a cell.
    #[inline]
    fn fill(&mut self, cell: usize, share: f32) {
        let ply = self.n_plies & (PLIES - 1);
        self.chosen[ply] = key(cell, self.lacking[cell]) as u32;
        self.shares[ply] = share;
        self.n_plies += 1;
        self.lacking[cell] = 0;
        self.times.filled[cell] = self.n_plies as u16;
        self.roulette.set(cell, [0; 2]);
    }

    /// Whether an adjacent stone changes the key of a cell.
    #[inline]
    fn lacks(&self, cell: usize, mark: u32) -> bool {
        u32::from(self.lacking[cell]) & mark != 0
    }

    /// Records the first adjacent stone of a role for an empty cell.
    #[inline]
    fn surround(&mut self, cell: usize, role_idx: usize, numbers: &[Pair]) {
        let lacking = self.lacking[cell] ^ MARKS[role_idx] as u8;
        self.lacking[cell] = lacking;
        self.times.marked[role_idx][cell] = self.n_plies as u16;
        self.roulette.set(cell, numbers[key(cell, lacking)]);
    }

    /// Adds the draws of a role to `stats`; `first` is its first ply.
    fn report(&mut self, n_cells: usize, first: usize, stats: &mut DrawStats) {
        let n_plies = self.n_plies;
        stats.chosen.extend(self.chosen[..n_plies].iter().skip(first).step_by(2));
        let mut now = 0.0;
        for (at, (sum, &share)) in self.sums.iter_mut().zip(&self.shares[..n_plies]).enumerate() {
            *sum = now;
            now += if at % 2 == first { f64::from(share) } else { 0.0 };
        }
        self.sums[n_plies] = now;
        stats.dense_shares.resize(n_cells * SURROUNDINGS as usize, 0.0);
        let (keys, _) = stats.dense_shares.as_chunks_mut::<{ SURROUNDINGS as usize }>();
        let [early, late, end, firsts] = self.times.spans(n_plies as u16);
        let spans = early.iter().zip(&late).zip(&end).zip(&firsts);
        for ((keys, lacking), (((early, late), end), first)) in
            keys.iter_mut().zip(&self.lacking_first).zip(spans)
        {
            // A cell has one key without marks, one with the first mark, and one with both.
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
    /// For each cell, the plies of its first mark, its second mark and its stone, each at most the last
    /// ply and the ply of its stone, and which mark was first.
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
    /// Plays to the end of the game.
    pub(super) fn draw_stones(
        &self,
        start: &State<WORDS>,
        weights: [&[f32]; 2],
        context: PlayoutContext<'_, Buffers<WORDS, CELLS>>,
        mut record: impl FnMut(Move),
    ) -> Outcome {
        let PlayoutContext { buffers: Buffers { scaled, log }, rng, stats, versions } = context;
        for ((role_idx, weights), version) in weights.into_iter().enumerate().zip(versions) {
            scaled.set(role_idx, weights, version);
        }
        let numbers = scaled.numbers();
        log.open(self, start, numbers);
        let mut board = Board::<CELLS>::of_stones(&self.board, start);
        let (mut mover, mut changed) = (usize::from(start.mover), [0; 8]);
        let mut next = log.roulette.draw(mover, rng);
        while board.outcome().is_none() {
            let (cell, total) = next;
            record(Move(cell as u32));
            log.fill(cell, 1.0 / scaled.weight(mover, total));
            // Listed first, to avoid branches on whether a cell is empty.
            let mut n_changed = 0;
            for &other in &self.board.cells[cell].around {
                changed[n_changed & 7] = other;
                n_changed += usize::from(log.lacks(usize::from(other), MARKS[mover]));
            }
            for &other in &changed[..n_changed] {
                log.surround(usize::from(other), mover, numbers);
            }
            mover = 1 - mover;
            // The next stone is drawn before this one is joined to its group: joining has
            // unpredictable branches, which the draw overlaps. The draw after the last stone is
            // discarded.
            next = log.roulette.draw(mover, rng);
            board.fill(&self.board, cell);
        }
        let outcome = board.outcome().unwrap_or(Outcome::Draw);
        for ((role_idx, stats), payoff) in stats.iter_mut().enumerate().zip(outcome.payoffs()) {
            if payoff > 0.0 {
                let first = role_idx ^ usize::from(start.mover);
                log.report(self.board.n_cells(), first, stats);
            }
        }
        outcome
    }
}
