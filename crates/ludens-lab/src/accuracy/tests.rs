//! Drawing, measuring, and files of positions.

use std::collections::HashSet;
use std::path::Path;

use ludens_catalog::{ReasonerKind, load_agent, load_game};
use ludens_core::Budget;

use super::*;

fn game(name: &str) -> LoadedGame {
    load_game(name, ReasonerKind::Mixed, &Budget::unlimited()).unwrap()
}

fn sample(positions: usize, plies: RangeInclusive<usize>) -> Sample {
    Sample { positions, plies, seed: 7, budget: Sample::BUDGET, tactics: None }
}

fn drawn(game: &LoadedGame, sample: &Sample, threads: usize) -> anyhow::Result<Positions> {
    draw(game, sample, (threads, &Stop::new()), &mut |_| {})
}

/// The accuracy of an agent with this number of iterations a move.
fn accuracy(
    game: &LoadedGame,
    positions: &Positions,
    (agent, iterations): (&str, u64),
    threads: usize,
) -> Accuracy {
    let (agents, stop) = ([load_agent(agent).unwrap()], &Stop::new());
    let allowance = Allowance::of_iterations(iterations);
    let questions = Questions { agents: &agents, allowance, seed: 3, threads, stop };
    measure(game, &positions.list, &questions, &mut |_| {}).unwrap().remove(0)
}

#[test]
fn the_same_seed_gives_the_same_positions_on_any_number_of_threads() {
    let game = game("tictactoe");
    let one = drawn(&game, &sample(60, 1..=6), 1).unwrap();
    assert_eq!(one, drawn(&game, &sample(60, 1..=6), 3).unwrap());
    let other = Sample { seed: 8, ..sample(60, 1..=6) };
    assert_ne!(one.list, drawn(&game, &other, 1).unwrap().list);
    assert_eq!(one.list.len(), 60);
    assert!(one.list.iter().all(|position| (1..=6).contains(&position.moves.len())));
    let distinct: HashSet<String> =
        one.list.iter().map(|position| format!("{:?}", position.moves)).collect();
    assert_eq!(distinct.len(), 60);
}

#[test]
fn positions_are_quiet_if_looking_at_move_and_reply_is_not_enough() {
    let game = game("tictactoe");
    let positions = drawn(&game, &sample(150, 1..=5), 2).unwrap();
    for position in &positions.list {
        let (plies, best) = (position.moves.len(), position.value());
        let worst = position.values.iter().map(|choice| choice.value).fold(1.0, f32::min);
        assert!(worst < best);
        assert!(plies > 1 || position.quiet, "one mark threatens nothing: {position:?}");
    }
    let quiet = positions.list.iter().filter(|position| position.quiet).count();
    assert!(quiet > 20 && quiet < 130, "{quiet}");
}

#[test]
fn perfect_agents_always_keep_the_value_and_random_ones_do_not() {
    let game = game("connectfour(columns=4, rows=4)");
    let positions = drawn(&game, &sample(80, 3..=9), 2).unwrap();
    let random = accuracy(&game, &positions, ("random", 1), 2);
    assert!(random.all.kept > 10 && random.all.kept < 75, "{random:?}");
    assert_eq!(accuracy(&game, &positions, ("random", 1), 1), random);
    let perfect = accuracy(&game, &positions, ("solver", 10_000_000), 2);
    assert_eq!((perfect.all.kept, perfect.all.positions), (80, 80));
    assert_eq!(perfect.quiet.kept, perfect.quiet.positions);
}

