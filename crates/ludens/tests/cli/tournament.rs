//! `tournament` and its `results`.

use std::fmt::Write;

use crate::common::{Folder, Run, TINY, ludens};
use serde_json::{Value, json};

const SMALL: &str = "\
agents = ['uct', 'flat', 'random']
games = ['tictactoe', 'connectfour(columns=4)']
games_per_meeting = 2
iterations = 20
seed = 7
";

/// Runs `ludens tournament` with a file and a journal in the folder.
fn tournament(folder: &Folder, text: &str, args: &[&str]) -> Run {
    let (file, journal) = (folder.file("small.toml", text), folder.path("journal"));
    let journal = journal.to_str().unwrap();
    ludens(&[&["tournament", &file, "--journal", journal, "--together", "1"], args].concat())
}

fn results(folder: &Folder, args: &[&str]) -> Run {
    let journal = folder.path("journal");
    ludens(&[&["results", journal.to_str().unwrap()], args].concat())
}

#[test]
fn all_agents_meet_in_all_games_and_the_same_command_resumes() {
    let folder = Folder::new();
    let run = tournament(&folder, SMALL, &["--json", "--cells", "tictactoe"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.json().len(), 6 + 2, "three pairs twice, the table of the game, the last line");
    let all = tournament(&folder, SMALL, &["--json", "--games", "3"]).json();
    assert_eq!(all.len(), 2 * (9 + 1) + 1);
    let last = all.last().unwrap();
    assert_eq!((&last["games"], &last["tournament"]), (&json!(18), &json!("small")));
    let played: Vec<&Value> =
        all.iter().map(|line| &line["played"]).filter(|n| !n.is_null()).collect();
    assert_eq!(played, [&json!(3), &json!(9)]);
    let names: Vec<_> = last["agents"].as_array().unwrap().iter().map(|a| &a["name"]).collect();
    assert_eq!(names, ["uct", "flat", "random"]);
    assert_eq!(last["agents"][0]["games"], 12);
}

#[test]
fn a_gauntlet_is_reported_as_text() {
    let folder = Folder::new();
    let text = format!("pairing = 'gauntlet'\nname = 'short'\n{SMALL}");
    insta::assert_snapshot!(folder.neutral(&tournament(&folder, &text, &[]).all()));
}

#[test]
fn mistakes_in_files_are_answered_with_their_line() {
    let folder = Folder::new();
    let mut output = String::new();
    for (find, replace) in [
        ("seed = 7", "sede = 7"),
        ("seed = 7", "pairing = 'robin'"),
        ("seed = 7", "time = '5x'"),
        ("seed = 7", "start_time = '5x'"),
        ("seed = 7", "start_iteration = 5"),
        ("seed = 7", "reasoner = 'lgoic'"),
        ("seed = 7", "seed = 7 8"),
        ("'flat'", "'falt'"),
        ("'tictactoe'", "'tictacteo'"),
        ("iterations = 20\n", ""),
        ("games_per_meeting = 2\n", ""),
        ("games_per_meeting = 2", "games_per_meeting = 0"),
        ("games_per_meeting = 2", "games_per_meeting = -3"),
        ("iterations = 20", "iterations = 0"),
        ("iterations = 20", "time = '0s'"),
        ("['uct', 'flat', 'random']", "[]"),
    ] {
        let run = tournament(&folder, &SMALL.replace(find, replace), &[]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{replace}");
        writeln!(output, "{find} -> {replace}\n{}", run.err).unwrap();
    }
    let cells = tournament(&folder, SMALL, &["--cells", "tictacto"]);
    output.push_str(&cells.err);
    insta::assert_snapshot!(folder.neutral(&output));
}

/// Both would have the same name in the journal, and each game would count twice.
#[test]
fn a_game_is_listed_once() {
    let folder = Folder::new();
    let mine = |name: &str, text: &str| {
        std::fs::create_dir(folder.path(name)).unwrap();
        folder.file(&format!("{name}/mine.kif"), text)
    };
    let paths = [mine("a", TINY), mine("b", &TINY.replace("100", "99"))];
    let mut output = String::new();
    for games in [
        "'tictactoe',\n'tictactoe'",
        "'hex(size=9)', 'hex'",
        &format!("'{}', '{}'", paths[0], paths[1]),
    ] {
        let text = SMALL.replace("'tictactoe', 'connectfour(columns=4)'", games);
        let run = tournament(&folder, &text, &[]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{games}");
        output.push_str(&run.err);
    }
    insta::assert_snapshot!(folder.neutral(&output));
}

#[test]
fn the_example_is_a_tournament() {
    let folder = Folder::new();
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/example-tournament.toml");
    let text = std::fs::read_to_string(example).unwrap();
    let text = text.replace("iterations = 300", "iterations = 2");
    let run = tournament(&folder, &text, &["--games", "1", "--json"]);
    assert_eq!(run.json().last().unwrap()["games"], 18, "{}", run.err);
}

#[test]
fn agents_may_prepare_for_games() {
    let folder = Folder::new();
    let text = format!("start_iterations = 30\nstart_time = '2.5s'\n{SMALL}");
    let run = tournament(&folder, &text, &["--cells", "tictactoe"]);
    let expected = "30 iterations to prepare, 2.5 s to prepare, 20 iterations a move";
    assert!(run.out.contains(expected), "{}", run.all());
    let games = folder.path("games");
    results(&folder, &["small/tictactoe", "--match-json", games.to_str().unwrap()]);
    let first = std::fs::read_dir(games).unwrap().next().unwrap().unwrap().path();
    let json: Value = serde_json::from_str(&std::fs::read_to_string(first).unwrap()).unwrap();
    assert_eq!((&json["startClock"], &json["playClock"]), (&json!(3), &json!(0)));
    assert!(json["startTime"].as_u64().unwrap() > 1_700_000_000_000, "{}", json["startTime"]);
    // The same tournament without it is another one.
    let other = tournament(&folder, SMALL, &["--cells", "tictactoe"]);
    assert!(other.err.contains("start_iterations was 30 and is absent now"), "{}", other.err);
}

#[test]
fn results_are_listed_and_exported() {
    let folder = Folder::new();
    assert_eq!(tournament(&folder, SMALL, &[]).code, 0);
    let list = results(&folder, &[]).out;
    assert!(
        list.contains("small/tictactoe") && list.contains("small/connectfour-columns-4"),
        "{list}"
    );
    let one = results(&folder, &["small/tictactoe"]).out;
    assert!(one.contains("tictactoe") && !one.contains("connectfour"), "{one}");
    let records = results(&folder, &["small", "--json"]).json();
    assert_eq!((records.len(), &records[1]["settings"]["seed"]), (2, &json!(7)));
    let csv = results(&folder, &["small", "--csv"]).out;
    assert_eq!(csv.lines().count(), 1 + 2 * 3);
    assert!(csv.lines().all(|line| line.split(',').count() == 15), "{csv}");
    let svg = folder.path("scores.svg");
    assert_eq!(results(&folder, &["small", "--svg", svg.to_str().unwrap()]).code, 0);
    let svg = std::fs::read_to_string(svg).unwrap();
    assert_eq!(svg.matches("2 games").count() + svg.matches("4 games").count(), 6, "{svg}");
    insta::assert_snapshot!(results(&folder, &["smal"]).all());
    assert_eq!(results(&folder, &["small", "--csv", "--jsonl"]).code, 2);
    let missing = ludens(&["results", folder.path("nothing").to_str().unwrap()]);
    assert_eq!(folder.neutral(&missing.err), "error: there is no journal nothing\n");
}

#[test]
fn exported_games_can_be_replayed() {
    let folder = Folder::new();
    tournament(&folder, SMALL, &["--cells", "tictactoe"]);
    let games = folder.path("games");
    let run = results(&folder, &["small/tictactoe", "--match-json", games.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.err);
    let files: Vec<_> =
        std::fs::read_dir(games).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 6);
    let paths: Vec<&str> = files.iter().map(|path| path.to_str().unwrap()).collect();
    let replayed = ludens(&[&["replay"], &paths[..]].concat());
    assert_eq!(replayed.code, 0, "{}", replayed.all());
}

#[test]
fn results_of_a_tournament_end_with_the_table_of_all_games() {
    let folder = Folder::new();
    let played = tournament(&folder, SMALL, &[]).out;
    let from = |text: &str| text.find("all 2 games of small").map(|at| text[at..].to_owned());
    let table = from(&results(&folder, &["small"]).out).expect("there is a table of all games");
    assert!(from(&played).is_some_and(|printed| printed.starts_with(&table)), "{table}\n{played}");
    let one = results(&folder, &["small/tictactoe"]).out;
    assert!(from(&one).is_none(), "{one}");
}
