//! Wrong usage of commands for matches and results fails at once, with exit code 2; their output is
//! correct.

use std::fmt::Write;

use crate::common::{Folder, Run, ludens};

const DEFAULT: [&str; 5] = ["--agents", "random", "flat", "--iterations", "5"];

/// Runs `ludens match` with a journal in the folder.
fn play(folder: &Folder, args: &[&[&str]]) -> Run {
    let path = folder.path("journal");
    ludens(&[&["match", "--journal", path.to_str().unwrap()], &args.concat()[..]].concat())
}

fn results(folder: &Folder, args: &[&str]) -> Run {
    let path = folder.path("journal");
    ludens(&[&["results", path.to_str().unwrap()], args].concat())
}

#[test]
fn invalid_matches_are_refused() {
    let folder = Folder::new();
    let mut output = String::new();
    for args in [
        &["tictactoe", "--agents", "random", "flat", "--iterations", "0"][..],
        &["tictactoe", "--agents", "random", "flat", "--time", "0s"],
        &["tictactoe", "--agents", "random", "flat", "--iterations=5", "--concurrency", "0"],
        &["tictactoe", "--agents", "random", "flat", "--iterations=5", "--together", "0"],
        &["tictactoe", "--agents", "random", "--iterations", "5"],
        &["eight_puzzle", "--agents", "random", "flat", "--iterations=5", "--sprt", "0,50"],
        &["tictactoe", "--agents", "random", "flat", "--iterations=5", "--reasoner", "native"],
    ] {
        let run = play(&folder, &[args]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}");
        writeln!(output, "$ match {}\n{}", args.join(" "), run.err).unwrap();
    }
    insta::assert_snapshot!(folder.neutral(&output));
    assert!(!folder.path("journal").exists(), "no match has started");
}

#[test]
fn one_agent_is_enough_for_games_with_one_role() {
    let folder = Folder::new();
    let alone = ["eight_puzzle", "--agents", "random", "--iterations=5", "--games=1", "--json"];
    assert_eq!(play(&folder, &[&alone]).code, 0);
    let three =
        ["eight_puzzle", "--agents", "random", "flat", "uct", "--iterations=5", "--games=1"];
    let run = play(&folder, &[&three]);
    let row = run.out.lines().find(|line| line.starts_with("uct")).unwrap();
    assert_eq!(row.split_whitespace().rev().nth(1), Some("–"), "{}", run.out);
}

#[test]
fn a_bench_without_a_game_prints_no_table() {
    for verb in ["search", "load", "reasoner"] {
        let run = ludens(&["bench", verb, "tictacteo"]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{verb}");
        assert!(run.err.contains("did you mean `tictactoe`?"), "{verb}: {}", run.err);
    }
}

/// A match with fewer requested games than were played has all of them in the journal.
#[test]
fn earlier_games_are_in_the_journal_too() {
    let folder = Folder::new();
    let args = [&["tictactoe", "--name", "m"], &DEFAULT[..]].concat();
    let last = |run: Run| folder.neutral(run.out.lines().last().unwrap_or_default());
    assert_eq!(last(play(&folder, &[&args, &["--games=6"]])), "6 games are in journal as `m`");
    let fewer = last(play(&folder, &[&args, &["--games=4"]]));
    assert_eq!(fewer, "6 games are in journal as `m`; the table counts 4 of them");
}

#[test]
fn the_first_of_equal_agents_leads() {
    let folder = Folder::new();
    let args = ["tictactoe", "--agents", "random", "random", "--iterations=1", "--games=2"];
    assert_eq!(play(&folder, &[&args, &["--openings", "500", "--name", "m"]]).code, 0);
    let list = results(&folder, &[]).out;
    assert!(list.contains("random 50.0 %") && !list.contains("#2"), "{list}");
}

#[test]
fn results_have_one_format() {
    let folder = Folder::new();
    play(&folder, &[&["tictactoe", "--games=2"], &DEFAULT]);
    let both = results(&folder, &["--csv", "--json"]);
    assert_eq!((both.code, both.out.as_str()), (2, ""), "{}", both.err);
    assert!(both.err.contains("hint: "), "{}", both.err);
}

/// Both prisoners may score high or low: their payoffs do not add up to a constant.
#[test]
fn a_picture_shows_both_agents_if_they_do_not_share_a_point() {
    let folder = Folder::new();
    let svg = folder.path("scores.svg");
    for (game, rows) in [("prisoners_dilemma", 2), ("tictactoe", 1)] {
        play(&folder, &[&[game, "--name", game, "--games=4"], &DEFAULT]);
        assert_eq!(results(&folder, &[game, "--svg", svg.to_str().unwrap()]).code, 0);
        let picture = std::fs::read_to_string(&svg).unwrap();
        assert_eq!(picture.matches("4 games").count(), rows, "{game}: {picture}");
    }
}
