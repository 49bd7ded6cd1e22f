//! Playouts of a race whose moves are drawn by weights.
//!
//! The weights stay the same during a playout. So, for every kind of move and every four cells, the
//! sums of all sixteen subsets of the four weights are written down before it begins. Then a ply
//! needs no list of moves: sixteen numbers for each kind add up to the sum of the weights of all
//! moves, and lead back from a number below that sum to a move. In the same way it is counted
//! afterwards in which drawings a move took part.

use ludens_core::{Drawn, Move, Rng};

use super::subsets::{Subsets, append_shares, subset_sums};
use super::{MAX_STEPS, Race, RaceBoard, Step};
use crate::pick::{pick, sum};
use crate::rules::{Guide, Outcome};

/// A step without a capture is one kind of move, with a capture another: kind `2 * step`, and
/// `2 * step + 1`.
const KINDS: usize = 2 * MAX_STEPS;

/// For each kind the pieces that can make such a move.
type Options = [u64; KINDS];

/// Subsets for the moves of one kind: four fours for each quarter of the board, which has 16 cells.
type Quarters = [[Subsets; 4]; 4];

/// Subsets for all moves.
type Table = [Quarters; KINDS];

/// The buffers of playouts.
#[derive(Clone, Debug)]
pub struct Desk {
    sides: [Box<Side>; 2],
}

/// What playouts know of a role.
#[derive(Clone, Debug)]
struct Side {
    /// The sums of weights.
    sums: Table,
    /// The sums of 1/z over the drawings in which just these could move.
    shares: Table,
    drawings: Vec<Drawing>,
}

/// Between what a move was drawn.
#[derive(Clone, Copy, Debug)]
struct Drawing {
    options: Options,
    /// 1/z.
    share: f32,
}

impl Default for Desk {
    fn default() -> Self {
        let table = [[[[0.0; 16]; 4]; 4]; KINDS];
        let side = || Box::new(Side { sums: table, shares: table, drawings: Vec::new() });
        Desk { sides: [side(), side()] }
    }
}

impl Race {
    /// Plays a game to its end.
    pub(super) fn draw_steps<const N: usize>(
        &self,
        steps: &[Step; N],
        mut board: RaceBoard,
        weights: [&[f32]; 2],
        guide: Guide<'_, Desk>,
        mut record: impl FnMut(Move),
    ) -> Outcome {
        let Guide { desk, rng, drawn } = guide;
        for (side, weights) in desk.sides.iter_mut().zip(weights) {
            self.add_up(weights, steps, &mut side.sums);
            side.drawings.clear();
        }
        while !self.is_over(board) {
            let (options, mover) = (self.options(board, steps), board.mover);
            let side = &mut desk.sides[mover];
            let (kind, cell, total) = draw_one(&options, steps, &side.sums, rng);
            let m = (kind / 2) as u32 * self.square.n_cells() + cell;
            record(Move(m));
            drawn[mover].chosen.push(2 * m + kind as u32 % 2);
            side.drawings.push(Drawing { options, share: 1.0 / total });
            board = self.step(board, kind / 2, cell);
        }
        let outcome = self.outcome(1 - board.mover);
        for ((drawn, side), payoff) in drawn.iter_mut().zip(&mut desk.sides).zip(outcome.payoffs())
        {
            if payoff > 0.0 {
                self.report(steps, side, drawn);
            } else {
                drawn.clear();
            }
        }
        outcome
    }

    /// Writes down the sums of the weights of all subsets of four cells.
    fn add_up<const N: usize>(&self, weights: &[f32], steps: &[Step; N], sums: &mut Table) {
        let n_cells = self.square.n_cells() as usize;
        for kind in kinds(steps) {
            // The key of a move is twice its number, and one more if it captures.
            let weights = &weights[2 * (kind / 2) * n_cells..][..2 * n_cells];
            let (chunks, rest) = weights.as_chunks::<8>();
            let at = kind % 2;
            let fours = sums[kind].as_flattened_mut();
            for (four, chunk) in fours.iter_mut().zip(chunks) {
                *four = subset_sums([chunk[at], chunk[2 + at], chunk[4 + at], chunk[6 + at]]);
            }
            if let Some(&weight) = rest.get(at) {
                // Boards with an odd number of cells have one cell over.
                fours[chunks.len()] = subset_sums([weight, 0.0, 0.0, 0.0]);
            }
        }
    }

    /// The pieces that can move.
    #[inline]
    fn options<const N: usize>(&self, board: RaceBoard, steps: &[Step; N]) -> Options {
        let mut options = Options::default();
        let movable = self.movable(board, steps);
        for (step, way) in self.ways[board.mover].iter().enumerate().take(N) {
            let targets = if steps[step].captures { board.other.rotate_right(way.turn) } else { 0 };
            options[2 * step] = movable[step] & !targets;
            options[2 * step + 1] = movable[step] & targets;
        }
        options
    }

