//! Solutions against theory and exhaustive search, cycles, limits, the agent.

use ludens_testkit::hash_game::HashGame;

use super::*;
use crate::classic::brute;
use crate::classic::testgames::{Breakthrough, Layers, Lock, Ring, TicTacToe, shapes};
use crate::classic::value::EvenValue;
use crate::testgames::{Bid, Nim};

fn solution<G: Game>(game: G) -> Result<Solution, Unsolved> {
    let game = Arc::new(game);
    solve(&game, &game.initial(), &Budget::unlimited())
}

fn agent<G: Game>(game: G) -> Solver<G> {
    Solver::new(Arc::new(game), Box::new(EvenValue), 1 << 16)
}

#[test]
fn tic_tac_toe_is_a_draw_after_nine_moves() {
    let solution = solution(TicTacToe).unwrap();
    assert_eq!(solution.payoffs.as_slice(), [0.5, 0.5]);
    assert_eq!((solution.distance, solution.best_moves().count()), (9, 9));
    // There are 5,478 positions; siblings of a win in one are not searched, nor is the root.
    assert!(solution.states < 5_478 && solution.states > 2_000, "{}", solution.states);
}

#[test]
fn nim_is_solved_as_theory_says() {
    for heap in 1..60u32 {
        let solution = solution(Nim(heap)).unwrap();
        let lost = heap % 4 == 0;
        assert_eq!(solution.payoffs[Role(0)].to_bits(), f32::from(!lost as u8).to_bits());
        // The winner answers 3 by 1, 2 by 2 and 1 by 3; the loser delays the end by taking 1.
        let distance = if lost { heap / 2 } else { heap / 4 * 2 + 1 };
        assert_eq!(solution.distance, distance, "{heap}");
        let best: Vec<_> = solution.best_moves().collect();
        if !lost {
            assert_eq!(best, [Move(heap % 4)]);
        }
    }
}

#[test]
fn values_and_distances_are_those_of_exhaustive_search() {
    for (shape, seed) in shapes() {
        let game = HashGame::new(shape, seed);
        let result = solution(game.clone());
        if shape.simultaneous && shape.n_roles > 1 {
            let several = |error| matches!(error, Unsolved::Simultaneous);
            assert!(result.as_ref().err().copied().is_none_or(several), "{result:?}");
            continue;
        }
        let solution = result.unwrap();
        let expected = brute::value_and_distance(&game, &game.initial());
        assert_eq!((solution.payoffs, solution.distance), expected, "{shape:?} {seed}");
    }
}

#[test]
fn each_state_is_searched_once() {
    for seed in 0..30 {
        let layers = || Layers { width: 5, depth: 8, seed, constant_sum: seed % 2 == 0 };
        let solution = solution(layers()).unwrap();
        assert!(solution.states <= 5 * 8, "{}", solution.states);
        let expected = brute::value_and_distance(&layers(), &(0, 0));
        assert_eq!((solution.payoffs, solution.distance), expected, "{seed}");
    }
}

#[test]
fn small_boards_of_breakthrough_agree_with_exhaustive_search() {
    for (width, height) in [(2, 3), (2, 4), (3, 3), (2, 5)] {
        let board = || Breakthrough { width, height };
        let expected = brute::value_and_distance(&board(), &board().initial());
        let solution = solution(board()).unwrap();
        assert_eq!((solution.payoffs, solution.distance), expected, "{width} x {height}");
    }
}

#[test]
fn every_choice_has_its_exact_value() {
    let game = Breakthrough { width: 2, height: 5 };
    let solution = solution(Breakthrough { width: 2, height: 5 }).unwrap();
    let mut view = View::default();
    game.look(&game.initial(), &mut view);
    assert_eq!(solution.choices.len(), view.legal[Role(0)].len());
    for choice in &solution.choices {
        let mut next = game.initial();
        game.play(&mut next, &[choice.mv, Move(0)]);
        let (payoffs, distance) = brute::value_and_distance(&game, &next);
        assert_eq!((&choice.payoffs, choice.distance), (&payoffs, distance + 1));
    }
}

#[test]
fn cycles_are_unknown_but_an_immediate_win_is_not() {
    assert_eq!(solution(Ring(vec![50, 90, 30])), Err(Unsolved::Cycle));
    let solved = solution(Ring(vec![100, 50, 30])).unwrap();
    assert_eq!((solved.distance, solved.best_moves().collect::<Vec<_>>()), (1, vec![Move(1)]));
    // Two places further on there is an immediate win, so the other move there does not matter.
    let solved = solution(Ring(vec![50, 60, 100])).unwrap();
    assert_eq!((solved.distance, solved.best_moves().collect::<Vec<_>>()), (3, vec![Move(0)]));
    let budget = Budget::unlimited().with_iterations(500);
    let report = agent(Ring(vec![50, 90])).think(&(0, false), &budget, &mut Watch::none());
    assert_eq!(report.best(Role(0)), Some(Move(0)));
}

