//! Lanes and machine code agree with the scalar evaluator, state by state.

use std::path::Path;
use std::sync::Arc;

use ludens_core::{Budget, TextGame};
use ludens_propnet::{JitGame, LanesGame, Network, ScalarGame};
use ludens_testkit::library::{Entry, entries, on_all_cores};
use ludens_testkit::lockstep::{Options, lockstep};

fn check(entry: &Entry) -> Result<(), String> {
    let text = std::fs::read_to_string(&entry.rules).map_err(|error| error.to_string())?;
    let rules = ludens_gdl::load(&text).0.ok_or("does not load")?;
    let options = Options { games: 2, max_plies: 300, ..Options::default() };
    let network = Network::load(&rules, &Budget::unlimited()).map_err(|t| t.to_string())?;
    let network = Arc::new(network);
    let scalar = TextGame(Arc::new(ScalarGame::new(Arc::clone(&network))));
    let lanes = TextGame(Arc::new(LanesGame::new(Arc::clone(&network))));
    lockstep(&scalar, &lanes, &options).map_err(|d| format!("lanes: {d}"))?;
    let jit = TextGame(Arc::new(JitGame::new(network)));
    lockstep(&scalar, &jit, &options).map_err(|d| format!("jit: {d}"))?;
    Ok(())
}

#[test]
fn single_states_agree_on_every_library_game() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let games = entries(&folder).expect("the library is there");
    let results = on_all_cores(&games, check);
    let failures: Vec<String> = games
        .iter()
        .zip(results)
        .filter_map(|(entry, result)| result.err().map(|why| format!("{}: {why}", entry.name)))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