/// In tic-tac-toe a win in one move completes a line, and a single saving move blocks one.
#[test]
fn tactical_positions_show_their_move_soon() {
    let game = game("tictactoe");
    let tactical = |range| Sample { tactics: Some(range), ..sample(40, 3..=6) };
    let at_once = drawn(&game, &tactical(1..=1), 2).unwrap();
    assert!(at_once.drawn.strategic > 0);
    for position in &at_once.list {
        assert_eq!((position.plies, position.value()), (Some(1), 1.0), "{position:?}");
        assert!(!position.quiet, "a win in one move ends the game: {position:?}");
    }
    let soon = drawn(&game, &tactical(1..=5), 2).unwrap();
    assert_eq!(soon, drawn(&game, &tactical(1..=5), 1).unwrap());
    let of = |plies| soon.list.iter().filter(move |position| position.plies == Some(plies));
    assert!(of(1).count() > 0 && of(2).count() > 0 && of(3).count() > 0, "{soon:?}");
    for position in of(2) {
        let best = position.values.iter().filter(|choice| position.keeps_value(&choice.mv));
        assert!(position.value() < 1.0 && best.count() == 1, "only moves: {position:?}");
    }
    let later = drawn(&game, &tactical(3..=5), 2).unwrap();
    assert!(later.list.iter().all(|position| (3..=5).contains(&position.plies.unwrap())));
    let perfect = accuracy(&game, &soon, ("solver", 1_000_000), 2);
    assert_eq!(perfect.all.kept, 40);
    let shares = perfect.by_plies.values().map(|share| share.positions);
    assert_eq!(shares.sum::<usize>(), 40, "every position counts once");
}

#[test]
fn unsolved_positions_are_counted() {
    let game = game("connectfour");
    let few = Sample { budget: 60, ..sample(10, 24..=34) };
    let positions = drawn(&game, &few, 2).unwrap();
    assert!(positions.drawn.unsolved > 0 && positions.list.len() == 10, "{:?}", positions.drawn);
}

#[test]
fn games_without_exact_values_are_refused() {
    for (name, why) in
        [("rockpaperscissors", "at the same time"), ("connectfour_3p", "more than two")]
    {
        let error = drawn(&game(name), &sample(3, 0..=0), 1).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    }
    let error = drawn(&game("tictactoe"), &sample(3, 20..=30), 1).unwrap_err();
    assert!(error.to_string().contains("no position to measure"), "{error}");
}

#[test]
fn saved_positions_are_read_again() {
    let (folder, game) = (tempfile::tempdir().unwrap(), game("tictactoe"));
    let path = folder.path().join("positions.jsonl");
    let positions = drawn(&game, &sample(20, 1..=6), 1).unwrap();
    save(&path, &game, &positions).unwrap();
    assert_eq!(load(&path, &game).unwrap(), positions);
}

#[test]
fn damaged_and_foreign_files_are_refused_with_their_place() {
    let (folder, game_of) = (tempfile::tempdir().unwrap(), game);
    let (path, game) = (folder.path().join("x.jsonl"), game("tictactoe"));
    let positions = drawn(&game, &sample(3, 2..=2), 1).unwrap();
    save(&path, &game, &positions).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let refused = |text: &str, game: &LoadedGame| {
        std::fs::write(&path, text).unwrap();
        load(Path::new(&path), game).unwrap_err().to_string()
    };
    let last = text.trim_end().rfind('\n').unwrap() + 1;
    let cases = [
        ("", "x.jsonl:1: no file of solved positions"),
        (&text.replace("positions/1", "positions/9"), "x.jsonl:1: the format is"),
        (&text[..last], "x.jsonl:3: the file has 2 of 3 positions"),
        (&text[..text.len() - 9], "x.jsonl:4: the line is damaged"),
        (&text.replacen("[[\"(mark", "[[\"(rub", 1), "x.jsonl:2: the move"),
        (
            &text.replacen("\"move\":\"(mark 1", "\"move\":\"(mark 9", 1),
            ": the moves are not the legal",
        ),
    ];
    for (text, why) in cases {
        let error = refused(text, &game);
        assert!(error.contains(why), "{error} does not say {why}");
    }
    assert!(refused(&text, &game_of("nim")).contains("positions of `tictactoe`"));
    assert!(load(Path::new("nowhere"), &game).unwrap_err().to_string().contains("cannot read"));
}
