//! Where playouts begin, and where their payoffs go.

use ludens_core::Tally;

use super::counter::Counter;
use super::engine::lanes_of;
use super::plane::{Plane, blend_all};
use super::simulator::Ended;
use super::transpose::scatter;
use crate::game::Bits;
use crate::network::{Goal, Network};

/// Gives lanes their starts and takes what the games were worth.
pub(super) trait Supply {
    /// Whether a free lane could begin a game.
    fn has_more(&self) -> bool;

    /// Which of the free lanes begin a game now.
    fn restart(&mut self, free: Plane, clock: u32) -> Plane;

    /// Puts the starts of lanes that have just begun into the states.
    fn place(&mut self, lanes: Plane, state: &mut [Plane]);

    /// The games of some lanes are over; their payoffs may follow later.
    fn note_end(&mut self, lanes: Plane, clock: u32);

    /// Some lanes make a move.
    fn note_moves(&mut self, _lanes: Plane) {}

    /// Takes the payoffs.
    fn credit(&mut self, ended: &Ended<'_>);
}

/// Many games from one start: nothing is done lane by lane.
pub(super) struct Single<'a> {
    goals: &'a [Goal],
    start: Vec<Plane>,
    left: u64,
    tally: &'a mut Tally,
}

impl<'a> Single<'a> {
    pub(super) fn new(
        network: &'a Network,
        start: &Bits,
        playouts: u64,
        tally: &'a mut Tally,
    ) -> Self {
        tally.payoffs.resize(network.roles.len(), 0.0);
        let bit = |i: usize| start.words()[i / 64] >> (i % 64) & 1 == 1;
        let start = (0..network.fluents.len()).map(|i| Plane::all(bit(i))).collect();
        Single { goals: &network.goals, start, left: playouts, tally }
    }
}

impl Supply for Single<'_> {
    fn has_more(&self) -> bool {
        self.left > 0
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn restart(&mut self, free: Plane, _clock: u32) -> Plane {
        let mut lanes = free;
        let mut n = u64::from(free.count());
        if n > self.left {
            lanes = Plane::ZERO;
            lanes_of(free).take(self.left as usize).for_each(|lane| lanes.set(lane, true));
            n = self.left;
        }
        self.left -= n;
        lanes
    }

    fn place(&mut self, lanes: Plane, state: &mut [Plane]) {
        blend_all(state, &self.start, lanes);
    }

    fn note_end(&mut self, _lanes: Plane, _clock: u32) {}

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn credit(&mut self, ended: &Ended<'_>) {
        self.tally.playouts += u64::from(ended.lanes.count());
        self.tally.finished += u64::from(ended.finished.count());
        let Single { goals, tally, .. } = self;
        paid_lanes(goals, ended, |i, lanes| {
            let payoff = f64::from(goals[i].value as f32 / 100.0);
            tally.payoffs[goals[i].role] += f64::from(lanes.count()) * payoff;
        });
    }
}

/// What each lane's game was worth.
pub(super) struct LanePayoffs {
    n_roles: usize,
    payoffs: Vec<f32>,
}

impl LanePayoffs {
    pub(super) fn new(n_roles: usize) -> Self {
        LanePayoffs { n_roles, payoffs: vec![0.0; n_roles * Plane::LANES] }
    }

    /// Reads the payoffs of games that are over.
    pub(super) fn read(&mut self, goals: &[Goal], ended: &Ended<'_>) {
        for lane in lanes_of(ended.lanes) {
            self.payoffs[lane * self.n_roles..][..self.n_roles].fill(0.0);
        }
        // Larger payoffs of a role come later and stay.
        for (goal, &plane) in goals.iter().zip(ended.goals) {
            for lane in lanes_of(plane & ended.finished) {
                self.payoffs[lane * self.n_roles + goal.role.index()] = goal.value as f32 / 100.0;
            }
        }
    }

    pub(super) fn of(&self, lane: usize) -> &[f32] {
        &self.payoffs[lane * self.n_roles..][..self.n_roles]
    }
}

/// How many moves each lane's game has taken.
pub(super) struct Ages {
    begun: [u32; Plane::LANES],
    plies: [u32; Plane::LANES],
}

impl Ages {
    pub(super) fn new() -> Self {
        Ages { begun: [0; Plane::LANES], plies: [0; Plane::LANES] }
    }

    pub(super) fn begin(&mut self, lane: usize, clock: u32) {
        self.begun[lane] = clock;
    }

