//! Playouts of many leaves as a stream.
//!
//! Waiting starts have planes of their own, one start for each lane, so that any number of lanes
//! can restart with one blend of planes. These columns are filled 64 at a time, because transposing
//! states is cheap only in batches.

use ludens_core::{Cut, Outcomes};

use super::engine::lanes_of;
use super::plane::{Plane, blend_all};
use super::supply::{Ended, Supply, halved_lanes, paid_lanes, payoff};
use super::transpose::scatter;
use crate::bits::Bits;
use crate::network::{Goal, Network};

/// Waiting starts, and the outcomes of those in progress.
pub(super) struct Stream {
    goals: Vec<Goal>,
    n_roles: usize,
    under_way: usize,
    queue: Queue,
    /// The starts in columns, and which columns hold one.
    columns: Vec<Plane>,
    ready: Plane,
    column_tags: [u32; Plane::LANES],
    /// The tag of each lane's playout, and the step at which it started.
    tags: [u32; Plane::LANES],
    started: [u32; Plane::LANES],
    /// The lanes with frozen playouts, and their numbers of plies.
    frozen: Plane,
    plies: [u32; Plane::LANES],
    outcomes: Outcomes,
}

/// How many starts are transposed at once.
const BATCH: usize = 64;

impl Stream {
    pub(super) fn new(network: &Network) -> Self {
        Stream {
            goals: network.goals.clone(),
            n_roles: network.roles.len(),
            under_way: 0,
            queue: Queue::new(network.fluents.len().div_ceil(64)),
            columns: vec![Plane::ZERO; network.fluents.len()],
            ready: Plane::ZERO,
            column_tags: [0; Plane::LANES],
            tags: [0; Plane::LANES],
            started: [0; Plane::LANES],
            frozen: Plane::ZERO,
            plies: [0; Plane::LANES],
            outcomes: Outcomes::default(),
        }
    }

    /// Room for enough starts to fill every lane and every column.
    pub(super) fn room(&self) -> usize {
        (2 * Plane::LANES).saturating_sub(self.under_way)
    }

    /// The number of starts whose playouts have not ended.
    pub(super) fn under_way(&self) -> usize {
        self.under_way
    }

    pub(super) fn offer(&mut self, tag: u32, start: &Bits) {
        self.queue.push(tag, start.words());
        self.under_way += 1;
    }

    /// Drops the starts that are waiting, and those in progress.
    pub(super) fn abandon(&mut self) {
        self.queue.clear();
        (self.ready, self.frozen, self.under_way) = (Plane::ZERO, Plane::ZERO, 0);
        self.outcomes.clear();
    }

    /// Exchanges the buffer for outcomes; another exchange returns it.
    pub(super) fn exchange(&mut self, out: &mut Outcomes) {
        std::mem::swap(&mut self.outcomes, out);
    }

    pub(super) fn n_ended(&self) -> usize {
        self.outcomes.tags.len()
    }

    /// Transposes the oldest starts of the queue, and returns the columns they fill.
    fn fill_columns(&mut self) -> Plane {
        let mut filled = Plane::ZERO;
        while self.queue.len() > 0 && !(!self.ready).is_zero() {
            let lanes = (!self.ready).lowest(self.queue.len().min(BATCH) as u64);
            let mut rows: [&[u64]; BATCH] = [&[]; BATCH];
            let n = lanes.count() as usize;
            let waiting = lanes_of(lanes).zip(&mut rows);
            for ((lane, row), (tag, state)) in waiting.zip(self.queue.first(n)) {
                self.column_tags[lane] = tag;
                *row = state;
            }
            scatter(&rows[..n], lanes, &mut self.columns);
            self.queue.drop_first(n);
            self.ready = self.ready | lanes;
            filled = filled | lanes;
        }
        filled
    }

