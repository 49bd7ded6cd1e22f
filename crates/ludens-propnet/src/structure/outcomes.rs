//! States of random games with their outcomes, by which candidates for symmetries are tested.
//!
//! Rules that count pieces or follow paths in one direction compute a symmetric outcome in an asymmetric
//! way. Then only the moves of a game have a symmetric network, and whether its outcomes are symmetric too is
//! a question for statistics.

use ludens_core::Rng;

use super::nodes::Values;
use crate::net::Signal;
use crate::network::Network;

/// The maximum number of states, and of joint moves in a game.
const MAX_STATES: usize = 512;
const MAX_PLIES: usize = 512;

/// The work for testing one candidate, in gates.
const MAX_GATES: usize = 4_000_000;

/// States with their outcomes.
pub(super) struct Outcomes<'a> {
    network: &'a Network,
    values: Values,
    states: Vec<(Vec<bool>, Outcome)>,
}

/// Whether a state is terminal, and which goals hold then.
#[derive(PartialEq, Eq)]
struct Outcome {
    terminal: bool,
    goals: Vec<bool>,
}

impl<'a> Outcomes<'a> {
    /// Plays random games; `None` if they did not show every goal.
    pub(super) fn complete(network: &'a Network, rng: &mut Rng) -> Option<Self> {
        let mut outcomes =
            Outcomes { network, values: Values::new(&network.net), states: Vec::new() };
        let n_states = (MAX_GATES / network.net.gates.len().max(1)).clamp(16, MAX_STATES);
        while outcomes.states.len() < n_states {
            outcomes.play(n_states, rng);
        }
        outcomes.are_complete().then_some(outcomes)
    }

    /// Plays one random game; keeps its last states, and with them its end.
    fn play(&mut self, n_states: usize, rng: &mut Rng) {
        /// States of one game are much alike.
        const KEPT: usize = 4;
        let network = self.network;
        let mut fluents = vec![false; network.fluents.len()];
        network.initial.iter().for_each(|&fluent| fluents[fluent as usize] = true);
        let mut game = Vec::new();
        for _ in 0..MAX_PLIES {
            let does = vec![false; network.does.len()];
            let outcome = self.outcome(&fluents, &does);
            let over = outcome.terminal;
            game.push((fluents.clone(), outcome));
            let Some(does) = self.random_moves(rng).filter(|_| !over) else { break };
            self.values.evaluate(&network.net, &fluents, &does);
            for (fluent, &next) in fluents.iter_mut().zip(&network.next) {
                *fluent = self.values.is_true(next);
            }
        }
        let first = game.len().saturating_sub(KEPT);
        let room = n_states - self.states.len();
        self.states.extend(game.drain(first..).rev().take(room));
    }

    /// Random legal moves of all roles in the state that was evaluated last.
    fn random_moves(&self, rng: &mut Rng) -> Option<Vec<bool>> {
        let mut does = vec![false; self.network.does.len()];
        for range in self.network.does_of_roles() {
            let is_legal = |&i: &usize| self.values.is_true(self.network.legal[i]);
            let legal: Vec<usize> = range.filter(is_legal).collect();
            (!legal.is_empty()).then_some(())?;
            does[legal[rng.below(legal.len())]] = true;
        }
        Some(does)
    }

    fn outcome(&mut self, fluents: &[bool], does: &[bool]) -> Outcome {
        self.values.evaluate(&self.network.net, fluents, does);
        let terminal = self.values.is_true(self.network.terminal);
        let goals = self.network.goals.iter();
        let goals = goals.map(|goal| terminal && self.values.is_true(goal.signal)).collect();
        Outcome { terminal, goals }
    }

    /// Whether every goal that the rules may give was seen. Otherwise the states say nothing about it: random
    /// games do not solve a puzzle.
    fn are_complete(&self) -> bool {
        let seen = |i: usize| self.states.iter().any(|(_, outcome)| outcome.goals[i]);
        let goals = self.network.goals.iter().enumerate();
        goals.filter(|(_, goal)| goal.signal != Signal::FALSE).all(|(i, _)| seen(i))
    }

    /// Whether the images of all states have the images of their outcomes. `roles` and `facts` are images.
    pub(super) fn are_kept_by(&mut self, roles: &[u32], facts: &[u32]) -> bool {
        let network = self.network;
        let goal = |goal: &crate::network::Goal| {
            let wanted = (roles[goal.role.index()] as u8, goal.value);
            network.goals.iter().position(|other| (other.role.0, other.value) == wanted)
        };
        // Goals that one role has and its image has not.
        let Some(goals) = network.goals.iter().map(goal).collect::<Option<Vec<_>>>() else {
            return false;
        };
        let does = vec![false; network.does.len()];
        let states = std::mem::take(&mut self.states);
        let kept = states.iter().all(|(fluents, outcome)| {
            let mut image = vec![false; fluents.len()];
            let true_facts = facts.iter().zip(fluents).filter(|(_, holds)| **holds);
            true_facts.for_each(|(&fact, _)| image[fact as usize] = true);
            let found = self.outcome(&image, &does);
            let mut goals = outcome.goals.iter().zip(&goals);
            found.terminal == outcome.terminal && goals.all(|(&holds, &i)| found.goals[i] == holds)
        });
        self.states = states;
        kept
    }
}
