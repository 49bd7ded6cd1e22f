//! Latches: fluents that change at most once in a game, such as marks that stay and stocks that are
//! never refilled.

use crate::net::{Gate, Signal};
use crate::network::Network;

/// The value that a latch keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Latch {
    /// Once the fluent holds, it holds forever.
    Holds,
    /// Once the fluent does not hold, it never does again.
    Fails,
}

/// The maximum number of gates between a fluent and its next value.
const DEPTH: u32 = 4;

/// The latches that can be recognised from the form of the rules. There may be others; finding all
/// of them would take a search.
pub fn latches(network: &Network) -> Vec<(u32, Latch)> {
    let kind = |(fluent, &next): (u32, &Signal)| {
        let holds = follows(network, next, fluent, true, DEPTH);
        let fails = || follows(network, next, fluent, false, DEPTH);
        match (holds, next) {
            // A constant is not a latch.
            (_, Signal::TRUE | Signal::FALSE) => None,
            (true, _) => Some((fluent, Latch::Holds)),
            _ => fails().then_some((fluent, Latch::Fails)),
        }
    };
    (0..).zip(&network.next).filter_map(kind).collect()
}

/// Whether a signal has the value `value` whenever the fluent has.
fn follows(network: &Network, signal: Signal, fluent: u32, value: bool, depth: u32) -> bool {
    let wanted = value != signal.is_negated();
    let part = |&part: &Signal| follows_to(network, part, fluent, value, wanted, depth - 1);
    match &network.net.gates[signal.gate()] {
        Gate::Fluent(other) => *other == fluent && wanted == value,
        Gate::And(parts) | Gate::Or(parts) if depth > 0 => {
            let is_or = matches!(network.net.gates[signal.gate()], Gate::Or(_));
            // A disjunction is true if one part is, and false if all are.
            if is_or == wanted { parts.iter().any(part) } else { parts.iter().all(part) }
        }
        _ => false,
    }
}

/// Whether a part has the value `wanted` whenever the fluent has `value`.
fn follows_to(
    network: &Network,
    part: Signal,
    fluent: u32,
    value: bool,
    wanted: bool,
    depth: u32,
) -> bool {
    // A part is false if its negation is true.
    let part = if wanted == value { part } else { !part };
    follows(network, part, fluent, value, depth)
}

#[cfg(test)]
mod tests {
    use ludens_core::Budget;

    use super::*;

    #[test]
    fn marks_that_stay_and_stocks_that_end_are_recognised() {
        let text = "(role you) (init (stock a)) (init (stock b)) (init clock) (legal you (take a))
            (legal you wait) (<= (next marked) (true marked)) (<= (next marked) (does you (take a)))
            (<= (next (stock ?x)) (true (stock ?x)) (not (does you (take ?x))))
            (<= (next clock) (not (true clock))) (<= terminal (true marked)) (goal you 100)";
        let rules = ludens_gdl::load(text).0.unwrap();
        let network = Network::load(&rules, &Budget::unlimited()).unwrap();
        let found: Vec<(&str, Latch)> = latches(&network)
            .into_iter()
            .map(|(fluent, latch)| (network.fluents[fluent as usize].as_str(), latch))
            .collect();
        assert!(found.contains(&("marked", Latch::Holds)), "{found:?}");
        assert!(found.contains(&("(stock a)", Latch::Fails)), "{found:?}");
        assert!(!found.iter().any(|(name, _)| *name == "clock"), "{found:?}");
    }
}
