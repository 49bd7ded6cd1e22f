//! Schedules: which agents play in which seats, with which seeds.
//!
//! A *meeting* is a group of agents that play each other under the same rules; a *round* is the
//! games of a meeting in which its agents take every seat in turn. The games of a round share a
//! seed and so their opening. The n-th games of all meetings precede the next game of any, so that
//! a schedule is balanced wherever it is interrupted, and a longer one begins with the same games.

use std::fmt;

use ludens_core::Rng;
use serde::{Deserialize, Serialize};

/// Which agents meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pairing {
    /// Every group of as many agents as there are roles.
    RoundRobin,
    /// The first agent against every group of others.
    Gauntlet,
    /// Every two agents, which share all seats.
    Pairs,
}

/// The parameters of a schedule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The number of agents.
    pub n_agents: usize,
    /// The number of roles of each set of rules.
    pub roles: Vec<usize>,
    /// Which agents meet.
    pub pairing: Pairing,
    /// The number of games of each meeting.
    pub games_per_meeting: usize,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// One game of a schedule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Slot {
    /// Its index in the schedule.
    #[serde(rename = "slot")]
    pub index: usize,
    /// The index of its rules in the plan.
    #[serde(rename = "game_idx")]
    pub game: usize,
    /// The index of its meeting, counted over all rules.
    pub meeting: usize,
    /// Its round within the meeting.
    pub round: usize,
    /// The number of games of a complete round.
    pub round_games: usize,
    /// The agent in each seat, in role order. A number beyond the agents is a role that the host of a match
    /// plays at random; standings do not rank it.
    pub seats: Vec<usize>,
    /// The seed of its random numbers; below 2⁵³, so that every JSON reader represents it exactly.
    pub seed: u64,
}

/// Why a plan has no schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlanError {
    /// There are no agents.
    NoAgents,
    /// Some rules have no roles.
    NoRoles,
    /// The schedule would be too long.
    TooLarge,
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PlanError::NoAgents => "there are no agents to play",
            PlanError::NoRoles => "a game without roles cannot be played",
            PlanError::TooLarge => "there would be more than ten million games or meetings",
        })
    }
}

impl std::error::Error for PlanError {}

/// The maximum length of a schedule.
const MAX_SLOTS: usize = 10_000_000;

impl Plan {
    /// All games of the plan.
    ///
    /// ```
    /// use ludens_arena::schedule::{Pairing, Plan};
    ///
    /// let pairing = Pairing::RoundRobin;
    /// let plan = Plan { n_agents: 2, roles: vec![2], pairing, games_per_meeting: 3, seed: 1 };
    /// let slots = plan.slots().unwrap();
    /// let seats: Vec<_> = slots.iter().map(|slot| slot.seats.clone()).collect();
    /// assert_eq!(seats, [[0, 1], [1, 0], [0, 1]]);
    /// assert_eq!(slots[0].seed, slots[1].seed);
    /// ```
    pub fn slots(&self) -> Result<Vec<Slot>, PlanError> {
        let meetings = self.meetings()?;
        let total = meetings.len().checked_mul(self.games_per_meeting);
        if total.is_none_or(|total| total > MAX_SLOTS) {
            return Err(PlanError::TooLarge);
        }
        let games =
            (0..self.games_per_meeting).flat_map(|nth| (0..meetings.len()).map(move |m| (nth, m)));
        Ok(games.map(|(nth, meeting)| self.slot(&meetings, nth, meeting)).collect())
    }

    fn slot(&self, meetings: &[Meeting], nth: usize, meeting: usize) -> Slot {
        let Meeting { game, seatings } = &meetings[meeting];
        let (round, within) = (nth / seatings.len(), nth % seatings.len());
        // The seed depends on the first game of the round, so all its games share it.
        let begin = (nth - within) * meetings.len() + meeting;
        Slot {
            index: nth * meetings.len() + meeting,
            game: *game,
            meeting,
            round,
            round_games: seatings.len(),
            seats: seatings[within].clone(),
            seed: game_seed(self.seed, begin),
        }
    }

    fn meetings(&self) -> Result<Vec<Meeting>, PlanError> {
        if self.n_agents == 0 {
            return Err(PlanError::NoAgents);
        }
        let mut meetings = Vec::new();
        for (game, &n_roles) in self.roles.iter().enumerate() {
            if n_roles == 0 {
                return Err(PlanError::NoRoles);
            }
            for agents in self.groups(n_roles)? {
                meetings.push(Meeting { game, seatings: seatings(&agents, n_roles) });
            }
        }
        Ok(meetings)
    }

    /// The groups of agents that meet.
    fn groups(&self, n_roles: usize) -> Result<Vec<Vec<usize>>, PlanError> {
        let size = if self.pairing == Pairing::Pairs { 2 } else { n_roles }.min(self.n_agents);
        // The first agent of a gauntlet is in every group, unless there is only one role.
        let fixed = usize::from(self.pairing == Pairing::Gauntlet && size > 1);
        let count = combination_count(self.n_agents - fixed, size - fixed);
        if count.is_none_or(|count| count > MAX_SLOTS) {
            return Err(PlanError::TooLarge);
        }
        let others = combinations(self.n_agents - fixed, size - fixed).into_iter();
        Ok(others
            .map(|group| (0..fixed).chain(group.into_iter().map(|a| a + fixed)).collect())
            .collect())
    }
}

/// A group of agents, as the seatings of a round.
struct Meeting {
    game: usize,
    seatings: Vec<Vec<usize>>,
}

