//! `match`, `tournament` and `results`.

use std::fmt::Write;
use std::io::{BufRead, BufReader, Read};
use std::process::Command;

use crate::common::{Folder, Run, command, ludens};
use serde_json::{Value, json};

/// A match of searches that learn, which does not depend on concurrency.
const LEARNING: [&str; 7] =
    ["tictactoe", "--agents", "uct + mast", "rave", "--iterations", "40", "--openings=1"];

/// Runs `ludens match` with a journal in the folder.
fn play(folder: &Folder, journal: &str, args: &[&[&str]]) -> Run {
    let path = folder.path(journal);
    let journal = ["match", "--journal", path.to_str().unwrap()];
    ludens(&[&journal[..], &args.concat()].concat())
}

/// All games of a journal without times, which depend on the machine.
fn games(folder: &Folder, journal: &str) -> Vec<Value> {
    let path = folder.path(journal);
    let run = ludens(&["results", path.to_str().unwrap(), "--jsonl"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let mut games = run.json();
    for effort in games.iter_mut().flat_map(|game| game["efforts"].as_array_mut().unwrap()) {
        (effort["micros"], effort["longest_micros"]) = (json!(0), json!(0));
    }
    games
}

fn slots(games: &[Value]) -> Vec<u64> {
    games.iter().map(|game| game["slot"].as_u64().unwrap()).collect()
}

/// Enough games that their lines do not fit into a pipe: a match whose output is not read cannot
/// end.
const MANY: &str = "200";

#[test]
fn a_killed_match_resumes_and_ends_with_the_same_games() {
    let folder = Folder::new();
    let args = [&LEARNING[..], &["--games", MANY, "--json", "--concurrency", "2"]].concat();
    let path = folder.path("killed");
    let mut child = command(&[&["match", "--journal", path.to_str().unwrap()], &args[..]].concat())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..5 {
        lines.next().unwrap().unwrap();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = games(&folder, "killed");
    assert!((5..200).contains(&before.len()), "{} games", before.len());

    let resumed = play(&folder, "killed", &[&args]);
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    let (standing, n_games) =
        resumed.json().split_last().map(|(a, b)| (a.clone(), b.len())).unwrap();
    assert_eq!((&standing["games"], n_games), (&json!(200), 200));
    assert_eq!(standing["played"], json!(200 - before.len()));
    let undisturbed = play(&folder, "undisturbed", &[&args]);
    assert_eq!(undisturbed.code, 0, "{}", undisturbed.err);
    let (after, expected) = (games(&folder, "killed"), games(&folder, "undisturbed"));
    assert_eq!(slots(&after), (0..200).collect::<Vec<_>>(), "none lost, none doubled");
    assert_eq!(after, expected);
    assert!(before.iter().all(|game| after.contains(game)), "recorded games stay");
}

#[cfg(unix)]
#[test]
fn an_interrupted_match_prints_its_standing() {
    let folder = Folder::new();
    let path = folder.path("journal");
    // Enough that no machine has played them before the signal arrives.
    let wanted = 20_000;
    let number = wanted.to_string();
    let args = [&LEARNING[..], &["--games", &number, "--json"]].concat();
    let mut child = command(&[&["match", "--journal", path.to_str().unwrap()], &args[..]].concat())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    output.read_line(&mut first).unwrap();
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "games are missing");
    let standing: Value = serde_json::from_str(rest.lines().last().unwrap()).unwrap();
    let n_games = games(&folder, "journal").len();
    assert_eq!(standing["games"], json!(n_games));
    assert_eq!(standing["missing"], json!(wanted - n_games));
    assert!(n_games < wanted);
}

#[test]
fn more_games_begin_with_the_existing_ones() {
    let folder = Folder::new();
    for (journal, numbers) in [("grown", &["6", "15"][..]), ("at_once", &["15"])] {
        for number in numbers {
            let run = play(&folder, journal, &[&LEARNING, &["--games", number]]);
            assert_eq!(run.code, 0, "{}", run.err);
        }
    }
    assert_eq!(games(&folder, "grown"), games(&folder, "at_once"));
    // Fewer games than there are: nothing is played, and only these count.
    let fewer = play(&folder, "grown", &[&LEARNING, &["--games", "4", "--json"]]);
    let standing = fewer.json().pop().unwrap();
    assert_eq!((&standing["games"], &standing["played"]), (&json!(4), &json!(0)));
    assert_eq!(fewer.json().len(), 5);
}

#[test]
fn games_do_not_depend_on_concurrency() {
    let folder = Folder::new();
    let learning = ["uct + mast", "rave", "ppaf", "uct(batch=4)"];
    let args =
        [&["tictactoe", "--games", "6", "--iterations", "30", "--agents"], &learning[..]].concat();
    for (journal, how) in [("alone", ["1", "1"]), ("together", ["1", "40"]), ("apart", ["2", "3"])]
    {
        let how = ["--concurrency", how[0], "--together", how[1]];
        let run = play(&folder, journal, &[&args, &how]);
        assert_eq!(run.code, 0, "{}", run.err);
    }
    let alone = games(&folder, "alone");
    assert_eq!(alone.len(), 36);
    assert_eq!(games(&folder, "together"), alone);
    assert_eq!(games(&folder, "apart"), alone);
}

#[test]
fn preparation_does_not_depend_on_pooling() {
    let folder = Folder::new();
    let args = [&LEARNING[..], &["--games", "8", "--name", "a"]].concat();
    let prepared = [&args[..], &["--start-iterations", "200"]].concat();
    for (journal, args, together) in
        [("alone", &prepared, "1"), ("together", &prepared, "40"), ("unprepared", &args, "1")]
    {
        let run = play(&folder, journal, &[args, &["--concurrency", "2", "--together", together]]);
        assert_eq!(run.code, 0, "{}", run.err);
    }
    let alone = games(&folder, "alone");
    assert_eq!((alone.len(), &games(&folder, "together")), (8, &alone));
    let moves =
        |games: &[Value]| games.iter().map(|game| game["moves"].clone()).collect::<Vec<_>>();
    assert_ne!(moves(&alone), moves(&games(&folder, "unprepared")), "preparation changes moves");
    let last = play(&folder, "alone", &[&prepared, &["--json"]]).json().pop().unwrap();
    assert_eq!((&last["start_iterations"], &last["played"]), (&json!(200), &json!(0)));
    let timed =
        ["tictactoe", "--agents", "uct", "flat", "--start-time=20ms", "--time=1ms", "--games=1"];
    let run = play(&folder, "timed", &[&timed]);
    assert!(run.out.contains("tictactoe, 20 ms to prepare, 1 ms a move, seed 1"), "{}", run.all());
}

#[test]
fn uniform_playouts_are_reproducible_one_game_at_a_time() {
    let folder = Folder::new();
    let args = ["tictactoe", "--games", "10", "--iterations", "50", "--agents", "uct", "flat"];
    for (journal, concurrency) in [("one", "1"), ("two", "2")] {
        play(&folder, journal, &[&args, &["--together", "1", "--concurrency", concurrency]]);
    }
    assert_eq!(games(&folder, "one").len(), 10);
    assert_eq!(games(&folder, "one"), games(&folder, "two"));
    // With a shared stream every search still has exactly its simulations.
    let run = play(&folder, "many", &[&args, &["--json"]]);
    let efforts = run.json();
    for effort in efforts.iter().filter_map(|game| game["efforts"].as_array()).flatten() {
        let (decisions, iterations) =
            (&effort["decisions"], effort["iterations"].as_u64().unwrap());
        // Searches whose root is proven stop sooner.
        assert!(iterations <= decisions.as_u64().unwrap() * 50, "{effort}");
    }
}

#[test]
fn the_last_line_has_what_scripts_need() {
    let folder = Folder::new();
    let args = ["tictactoe", "--games", "4", "--iterations", "20", "--agents", "flat", "random"];
    let run = play(&folder, "journal", &[&args, &["--json", "--seed", "3"]]);
    let lines = run.json();
    assert_eq!((run.code, lines.len()), (0, 5));
    // Games are printed as they end, which need not be the order in which they began.
    let first = lines.iter().find(|line| line["slot"] == 0).expect("all games are printed");
    assert_eq!(first["agents"], json!(["flat", "random"]));
    let last = &lines[4];
    assert_eq!((&last["games"], &last["game"]), (&json!(4), &json!("tictactoe")));
    let mut points = 0.0;
    for (agent, name) in last["agents"].as_array().unwrap().iter().zip(["flat", "random"]) {
        assert_eq!(agent["name"], name);
        let count = |key: &str| agent[key].as_u64().unwrap();
        assert_eq!(count("wins") + count("draws") + count("losses"), 4);
        let (score, interval) = (agent["score"].as_f64().unwrap(), &agent["interval"]);
        points += score;
        let end = |at: usize| interval[at].as_f64().unwrap();
        assert!(end(0) <= score && score <= end(1) && end(1) - end(0) > 0.1, "{agent}");
        assert!(agent.as_object().unwrap().contains_key("elo"), "{agent}");
    }
    assert!((points - 1.0).abs() < 1e-9, "{points}");
    // Without a name, the same settings find the same match, and others begin another one.
    let again = play(&folder, "journal", &[&args, &["--json", "--seed", "3"]]).json();
    assert_eq!(again[4]["played"], 0);
    let other = play(&folder, "journal", &[&args, &["--json", "--seed", "4"]]).json();
    assert_ne!(other[4]["experiment"], again[4]["experiment"]);
}

#[test]
fn a_sequential_test_ends_a_match() {
    let folder = Folder::new();
    let args = ["tictactoe", "--games", "2000", "--iterations", "60", "--agents", "flat", "random"];
    let run = play(&folder, "journal", &[&args, &["--sprt", "-100,100", "--json"]]);
    let last = run.json().pop().unwrap();
    assert_eq!(last["sprt"]["verdict"], "accept_h1");
    // Games start a little ahead of the first open one, not 128 per thread.
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let needed = last["sprt"]["games"].as_u64().unwrap();
    let played = last["games"].as_u64().unwrap();
    assert!(played <= needed + (needed / 2).max(4 * cores), "{played} played, {needed} needed");
}

#[test]
fn games_for_one_and_for_three_are_matches_too() {
    let folder = Folder::new();
    let alone =
        ["eight_puzzle", "--games", "2", "--iterations", "5", "--agents", "random", "nested"];
    let last = play(&folder, "journal", &[&alone, &["--json"]]).json().pop().unwrap();
    assert_eq!((&last["games"], &last["elo_against"]), (&json!(4), &json!("nobody")));
    let three =
        ["connectfour_3p", "--games", "6", "--iterations", "2", "--agents", "random", "uct"];
    let last = play(&folder, "journal", &[&three, &["--json"]]).json().pop().unwrap();
    // Two agents share three seats, each in every way.
    assert_eq!((&last["games"], &last["elo_against"]), (&json!(6), &json!("opponent")));
    assert!(last["agents"][1]["seats"].as_array().unwrap().iter().all(|seat| seat["games"] == 3));
}

#[test]
fn a_match_is_reported_as_text() {
    let folder = Folder::new();
    let args = ["tictactoe", "--games", "6", "--iterations", "30", "--together=1", "--agents"];
    let agents = ["uct", "random", "uct"];
    let run = play(&folder, "journal", &[&args, &agents, &["--name", "three"]]);
    insta::assert_snapshot!(folder.neutral(&run.all()));
}

#[test]
fn mistakes_are_answered() {
    let folder = Folder::new();
    let foreign =
        folder.file("foreign", "This is no journal, but a text of some length.\n".repeat(30));
    let default = ["--games", "2", "--iterations", "5", "--agents", "random", "flat"];
    let named = [&default[..], &["--name", "mine"]].concat();
    assert_eq!(play(&folder, "journal", &[&["tictactoe"], &named]).code, 0);
    let mut output = String::new();
    for (journal, args) in [
        ("journal", &[&["tictacteo"][..], &default][..]),
        ("journal", &[&["tictactoe", "--iterations", "5", "--agents", "utc", "flat"]]),
        (
            "journal",
            &[&["tictactoe", "--iterations", "5", "--agents", "uct", "flat", "--games", "0"]],
        ),
        ("journal", &[&["tictactoe", "--agents", "uct", "flat"]]),
        ("journal", &[&["tictactoe", "--sprt", "5,0"], &default]),
        ("journal", &[&["tictactoe", "--sprt", "5"], &default]),
        ("journal", &[&["tictactoe", "--seed", "2"], &named]),
        ("foreign", &[&["tictactoe"], &default]),
        ("nowhere/journal", &[&["tictactoe"], &default]),
    ] {
        let run = play(&folder, journal, args);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}");
        writeln!(output, "$ match {}\n{}", args.concat().join(" "), run.err).unwrap();
    }
    assert!(std::fs::read_to_string(foreign).unwrap().starts_with("This is no journal"));
    insta::assert_snapshot!(folder.neutral(&output));
}
