//! Values against exhaustive search, proofs, budgets.

use ludens_testkit::hash_game::{HashGame, Shape};
use ludens_testkit::tree_game::TreeGame;

use super::*;
use crate::classic::brute;
use crate::classic::fingerprint::Fingerprint;
use crate::classic::testgames::{Breakthrough, Layers, Lock, TicTacToe, shapes};
use crate::classic::value::{EvenValue, PlayoutValue};
use crate::testgames::{Bid, Nim};

const SMALL: usize = 1 << 16;

fn searched<G: Game>(game: G, budget: &Budget) -> (Report, Option<Verdict>) {
    let game = Arc::new(game);
    let mut minimax = Minimax::new(Arc::clone(&game), Box::new(EvenValue), SMALL);
    let report = minimax.think(&game.initial(), budget, &mut Watch::none());
    (report, minimax.verdict().cloned())
}

#[test]
fn values_are_those_of_exhaustive_search() {
    for (shape, seed) in shapes() {
        let game = HashGame::new(shape, seed);
        let (_, Some(verdict)) = searched(game.clone(), &Budget::unlimited()) else { continue };
        let expected = brute::value(&game, &game.initial());
        for (found, expected) in verdict.payoffs.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-5, "{shape:?} {seed}: {verdict:?}");
        }
        assert_eq!(verdict.proven, !shape.simultaneous || shape.n_roles == 1);
        if shape.n_roles == 2 && shape.constant_sum && !shape.simultaneous {
            let plain = brute::minimax(&game, &game.initial());
            assert!((verdict.payoffs[Role(0)] - plain).abs() < 1e-5);
        }
    }
}

#[test]
fn values_are_correct_with_transpositions() {
    for seed in 0..100 {
        let layers = || Layers { width: 5, depth: 7, seed, constant_sum: seed % 2 == 0 };
        let (_, verdict) = searched(layers(), &Budget::unlimited());
        let (found, expected) = (verdict.unwrap(), brute::value(&layers(), &(0, 0)));
        for (found, expected) in found.payoffs.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-5, "{seed}: {found} for {expected}");
        }
    }
}

#[test]
fn the_reported_move_keeps_the_value() {
    for seed in 0..30 {
        let game = HashGame::new(Shape { branching: 4, ..Shape::turn_taking(6) }, seed);
        let (report, Some(verdict)) = searched(game.clone(), &Budget::unlimited()) else {
            continue;
        };
        let mut next = game.initial();
        game.play(&mut next, &[report.best(Role(0)).unwrap(), Move(0)]);
        let after = brute::minimax(&game, &next);
        assert!((after - verdict.payoffs[Role(0)]).abs() < 1e-5, "{seed}");
    }
}

#[test]
fn cutoffs_prune_most_of_the_tree() {
    let game = HashGame::new(Shape { branching: 5, ..Shape::turn_taking(8) }, 3);
    let exhaustive = brute::count(&game, &game.initial());
    let (report, verdict) = searched(game, &Budget::unlimited());
    assert!(verdict.unwrap().proven);
    assert!(report.iterations * 3 < exhaustive, "{} of {exhaustive}", report.iterations);
}

#[test]
fn wins_and_losses_are_proven() {
    for heap in 2..20 {
        let (report, verdict) = searched(Nim(heap), &Budget::unlimited());
        let verdict = verdict.unwrap();
        let wins = heap % 4 != 0;
        assert!(verdict.proven && report.proven.as_deref() == Some(verdict.payoffs.as_slice()));
        assert_eq!(verdict.payoffs.as_slice(), if wins { [1.0, 0.0] } else { [0.0, 1.0] });
        if wins {
            assert_eq!(report.best(Role(0)), Some(Move(heap % 4)));
        }
    }
    let (_, verdict) = searched(TicTacToe, &Budget::unlimited());
    assert_eq!(verdict.unwrap().payoffs.as_slice(), [0.5, 0.5]);
}

#[test]
fn a_loss_is_delayed() {
    let tree = "roles x o\n\
                x soon\n  o a = 0 100\n  o b = 100 0\n\
                x late\n  o a\n    x a\n      o a = 0 100\n      o b = 100 0\n\
                \x20   x b\n      o a = 0 100\n      o b = 100 0\n  o b = 100 0\n";
    let game = TreeGame::parse(tree).unwrap();
    let late = game.parse_move(Role(0), "late");
    let (report, verdict) = searched(game, &Budget::unlimited());
    assert!(verdict.unwrap().proven);
    assert_eq!(report.best(Role(0)), late);
}

#[test]
fn cooperation_is_found_if_payoffs_have_no_constant_sum() {
    // α–β would treat the other role as an opponent and go left.
    let tree = "roles a b\na left = 50 50\na right\n  b in = 100 90\n  b out = 0 10\n";
    let game = TreeGame::parse(tree).unwrap();
    let right = game.parse_move(Role(0), "right");
    let (report, verdict) = searched(game, &Budget::unlimited());
    assert_eq!(report.best(Role(0)), right);
    assert_eq!(verdict.unwrap().payoffs.as_slice(), [1.0, 0.9]);
}