    /// Tells in which drawings the moves of a role took part.
    fn report<const N: usize>(&self, steps: &[Step; N], side: &mut Side, drawn: &mut Drawn) {
        let Side { shares, drawings, .. } = side;
        for kind in kinds(steps) {
            shares[kind].as_flattened_mut().as_flattened_mut().fill(0.0);
        }
        let mut seen = Options::default();
        for drawing in drawings {
            share_out(&drawing.options, steps, drawing.share, shares);
            seen.iter_mut().zip(drawing.options).for_each(|(seen, set)| *seen |= set);
        }
        let n_cells = self.square.n_cells();
        for kind in kinds(steps) {
            let base = 2 * (kind / 2) as u32 * n_cells + kind as u32 % 2;
            for quarter in (0..4).filter(|&quarter| cells(seen[kind], quarter) != 0) {
                let base = base + 32 * quarter as u32;
                append_shares(&shares[kind][quarter], base, &mut drawn.shares);
            }
        }
    }
}

/// The kinds of moves that there can be.
#[inline]
fn kinds<const N: usize>(steps: &[Step; N]) -> impl Iterator<Item = usize> {
    (0..2 * N).filter(|kind| kind % 2 == 0 || steps[kind / 2].captures)
}

/// Draws a move; gives its kind, its cell and the sum of the weights of all.
#[inline]
fn draw_one<const N: usize>(
    options: &Options,
    steps: &[Step; N],
    table: &Table,
    rng: &mut Rng,
) -> (usize, u32, f32) {
    let (mut columns, mut quarters) = ([[0.0; 4]; 4], [0.0; 4]);
    let (all, captures) = unions::<N>(options);
    for quarter in 0..4 {
        // Where a role has no pieces it will not soon have any: the jumps are foreseen.
        if cells(all, quarter) == 0 {
            continue;
        }
        for step in 0..N {
            add(options, table, 2 * step, quarter, &mut columns[quarter]);
        }
        if cells(captures, quarter) != 0 {
            for step in (0..N).filter(|&step| steps[step].captures) {
                add(options, table, 2 * step + 1, quarter, &mut columns[quarter]);
            }
        }
        quarters[quarter] = sum(&columns[quarter]);
    }
    let total = sum(&quarters);
    let (quarter, left) = pick(&quarters, rng.unit() as f32 * total);
    let (at, left) = pick(&columns[quarter], left);
    let four = 4 * quarter + at;
    let subset = |kind: usize| (options[kind] >> (4 * four) & 15) as usize;
    let mut weights = [0.0; KINDS];
    for (kind, weight) in weights.iter_mut().enumerate().take(2 * N) {
        if kind % 2 == 0 || steps[kind / 2].captures {
            *weight = table[kind][quarter][at][subset(kind)];
        }
    }
    let (kind, left) = pick(&weights, left);
    let (sums, set) = (&table[kind][quarter][at], subset(kind));
    let at: usize = [1, 3, 7].iter().map(|below| usize::from(left >= sums[set & below])).sum();
    if set >> at & 1 == 0 {
        let (kind, cell) = last_of(options);
        return (kind, cell, total);
    }
    (kind, (4 * four + at) as u32, total)
}

/// Adds a share to the subsets that sets of pieces are made of.
#[inline]
fn share_out<const N: usize>(options: &Options, steps: &[Step; N], share: f32, shares: &mut Table) {
    let (all, captures) = unions::<N>(options);
    for quarter in 0..4 {
        if cells(all, quarter) == 0 {
            continue;
        }
        for step in 0..N {
            add_share(options, share, 2 * step, quarter, shares);
        }
        if cells(captures, quarter) != 0 {
            for step in (0..N).filter(|&step| steps[step].captures) {
                add_share(options, share, 2 * step + 1, quarter, shares);
            }
        }
    }
}

/// The cells of a quarter.
#[inline]
fn cells(set: u64, quarter: usize) -> usize {
    (set >> (16 * quarter)) as usize & 0xffff
}

/// Adds the weights of the moves of one kind in one quarter to the sums of its four fours.
#[inline]
fn add(options: &Options, table: &Table, kind: usize, quarter: usize, sums: &mut [f32; 4]) {
    let set = cells(options[kind], quarter);
    for (at, (sum, subsets)) in sums.iter_mut().zip(&table[kind][quarter]).enumerate() {
        *sum += subsets[set >> (4 * at) & 15];
    }
}

/// Adds a share to the subsets that can make moves of one kind in one quarter.
#[inline]
fn add_share(options: &Options, share: f32, kind: usize, quarter: usize, shares: &mut Table) {
    let set = cells(options[kind], quarter);
    for (at, subsets) in shares[kind][quarter].iter_mut().enumerate() {
        subsets[set >> (4 * at) & 15] += share;
    }
}

/// All pieces that can move, and all that can capture.
#[inline]
fn unions<const N: usize>(options: &Options) -> (u64, u64) {
    let (mut quiet, mut captures) = (0, 0);
    for step in 0..N {
        quiet |= options[2 * step];
        captures |= options[2 * step + 1];
    }
    (quiet | captures, captures)
}

/// The last piece of the last kind. It stands for what rounding leaves over, which hardly ever
/// happens.
#[cold]
fn last_of(options: &Options) -> (usize, u32) {
    let kind = options.iter().rposition(|&set| set != 0).unwrap_or(0);
    (kind, 63 - options[kind].leading_zeros().min(63))
}
