//! Where playouts begin, and where their payoffs go.

use ludens_core::Tally;

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

    fn credit(&mut self, ended: &Ended<'_>) {
        self.tally.playouts += u64::from(ended.lanes.count());
        self.tally.finished += u64::from(ended.finished.count());
        let (mut role, mut unpaid) = (None, Plane::ZERO);
        // Where rules give several payoffs, the largest counts; they are sorted by role and value.
        for (goal, &plane) in self.goals.iter().zip(ended.goals).rev() {
            if role != Some(goal.role) {
                (role, unpaid) = (Some(goal.role), ended.finished);
            }
            let n = (plane & unpaid).count();
            unpaid = unpaid & !plane;
            self.tally.payoffs[goal.role] += f64::from(n) * f64::from(goal.value as f32 / 100.0);
        }
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

/// As many games from each of up to 256 starts: every lane stays with one start.
pub(super) struct Pinned<'a> {
    goals: &'a [Goal],
    starts: Vec<Plane>,
    /// How many games are still to begin from each start.
    left: Vec<u64>,
    /// Lanes whose start needs no more games.
    spent: Plane,
    ages: Ages,
    payoffs: LanePayoffs,
    tallies: &'a mut [Tally],
}

impl<'a> Pinned<'a> {
    pub(super) fn new(
        network: &'a Network,
        starts: &[&Bits],
        playouts: u64,
        tallies: &'a mut [Tally],
    ) -> Self {
        let mut planes = vec![Plane::ZERO; network.fluents.len()];
        for part in 0..4 {
            let mut lanes = Plane::ZERO;
            lanes.0[part] = u64::MAX;
            let states = (0..64).map(|i| starts[(part * 64 + i) % starts.len()].words());
            scatter(&states.collect::<Vec<_>>(), lanes, &mut planes);
        }
        Pinned {
            goals: &network.goals,
            starts: planes,
            left: vec![playouts; starts.len()],
            spent: Plane::all(playouts == 0),
            ages: Ages::new(),
            payoffs: LanePayoffs::new(network.roles.len()),
            tallies,
        }
    }
}

impl Supply for Pinned<'_> {
    fn has_more(&self) -> bool {
        self.spent != Plane::ONES
    }

    fn restart(&mut self, free: Plane, clock: u32) -> Plane {
        let mut lanes = free & !self.spent;
        for lane in lanes_of(lanes) {
            let left = &mut self.left[lane % self.tallies.len()];
            if *left == 0 {
                lanes.set(lane, false);
                self.spent.set(lane, true);
            } else {
                *left -= 1;
                self.ages.begin(lane, clock);
            }
        }
        lanes
    }

    fn place(&mut self, lanes: Plane, state: &mut [Plane]) {
        blend_all(state, &self.starts, lanes);
    }

    fn note_end(&mut self, lanes: Plane, clock: u32) {
        self.ages.end(lanes, clock);
    }

    fn credit(&mut self, ended: &Ended<'_>) {
        self.payoffs.read(self.goals, ended);
        for lane in lanes_of(ended.lanes) {
            let tally = &mut self.tallies[lane % self.left.len()];
            tally.add(self.payoffs.of(lane), self.ages.of(lane), ended.finished.get(lane));
        }
    }
}
