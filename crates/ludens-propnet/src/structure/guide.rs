//! How nearly a state fulfils the best goal of a role, and facts that only count moves.

use std::sync::Arc;

use ludens_core::{Guide, Role};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::net::{Gate, Net, Signal};
use crate::network::Network;

/// Degrees of truth and falsity of gates. A conjunction is as true as its parts are on average, so that states that
/// fulfil more of its conditions count as nearer, and as false as the part that is most so; a disjunction is the other
/// way round. (As in fuzzy evaluation, Schiffel and Thielscher 2007, with the mean as t-norm.)
struct FuzzyGoal {
    network: Arc<Network>,
    /// The gates on which the goal depends, in topological order.
    gates: Vec<usize>,
    goals: Vec<Signal>,
    degrees: Vec<Degrees>,
    holds: Vec<bool>,
}

#[derive(Clone, Copy, Default)]
struct Degrees {
    truth: f32,
    falsity: f32,
}

/// The guide to the best goal of a role; `None` if it has no goal.
pub(super) fn guide(network: &Arc<Network>, role: Role) -> Option<Box<dyn Guide>> {
    let goals = network.best_goals(role);
    if goals.is_empty() {
        return None;
    }
    let mut gates: Vec<usize> = cone(&network.net, &goals).into_iter().collect();
    gates.sort_unstable();
    Some(Box::new(FuzzyGoal {
        gates,
        goals,
        degrees: vec![Degrees::default(); network.net.gates.len()],
        holds: vec![false; network.fluents.len()],
        network: Arc::clone(network),
    }))
}

impl Guide for FuzzyGoal {
    fn nearness(&mut self, facts: &[u32]) -> f32 {
        for &fact in facts {
            self.holds[fact as usize] = true;
        }
        for &gate in &self.gates {
            self.degrees[gate] = self.degrees_of(gate);
        }
        for &fact in facts {
            self.holds[fact as usize] = false;
        }
        let truth = self.goals.iter().map(|&goal| self.of(goal).truth);
        truth.fold(0.0, f32::max)
    }
}

impl FuzzyGoal {
    fn of(&self, signal: Signal) -> Degrees {
        let Degrees { truth, falsity } = self.degrees[signal.gate()];
        if signal.is_negated() {
            Degrees { truth: falsity, falsity: truth }
        } else {
            Degrees { truth, falsity }
        }
    }

    fn degrees_of(&self, gate: usize) -> Degrees {
        let crisp = |holds: bool| {
            let truth = f32::from(u8::from(holds));
            Degrees { truth, falsity: 1.0 - truth }
        };
        match &self.network.net.gates[gate] {
            Gate::True => crisp(true),
            Gate::Fluent(fluent) => crisp(self.holds[*fluent as usize]),
            // No move is made, and what depends on itself is unknown.
            Gate::Does(_) | Gate::Loop => crisp(false),
            Gate::And(parts) => {
                let parts = parts.iter().map(|&part| self.of(part));
                Degrees {
                    truth: mean(parts.clone().map(|part| part.truth)),
                    falsity: parts.map(|part| part.falsity).fold(0.0, f32::max),
                }
            }
            Gate::Or(parts) => {
                let parts = parts.iter().map(|&part| self.of(part));
                Degrees {
                    truth: parts.clone().map(|part| part.truth).fold(0.0, f32::max),
                    falsity: mean(parts.map(|part| part.falsity)),
                }
            }
        }
    }
}

fn mean(values: impl ExactSizeIterator<Item = f32>) -> f32 {
    let n = values.len() as f32;
    values.sum::<f32>() / n
}

/// The gates on which signals depend, recursive definitions included.
fn cone(net: &Net, signals: &[Signal]) -> FxHashSet<usize> {
    let loops = net.blocks.iter().flat_map(|block| block.loops.iter().copied());
    let loops: FxHashMap<usize, Signal> = loops.collect();
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    let mut open: Vec<usize> = signals.iter().map(|signal| signal.gate()).collect();
    while let Some(gate) = open.pop() {
        if !seen.insert(gate) {
            continue;
        }
        match &net.gates[gate] {
            Gate::And(parts) | Gate::Or(parts) => open.extend(parts.iter().map(|part| part.gate())),
            Gate::Loop => open.extend(loops.get(&gate).map(|definition| definition.gate())),
            Gate::True | Gate::Fluent(_) | Gate::Does(_) => {}
        }
    }
    seen
}

