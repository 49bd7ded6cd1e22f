//! Compares the reference reasoner with the naive evaluator, on random rules and random states.

use std::sync::Arc;

use ludens_core::{Budget, Reasoner, Rng, TextGame, Trouble};
use ludens_logic::LogicGame;
use ludens_testkit::lockstep::{Aspect, Options, lockstep};
use ludens_testkit::naive::Naive;
use ludens_testkit::random_rules::{self, RandomRules};

/// The number of descriptions of each kind.
const CASES: u64 = 600;

/// The number of random states of each description.
const STATES: usize = 8;

fn load(text: &str) -> (LogicGame, Naive) {
    let (rules, problems) = ludens_gdl::load(text);
    let rules = rules.unwrap_or_else(|| panic!("{problems:?}\n{text}"));
    let logic = LogicGame::load(&rules, &Budget::unlimited());
    let logic = logic.unwrap_or_else(|trouble| panic!("{trouble}\n{text}"));
    let naive = Naive::new(rules).unwrap_or_else(|trouble| panic!("{trouble}\n{text}"));
    (logic, naive)
}

/// Compares all answers about random states; returns false if the oracle gave up.
fn agree_on_states(logic: &dyn Reasoner, naive: &Naive, rng: &mut Rng, text: &str) -> bool {
    for _ in 0..STATES {
        let (state, joint) = (RandomRules::state(rng), RandomRules::joint(rng));
        let expected = (naive.answer(&state), naive.next(&state, &joint));
        let gave_up = |trouble: Option<&Trouble>| trouble.is_some_and(Trouble::is_exhausted);
        if gave_up(expected.0.as_ref().err()) || gave_up(expected.1.as_ref().err()) {
            return false;
        }
        let found = (logic.answer(&state), logic.next(&state, &joint));
        assert_eq!(found, expected, "state {state:?} moves {joint:?}\n{text}");
    }
    true
}

fn agree_on(options: random_rules::Options) {
    let mut given_up = 0;
    for seed in 0..CASES {
        let mut rng = Rng::stream(7, &[u64::from(options.unsafe_rules), seed]);
        let text = RandomRules::new(&mut rng, options).text;
        let (logic, naive) = load(&text);
        let few = Options { games: 2, max_plies: 5, ..Options::default() };
        let logic = Arc::new(logic);
        // The same reasoner by two interfaces: by text, and by states and numbered moves.
        let both = lockstep(&naive, &*logic, &few)
            .and_then(|_| lockstep(&naive, &TextGame(Arc::clone(&logic)), &few));
        let complete = match both {
            Ok(_) => agree_on_states(&*logic, &naive, &mut rng, &text),
            Err(difference) if difference.aspect == Aspect::FirstStopped => false,
            Err(difference) => panic!("seed {seed}: {difference}\n{text}"),
        };
        given_up += u64::from(!complete);
    }
    assert!(given_up < CASES / 20, "{given_up} of {CASES} exceeded the limits of the oracle");
}

#[test]
fn reasoners_agree_on_valid_rules() {
    agree_on(random_rules::Options { unsafe_rules: false });
}

#[test]
fn reasoners_agree_on_rules_that_violate_the_specification() {
    agree_on(random_rules::Options { unsafe_rules: true });
}
