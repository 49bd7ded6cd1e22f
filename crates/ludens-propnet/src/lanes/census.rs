//! Counts facts in 256 playouts at once.
//!
//! Counts are bit-sliced: the lowest bits of all lanes in one plane, the next ones in another. So
//! adding a fact to the counts of all lanes takes a few operations on planes.

use ludens_core::{Census, RowGroups};

use super::engine::lanes_of;
use super::plane::Plane;
use super::supply::{Ended, LanePayoffs, Supply};
use super::transpose::load_states;
use crate::bits::Bits;
use crate::network::Goal;

/// The number of bits of a sum; playouts are cut off before it can overflow.
const BITS: usize = 32;

/// Up to 256 playouts, each from its own start, and their counts.
pub(super) struct FactCounter<'a> {
    goals: &'a [Goal],
    groups: &'a RowGroups,
    starts: &'a [&'a Bits],
    /// The lanes whose playouts have not started yet.
    waiting: Plane,
    frozen: Plane,
    /// The step at which all playouts start.
    started: u64,
    plies: [u32; Plane::LANES],
    finished: Plane,
    payoffs: LanePayoffs,
    /// The payoffs of each playout, one playout after the other.
    all_payoffs: Vec<f32>,
    /// For each group, the sums of all playouts so far.
    sums: Vec<[Plane; BITS]>,
    /// The largest count of each group in one state.
    max: Vec<u32>,
}

impl<'a> FactCounter<'a> {
    pub(super) fn new(
        goals: &'a [Goal],
        n_roles: usize,
        groups: &'a RowGroups,
        starts: &'a [&'a Bits],
    ) -> Self {
        debug_assert!(starts.len() <= Plane::LANES);
        FactCounter {
            goals,
            groups,
            starts,
            waiting: Plane::first(starts.len()),
            frozen: Plane::ZERO,
            started: 0,
            plies: [0; Plane::LANES],
            finished: Plane::ZERO,
            payoffs: LanePayoffs::new(n_roles),
            all_payoffs: vec![0.0; starts.len() * n_roles],
            sums: vec![[Plane::ZERO; BITS]; groups.len()],
            max: vec![0; groups.len()],
        }
    }

    /// Records the starts that are terminal.
    pub(super) fn finish_starts(&mut self, ended: &Ended<'_>) {
        let lanes = ended.lanes & self.waiting;
        self.waiting = self.waiting & !lanes;
        self.record(&Ended::by_rules(lanes, ended.goals));
    }

    fn record(&mut self, ended: &Ended<'_>) {
        self.payoffs.read(self.goals, ended);
        let n_roles = self.all_payoffs.len() / self.starts.len();
        for lane in lanes_of(ended.lanes) {
            self.all_payoffs[lane * n_roles..][..n_roles].copy_from_slice(self.payoffs.of(lane));
        }
        self.finished = self.finished | ended.finished;
    }

    /// Appends the counts.
    pub(super) fn finish(self, out: &mut Census) {
        let n_playouts = self.starts.len();
        out.plies.extend_from_slice(&self.plies[..n_playouts]);
        out.finished.extend((0..n_playouts).map(|lane| self.finished.get(lane)));
        out.payoffs.extend_from_slice(&self.all_payoffs);
        let (first, n_groups) = (out.counts.len(), self.groups.len());
        out.counts.resize(first + n_playouts * n_groups, 0);
        let counts = &mut out.counts[first..];
        for (group, sums) in self.sums.iter().enumerate() {
            for (bit, plane) in sums.iter().enumerate() {
                plane.for_each_lane(|lane| counts[lane * n_groups + group] += 1 << bit);
            }
        }
        out.most.iter_mut().zip(&self.max).for_each(|(most, &count)| *most = count.max(*most));
    }
}

/// Adds one bit to a bit-sliced number.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
fn add_bit(number: &mut [Plane], bit: Plane) {
    let mut carry = bit;
    for plane in number {
        if carry.is_zero() {
            return;
        }
        (*plane, carry) = (*plane ^ carry, *plane & carry);
    }
}

/// Adds a bit-sliced number to one with more bits.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
fn add(sum: &mut [Plane], number: &[Plane]) {
    let mut carry = Plane::ZERO;
    let (low, high) = sum.split_at_mut(number.len());
    for (sum, &bit) in low.iter_mut().zip(number) {
        let (old, either) = (*sum, *sum ^ bit);
        *sum = either ^ carry;
        carry = (old & bit) | (either & carry);
    }
    add_bit(high, carry);
}

/// The largest number of all lanes.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
fn largest(number: &[Plane]) -> u32 {
    let (mut largest, mut lanes) = (0, Plane::ONES);
    for &plane in number.iter().rev() {
        let with = lanes & plane;
        largest *= 2;
        if !with.is_zero() {
            (largest, lanes) = (largest + 1, with);
        }
    }
    largest
}

impl Supply for FactCounter<'_> {
    fn has_more(&self) -> bool {
        !self.waiting.is_zero()
    }

    fn refill(&mut self, _free: Plane, clock: u64, state: &mut [Plane]) -> Plane {
        load_states(self.starts.iter().map(|start| start.words()), state);
        self.started = clock;
        std::mem::take(&mut self.waiting)
    }

    fn freeze(&mut self, lanes: Plane, clock: u64) {
        let plies = (clock - self.started) as u32;
        lanes_of(lanes).for_each(|lane| self.plies[lane] = plies);
        self.frozen = self.frozen | lanes;
    }

    fn credit(&mut self, ended: &Ended<'_>, clock: u64) {
        self.freeze(ended.lanes & !self.frozen, clock);
        self.record(ended);
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn observe(&mut self, state: &[Plane], moving: Plane) {
        let groups = self.groups.iter().zip(&mut self.sums).zip(&mut self.max);
        for ((rows, sums), max) in groups {
            if let &[row] = rows {
                let holding = state[row as usize] & moving;
                *max |= u32::from(!holding.is_zero());
                add_bit(sums, holding);
                continue;
            }
            let mut number = [Plane::ZERO; BITS];
            let n_bits = (rows.len() + 1).next_power_of_two().ilog2() as usize;
            let count = &mut number[..n_bits.min(BITS - 1)];
            for &row in rows {
                add_bit(count, state[row as usize] & moving);
            }
            if (*max as usize) < rows.len() {
                *max = largest(count).max(*max);
            }
            add(sums, count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Rng;

    #[test]
    fn planes_add_up_like_numbers() {
        let mut rng = Rng::new(3);
        let mut random = || Plane(std::array::from_fn(|_| rng.next_u64()));
        let (mut sum, mut expected) = ([Plane::ZERO; BITS], [0u32; Plane::LANES]);
        let value = |planes: &[Plane], lane: usize| {
            let bits = planes.iter().enumerate();
            bits.map(|(bit, plane)| u32::from(plane.get(lane)) << bit).sum::<u32>()
        };
        for _ in 0..50 {
            let number = [random(), random() & random(), random(), random() & random()];
            add(&mut sum, &number);
            let single = random();
            add_bit(&mut sum, single);
            for (lane, expected) in expected.iter_mut().enumerate() {
                *expected += value(&number, lane) + u32::from(single.get(lane));
            }
        }
        for (lane, &expected) in expected.iter().enumerate() {
            assert_eq!(value(&sum, lane), expected);
        }
        assert_eq!(Some(largest(&sum)), expected.iter().copied().max());
    }
}
