//! Solved puzzles, plans that are followed, budgets, other games.

use std::path::Path;

use super::*;
use crate::testgames::Bid;
use ludens_propnet::{Network, PropGame};

fn load(name: &str, changes: &[(&str, &str)]) -> Arc<PropGame> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut text = std::fs::read_to_string(folder.join(name).with_extension("kif")).unwrap();
    for (old, new) in changes {
        assert!(text.contains(old), "{name} does not contain {old}");
        text = text.replace(old, new);
    }
    let rules = ludens_gdl::load(&text).0.unwrap();
    let network = Network::load(&rules, &Budget::unlimited()).unwrap();
    Arc::new(PropGame::scalar(Arc::new(network)))
}

fn budget(states: u64) -> Budget {
    Budget::unlimited().with_iterations(states)
}

/// Plays a puzzle with as many states for the first move, and few for the others; the payoff.
fn play<G: Game>(game: &Arc<G>, states: u64) -> f32 {
    let mut planner = Planner::new(Arc::clone(game), 1 << 30, 1);
    Agent::begin(&mut planner, 1);
    let (mut state, mut view) = (game.initial(), View::default());
    let mut states = states;
    loop {
        game.look(&state, &mut view);
        if view.is_over() {
            return view.payoffs[ROLE];
        }
        let report = planner.think(&state, &budget(states), &mut Watch::none());
        states = 1;
        let joint = [report.best(ROLE).unwrap()];
        assert!(view.legal[ROLE].contains(&joint[0]));
        game.play(&mut state, &joint);
        planner.advance(&joint);
    }
}

#[test]
fn puzzles_of_the_library_are_solved_and_the_plan_is_played() {
    for (name, states) in [
        ("eight_puzzle", 450_000),
        ("lights_out", 100_000),
        ("hanoi", 100_000),
        ("peg_solitaire", 1_000_000),
        ("sudoku", 20_000),
    ] {
        let payoff = play(&load(name, &[]), states);
        assert!((payoff - 1.0).abs() < 1e-6, "{name}: {payoff}");
    }
}

/// The counter of moves would make every state of a cycle a new one.
#[test]
fn positions_that_differ_in_counters_alone_are_one() {
    let game = load("hanoi", &[]);
    let mut planner = Planner::new(Arc::clone(&game), 1 << 30, 1);
    let (initial, all) = (game.initial(), budget(1_000_000));
    planner.set_root(&initial);
    planner.search(&mut Meter::new(&all));
    let n_states = planner.search.as_ref().unwrap().space.len();
    let n_disks = game.facts(&initial).iter().filter(|fact| fact.starts_with("(on")).count() as u32;
    assert!(n_states <= 3usize.pow(n_disks), "{n_states} states of {n_disks} disks");
}

/// Memory that is full stops the search, not the player; a small budget gives a legal move.
#[test]
fn little_memory_and_small_budgets_are_enough_to_play() {
    let game = load("eight_puzzle", &[]);
    let mut planner = Planner::new(Arc::clone(&game), 1 << 16, 1);
    let report = planner.think(&game.initial(), &budget(5_000), &mut Watch::none());
    assert!(report.best(ROLE).is_some() && report.bytes < 1 << 20, "{report:?}");
    let mut planner = Planner::new(Arc::clone(&game), 1 << 30, 1);
    for states in [0, 1, 2] {
        let report = planner.think(&game.initial(), &budget(states), &mut Watch::none());
        assert!(report.best(ROLE).is_some());
    }
}

#[test]
fn games_of_several_roles_are_played_by_nested_search() {
    let game = Arc::new(Bid);
    let mut planner = Planner::new(Arc::clone(&game), 1 << 30, 1);
    let report = planner.think(&game.initial(), &budget(200), &mut Watch::none());
    assert!(report.best(Role(0)).is_some() && report.best(Role(1)).is_some());
}