/// The seed of the round that begins at an index of the schedule.
fn game_seed(master: u64, index: usize) -> u64 {
    Rng::stream(master, &[index as u64]).next_u64() >> 11
}

/// Every rotation of the agents, then every rotation of the reverse order, without repetitions. If
/// there are fewer agents than roles, agents take several seats, in every way.
fn seatings(agents: &[usize], n_roles: usize) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    let forward = agents.to_vec();
    let backward = agents.iter().rev().copied().collect();
    for order in [forward, backward] as [Vec<usize>; 2] {
        for first in 0..order.len() {
            for turn in 0..n_roles {
                let agent = |seat| order[((seat + turn) % n_roles + first) % order.len()];
                let seating: Vec<usize> = (0..n_roles).map(agent).collect();
                if !found.contains(&seating) {
                    found.push(seating);
                }
            }
        }
    }
    found
}

/// The number of groups of `size` among `n`; `None` on overflow.
fn combination_count(n: usize, size: usize) -> Option<usize> {
    (0..size).try_fold(1usize, |count, i| Some(count.checked_mul(n - i)? / (i + 1)))
}

/// All groups of `size` numbers below `n`, in lexicographic order.
fn combinations(n: usize, size: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for taken in 0..size {
        let grow = |group: Vec<usize>| {
            let least = group.last().map_or(0, |last| last + 1);
            // Leave enough numbers for the rest of the group.
            let most = n + taken + 1 - size;
            (least..most).map(move |next| group.iter().copied().chain([next]).collect())
        };
        found = found.into_iter().flat_map(grow).collect();
    }
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn plan(n_agents: usize, roles: &[usize], pairing: Pairing, games: usize) -> Plan {
        Plan { n_agents, roles: roles.to_vec(), pairing, games_per_meeting: games, seed: 7 }
    }

    fn seats(plan: &Plan) -> Vec<String> {
        let text = |slot: Slot| slot.seats.iter().map(ToString::to_string).collect::<String>();
        plan.slots().unwrap().into_iter().map(text).collect()
    }

    #[test]
    fn tournaments_are_what_their_names_say() {
        use Pairing::{Gauntlet, Pairs, RoundRobin};
        for (n_agents, n_roles, pairing, games, expected) in [
            (3, 2, RoundRobin, 2, "01 02 12 10 20 21"),
            (3, 2, Gauntlet, 2, "01 02 10 20"),
            (3, 2, Pairs, 1, "01 02 12"),
            (2, 3, Pairs, 6, "010 100 001 101 011 110"),
            (1, 2, RoundRobin, 2, "00 00"),
            (2, 1, RoundRobin, 2, "0 1 0 1"),
            (2, 1, Gauntlet, 1, "0 1"),
            (3, 3, RoundRobin, 6, "012 120 201 210 102 021"),
            (4, 3, Gauntlet, 1, "012 013 023"),
        ] {
            let found = seats(&plan(n_agents, &[n_roles], pairing, games)).join(" ");
            assert_eq!(found, expected, "{n_agents} agents, {n_roles} roles, {pairing:?}");
        }
    }

    #[test]
    fn every_agent_takes_every_seat_equally_often() {
        for (n_agents, n_roles) in [(2, 2), (3, 3), (4, 4), (2, 3), (2, 4), (3, 4), (5, 3)] {
            let plan = plan(n_agents, &[n_roles], Pairing::RoundRobin, 240);
            let mut counts = vec![vec![0; n_roles]; n_agents];
            for slot in plan.slots().unwrap() {
                slot.seats.iter().enumerate().for_each(|(seat, &agent)| counts[agent][seat] += 1);
            }
            let different: BTreeSet<_> = counts.iter().flatten().collect();
            assert_eq!(different.len(), 1, "{n_agents} agents, {n_roles} roles: {counts:?}");
        }
    }

    #[test]
    fn rounds_share_seeds_and_nothing_else_does() {
        let slots = plan(3, &[2, 3], Pairing::RoundRobin, 12).slots().unwrap();
        for a in &slots {
            for b in &slots {
                let same_round = (a.meeting, a.round) == (b.meeting, b.round);
                assert_eq!(a.seed == b.seed, same_round, "{a:?} {b:?}");
            }
        }
        // An agent against itself must not repeat the same game.
        let alone = plan(1, &[2], Pairing::RoundRobin, 5).slots().unwrap();
        assert_eq!(alone.iter().map(|slot| slot.seed).collect::<BTreeSet<_>>().len(), 5);
    }

    #[test]
    fn a_longer_schedule_begins_with_the_shorter_one() {
        let short = plan(4, &[2, 3], Pairing::RoundRobin, 5).slots().unwrap();
        let long = plan(4, &[2, 3], Pairing::RoundRobin, 9).slots().unwrap();
        assert_eq!(long[..short.len()], short);
        assert!(long.iter().enumerate().all(|(at, slot)| slot.index == at));
        assert!(long.iter().all(|slot| slot.seed < 1 << 53));
    }

    #[test]
    fn senseless_plans_are_refused() {
        let slots = |n_agents, roles: &[usize], games| {
            plan(n_agents, roles, Pairing::RoundRobin, games).slots()
        };
        assert_eq!(slots(0, &[2], 1), Err(PlanError::NoAgents));
        assert_eq!(slots(1, &[0], 1), Err(PlanError::NoRoles));
        assert_eq!(slots(2, &[2], usize::MAX), Err(PlanError::TooLarge));
        assert_eq!(slots(100, &[50], 1), Err(PlanError::TooLarge));
        assert_eq!(slots(2, &[], 4), Ok(Vec::new()));
    }
}
