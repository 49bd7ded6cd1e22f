//! `reproduce`: experiments are played, resumed, compared and written down.

mod common;

use std::fs;

use common::{Folder, Run, command, ludens};
use serde_json::{Value, json};

/// Two small matches: one whose published score is about right, and one whose score is absurd.
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

/// A match whose first agent begins with a policy that is learnt beforehand.
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

/// Runs an experiment of a folder with a journal of its own there.
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
fn what_was_played_is_not_played_again() {
    let folder = Folder::new();
    let tiny = folder.file("tiny.toml", TINY);
    let play = |journal: &str, games: &str| {
        reproduce(&folder, journal, &[&tiny, "--games", games, "--json", "--concurrency", "2"])
    };
    let undisturbed = play("b.journal", "60");
    assert_eq!(play("a.journal", "10").code, 0);
    assert_eq!(play("a.journal", "60").out, undisturbed.out, "more games go on");
    assert_eq!(play("a.journal", "60").out, undisturbed.out, "nothing is missing");
    assert_eq!(play("a.journal", "10").out, play("c.journal", "10").out, "less is asked for");
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
fn pages_are_written_and_made_again() {
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
fn the_list_tells_what_is_done() {
    let folder = Folder::new();
    let run = reproduce(&folder, "none.journal", &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    let line = run.out.lines().find(|line| line.starts_with("ppafm/table2 ")).unwrap();
    assert!(line.contains("0 of 8") && line.contains("against UCT"), "{line}");
    assert!(!folder.path("none.journal").exists(), "looking makes no journal");
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
fn slips_are_answered() {
    let folder = Folder::new();
    let tiny = folder.file("tiny.toml", TINY);
    let bad_agent = folder.file("agent.toml", TINY.replace("'flat'", "'flatt'"));
    let bad_key = folder.file("key.toml", TINY.replace("reasoner", "reasonner"));
    for (args, message, hint) in [
        (vec!["ppafm/tabel2"], "no experiment is called `ppafm/tabel2`", "`ppafm/table2`"),
        (vec![&tiny, "--cells", "smal"], "`tiny` has no cell `smal`", "`small`"),
        (vec![&tiny, "--games", "0"], "no games prove nothing", "100"),
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
