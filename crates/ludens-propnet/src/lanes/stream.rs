//! Playouts of many leaves as a stream.
//!
//! Starts wait in planes of their own, one start for each lane, so that any number of lanes can
//! begin with one blend of planes. These columns are filled 64 at a time, because turning states
//! into columns is cheap only for many at once.

use ludens_core::Outcomes;

use super::engine::lanes_of;
use super::plane::{Plane, blend_all};
use super::simulator::Ended;
use super::supply::{Ages, LanePayoffs, Supply};
use super::transpose::scatter;
use crate::game::Bits;
use crate::network::{Goal, Network};

/// Starts that are waiting, and what has come of those under way.
pub(super) struct Stream {
    goals: Vec<Goal>,
    /// The states of starts that are in no column yet, one after the other, and their tags.
    staged: Vec<u64>,
    staged_tags: Vec<u32>,
    words: usize,
    /// The starts in columns, and which columns hold one.
    columns: Vec<Plane>,
    ready: Plane,
    column_tags: [u32; Plane::LANES],
    /// What the lanes are playing.
    tags: [u32; Plane::LANES],
    ages: Ages,
    payoffs: LanePayoffs,
    outcomes: Outcomes,
}

/// How many starts are turned into columns at once.
const BATCH: usize = 64;

impl Stream {
    pub(super) fn new(network: &Network) -> Self {
        Stream {
            goals: network.goals.clone(),
            staged: Vec::new(),
            staged_tags: Vec::new(),
            words: network.fluents.len().div_ceil(64),
            columns: vec![Plane::ZERO; network.fluents.len()],
            ready: Plane::ZERO,
            column_tags: [0; Plane::LANES],
            tags: [0; Plane::LANES],
            ages: Ages::new(),
            payoffs: LanePayoffs::new(network.roles.len()),
            outcomes: Outcomes::default(),
        }
    }

    /// Enough starts are taken to fill every lane and every column.
    pub(super) fn room(&self, live: Plane) -> usize {
        let under_way = (live.count() + self.ready.count()) as usize + self.staged_tags.len();
        (2 * Plane::LANES).saturating_sub(under_way)
    }

    pub(super) fn offer(&mut self, tag: u32, start: &Bits) {
        self.staged.extend_from_slice(start.words());
        self.staged_tags.push(tag);
    }

    /// Forgets the starts that are waiting.
    pub(super) fn abandon(&mut self) {
        self.staged.clear();
        self.staged_tags.clear();
        self.ready = Plane::ZERO;
        self.outcomes.clear();
    }

    /// Takes the buffer for outcomes; `end` gives it back.
    pub(super) fn exchange(&mut self, out: &mut Outcomes) {
        std::mem::swap(&mut self.outcomes, out);
    }

    pub(super) fn n_ended(&self) -> usize {
        self.outcomes.tags.len()
    }

    /// Turns the starts offered last into columns.
    fn fill_columns(&mut self) {
        while !self.staged_tags.is_empty() && !(!self.ready).is_zero() {
            let n = self.staged_tags.len().min(BATCH).min((!self.ready).count() as usize);

            let mut lanes = Plane::ZERO;
            let first = self.staged_tags.len() - n;
            for (lane, &tag) in lanes_of(!self.ready).zip(&self.staged_tags[first..]) {
                lanes.set(lane, true);
                self.column_tags[lane] = tag;
            }
            let states = &self.staged[first * self.words..];
            let mut rows: [&[u64]; BATCH] = [&[]; BATCH];
            for (i, row) in rows[..n].iter_mut().enumerate() {
                *row = &states[i * self.words..][..self.words];
            }
            scatter(&rows[..n], lanes, &mut self.columns);
            self.staged.truncate(first * self.words);
            self.staged_tags.truncate(first);
            self.ready = self.ready | lanes;
        }
    }
}

impl Supply for Stream {
    fn has_more(&self) -> bool {
        !self.ready.is_zero() || !self.staged_tags.is_empty()
    }

    fn restart(&mut self, free: Plane, clock: u32) -> Plane {
        // Columns are filled when there is a whole batch of empty ones, or when too many lanes wait.
        let n_empty = (!self.ready).count() as usize;
        let n_waiting = (free & !self.ready).count() as usize;
        let is_batch = n_empty >= BATCH && self.staged_tags.len() >= BATCH;
        if is_batch || (n_waiting >= BATCH / 2 && !self.staged_tags.is_empty()) {
            self.fill_columns();
        }
        let lanes = free & self.ready;
        for lane in lanes_of(lanes) {
            self.tags[lane] = self.column_tags[lane];
            self.ages.begin(lane, clock);
        }
        self.ready = self.ready & !lanes;
        lanes
    }

    fn place(&mut self, lanes: Plane, state: &mut [Plane]) {
        blend_all(state, &self.columns, lanes);
    }

    fn note_end(&mut self, lanes: Plane, clock: u32) {
        self.ages.end(lanes, clock);
    }

    fn credit(&mut self, ended: &Ended<'_>) {
        self.payoffs.read(&self.goals, ended);
        for lane in lanes_of(ended.lanes) {
            let (plies, finished) = (self.ages.of(lane), ended.finished.get(lane));
            self.outcomes.add(self.tags[lane], plies, finished, self.payoffs.of(lane));
        }
    }
}
