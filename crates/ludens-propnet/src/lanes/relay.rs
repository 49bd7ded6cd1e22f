//! Many playouts from each of some starts, one start after the other.
//!
//! Nearly always all lanes play from the same start, so that payoffs are counted without examining
//! single lanes. When all playouts of a start have started, free lanes continue with the next start
//! while the others finish. Every start gets the required number of playouts, and all that have
//! started count: short playouts are not favoured because they end first.

use ludens_core::{Cut, Tally};

use super::engine::lanes_of;
use super::payout::Payout;
use super::plane::{Plane, blend_all};
use super::supply::{Ended, Supply};
use crate::bits::Bits;
use crate::network::Network;

/// Starts with the same number of playouts each.
pub(super) struct Relay<'a> {
    payout: Payout<'a>,
    starts: &'a [&'a Bits],
    /// The number of playouts from each start.
    playouts: u64,
    /// The current start, in all lanes, and the number of its playouts that have not started.
    start: Vec<Plane>,
    left: u64,
    /// Whether free lanes wait until all are free.
    waits: bool,
    /// The starts that follow, the next one last.
    waiting: Vec<u32>,
    /// The starts that are being played.
    groups: Vec<Group>,
    /// The lanes with frozen playouts: their moves are counted, but not their payoffs.
    frozen: Plane,
    /// The counts of each start: finished playouts, those of them not ended by the rules, moves, and
    /// how often each part of the payoffs was paid.
    sums: Vec<Sum>,
    /// The number of sums for a start.
    n_sums: usize,
}

/// If most lanes become free at once, most playouts have the same length. It pays off to keep the
/// lanes synchronous, as payoffs are then computed once for all of them; therefore, when the last
/// playouts of a start leave some lanes free, these wait for the others. That costs at most one
/// playout, so it is done if each lane runs many playouts of a start.
const MIN_PLAYOUTS_TO_WAIT: u64 = 16 * Plane::LANES as u64;
/// At least this many lanes must be free.
const MIN_FREE_TO_WAIT: u32 = Plane::LANES as u32 / 2;

/// The lanes that play from one start.
struct Group {
    start: u32,
    lanes: Plane,
}

/// A sum in four parts, which are added up at the end only: a horizontal addition is expensive.
#[derive(Clone, Copy, Default)]
#[repr(align(32))]
struct Sum([u64; 4]);

impl Sum {
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn add(&mut self, lanes: Plane) {
        for (sum, word) in self.0.iter_mut().zip(lanes.0) {
            *sum += u64::from(word.count_ones());
        }
    }

    fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

/// The sums of a start in order: ended playouts, those not ended by the rules, moves, and payoffs.
const OVER: usize = 0;
const UNFINISHED: usize = 1;
const MOVES: usize = 2;
const PAYOFFS: usize = 3;

impl Group {
    /// Counts moves: those of a playout are the step at which it ends less the one at which it
    /// started, so nothing must be done in between. Differences may be negative for a while.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn end(&self, lanes: Plane, clock: u64, sums: &mut [Sum]) {
        let n = u64::from((lanes & self.lanes).count());
        let moves = &mut sums[MOVES].0[0];
        *moves = moves.wrapping_add(n.wrapping_mul(clock));
    }
}

