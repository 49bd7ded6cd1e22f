//! `reproduce`: experiments are played, resumed, compared and written.

use std::fs;

use crate::common::{Folder, Run, command, ludens};
use serde_json::{Value, json};

/// Two small matches: one whose published score is roughly correct, and one whose score is absurd.
const TINY: &str = "\
title = 'Flat Monte Carlo against random moves'
paper = 'Nobody 2026, table 1'
kind = 'table'
games = 500
iterations = 30
reasoner = 'native'
game = 'breakthrough(size=4)'
first = 'flat'
second = 'random'

[[cells]]
name = 'small_right'
score = 97

[[cells]]
name = 'small_wrong'
iterations = 25
score = 2
";

/// A match whose first agent begins with a learnt policy.
const LEARNT: &str = "\
title = 'A learnt policy'
paper = 'Nobody 2026, table 2'
kind = 'table'
games = 4
iterations = 10
reasoner = 'native'
game = 'breakthrough(size=4)'
first = 'uct + ppaf(memorize, initial={initial})'
second = 'random'

[initial]
agent = 'uct + ppaf'
playouts = 20

[[cells]]
name = 'only'
";

/// Matches with clocks in units of T, whose published scores are wins and losses.
const CLOCKS: &str = "\
title = 'Minimax against flat Monte Carlo'
paper = 'Nobody 2026, table 3'
kind = 'table'
games = 4
reasoner = 'logic'
game = 'tictactoe'
first = 'minimax(playouts=0)'
second = 'flat'
t = 'simulations'

[[cells]]
name = 'short'
clocks = '16T, 2T'
win = 14
loss = 0

[[cells]]
name = 'long'
clocks = '64T, 8T'
win = 50
loss = 30
";

/// Runs an experiment with a journal in the folder.
fn reproduce(folder: &Folder, journal: &str, args: &[&str]) -> Run {
    let journal = folder.path(journal);
    let journal = ["--journal", journal.to_str().expect("the path is UTF-8")];
    ludens(&[&["reproduce"][..], args, &journal].concat())
}

fn cells(run: &Run) -> Vec<Value> {
    let mut lines = run.json();
    lines.pop();
    lines
}

