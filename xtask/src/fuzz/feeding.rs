//! What is done with a hostile text.

use std::sync::Arc;
use std::time::Duration;

use ludens_catalog::ReasonerKind;
use ludens_core::{Budget, Reasoner, Rng, Trouble};
use ludens_gdl::Rules;
use ludens_logic::{Limits, LogicGame};
use ludens_testkit::fuzz::{Failure, Reached, agreement, front_end, guarded, reasoner};
use ludens_testkit::random_rules::{Options, RandomRules};

/// Where a text is fed to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feeding {
    /// Reading, checking and formatting.
    FrontEnd,
    /// Loading by a reasoner, and some moves.
    Reasoner(ReasonerKind),
    /// A reasoner in lockstep with the reference reasoner.
    Agreement(ReasonerKind),
}

impl Feeding {
    /// Feeds a text.
    pub fn feed(self, bytes: &[u8]) -> Result<Reached, Failure> {
        guarded(bytes, || match self {
            Feeding::FrontEnd => front_end(bytes),
            Feeding::Reasoner(kind) => reasoner(bytes, &move |rules: &Rules| load(kind, rules)),
            Feeding::Agreement(kind) => {
                let logic = |rules: &Rules| load(ReasonerKind::Logic, rules);
                agreement(bytes, &logic, &move |rules: &Rules| load(kind, rules))
            }
        })
    }
}

/// Mutated rules can ask for any amount of work, so that all of it is limited.
fn load(kind: ReasonerKind, rules: &Rules) -> Result<Arc<dyn Reasoner>, Trouble> {
    const BYTES: usize = 64 << 20;
    let budget = Budget::unlimited().with_time(Duration::from_millis(200)).with_bytes(BYTES);
    if kind == ReasonerKind::Logic {
        let limits = Limits { time: Some(Duration::from_millis(50)), bytes: BYTES };
        return Ok(Arc::new(LogicGame::load(rules, &budget)?.with_limits(limits)));
    }
    Ok(kind.load(rules, &budget)?.reasoner())
}

/// Random rules, every second time with some that break the specification.
pub fn random_text(seed: u64, number: u64) -> Vec<u8> {
    let mut rng = Rng::stream(seed, &[number]);
    let unsafe_rules = number.is_multiple_of(2);
    RandomRules::new(&mut rng, Options { unsafe_rules }).text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_rules_do_no_harm_to_any_reasoner() {
        for number in 0..40 {
            let text = random_text(2, number);
            for kind in crate::workspace::reasoners() {
                for feeding in [Feeding::Reasoner(kind), Feeding::Agreement(kind)] {
                    let result = feeding.feed(&text);
                    let shown = String::from_utf8_lossy(&text);
                    assert!(result.is_ok(), "{feeding:?}: {result:?}\n{shown}");
                }
            }
        }
    }
}