impl<'a> Relay<'a> {
    /// `playouts` playouts from each start; `cut` says what those that are cut off are worth.
    pub(super) fn new(
        network: &'a Network,
        starts: &'a [&'a Bits],
        playouts: u64,
        cut: Cut,
    ) -> Self {
        let payout = Payout::new(network, cut);
        let n_sums = PAYOFFS + payout.parts.len();
        let n_starts = if playouts == 0 { 0 } else { starts.len() as u32 };
        Relay {
            payout,
            starts,
            playouts,
            start: vec![Plane::ZERO; network.fluents.len()],
            left: 0,
            waits: false,
            waiting: (0..n_starts).rev().collect(),
            groups: Vec::new(),
            frozen: Plane::ZERO,
            sums: vec![Sum::default(); n_sums * starts.len()],
            n_sums,
        }
    }

    /// Adds the counts to the tallies of the starts.
    pub(super) fn finish(&self, n_roles: usize, tallies: &mut [Tally]) {
        for (sums, tally) in self.sums.chunks(self.n_sums).zip(tallies) {
            let n_over = sums[OVER].total();
            tally.playouts += n_over;
            tally.finished += n_over - sums[UNFINISHED].total();
            tally.plies += sums[MOVES].total();
            tally.payoffs.resize(n_roles, 0.0);
            self.payout.add(sums[PAYOFFS..].iter().map(Sum::total), tally);
        }
    }

    /// Counts starts that are terminal. The lanes are those of `n` starts from the `first` on.
    pub(super) fn finish_starts(&mut self, first: usize, n: usize, ended: &Ended<'_>) {
        let Relay { payout, playouts, waiting, sums, n_sums, .. } = self;
        let lanes = ended.lanes & Plane::first(n);
        let is_terminal =
            |start: usize| (first..first + n).contains(&start) && lanes.get(start - first);
        waiting.retain(|&start| !is_terminal(start as usize));
        let mut add = |sum: usize, lanes: Plane| {
            for lane in lanes_of(lanes) {
                sums[(first + lane) * *n_sums + sum].0[0] += *playouts;
            }
        };
        add(OVER, lanes);
        payout.pay(&Ended::by_rules(lanes, ended.goals));
        for (i, part) in payout.parts.iter().enumerate() {
            add(PAYOFFS + i, part.lanes);
        }
    }

    /// Continues with the next start.
    fn open_group(&mut self) {
        let Some(start) = self.waiting.pop() else { return };
        let words = self.starts[start as usize].words();
        for (i, plane) in self.start.iter_mut().enumerate() {
            *plane = Plane::all(words[i / 64] >> (i % 64) & 1 == 1);
        }
        self.left = self.playouts;
        self.groups.push(Group { start, lanes: Plane::ZERO });
    }

    /// Drops groups whose playouts are all finished.
    fn close_groups(&mut self) {
        let newest = self.groups.len() - 1;
        let mut i = 0;
        let left = self.left;
        self.groups.retain(|group| {
            i += 1;
            !group.lanes.is_zero() || (i - 1 == newest && left > 0)
        });
    }
}

impl Supply for Relay<'_> {
    fn has_more(&self) -> bool {
        self.left > 0 || !self.waiting.is_empty()
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn refill(&mut self, free: Plane, clock: u64, state: &mut [Plane]) -> Plane {
        if self.waits && free != Plane::ONES {
            return Plane::ZERO;
        }
        self.waits = false;
        let mut rest = free;
        while !rest.is_zero() && self.has_more() {
            if self.left == 0 {
                self.open_group();
            }
            let lanes = rest.lowest(self.left);
            blend_all(state, &self.start, lanes);
            let n = u64::from(lanes.count());
            self.left -= n;
            if let Some(group) = self.groups.last_mut() {
                group.lanes = group.lanes | lanes;
                let moves = &mut self.sums[group.start as usize * self.n_sums + MOVES].0[0];
                *moves = moves.wrapping_sub(n.wrapping_mul(clock));
            }
            rest = rest & !lanes;
            if self.left == 0
                && free.count() >= MIN_FREE_TO_WAIT
                && self.playouts >= MIN_PLAYOUTS_TO_WAIT
            {
                self.waits = true;
                break;
            }
        }
        free & !rest
    }

    fn freeze(&mut self, lanes: Plane, clock: u64) {
        for group in &self.groups {
            group.end(lanes, clock, &mut self.sums[group.start as usize * self.n_sums..]);
        }
        self.frozen = self.frozen | lanes;
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn credit(&mut self, ended: &Ended<'_>, clock: u64) {
        let unfinished = ended.lanes & !ended.finished;
        self.payout.pay(ended);
        for group in &mut self.groups {
            let lanes = ended.lanes & group.lanes;
            if lanes.is_zero() {
                continue;
            }
            let sums = &mut self.sums[group.start as usize * self.n_sums..][..self.n_sums];
            group.end(lanes & !self.frozen, clock, sums);
            sums[OVER].add(lanes);
            if !unfinished.is_zero() {
                sums[UNFINISHED].add(lanes & unfinished);
            }
            for (sum, part) in sums[PAYOFFS..].iter_mut().zip(&self.payout.parts) {
                sum.add(part.lanes & lanes);
            }
            group.lanes = group.lanes & !lanes;
        }
        self.frozen = self.frozen & !ended.lanes;
        if self.groups.len() > 1 {
            self.close_groups();
        }
    }
}
