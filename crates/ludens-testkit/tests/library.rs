//! Every game of the library fulfils the contract and reproduces its golden files.

use std::panic::catch_unwind;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ludens_core::Budget;
use ludens_logic::LogicGame;
use ludens_testkit::contract::{self, check_game};
use ludens_testkit::library::{Entry, Golden, check_every_game};

fn load(entry: &Entry) -> Result<Arc<LogicGame>, String> {
    let text = std::fs::read_to_string(&entry.rules).map_err(|error| error.to_string())?;
    let (rules, problems) = ludens_gdl::load(&text);
    let rules = rules.ok_or_else(|| format!("does not load: {problems:?}"))?;
    let budget = Budget::unlimited().with_time(Duration::from_mins(1));
    LogicGame::load(&rules, &budget).map(Arc::new).map_err(|trouble| trouble.to_string())
}

fn check(entry: &Entry) -> Result<(), String> {
    let game = load(entry)?;
    let options = contract::Options { games: 3, max_plies: 1000, seed: 1, every: 3 };
    check_game(&game, &options).map_err(|violation| violation.to_string())?;
    Golden::ALL.iter().try_for_each(|&kind| entry.check_golden(kind, &*game))
}

#[test]
fn every_library_game_reproduces_its_golden_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    check_every_game(&folder, |entry| {
        let start = Instant::now();
        let result =
            catch_unwind(|| check(entry)).unwrap_or_else(|_| Err("panic, see above".into()));
        println!("{:24} {:6.1?}", entry.name, start.elapsed());
        result
    });
}