    pub(super) fn end(&mut self, lanes: Plane, clock: u32) {
        for lane in lanes_of(lanes) {
            self.plies[lane] = clock.wrapping_sub(self.begun[lane]);
        }
    }

    pub(super) fn of(&self, lane: usize) -> u32 {
        self.plies[lane]
    }
}

/// As many games from each of up to 256 starts: every lane stays with one start, and counts are
/// kept in planes, so that again nothing is done lane by lane.
pub(super) struct Pinned<'a> {
    goals: &'a [Goal],
    starts: Vec<Plane>,
    /// How many games are still to begin in each lane.
    left: Counter,
    /// Lanes in which a game is still to begin.
    more: Plane,
    ended: Counter,
    finished: Counter,
    plies: Counter,
    paid: Vec<Counter>,
}

impl<'a> Pinned<'a> {
    pub(super) fn new(network: &'a Network, starts: &[&Bits], playouts: u64) -> Self {
        let mut planes = vec![Plane::ZERO; network.fluents.len()];
        for part in 0..4 {
            let mut lanes = Plane::ZERO;
            lanes.0[part] = u64::MAX;
            let states = (0..64).map(|i| starts[(part * 64 + i) % starts.len()].words());
            scatter(&states.collect::<Vec<_>>(), lanes, &mut planes);
        }
        let left = Self::quotas(starts.len(), playouts);
        Pinned {
            goals: &network.goals,
            starts: planes,
            more: left.is_positive(),
            left,
            ended: Counter::new(),
            finished: Counter::new(),
            plies: Counter::new(),
            paid: network.goals.iter().map(|_| Counter::new()).collect(),
        }
    }

    /// The lanes of a start share its games as evenly as can be.
    fn quotas(n_starts: usize, playouts: u64) -> Counter {
        let quota = |lane: usize| {
            let (first, step) = (lane % n_starts, n_starts);
            let n_lanes = (Plane::LANES - first).div_ceil(step) as u64;
            let extra = u64::from(((lane / n_starts) as u64) < playouts % n_lanes);
            playouts / n_lanes + extra
        };
        let mut left = Counter::new();
        for lane in 0..Plane::LANES {
            left.set(lane, quota(lane));
        }
        left
    }

    /// Adds what was counted to the tallies of the starts.
    pub(super) fn finish(&self, n_roles: usize, tallies: &mut [Tally]) {
        for lane in 0..Plane::LANES {
            let tally = &mut tallies[lane % tallies.len()];
            tally.playouts += self.ended.of(lane);
            tally.finished += self.finished.of(lane);
            tally.plies += self.plies.of(lane);
            tally.payoffs.resize(n_roles, 0.0);
            for (goal, paid) in self.goals.iter().zip(&self.paid) {
                let payoff = f64::from(goal.value as f32 / 100.0);
                tally.payoffs[goal.role] += paid.of(lane) as f64 * payoff;
            }
        }
    }
}

impl Supply for Pinned<'_> {
    fn has_more(&self) -> bool {
        !self.more.is_zero()
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn restart(&mut self, free: Plane, _clock: u32) -> Plane {
        let lanes = free & self.more;
        self.left.subtract(lanes);
        self.more = self.left.is_positive();
        lanes
    }

    fn place(&mut self, lanes: Plane, state: &mut [Plane]) {
        blend_all(state, &self.starts, lanes);
    }

    fn note_end(&mut self, _lanes: Plane, _clock: u32) {}

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn note_moves(&mut self, lanes: Plane) {
        self.plies.add(lanes);
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn credit(&mut self, ended: &Ended<'_>) {
        self.ended.add(ended.lanes);
        self.finished.add(ended.finished);
        paid_lanes(self.goals, ended, |i, lanes| self.paid[i].add(lanes));
    }
}

/// Says for each goal in which lanes it is paid. Where rules give several payoffs, the largest
/// counts; goals are sorted by role and value.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
fn paid_lanes(goals: &[Goal], ended: &Ended<'_>, mut pay: impl FnMut(usize, Plane)) {
    let (mut role, mut unpaid) = (None, Plane::ZERO);
    for (i, goal) in goals.iter().enumerate().rev() {
        if role != Some(goal.role) {
            (role, unpaid) = (Some(goal.role), ended.finished);
        }
        let paid = ended.goals[i] & unpaid;
        unpaid = unpaid & !paid;
        if !paid.is_zero() {
            pay(i, paid);
        }
    }
}
