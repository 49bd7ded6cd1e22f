//! The counts from which sums of payoffs are computed.
//!
//! Usually these are the numbers of lanes in which each goal holds. If a role has many goals, as in
//! games with points, its payoffs have fewer bits than goals: then the lanes in which each bit of
//! the payoff is set are counted.

use ludens_core::{Cut, Role, Tally};

use super::plane::Plane;
use super::supply::{Ended, halved_lanes, paid_lanes, payoff};
use crate::network::{Goal, Network};

/// Payoffs as sums of parts.
pub(super) struct Payout<'a> {
    goals: &'a [Goal],
    /// The lanes in which each goal with a value is paid.
    paid: Vec<Plane>,
    /// The parts of goals; if playouts may be cut off, the halves of all roles follow.
    pub parts: Vec<Part>,
    /// The number of roles that may get halves.
    n_halves: usize,
}

/// A part of a role's payoff.
pub(super) struct Part {
    role: Role,
    /// Its payoff.
    value: f64,
    /// The goals that contain it.
    goals: Vec<u32>,
    /// The lanes in which it is paid.
    pub lanes: Plane,
}

/// Payoffs of whole hundredths below this are split into bits.
const MAX_SPLIT_VALUE: i64 = 1 << 7;

impl<'a> Payout<'a> {
    /// The parts of a network's payoffs; `cut` says what playouts that are cut off are worth.
    pub(super) fn new(network: &'a Network, cut: Cut) -> Self {
        let goals = &network.goals;
        let mut parts = Vec::new();
        for role in Role::all(network.roles.len()) {
            let own = (0..).zip(goals).filter(|(_, goal)| goal.role == role && goal.value != 0);
            let own: Vec<(u32, &Goal)> = own.collect();
            let bits = own.iter().fold(0, |bits, (_, goal)| bits | goal.value);
            if (0..MAX_SPLIT_VALUE).contains(&bits) && own.len() > bits.count_ones() as usize {
                parts.extend(Part::bits(role, bits, &own));
            } else {
                let whole = |&(i, goal): &(u32, &Goal)| Part {
                    role,
                    value: f64::from(payoff(goal)),
                    goals: vec![i],
                    lanes: Plane::ZERO,
                };
                parts.extend(own.iter().map(whole));
            }
        }
        let n_halves = if cut == Cut::Nothing { 0 } else { network.roles.len() };
        parts.extend(Role::all(n_halves).map(Part::half));
        Payout { goals, paid: vec![Plane::ZERO; goals.len()], parts, n_halves }
    }

    /// Finds the lanes in which the parts are paid.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    pub(super) fn pay(&mut self, ended: &Ended<'_>) {
        let Payout { goals, paid, parts, n_halves } = self;
        paid_lanes(goals, ended, |i, lanes| paid[i] = lanes);
        for part in parts.iter_mut() {
            part.lanes = Plane::ZERO;
            for &goal in &part.goals {
                part.lanes = part.lanes | paid[goal as usize];
            }
        }
        if *n_halves > 0 {
            let first = parts.len() - *n_halves;
            let halves = &mut parts[first..];
            halved_lanes(goals, *n_halves, ended, |role, lanes| halves[role.index()].lanes = lanes);
        }
    }

    /// Adds payoffs to a tally, given the number of times each part was paid.
    pub(super) fn add(&self, times: impl Iterator<Item = u64>, tally: &mut Tally) {
        for (part, times) in self.parts.iter().zip(times) {
            tally.payoffs[part.role] += times as f64 * part.value;
        }
    }
}

impl Part {
    /// The payoff of a role in playouts that were cut off.
    fn half(role: Role) -> Part {
        Part { role, value: f64::from(Cut::HALF), goals: Vec::new(), lanes: Plane::ZERO }
    }

    /// The bits of a role's payoffs.
    fn bits(role: Role, bits: i64, own: &[(u32, &Goal)]) -> impl Iterator<Item = Part> {
        (0..7).map(|bit| 1 << bit).filter(move |bit| bits & bit != 0).map(move |bit: i64| {
            let goals = own.iter().filter(|(_, goal)| goal.value & bit != 0);
            let goals = goals.map(|&(i, _)| i).collect();
            Part { role, value: bit as f64 / 100.0, goals, lanes: Plane::ZERO }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use ludens_core::{Budget, Rng};

    use super::*;

    /// A role with few payoffs and one with many, some of which hold together.
    fn network() -> Network {
        let mut text = String::from(
            "(role a) (role b) (legal a x) (legal b x) (init (p 0)) (<= (next (p ?n)) (true (p ?n)))
            (<= (goal a 100) (true (p 1))) (<= (goal a 30) (true (p 2))) (<= terminal (true (p 3)))",
        );
        for n in 0..60 {
            write!(text, "(init (p {n})) (<= (goal b {n}) (true (p {n})))")
                .expect("strings take all");
        }
        let rules = ludens_gdl::load(&text).0.expect("the rules load");
        Network::load(&rules, &Budget::unlimited()).expect("the rules are grounded")
    }

    #[test]
    fn parts_make_up_the_payoffs() {
        let network = network();
        for (cut_worth, n_parts) in [(Cut::Nothing, 8), (Cut::Draw, 10), (Cut::Goal, 10)] {
            let mut payout = Payout::new(&network, cut_worth);
            assert_eq!(payout.parts.len(), n_parts, "two goals, six bits, and halves of two roles");
            let mut rng = Rng::new(1);
            let mut random = || Plane(std::array::from_fn(|_| rng.next_u64() & rng.next_u64()));
            // Once with playouts that are cut off, then without.
            for mask in [Plane::ONES, Plane::ZERO] {
                let goals: Vec<Plane> = network.goals.iter().map(|_| random() & random()).collect();
                let (finished, cut) = (random(), random() & mask);
                let cut = cut & !finished;
                let ended = Ended { lanes: Plane::ONES, finished, cut, cut_worth, goals: &goals };
                check(&network, &mut payout, &ended);
            }
        }
    }

    /// Compares the sums of payoffs with those of the lanes one by one.
    fn check(network: &Network, payout: &mut Payout<'_>, ended: &Ended<'_>) {
        payout.pay(ended);
        let mut tally = Tally { payoffs: vec![0.0; 2].into(), ..Tally::default() };
        payout.add(payout.parts.iter().map(|part| u64::from(part.lanes.count())), &mut tally);
        for role in Role::all(2) {
            let mut expected = 0;
            for lane in 0..Plane::LANES {
                let reached = network.goals.iter().zip(ended.goals);
                let reached = reached.filter(|(goal, lanes)| goal.role == role && lanes.get(lane));
                let given = reached.map(|(goal, _)| goal.value).max();
                expected += match ended.cut_worth {
                    _ if ended.finished.get(lane) => given.unwrap_or(0),
                    Cut::Goal if ended.cut.get(lane) => given.unwrap_or(50),
                    Cut::Draw if ended.cut.get(lane) => 50,
                    _ => 0,
                };
            }
            let paid = tally.payoffs[role] * 100.0;
            assert!((paid - expected as f64).abs() < 1e-3, "{paid} instead of {expected}");
        }
    }
}
