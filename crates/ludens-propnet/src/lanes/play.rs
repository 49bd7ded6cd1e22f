//! Uniformly random playouts in 256 lanes.
//!
//! A lane whose playout has ended restarts at once, so that no lane waits for the longest playout. A
//! [`Supply`] provides starts and collects payoffs.
//!
//! A step has one of two orders. If terminal states are cheap to find, they are found first, and
//! new starts make their first moves in the same step. Otherwise they are found together with the
//! legal moves, and a lane whose playout has ended misses one step.

use std::sync::Arc;

use ludens_core::{Cut, Limit};

use super::engine::{Code, LaneEngine};
use super::plane::{LaneMemory, Plane};
use super::ply_counters::PlyCounters;
use super::random::PlaneRng;
use super::supply::{Ended, Supply};
use super::task::Task;
use super::transpose::load_states;
use crate::bits::Bits;
use crate::network::Network;

/// If payoffs are expensive, finished playouts are frozen until there are this many.
const MAX_FROZEN: u32 = 64;

/// Lanes restart in batches of at least this many, because copying starts into the planes costs the
/// same for one lane and for all.
const RESTART_BATCH: u32 = 8;

/// The playouts in progress.
pub(super) struct Play<C> {
    engine: Arc<LaneEngine<C>>,
    /// The evaluator without shared leaves, in case an exclusion is wrong.
    unshared: Arc<LaneEngine<C>>,
    memory: LaneMemory,
    /// The lanes in which a playout is in progress.
    pub live: Plane,
    /// The lanes in which a finished playout is frozen.
    frozen: Plane,
    /// The lanes that have started a playout since lengths were last checked.
    restarted: Plane,
    /// The lanes whose playouts have reached the limit.
    overdue: Plane,
    /// The number of steps so far.
    clock: u64,
    /// The number of finished playouts from which on payoffs are computed.
    threshold: u32,
    /// The number of plies of each playout, if there is a limit. Otherwise lengths are checked only
    /// once in as many steps as the longest playout may have, so that a playout that never ends takes
    /// up to twice as long.
    counters: Option<PlyCounters>,
    /// The payoffs of playouts that are cut off.
    cut_worth: Cut,
}

impl<C: Code> Play<C> {
    pub(super) fn new(engine: &Arc<LaneEngine<C>>, limit: Limit) -> Self {
        let unshared = Arc::clone(engine);
        let engine = engine.for_playouts();
        let memory = engine.memory();
        let threshold = if engine.programs.freezes { MAX_FROZEN } else { 1 };
        let mut play = Play {
            engine,
            unshared,
            memory,
            live: Plane::ZERO,
            frozen: Plane::ZERO,
            restarted: Plane::ZERO,
            overdue: Plane::ZERO,
            clock: 0,
            threshold,
            counters: None,
            cut_worth: Cut::Nothing,
        };
        play.limit(limit);
        play
    }

    /// Sets the limit of playouts; none may be in progress.
    pub(super) fn limit(&mut self, limit: Limit) {
        debug_assert!(self.live.is_zero(), "the limit is set before playouts start");
        self.counters = (limit != Limit::default()).then(|| PlyCounters::new(limit.plies));
        self.cut_worth = limit.cut;
    }

    /// Drops all playouts in progress.
    pub(super) fn abandon(&mut self) {
        (self.live, self.frozen, self.overdue) = (Plane::ZERO, Plane::ZERO, Plane::ZERO);
    }

    pub(super) fn network(&self) -> &Network {
        &self.engine.network
    }

    /// Whether starts that are terminal must be found before they enter lanes.
    pub(super) fn judges_first(&self) -> bool {
        self.engine.programs.judges_first
    }

