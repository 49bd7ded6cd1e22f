//! Weighted playouts.
//!
//! The weights are constant during a playout, and a move changes two cells. Each side keeps its pieces
//! and the weights of their steps ([`pieces`](super::pieces)), and a ply updates only the steps from
//! and to these two cells. In which draws a move took part is computed afterwards, for the winner only
//! ([`shares`](super::shares)).

use ludens_core::{DrawStats, Move};

use super::pieces::{CHUNK, Held, MAX_CHUNKS, Pieces};
use super::shares::ShareLedger;
use super::steps::StepTable;
use super::{PieceRace, RaceBoard, Step};
use crate::rules::{Outcome, PlayoutContext};

/// The buffers of playouts.
#[derive(Clone, Debug)]
pub struct Buffers {
    sides: [Box<Pieces>; 2],
    /// The drawn moves; the first `n_plies` are valid.
    plies: Box<[Ply; MAX_PLIES]>,
    n_plies: usize,
    ledger: Box<ShareLedger>,
}

/// More plies than any playout has, and a power of two: 32 pieces advance by at most seven rows.
const MAX_PLIES: usize = 256;

impl Default for Buffers {
    fn default() -> Self {
        let plies = Box::new([Ply::default(); MAX_PLIES]);
        Buffers { sides: Default::default(), plies, n_plies: 0, ledger: Box::default() }
    }
}

/// A drawn move.
#[derive(Clone, Copy, Debug, Default)]
struct Ply {
    /// The key of the move.
    code: u32,
    /// 1/z, where z is the sum of the weights of all moves.
    share: f32,
    from: u8,
    to: u8,
}

impl PieceRace {
    /// Plays to the end of the game.
    pub(super) fn draw_steps<const N: usize>(
        &self,
        steps: &[Step; N],
        start: RaceBoard,
        weights: [&[f32]; 2],
        context: PlayoutContext<'_, Buffers>,
        record: impl FnMut(Move),
    ) -> Outcome {
        // A side has more than two rows of pieces only in constructed positions.
        if start.own.count_ones().max(start.other.count_ones()) as usize <= 4 * CHUNK {
            self.draw_chunks::<N, 4>(steps, start, weights, context, record)
        } else {
            self.draw_chunks::<N, MAX_CHUNKS>(steps, start, weights, context, record)
        }
    }

    /// The same for sides with at most `CHUNKS` chunks of pieces.
    fn draw_chunks<const N: usize, const CHUNKS: usize>(
        &self,
        steps: &[Step; N],
        start: RaceBoard,
        weights: [&[f32]; 2],
        context: PlayoutContext<'_, Buffers>,
        mut record: impl FnMut(Move),
    ) -> Outcome {
        let PlayoutContext { buffers, rng, stats, versions } = context;
        let Buffers { sides: [first, second], plies, .. } = buffers;
        let (mut own, mut other) =
            ((&mut **first, &self.step_tables[0]), (&mut **second, &self.step_tables[1]));
        if start.mover == 1 {
            std::mem::swap(&mut own, &mut other);
        }
        for ((pieces, table), role_idx) in [(&mut own, start.mover), (&mut other, 1 - start.mover)]
        {
            pieces.weigh::<N>(table, weights[role_idx], versions[role_idx]);
        }
        own.0.set_up::<N>(own.1, start.own, start.other);
        other.0.set_up::<N>(other.1, start.other, start.own);
        let (mut board, mut ply) = (start, 0);
        while !self.is_over(board) {
            let ((pieces, table), (others, others_table)) = (&mut own, &mut other);
            let (piece, step, total) = pieces.draw::<CHUNKS>(rng);
            let (from, to) = pieces.step(piece, table.turns[step]);
            let captures = (board.other >> to & 1) as u32;
            board = self.step(board, step, from);
            if captures == 1 {
                others.remove(to);
            }
            others.set_content::<N>(others_table, from, Held::Empty);
            others.set_content::<N>(others_table, to, Held::Opponent);
            pieces.set_content::<N>(table, from, Held::Empty);
            pieces.set_content::<N>(table, to, Held::Own);
            let m = table.number(step, from);
            record(Move(m));
            let code = 2 * m + captures;
            plies[ply & (MAX_PLIES - 1)] =
                Ply { code, share: 1.0 / total, from: from as u8, to: to as u8 };
            ply += 1;
            std::mem::swap(&mut own, &mut other);
        }
        buffers.n_plies = ply;
        let outcome = self.outcome(1 - board.mover);
        for ((role_idx, stats), payoff) in stats.iter_mut().enumerate().zip(outcome.payoffs()) {
            if payoff > 0.0 {
                let own = if role_idx == start.mover { start.own } else { start.other };
                buffers.ledger.open(own, (start.own | start.other) & !own);
                buffers.report(&self.step_tables[role_idx], steps, start.mover == role_idx, stats);
            }
        }
        outcome
    }
}

impl Buffers {
    /// Adds the draws of a side, and the shares of its moves in them, to `stats`.
    fn report<const N: usize>(
        &mut self,
        table: &StepTable,
        steps: &[Step; N],
        mut is_own: bool,
        stats: &mut DrawStats,
    ) {
        let Buffers { plies, ledger, n_plies, .. } = self;
        for ply in &plies[..*n_plies] {
            if is_own {
                stats.chosen.push(ply.code);
                ledger.step::<N>(table, ply.from, ply.to, ply.share);
            } else {
                ledger.step_of_opponent::<N>(table, ply.from, ply.to);
            }
            is_own = !is_own;
        }
        ledger.close(table, steps, &mut stats.dense_shares);
    }
}