#[test]
fn limits_are_kept() {
    let game = Arc::new(Breakthrough { width: 4, height: 5 });
    let limited = |budget: Budget| solve(&game, &game.initial(), &budget);
    let states = Budget::unlimited().with_iterations(1_000);
    assert_eq!(limited(states), Err(Unsolved::Budget));
    assert_eq!(limited(Budget::unlimited().with_bytes(100_000)), Err(Unsolved::Memory));
    let nim = Arc::new(Nim(40));
    assert!(solve(&nim, &nim.initial(), &Budget::unlimited().with_bytes(100_000)).is_ok());
    let over = Budget::unlimited().with_time(std::time::Duration::ZERO);
    assert_eq!(limited(over), Err(Unsolved::Budget));
    assert_eq!(solution(Bid), Err(Unsolved::Simultaneous));
}

#[test]
fn an_interrupted_search_is_resumed() {
    let game = Arc::new(TicTacToe);
    let mut memo = Memo::new(Arc::clone(&game));
    let budget = Budget::unlimited().with_iterations(500);
    let mut attempts = 1;
    let solution = loop {
        match memo.solve(&game.initial(), &budget, &mut Meter::new(&budget)) {
            Ok(solution) => break solution,
            Err(error) => assert_eq!(error, Unsolved::Budget),
        }
        attempts += 1;
        assert!(attempts < 100, "each attempt must make progress");
    };
    assert_eq!((solution.payoffs.as_slice(), solution.distance), (&[0.5, 0.5][..], 9));
    assert!(attempts > 3);
}

#[test]
fn the_agent_plays_perfectly_and_remembers() {
    let mut solver = agent(Nim(21));
    let report = solver.think(&(21, 0), &Budget::unlimited(), &mut Watch::none());
    assert_eq!((report.best(Role(0)), report.moves[Role(0)].len()), (Some(Move(1)), 3));
    assert_eq!(solver.solution().unwrap().distance, 11);
    assert_eq!(report.proven, Some(vec![1.0, 0.0]));
    assert_eq!(report.moves[Role(1)][0].mean.to_bits(), 0f64.to_bits());
    let later = solver.think(&(18, 1), &Budget::unlimited(), &mut Watch::none());
    assert_eq!((later.iterations, later.best(Role(1))), (0, Some(Move(2))));
    let mut solver = agent(Lock::new(3, &[1, 2, 0, 1]));
    assert_eq!(
        solver.think(&vec![], &Budget::unlimited(), &mut Watch::none()).best(Role(0)),
        Some(Move(1))
    );
}

#[test]
fn the_agent_has_a_move_where_it_cannot_solve() {
    let report = agent(Bid).think(&None, &Budget::unlimited(), &mut Watch::none());
    assert_eq!(Role::all(3).map(|r| report.best(r).unwrap().0).collect::<Vec<_>>(), [2, 1, 0]);
    let board = || Breakthrough { width: 4, height: 5 };
    for states in [0, 1, 10, 3_000] {
        let budget = Budget::unlimited().with_iterations(states);
        let think = || agent(board()).think(&board().initial(), &budget, &mut Watch::none());
        assert!(think().iterations <= states && think().best(Role(0)).is_some());
        assert_eq!(think(), think());
    }
}

#[test]
fn finished_and_forced_states_need_no_search() {
    let mut solver = agent(Nim(1));
    assert_eq!(solver.think(&(1, 0), &Budget::unlimited(), &mut Watch::none()).iterations, 0);
    assert_eq!(solver.think(&(0, 1), &Budget::unlimited(), &mut Watch::none()).best(Role(0)), None);
    let over = solve(&Arc::new(Nim(1)), &(0, 1), &Budget::unlimited()).unwrap();
    assert_eq!((over.distance, over.payoffs.as_slice()), (0, &[1.0, 0.0][..]));
}

#[test]
fn a_quarter_of_the_budget_is_for_the_search_before_solving() {
    let mut solver = agent(Breakthrough { width: 6, height: 6 });
    let (start, budget) = (solver.game.initial(), Budget::unlimited().with_iterations(400));
    let mut meter = Meter::new(&budget);
    let report = solver.search_fallback(&start, &mut meter);
    assert_eq!((report.iterations, meter.spent), (100, 100));
}