    /// Makes one joint move in all lanes. Finished playouts are passed to the supply, which provides
    /// other starts for their lanes.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    pub(super) fn step(&mut self, supply: &mut impl Supply, random: &mut PlaneRng) {
        if self.engine.programs.judges_first {
            self.judge_and_move(supply, random);
        } else {
            self.move_and_judge(supply, random);
        }
    }

    /// A step that finds terminal states first.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn judge_and_move(&mut self, supply: &mut impl Supply, random: &mut PlaneRng) {
        self.engine.run(Task::Judge, &mut self.memory);
        let terminal = self.plane(self.engine.programs.layout.terminal);
        let over = (terminal | self.overdue) & self.live;
        self.end(over, terminal, supply);
        self.restart(supply);
        let moving = self.live & !self.frozen;
        if moving.is_zero() {
            return;
        }
        self.engine.run(Task::Count, &mut self.memory);
        let layout = &self.engine.programs.layout;
        if !(self.plane(layout.refuted) & moving).is_zero() {
            // The next step is made without sharing.
            self.stop_sharing();
            return;
        }
        let stuck = self.plane(layout.stuck) & moving;
        if !stuck.is_zero() {
            let ended = Ended { finished: Plane::ZERO, ..Ended::by_rules(stuck, self.goals()) };
            supply.credit(&ended, self.clock);
            self.live = self.live & !stuck;
        }
        self.advance(supply, random);
    }

    /// A step that finds terminal states together with the legal moves.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn move_and_judge(&mut self, supply: &mut impl Supply, random: &mut PlaneRng) {
        if self.live.is_zero() {
            self.restart(supply);
        }
        self.engine.run(Task::Count, &mut self.memory);
        let layout = &self.engine.programs.layout;
        let (terminal, stuck) = (self.plane(layout.terminal), self.plane(layout.stuck));
        if !(self.plane(layout.refuted) & self.live & !terminal).is_zero() {
            // Nothing has changed yet in this step; the next one is made without sharing.
            self.stop_sharing();
            return;
        }
        let over = (terminal | stuck | self.overdue) & self.live;
        let moving = self.live & !over;
        self.end(over, terminal, supply);
        if !moving.is_zero() {
            self.advance(supply, random);
        }
        self.restart(supply);
    }

    fn plane(&self, slot: u32) -> Plane {
        self.memory.frame[slot as usize]
    }

    fn goals(&self) -> &[Plane] {
        let first = self.engine.programs.layout.goals as usize;
        &self.memory.frame[first..][..self.engine.network.goals.len()]
    }

    /// Continues without shared leaves, because an exclusion is wrong. States stay as they are.
    #[cold]
    fn stop_sharing(&mut self) {
        self.unshared.reject_sharing();
        self.engine = Arc::clone(&self.unshared);
        let LaneMemory { frame, .. } = self.engine.memory();
        self.memory.frame = frame;
    }

    /// Passes finished playouts to the supply, or freezes them if there are too few.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn end(&mut self, over: Plane, terminal: Plane, supply: &mut impl Supply) {
        if over.is_zero() {
            return;
        }
        if self.threshold > 1 && over.count() < self.threshold && over != self.live {
            supply.freeze(over & !self.frozen, self.clock);
            self.frozen = over;
            return;
        }
        if !self.engine.programs.judges_payoffs {
            self.engine.run(Task::Payoffs, &mut self.memory);
        }
        let ended = Ended {
            lanes: over,
            finished: over & terminal,
            cut: over & self.overdue & !terminal,
            cut_worth: self.cut_worth,
            goals: self.goals(),
        };
        supply.credit(&ended, self.clock);
        self.live = self.live & !over;
        (self.frozen, self.overdue) = (Plane::ZERO, Plane::ZERO);
    }

    /// Starts new playouts in free lanes, if there are enough of them.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn restart(&mut self, supply: &mut impl Supply) {
        let free = !self.live;
        let is_enough = free.count() >= RESTART_BATCH || self.live.is_zero();
        if !is_enough || !supply.has_more() {
            return;
        }
        if let Some((states, lanes)) = supply.prepare(free)
            && self.engine.programs.judges_first
        {
            std::mem::swap(states, &mut self.memory.state);
            self.judge();
            std::mem::swap(states, &mut self.memory.state);
            let over = self.plane(self.engine.programs.layout.terminal) & lanes;
            supply.finish_prepared(&Ended::by_rules(over, self.goals()));
        }
        let restarted = supply.refill(free, self.clock, &mut self.memory.state);
        self.live = self.live | restarted;
        self.restarted = self.restarted | restarted;
        if self.counters.is_some() {
            self.reset_counters(restarted);
        }
    }

    /// Finds terminal states and their payoffs.
    fn judge(&mut self) {
        self.engine.run(Task::Judge, &mut self.memory);
        if !self.engine.programs.judges_payoffs {
            self.engine.run(Task::Payoffs, &mut self.memory);
        }
    }

    /// Finds the terminal ones of at most 256 states; no playout may be in progress.
    pub(super) fn judge_states(&mut self, states: &[&Bits]) -> Ended<'_> {
        load_states(states.iter().map(|state| state.words()), &mut self.memory.state);
        self.judge();
        let over = self.plane(self.engine.programs.layout.terminal);
        Ended::by_rules(over, self.goals())
    }

    /// Draws moves and makes them.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn advance(&mut self, supply: &mut impl Supply, random: &mut PlaneRng) {
        supply.observe(&self.memory.state, self.live & !self.frozen);
        if self.engine.programs.freezes {
            self.memory.frame[self.engine.programs.layout.frozen as usize] = self.frozen;
        }
        self.draw(random);
        self.engine.run(Task::Advance, &mut self.memory);
        self.memory.step();
        self.clock += 1;
        if self.counters.is_some() {
            self.count_plies();
        } else if self.clock.is_multiple_of(u64::from(Limit::LONGEST)) {
            self.find_overdue();
        }
    }

    /// Draws a random number for every choice: random bits until all lanes have one.
    fn draw(&mut self, random: &mut PlaneRng) {
        let layout = &self.engine.programs.layout;
        let bits = layout.random.start as usize..layout.random.end as usize;
        let open = layout.open as usize;
        loop {
            random.fill(&mut self.memory.frame[bits.clone()]);
            self.engine.run(Task::Draw, &mut self.memory);
            if self.memory.frame[open].is_zero() {
                return;
            }
        }
    }

    /// Resets the counters of some lanes. Out of line, since most playouts have no limit.
    #[cold]
    fn reset_counters(&mut self, lanes: Plane) {
        self.counters.iter_mut().for_each(|counters| counters.reset(lanes));
    }

    /// Counts a ply in all playouts that are not frozen.
    #[cold]
    fn count_plies(&mut self) {
        if let Some(counters) = &mut self.counters {
            self.overdue = self.overdue | counters.count(self.live & !self.frozen);
        }
    }

    /// Finds playouts that were already in progress when lengths were last checked.
    #[cold]
    fn find_overdue(&mut self) {
        self.overdue = self.live & !self.restarted;
        self.restarted = Plane::ZERO;
    }
}