    /// Appends outcomes, given the tag and the number of plies of each lane.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn append(
        goals: &[Goal],
        n_roles: usize,
        ended: &Ended<'_>,
        outcomes: &mut Outcomes,
        of: impl Fn(usize) -> (u32, u32),
    ) {
        let first = outcomes.tags.len();
        let end = first + ended.lanes.count() as usize;
        outcomes.tags.resize(end, 0);
        outcomes.plies.resize(end, 0);
        outcomes.finished.resize(end, true);
        outcomes.payoffs.resize(end * n_roles, 0.0);
        let (tags, plies) = (&mut outcomes.tags[first..], &mut outcomes.plies[first..]);
        let mut positions = [0u8; Plane::LANES];
        let mut position = 0u8;
        ended.lanes.for_each_lane(|lane| {
            (tags[usize::from(position)], plies[usize::from(position)]) = of(lane);
            positions[lane] = position;
            position = position.wrapping_add(1);
        });
        let finished = &mut outcomes.finished[first..];
        (ended.lanes & !ended.finished).for_each_lane(|lane| {
            finished[usize::from(positions[lane])] = false;
        });
        let payoffs = &mut outcomes.payoffs[first * n_roles..];
        paid_lanes(goals, ended, |i, lanes| {
            let (role, payoff) = (goals[i].role.index(), payoff(&goals[i]));
            lanes.for_each_lane(|lane| {
                payoffs[usize::from(positions[lane]) * n_roles + role] = payoff;
            });
        });
        halved_lanes(goals, n_roles, ended, |role, lanes| {
            lanes.for_each_lane(|lane| {
                payoffs[usize::from(positions[lane]) * n_roles + role.index()] = Cut::HALF;
            });
        });
    }
}

impl Supply for Stream {
    fn has_more(&self) -> bool {
        !self.ready.is_zero() || self.queue.len() > 0
    }

    /// Fills columns when there is a whole batch of empty ones, or when too many lanes wait.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn prepare(&mut self, free: Plane) -> Option<(&mut Vec<Plane>, Plane)> {
        let n_empty = (!self.ready).count() as usize;
        let n_waiting = (free & !self.ready).count() as usize;
        let is_batch = n_empty >= BATCH && self.queue.len() >= BATCH;
        if is_batch || (n_waiting >= BATCH / 2 && self.queue.len() > 0) {
            let filled = self.fill_columns();
            return Some((&mut self.columns, filled));
        }
        None
    }

    fn finish_prepared(&mut self, ended: &Ended<'_>) {
        let Stream { goals, n_roles, column_tags, outcomes, .. } = self;
        Self::append(goals, *n_roles, ended, outcomes, |lane| (column_tags[lane], 0));
        self.under_way -= ended.lanes.count() as usize;
        self.ready = self.ready & !ended.lanes;
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn refill(&mut self, free: Plane, clock: u64, state: &mut [Plane]) -> Plane {
        let lanes = free & self.ready;
        let Stream { tags, started, column_tags, .. } = self;
        lanes.for_each_lane(|lane| {
            tags[lane] = column_tags[lane];
            started[lane] = clock as u32;
        });
        self.ready = self.ready & !lanes;
        blend_all(state, &self.columns, lanes);
        lanes
    }

    fn freeze(&mut self, lanes: Plane, clock: u64) {
        let Stream { plies, started, .. } = self;
        lanes.for_each_lane(|lane| plies[lane] = (clock as u32).wrapping_sub(started[lane]));
        self.frozen = self.frozen | lanes;
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn credit(&mut self, ended: &Ended<'_>, clock: u64) {
        let Stream { goals, n_roles, tags, started, frozen, plies, outcomes, .. } = self;
        Self::append(goals, *n_roles, ended, outcomes, |lane| {
            let now = (clock as u32).wrapping_sub(started[lane]);
            (tags[lane], if frozen.get(lane) { plies[lane] } else { now })
        });
        self.frozen = self.frozen & !ended.lanes;
        self.under_way -= ended.lanes.count() as usize;
    }
}

/// Starts that are in no column yet, in the order in which they were offered.
struct Queue {
    words: usize,
    states: Vec<u64>,
    tags: Vec<u32>,
    /// The number of dropped entries at the front.
    n_dropped: usize,
}

impl Queue {
    fn new(words: usize) -> Self {
        Queue { words, states: Vec::new(), tags: Vec::new(), n_dropped: 0 }
    }

    fn len(&self) -> usize {
        self.tags.len() - self.n_dropped
    }

    fn clear(&mut self) {
        self.tags.clear();
        self.states.clear();
        self.n_dropped = 0;
    }

    fn push(&mut self, tag: u32, state: &[u64]) {
        self.tags.push(tag);
        self.states.extend_from_slice(state);
    }

    /// The first `n`.
    fn first(&self, n: usize) -> impl Iterator<Item = (u32, &[u64])> {
        let states = (self.n_dropped..).map(|i| &self.states[i * self.words..][..self.words]);
        self.tags[self.n_dropped..][..n].iter().copied().zip(states)
    }

    /// Drops the first `n`. The rest moves to the front when most are dropped.
    fn drop_first(&mut self, n: usize) {
        self.n_dropped += n;
        if self.n_dropped > self.len() {
            self.tags.drain(..self.n_dropped);
            self.states.drain(..self.n_dropped * self.words);
            self.n_dropped = 0;
        }
    }
}
