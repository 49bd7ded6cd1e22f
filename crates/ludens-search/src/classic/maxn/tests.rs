//! Values against exhaustive search, ties, simultaneous moves, budgets.

use super::*;
use crate::classic::brute;
use crate::classic::testgames::{Lock, shapes};
use crate::classic::value::EvenValue;
use crate::testgames::{Bid, Nim};
use ludens_testkit::hash_game::HashGame;
use ludens_testkit::tree_game::TreeGame;

fn searched<G: Game>(game: G, budget: &Budget) -> (Report, Option<Verdict>) {
    let game = Arc::new(game);
    let mut maxn = MaxN::new(Arc::clone(&game), Box::new(EvenValue));
    let report = maxn.think(&game.initial(), budget, &mut Watch::none());
    (report, maxn.verdict)
}

#[test]
fn values_are_those_of_exhaustive_search() {
    for (shape, seed) in shapes() {
        let game = HashGame::new(shape, seed);
        let expected = brute::value(&game, &game.initial());
        let (report, verdict) = searched(game.clone(), &Budget::unlimited());
        let Some(verdict) = verdict else { continue };
        assert_eq!(verdict.payoffs, expected, "{shape:?} {seed}");
        assert_eq!(verdict.proven, !shape.simultaneous || shape.n_roles == 1);
        for (role, stats) in report.moves.entries().filter(|_| !shape.simultaneous) {
            assert!((stats[0].mean - f64::from(expected[role])).abs() < 1e-6);
        }
    }
}

#[test]
fn ties_are_broken_against_the_others() {
    let tree = "roles a b c\na left = 50 60 0\na right\n  b in = 50 40 60\n  b out = 100 10 0\n";
    let (report, verdict) = searched(TreeGame::parse(tree).unwrap(), &Budget::unlimited());
    assert_eq!(verdict.unwrap().payoffs.as_slice(), [0.5, 0.4, 0.6]);
    assert_eq!(report.best(Role(0)), Some(Move(2)));
}

#[test]
fn simultaneous_moves_of_all_roles_are_found() {
    let (report, verdict) = searched(Bid, &Budget::unlimited());
    let best: Vec<_> = Role::all(3).map(|role| report.best(role).unwrap().0).collect();
    assert_eq!(best, [2, 1, 0]);
    assert_eq!(verdict.unwrap().payoffs.as_slice(), [1.0, 1.0, 0.5]);
    assert_eq!(report.iterations, 10);
}

#[test]
fn puzzles_and_nim_are_searched_to_the_end() {
    let (report, verdict) = searched(Lock::new(3, &[2, 0, 1, 2]), &Budget::unlimited());
    assert_eq!((report.best(Role(0)), verdict.unwrap().proven), (Some(Move(2)), true));
    let (report, verdict) = searched(Nim(10), &Budget::unlimited());
    assert_eq!(report.best(Role(0)), Some(Move(2)));
    assert_eq!(verdict.unwrap().payoffs.as_slice(), [1.0, 0.0]);
}

#[test]
fn the_budget_is_kept_and_there_is_always_a_move() {
    for states in [0, 1, 5, 100] {
        let budget = Budget::unlimited().with_iterations(states);
        let (report, _) = searched(Nim(40), &budget);
        assert_eq!(report.iterations, states);
        assert!(report.best(Role(0)).is_some());
        assert_eq!(report, searched(Nim(40), &budget).0);
    }
    assert_eq!(searched(Nim(1), &Budget::unlimited()).0.iterations, 0);
    assert_eq!(searched(Nim(0), &Budget::unlimited()).0.best(Role(0)), None);
}