#[test]
fn cut_off_moves_are_searched_again_if_the_sum_varies() {
    // To depth 4 all payoffs add up to 1, and `out` is cut off; depth 5 shows that the sum varies,
    // so `out` must be searched after all.
    let tree = "roles a b\na safe = 60 40\n\
                a risky\n  b pass\n    a stop = 10 90\n    a go\n      b in = 50 50\n      b out = 100 90\n\
                a reveal\n  b pass\n    a pass\n      b pass\n        a pass = 10 10\n";
    let game = TreeGame::parse(tree).unwrap();
    let risky = game.parse_move(Role(0), "risky");
    let (report, verdict) = searched(game, &Budget::unlimited());
    assert_eq!(report.best(Role(0)), risky);
    assert_eq!(verdict.unwrap().payoffs.as_slice(), [1.0, 0.9]);
}

/// An estimate that is different for every state.
struct Scattered;

impl StateValue<Layers> for Scattered {
    fn value(&mut self, state: &(u32, u64), out: &mut Payoffs) {
        let share = (Fingerprint::of(state).low % 101) as f32 / 100.0;
        out.iter_mut().zip([share, 1.0 - share]).for_each(|(out, share)| *out = share);
    }
}

#[test]
fn an_interrupted_search_has_the_value_of_its_depth() {
    for seed in 0..40 {
        let layers = || Layers { width: 6, depth: 60, seed, constant_sum: true };
        let mut minimax = Minimax::new(Arc::new(layers()), Box::new(Scattered), SMALL);
        minimax.think(&(0, 0), &Budget::unlimited().with_iterations(400), &mut Watch::none());
        let verdict = minimax.verdict().unwrap().clone();
        assert!(verdict.depth > 3 && !verdict.proven, "{verdict:?}");
        let mut estimate = |state: &(u32, u64)| minimax.estimate(state)[0];
        let expected = brute::minimax_to(&layers(), &(0, 0), verdict.depth, &mut estimate);
        assert!((verdict.payoffs[Role(0)] - expected).abs() < 1e-5, "{seed}: {verdict:?}");
    }
}

#[test]
fn sums_other_than_one_are_recognised() {
    let tree = "roles a b\na left = 20 40\na right\n  b in = 30 30\n  b out = 10 50\n";
    let (_, verdict) = searched(TreeGame::parse(tree).unwrap(), &Budget::unlimited());
    assert_eq!(verdict.unwrap().payoffs.as_slice(), [0.2, 0.4]);
}

#[test]
fn other_games_are_searched_by_max_n() {
    let (report, verdict) = searched(Bid, &Budget::unlimited());
    assert_eq!(Role::all(3).map(|r| report.best(r).unwrap().0).collect::<Vec<_>>(), [2, 1, 0]);
    assert!(!verdict.unwrap().proven);
    let (report, verdict) = searched(Lock::new(3, &[1, 2, 0]), &Budget::unlimited());
    assert_eq!((report.best(Role(0)), verdict.unwrap().proven), (Some(Move(1)), true));
    let late = "roles x o\nx go\n  x in, o in = 100 0\n  x in, o out = 0 100\n\
                \x20 x out, o in = 0 100\n  x out, o out = 100 0\nx stop = 40 60\n";
    let (report, verdict) = searched(TreeGame::parse(late).unwrap(), &Budget::unlimited());
    assert_eq!(report.best(Role(0)), Some(Move(1)));
    assert_eq!(verdict.unwrap().payoffs.as_slice(), [0.5, 0.5]);
}

#[test]
fn the_budget_is_kept_and_results_repeat() {
    let board = || Breakthrough { width: 4, height: 5 };
    for states in [0, 1, 2, 10, 1000] {
        let budget = Budget::unlimited().with_iterations(states);
        let (report, _) = searched(board(), &budget);
        assert_eq!(report.iterations, states);
        assert!(report.best(Role(0)).is_some());
        assert_eq!(report, searched(board(), &budget).0);
    }
    let budget = Budget::unlimited().with_time(std::time::Duration::ZERO);
    assert!(searched(board(), &budget).0.best(Role(0)).is_some());
}

#[test]
fn finished_and_forced_states_need_no_search() {
    assert_eq!(searched(Nim(0), &Budget::unlimited()).0.best(Role(0)), None);
    let (forced, verdict) = searched(Nim(1), &Budget::unlimited());
    assert_eq!((forced.iterations, forced.best(Role(0)), verdict), (0, Some(Move(1)), None));
}

#[test]
fn a_new_game_forgets_the_last() {
    let game = Arc::new(Breakthrough { width: 4, height: 5 });
    let value = PlayoutValue::new(Arc::clone(&game), 4, 1);
    let mut minimax = Minimax::new(Arc::clone(&game), Box::new(value), SMALL);
    let budget = Budget::unlimited().with_iterations(500);
    minimax.begin(5);
    let first = minimax.think(&game.initial(), &budget, &mut Watch::none());
    let _ = minimax.think(&game.initial(), &budget, &mut Watch::none());
    minimax.begin(5);
    assert_eq!(minimax.think(&game.initial(), &budget, &mut Watch::none()), first);
    minimax.begin(6);
    assert_ne!(minimax.think(&game.initial(), &budget, &mut Watch::none()), first);
}