/// The fluents on which signals depend.
fn fluents(net: &Net, signals: &[Signal]) -> FxHashSet<u32> {
    let fluent = |gate: usize| match net.gates[gate] {
        Gate::Fluent(fluent) => Some(fluent),
        _ => None,
    };
    cone(net, signals).into_iter().filter_map(fluent).collect()
}

/// The facts that only count moves, in ascending order: each follows another one of them whatever is done, and only the
/// end of the game depends on them.
pub(super) fn counters(network: &Network) -> Vec<u32> {
    let follows = |fact: u32| match network.next[fact as usize] {
        Signal::FALSE => Some(None),
        next => match network.net.gates[next.gate()] {
            Gate::Fluent(before) if !next.is_negated() && before != fact => Some(Some(before)),
            _ => None,
        },
    };
    let goals: Vec<Signal> = network.goals.iter().map(|goal| goal.signal).collect();
    let mut used = fluents(&network.net, &[&network.legal[..], &goals].concat());
    let mut counters: FxHashSet<u32> =
        (0..network.fluents.len() as u32).filter(|&fact| follows(fact).is_some()).collect();
    loop {
        let others: Vec<Signal> = (0..)
            .zip(&network.next)
            .filter(|(fact, _)| !counters.contains(fact))
            .map(|(_, &next)| next)
            .collect();
        used.extend(fluents(&network.net, &others));
        let n_before = counters.len();
        let kept = |fact: &u32| {
            let before = follows(*fact).flatten();
            !used.contains(fact) && before.is_none_or(|before| counters.contains(&before))
        };
        let kept: FxHashSet<u32> = counters.iter().copied().filter(kept).collect();
        counters = kept;
        if counters.len() == n_before {
            break;
        }
    }
    let mut counters: Vec<u32> = counters.into_iter().collect();
    counters.sort_unstable();
    counters
}

#[cfg(test)]
mod tests {
    use ludens_core::Budget;

    use super::*;

    fn network(text: &str) -> Arc<Network> {
        let rules = ludens_gdl::load(text).0.unwrap();
        Arc::new(Network::load(&rules, &Budget::unlimited()).unwrap())
    }

    const LAMPS: &str =
        "(role you) (lamp a) (lamp b) (lamp c) (init (step 1)) (init (on a)) (init (on b))
        (succ 1 2) (succ 2 3) (succ 3 4) (<= (legal you (press ?x)) (lamp ?x))
        (<= (next (on ?x)) (does you (press ?x)) (not (true (on ?x))))
        (<= (next (on ?x)) (true (on ?x)) (not (does you (press ?x))))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= lit (true (on ?x))) (<= terminal (not lit)) (<= terminal (true (step 4)))
        (<= (goal you 100) (not lit)) (<= (goal you 0) lit)";

    #[test]
    fn states_that_fulfil_more_conditions_are_nearer() {
        let network = network(LAMPS);
        let mut guide = guide(&network, Role(0)).unwrap();
        let fact = |text: &str| network.fluents.iter().position(|f| f == text).unwrap() as u32;
        let [a, b, c] = ["(on a)", "(on b)", "(on c)"].map(fact);
        let nearness = [&[a, b, c][..], &[a, c], &[b], &[]].map(|facts| guide.nearness(facts));
        let expected = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0];
        let is_near = |(a, b): (&f32, f32)| (a - b).abs() < 1e-6;
        assert!(nearness.iter().zip(expected).all(is_near), "{nearness:?}");
    }

    #[test]
    fn counters_are_recognised_unless_more_depends_on_them() {
        let names = |text: &str| -> Vec<String> {
            let network = network(text);
            counters(&network).iter().map(|&fact| network.fluents[fact as usize].clone()).collect()
        };
        assert_eq!(names(LAMPS), ["(step 1)", "(step 2)", "(step 3)", "(step 4)"]);
        let timed = LAMPS.replace(
            "(<= (legal you (press ?x)) (lamp ?x))",
            "(<= (legal you (press ?x)) (lamp ?x)) (<= (legal you wait) (true (step 2)))",
        );
        assert!(names(&timed).iter().all(|name| name != "(step 2)"));
    }
}
