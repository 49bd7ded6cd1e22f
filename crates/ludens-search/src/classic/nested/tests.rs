//! Solved puzzles, lines that are kept and dropped, other games, budgets.

use super::*;
use crate::classic::brute;
use crate::classic::testgames::Lock;
use crate::testgames::{Bid, Nim};
use ludens_testkit::hash_game::{HashGame, Shape};

const SECRET: [u32; 8] = [3, 0, 2, 1, 1, 3, 0, 2];

fn budget(playouts: u64) -> Budget {
    Budget::unlimited().with_iterations(playouts)
}

/// Plays a puzzle to its end with `playouts` playouts for each move; the payoff, and the playouts
/// spent on each move.
fn play<G: Game>(game: &Arc<G>, agent: &mut Nested<G>, playouts: u64) -> (f32, Vec<u64>) {
    let (mut state, mut view, mut spent) = (game.initial(), View::default(), Vec::new());
    loop {
        game.look(&state, &mut view);
        if view.terminal {
            return (view.payoffs[Role(0)], spent);
        }
        let report = agent.think(&state, &budget(playouts), &mut Watch::none());
        let planned = report.variation.first().map(|joint| joint[0]);
        assert!(planned.is_none_or(|planned| Some(planned) == report.best(Role(0))));
        spent.push(report.iterations);
        let joint = [report.best(Role(0)).unwrap()];
        game.play(&mut state, &joint);
        agent.advance(&joint);
    }
}

#[test]
fn a_lock_is_opened_and_the_line_is_followed() {
    for (level, playouts) in [(1, 3_000), (2, 3_000), (3, 30_000)] {
        let game = Arc::new(Lock::new(4, &SECRET));
        let mut nested = Nested::new(Arc::clone(&game), level, 1);
        let (payoff, spent) = play(&game, &mut nested, playouts);
        assert!((payoff - 1.0).abs() < 1e-6, "level {level}: {payoff}");
        // Once an optimal line is known, nothing is left to search.
        assert!(spent[0] > 0 && spent[0] < playouts, "level {level}: {spent:?}");
        assert!(spent[1..].iter().all(|&n| n == 0), "level {level}: {spent:?}");
    }
}

#[test]
fn the_best_line_of_a_random_puzzle_is_found() {
    for (seed, level) in (0..10).zip([1, 2, 3].into_iter().cycle()) {
        let shape = Shape { n_roles: 1, constant_sum: false, ..Shape::turn_taking(6) };
        let game = Arc::new(HashGame::new(shape, seed));
        let expected = brute::value(&*game, &game.initial())[Role(0)];
        let mut nested = Nested::new(Arc::clone(&game), level, seed);
        let (payoff, _) = play(&game, &mut nested, 5_000);
        assert!((payoff - expected).abs() < 1e-6, "{seed}: {payoff} for {expected}");
    }
}

#[test]
fn a_line_that_the_match_left_is_dropped() {
    let game = Arc::new(Lock::new(4, &SECRET));
    let mut nested = Nested::new(Arc::clone(&game), 2, 1);
    nested.think(&Vec::new(), &budget(3_000), &mut Watch::none());
    nested.advance(&[Move(1)]);
    let report = nested.think(&vec![1], &budget(2_000), &mut Watch::none());
    assert_eq!((report.iterations, report.best(Role(0))), (2_000, Some(Move(0))));
}

#[test]
fn games_of_several_roles_get_sensible_moves() {
    let mut nested = Nested::new(Arc::new(Bid), 1, 3);
    let report = nested.think(&None, &budget(300), &mut Watch::none());
    let best: Vec<_> = Role::all(3).map(|role| report.best(role).unwrap().0).collect();
    assert_eq!((best, report.iterations), (vec![2, 1, 0], 300));
    let mut nested = Nested::new(Arc::new(Nim(3)), 2, 3);
    assert_eq!(
        nested.think(&(3, 0), &budget(300), &mut Watch::none()).best(Role(0)),
        Some(Move(3))
    );
}

#[test]
fn budgets_are_kept_and_seeds_repeat() {
    let think = |seed, playouts| {
        let mut nested = Nested::new(Arc::new(Lock::new(4, &SECRET)), 2, 0);
        nested.begin(seed);
        nested.think(&Vec::new(), &budget(playouts), &mut Watch::none())
    };
    for playouts in [0, 1, 3, 50] {
        assert_eq!(think(1, playouts).iterations, playouts);
        assert!(think(1, playouts).best(Role(0)).is_some());
    }
    assert_eq!(think(7, 50), think(7, 50));
    assert_ne!(think(7, 50), think(8, 50));
    let mut nested = Nested::new(Arc::new(Nim(1)), 2, 0);
    assert_eq!(nested.think(&(1, 0), &budget(9), &mut Watch::none()).iterations, 0);
    assert_eq!(nested.think(&(0, 1), &budget(9), &mut Watch::none()).best(Role(0)), None);
}
