//! Grounded games fulfil the contract and agree with the reference reasoner, state by state.

use std::path::Path;
use std::sync::Arc;

use ludens_core::{Budget, Rng, TextGame, Trouble};
use ludens_gdl::Rules;
use ludens_logic::LogicGame;
use ludens_propnet::{Network, PropGame};
use ludens_testkit::contract::{self, check_game};
use ludens_testkit::library::{Entry, check_every_game};
use ludens_testkit::lockstep::{Options, lockstep};
use ludens_testkit::random_rules::{self, RandomRules};

/// The grounded game, if it agrees with the reference reasoner; `None` if it is too large.
fn agree(rules: &Rules, bytes: usize, options: &Options) -> Result<Option<Arc<PropGame>>, String> {
    let logic = LogicGame::load(rules, &Budget::unlimited()).map_err(|t| t.to_string())?;
    let scalar = match Network::load(rules, &Budget::unlimited().with_bytes(bytes)) {
        Ok(network) => Arc::new(PropGame::scalar(Arc::new(network))),
        Err(Trouble::Exhausted(_)) => return Ok(None),
        Err(trouble) => return Err(trouble.to_string()),
    };
    lockstep(&logic, &TextGame(Arc::clone(&scalar)), options).map_err(|d| d.to_string())?;
    Ok(Some(scalar))
}

fn check(entry: &Entry) -> Result<(), String> {
    let text = std::fs::read_to_string(&entry.rules).map_err(|error| error.to_string())?;
    let rules = ludens_gdl::load(&text).0.ok_or("does not load")?;
    let options = Options { games: 2, max_plies: 300, ..Options::default() };
    let scalar = agree(&rules, 256 << 20, &options)?.ok_or("too large to be grounded")?;
    let options = contract::Options { games: 3, max_plies: 1000, seed: 1, every: 3 };
    check_game(&scalar, &options).map(|_| ()).map_err(|violation| violation.to_string())
}

#[test]
fn every_library_game_is_grounded_and_agrees() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    check_every_game(&folder, check);
}

#[test]
fn random_rules_agree() {
    let mut too_large = 0;
    for unsafe_rules in [false, true] {
        for seed in 0..100 {
            let mut rng = Rng::stream(11, &[u64::from(unsafe_rules), seed]);
            let rules = RandomRules::new(&mut rng, random_rules::Options { unsafe_rules });
            let options = Options { games: 2, max_plies: 5, ..Options::default() };
            let parsed = ludens_gdl::load(&rules.text).0.expect("random rules load");
            match agree(&parsed, 1 << 20, &options) {
                Ok(game) => too_large += u32::from(game.is_none()),
                Err(why) => panic!("seed {seed}: {why}\n{}", rules.text),
            }
        }
    }
    assert!(too_large < 20, "{too_large} of 200 random descriptions could not be grounded");
}

#[test]
fn grounding_stops_at_its_limits() {
    let pairs = "(role you) (init (z a)) (<= (pair ?x ?y) (true (z ?x)) (true (z ?y)))
        (<= (pair (f ?x ?y) ?x) (pair ?x ?y)) (<= (legal you ?x) (pair ?x ?y)) (<= terminal (true q))";
    let rules = ludens_gdl::load(pairs).0.unwrap();
    let budget = Budget::unlimited().with_bytes(32 << 20);
    assert!(matches!(PropGame::load(&rules, &budget), Err(Trouble::Exhausted(_))));
}
