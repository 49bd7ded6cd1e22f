//! Supplies, which provide the starts of playouts and collect their payoffs.

use ludens_core::{Cut, Role};

use super::engine::lanes_of;
use super::plane::Plane;
use crate::network::Goal;

/// Playouts that have ended in some lanes.
pub(super) struct Ended<'a> {
    /// Where playouts have ended.
    pub lanes: Plane,
    /// Where they ended by the rules.
    pub finished: Plane,
    /// Where they were cut off.
    pub cut: Plane,
    /// The payoffs of playouts that were cut off.
    pub cut_worth: Cut,
    /// The payoffs, a plane for each of the network's goals.
    pub goals: &'a [Plane],
}

impl<'a> Ended<'a> {
    /// Playouts that ended by the rules in some lanes.
    pub(super) fn by_rules(lanes: Plane, goals: &'a [Plane]) -> Self {
        let (cut, cut_worth) = (Plane::ZERO, Cut::Nothing);
        Ended { lanes, finished: lanes, cut, cut_worth, goals }
    }

    /// Where the rules give the payoffs.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn scored(&self) -> Plane {
        match self.cut_worth {
            Cut::Goal => self.finished | self.cut,
            Cut::Nothing | Cut::Draw => self.finished,
        }
    }
}

/// Provides the starts of lanes and collects the payoffs of their playouts.
pub(super) trait Supply {
    /// Whether a free lane could start a playout.
    fn has_more(&self) -> bool;

    /// Prepares starts for free lanes. Returns the new ones, each in its own lane: if play does not
    /// check states before their first moves are made, it checks whether these are terminal.
    fn prepare(&mut self, _free: Plane) -> Option<(&mut Vec<Plane>, Plane)> {
        None
    }

    /// Collects the payoffs of prepared starts that are terminal.
    fn finish_prepared(&mut self, _ended: &Ended<'_>) {}

    /// Copies starts into free lanes, and returns these lanes; their first moves are made at the step
    /// `clock`.
    fn refill(&mut self, free: Plane, clock: u64, state: &mut [Plane]) -> Plane;

    /// Observes all states before the next moves are made in some lanes.
    #[inline]
    fn observe(&mut self, _state: &[Plane], _moving: Plane) {}

    /// Freezes the finished playouts of some lanes: they ended before the step `clock`, but their
    /// payoffs follow later.
    fn freeze(&mut self, lanes: Plane, clock: u64);

    /// Collects the payoffs of finished playouts, including frozen ones.
    fn credit(&mut self, ended: &Ended<'_>, clock: u64);
}

/// Finds the lanes in which each goal with a nonzero value is paid. If the rules give several
/// payoffs, the largest counts; goals are sorted by role and value.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
pub(super) fn paid_lanes(goals: &[Goal], ended: &Ended<'_>, mut pay: impl FnMut(usize, Plane)) {
    let (mut role, mut unpaid) = (None, Plane::ZERO);
    let scored = ended.scored();
    for (i, goal) in goals.iter().enumerate().rev() {
        if role != Some(goal.role) {
            (role, unpaid) = (Some(goal.role), scored);
        }
        let paid = ended.goals[i] & unpaid;
        unpaid = unpaid & !paid;
        if goal.value != 0 {
            pay(i, paid);
        }
    }
}

/// Finds the lanes in which each role gets half, because a playout was cut off and the rules give no
/// payoff there, or do not count.
#[inline(always)]
#[expect(clippy::inline_always, reason = "most playouts are not cut off and skip it")]
pub(super) fn halved_lanes(
    goals: &[Goal],
    n_roles: usize,
    ended: &Ended<'_>,
    mut halve: impl FnMut(Role, Plane),
) {
    if ended.cut_worth != Cut::Nothing && !ended.cut.is_zero() {
        let given = if ended.cut_worth == Cut::Goal { ended.goals } else { &[] };
        for role in Role::all(n_roles) {
            halve(role, lanes_without_goal(goals, given, role, ended.cut));
        }
    }
}

/// The lanes in which a role has no goal.
#[cold]
fn lanes_without_goal(goals: &[Goal], given: &[Plane], role: Role, lanes: Plane) -> Plane {
    let own = goals.iter().zip(given).filter(|(goal, _)| goal.role == role);
    own.fold(lanes, |rest, (_, &given)| rest & !given)
}

/// The payoff of a goal.
pub(super) fn payoff(goal: &Goal) -> f32 {
    goal.value as f32 / 100.0
}

/// The payoffs of each lane's playout.
pub(super) struct LanePayoffs {
    n_roles: usize,
    payoffs: Vec<f32>,
}

impl LanePayoffs {
    pub(super) fn new(n_roles: usize) -> Self {
        LanePayoffs { n_roles, payoffs: vec![0.0; n_roles * Plane::LANES] }
    }

    /// Reads the payoffs of finished playouts.
    pub(super) fn read(&mut self, goals: &[Goal], ended: &Ended<'_>) {
        for lane in lanes_of(ended.lanes) {
            self.payoffs[lane * self.n_roles..][..self.n_roles].fill(0.0);
        }
        paid_lanes(goals, ended, |i, lanes| {
            for lane in lanes_of(lanes) {
                self.payoffs[lane * self.n_roles + goals[i].role.index()] = payoff(&goals[i]);
            }
        });
        halved_lanes(goals, self.n_roles, ended, |role, lanes| {
            for lane in lanes_of(lanes) {
                self.payoffs[lane * self.n_roles + role.index()] = Cut::HALF;
            }
        });
    }

    pub(super) fn of(&self, lane: usize) -> &[f32] {
        &self.payoffs[lane * self.n_roles..][..self.n_roles]
    }
}