#[test]
fn an_experiment_is_played_and_compared() {
    let folder = Folder::new();
    let tiny = folder.file("tiny.toml", TINY);
    let run = reproduce(&folder, "a.journal", &[&tiny, "--games", "40", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let lines = run.json();
    let names: Vec<_> = lines.iter().map(|line| line["name"].as_str()).collect();
    assert_eq!(names, [Some("small_right"), Some("small_wrong"), None]);
    assert_eq!((&lines[0]["verdict"], &lines[1]["verdict"]), (&json!("agrees"), &json!("higher")));
    let ours = &lines[0]["ours"];
    let results = ["wins", "draws", "losses"].map(|key| ours[key].as_u64().unwrap());
    assert_eq!(results.iter().sum::<u64>(), 40);
    let score = 100.0 * (results[0] as f64 + results[1] as f64 / 2.0) / 40.0;
    assert!((ours["score"].as_f64().unwrap() - score).abs() < 1e-9);
    let total = json!({"schema": "ludens/reproduce/1", "experiment": "tiny", "played": 2,
        "games": 80, "agree": 1, "compared": 2});
    assert_eq!(lines[2], total);

    let table =
        reproduce(&folder, "a.journal", &[&tiny, "--games", "40", "--cells", "small_wrong"]);
    assert!(table.out.contains("CELL         PAPER  OURS"), "{}", table.out);
    assert!(table.out.contains("differs (higher)") && !table.out.contains("small_right"));
}

#[test]
fn recorded_games_are_not_played_again() {
    let folder = Folder::new();
    let tiny = folder.file("tiny.toml", TINY);
    let play = |journal: &str, games: &str| {
        reproduce(&folder, journal, &[&tiny, "--games", games, "--json", "--concurrency", "2"])
    };
    let undisturbed = play("b.journal", "60");
    assert_eq!(play("a.journal", "10").code, 0);
    assert_eq!(play("a.journal", "60").out, undisturbed.out, "more games resume");
    assert_eq!(play("a.journal", "60").out, undisturbed.out, "nothing is missing");
    assert_eq!(
        play("a.journal", "10").out,
        play("c.journal", "10").out,
        "fewer games are requested"
    );
}

#[test]
fn a_killed_run_is_resumed() {
    let folder = Folder::new();
    let tiny = folder.file("tiny.toml", TINY);
    let journal = folder.path("a.journal");
    let args = ["reproduce", &tiny, "--games", "300", "--json", "--journal"];
    let mut child = command(&[&args[..], &[journal.to_str().unwrap()]].concat()).spawn().unwrap();
    while !journal.exists() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let again = reproduce(&folder, "a.journal", &[&tiny, "--games", "300", "--json"]);
    let fresh = reproduce(&folder, "b.journal", &[&tiny, "--games", "300", "--json"]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(again.out, fresh.out);
}

#[test]
fn pages_are_written_and_regenerated() {
    let folder = Folder::new();
    let tiny = folder.file("tiny.toml", TINY);
    let (docs, html) = (folder.path("docs"), folder.path("page.html"));
    let (docs_arg, html_arg) = (docs.to_str().unwrap(), html.to_str().unwrap());
    let text = |name: &str| fs::read_to_string(docs.join(name)).unwrap();
    let args = [&tiny, "--games", "20", "--cells", "small_right", "--docs", docs_arg];
    let run = reproduce(&folder, "a.journal", &args);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(text("tiny.md").contains("| small_wrong | 2.0 % | – | – | – | – |"));
    // The other cell is added, and the first one is kept.
    let args = [&tiny, "--games", "10", "--cells", "small_wrong", "--docs", docs_arg];
    reproduce(&folder, "a.journal", &args);
    let numbers: Value = serde_json::from_str(&text("tiny.json")).unwrap();
    let games: Vec<_> = (0..2).map(|cell| &numbers["cells"][cell]["ours"]["games"]).collect();
    assert_eq!(games, [&json!(20), &json!(10)]);
    let page = text("tiny.md");
    assert!(page.contains("ludens reproduce tiny --cells small_wrong --games 10 --seed 1"));
    assert!(text("tiny.svg").starts_with("<svg") && text("README.md").contains("2 of 2 | 30"));
    // The numbers alone are enough.
    for name in ["tiny.md", "tiny.svg", "README.md"] {
        fs::remove_file(docs.join(name)).unwrap();
    }
    let run = ludens(&["reproduce", "tiny", "--render", "--docs", docs_arg, "--html", html_arg]);
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
    assert_eq!(text("tiny.md"), page);
    let html = fs::read_to_string(html).unwrap();
    assert!(html.contains("<svg") && html.contains("<td>small_wrong</td>"));
}

#[test]
fn policies_are_learnt_once() {
    let folder = Folder::new();
    let learnt = folder.file("learnt.toml", LEARNT);
    let play = || reproduce(&folder, "a.journal", &[&learnt, "--json"]);
    let first = play();
    assert_eq!(first.code, 0, "{}", first.err);
    assert_eq!(cells(&first)[0]["ours"]["games"], 4, "as many as in the paper");
    assert_eq!(cells(&first)[0]["first"], "uct + ppaf(memorize, initial={initial})");
    let policies = folder.path("a.policies");
    let learnt = || {
        let entries = fs::read_dir(&policies).unwrap().map(|entry| entry.unwrap().path());
        let files: Vec<_> = entries.filter(|path| path.extension().is_some()).collect();
        let written = files.iter().map(|path| fs::metadata(path).unwrap().modified().unwrap());
        (files.clone(), written.collect::<Vec<_>>())
    };
    let before = learnt();
    assert_eq!(before.0.len(), 1);
    assert_eq!(play().out, first.out);
    assert_eq!(learnt(), before, "nothing is learnt twice");
}

#[test]
fn clocks_are_numbers_of_simulations() {
    let folder = Folder::new();
    let clocks = folder.file("clocks.toml", CLOCKS);
    let run = reproduce(&folder, "a.journal", &[&clocks, "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let cell = &cells(&run)[0];
    assert_eq!((&cell["clocks"], &cell["t"]), (&json!("16T, 2T"), &json!("simulations")));
    assert_eq!(cell["paper_score"], 57.0);
    assert_eq!(reproduce(&folder, "b.journal", &[&clocks, "--json"]).out, run.out, "repeatable");
    let (settings, _) = matches(&folder, "a.journal").swap_remove(0);
    assert_eq!((&settings["start_iterations"], &settings["iterations"]), (&json!(16), &json!(2)));
    assert_eq!((&settings["milliseconds"], settings.get("t_milliseconds")), (&json!(null), None));
    let docs = folder.path("docs");
    let run = reproduce(&folder, "a.journal", &[&clocks, "--docs", docs.to_str().unwrap()]);
    assert!(run.out.contains("57.0 % (14 : 0)"), "{}", run.out);
    assert!(run.out.contains("Wins and losses in percent are in brackets"), "{}", run.out);
    let page = fs::read_to_string(docs.join("clocks.md")).unwrap();
    assert!(page.contains("| short | `16T, 2T` |") && page.contains("- T: `one simulation`"));
    assert!(!page.contains("iterations a move"), "{page}");
}

#[test]
fn t_is_measured_once() {
    let folder = Folder::new();
    let clocks = folder.file("clocks.toml", CLOCKS.replace("'simulations'", "'time'"));
    let play = |args: &[&str]| {
        let run = reproduce(&folder, "a.journal", &[&[&*clocks, "--json"], args].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        cells(&run).iter().map(|cell| cell["ours"].clone()).collect::<Vec<_>>()
    };
    let begun = play(&["--cells", "short", "--games", "1"]);
    let t = begun[0]["t_milliseconds"].as_f64().unwrap();
    assert!(t > 0.0, "{begun:?}");
    // More games, another seed and the other cell: none of them measures again.
    let ours = [play(&[]), play(&["--seed", "2"])].concat();
    assert_eq!(ours.iter().map(|ours| &ours["games"]).collect::<Vec<_>>(), [&json!(4); 4]);
    assert!(ours.iter().all(|ours| ours["t_milliseconds"].as_f64() == Some(t)), "{ours:?}");
    let matches = matches(&folder, "a.journal");
    assert_eq!(matches.iter().map(|(_, games)| games).collect::<Vec<_>>(), [&json!(4); 4]);
    for (settings, _) in &matches {
        let times = |key: &str| (settings[key].as_f64().unwrap() / t).round() as u64;
        let clocks = (times("start_milliseconds"), times("milliseconds"));
        assert!([(16, 2), (64, 8)].contains(&clocks), "{settings}");
    }
    let out = reproduce(&folder, "a.journal", &[&clocks]).out;
    assert!(out.contains("T, the mean time of a random game, was "), "{out}");
}

/// The settings of all matches of a journal, with how many games they have.
fn matches(folder: &Folder, journal: &str) -> Vec<(Value, Value)> {
    let journal = folder.path(journal);
    let run = ludens(&["results", journal.to_str().unwrap(), "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    run.json().into_iter().map(|line| (line["settings"].clone(), line["games"].clone())).collect()
}

#[test]
fn the_list_shows_the_progress() {
    let folder = Folder::new();
    let run = reproduce(&folder, "none.journal", &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    let line = run.out.lines().find(|line| line.starts_with("ppafm/table2 ")).unwrap();
    assert!(line.contains("0 of 8") && line.contains("against UCT"), "{line}");
    assert!(!folder.path("none.journal").exists(), "listing creates no journal");
    let args = ["ppr/figure6", "--cells", "size_3", "--games", "2"];
    assert_eq!(reproduce(&folder, "a.journal", &args).code, 0);
    let list = reproduce(&folder, "a.journal", &["--json"]).json();
    let done = |line: &Value| (line["played"].as_u64(), line["games"].as_u64());
    let found: Vec<_> = list.iter().filter(|line| line["games"] != 0).collect();
    assert_eq!(found.len(), 1, "{list:?}");
    assert_eq!(
        (&found[0]["experiment"], done(found[0])),
        (&json!("ppr/figure6"), (Some(1), Some(2)))
    );
}

#[test]
fn mistakes_are_answered() {
    let folder = Folder::new();
    let tiny = folder.file("tiny.toml", TINY);
    let bad_agent = folder.file("agent.toml", TINY.replace("'flat'", "'flatt'"));
    let bad_key = folder.file("key.toml", TINY.replace("reasoner", "reasonner"));
    let both = folder.file("both.toml", TINY.replace("score = 2", "clocks = '2T, 1T'"));
    for (args, message, hint) in [
        (vec![&*both], "the cell `small_wrong` has both `iterations` and `clocks`", "units of T"),
        (vec!["ppafm/tabel2"], "no experiment is called `ppafm/tabel2`", "`ppafm/table2`"),
        (vec![&tiny, "--cells", "smal"], "`tiny` has no cell `smal`", "`small`"),
        (vec![&tiny, "--games", "0"], "the number of games is 0", "100"),
        (vec![&bad_agent], "the cell `small_right`: no agent is called `flatt`", "`flat`"),
        (vec![&bad_key], "line 6: unknown field `reasonner`", "`reasoner`"),
    ] {
        let run = reproduce(&folder, "a.journal", &args);
        assert_eq!(run.code, 2, "{}", run.out);
        assert!(run.err.contains(message) && run.err.contains("hint: "), "{}", run.err);
        assert!(
            run.err.lines().any(|l| l.starts_with("hint: ") && l.contains(hint)),
            "{}",
            run.err
        );
    }
    let missing = folder.path("no-docs");
    let run = ludens(&["reproduce", "--render", "--docs", missing.to_str().unwrap()]);
    assert_eq!(run.code, 2, "{}", run.out);
}
