//! The targets of fuzzing.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ludens_catalog::{Material, ReasonerKind};
use ludens_core::{Budget, Reasoner, Rng, Trouble};
use ludens_gdl::Rules;
use ludens_logic::{Limits, LogicGame};
use ludens_propnet::Network;
use ludens_testkit::fuzz::{Agreement, Failure, agreement, front_end, guarded, reasoner};
use ludens_testkit::random_rules::{Options, RandomRules};

/// A target of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// Parsing, checking and formatting.
    FrontEnd,
    /// Loading by a reasoner, and a few moves.
    Reasoner(ReasonerKind),
    /// Reasoners in lockstep with the reference reasoner.
    Lockstep(Vec<ReasonerKind>),
}

impl Target {
    /// Feeds a text.
    pub fn feed(&self, bytes: &[u8]) -> Result<Agreement, Failure> {
        guarded(bytes, || match self {
            Target::FrontEnd => front_end(bytes).map(Agreement::from),
            &Target::Reasoner(kind) => {
                reasoner(bytes, &move |rules: &Rules| load(kind, rules)).map(Agreement::from)
            }
            Target::Lockstep(kinds) => {
                let reference = |rules: &Rules| load(ReasonerKind::Logic, rules);
                agreement(bytes, &reference, &|rules: &Rules| load_all(kinds, rules))
            }
        })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::FrontEnd => f.write_str("front end"),
            Target::Reasoner(kind) => write!(f, "{kind}"),
            Target::Lockstep(kinds) => {
                let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
                write!(f, "logic in lockstep with {}", names.join(", "))
            }
        }
    }
}

/// The memory limit of a reasoner.
const MAX_BYTES: usize = 64 << 20;

/// Mutated rules can require any amount of work, so that all of it is limited.
fn budget() -> Budget {
    Budget::unlimited().with_time(Duration::from_millis(200)).with_bytes(MAX_BYTES)
}

fn load(kind: ReasonerKind, rules: &Rules) -> Result<Arc<dyn Reasoner>, Trouble> {
    if kind == ReasonerKind::Logic {
        let limits = Limits { time: Some(Duration::from_millis(50)), bytes: MAX_BYTES };
        return Ok(Arc::new(LogicGame::load(rules, &budget())?.with_limits(limits)));
    }
    Ok(kind.load(rules, &budget())?.reasoner())
}

/// Several reasoners; those that run on a network share one.
fn load_all(kinds: &[ReasonerKind], rules: &Rules) -> Result<Vec<Arc<dyn Reasoner>>, Trouble> {
    let budget = budget();
    let network = if kinds.iter().any(|kind| kind.is_ground()) {
        Some(Arc::new(Network::load(rules, &budget)?))
    } else {
        None
    };
    let material = Material { rules, network, budget: &budget };
    kinds.iter().map(|kind| Ok(kind.make(&material)?.reasoner())).collect()
}

/// Random rules, every second time with some that violate the specification.
pub fn random_text(seed: u64, number: u64) -> Vec<u8> {
    let mut rng = Rng::stream(seed, &[number]);
    let unsafe_rules = number.is_multiple_of(2);
    RandomRules::new(&mut rng, Options { unsafe_rules }).text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_rules_cause_no_failure_of_any_reasoner() {
        let kinds = crate::workspace::reasoners();
        for number in 0..40 {
            let text = random_text(2, number);
            let each = kinds.iter().map(|&kind| Target::Reasoner(kind));
            for target in each.chain([Target::Lockstep(kinds.clone())]) {
                let result = target.feed(&text);
                let shown = String::from_utf8_lossy(&text);
                assert!(result.is_ok(), "{target}: {result:?}\n{shown}");
            }
        }
    }
}
