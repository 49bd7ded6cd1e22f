//! `agents`, and games that are implemented in Rust.

use crate::common::{Folder, ludens};
use serde_json::json;

#[test]
fn agents_are_listed_by_kind() {
    let run = ludens(&["agents"]);
    assert_eq!(run.code, 0);
    let heads: Vec<_> = run.out.lines().filter(|line| !line.starts_with(' ')).collect();
    let kinds =
        ["tree policies", "", "playout policies", "", "evaluators", "", "whole searches", ""];
    assert_eq!(heads[..8], kinds);
    assert!(run.out.contains("\n  uct ") && !run.out.contains('\x1b'));
    assert!(ludens(&["agents", "--color", "always"]).out.contains("\x1b[1mtree policies"));
}

#[test]
fn an_agent_is_described_with_its_parameters() {
    insta::assert_snapshot!(ludens(&["agents", "ppafm"]).all());
    let uct = ludens(&["agents", "mcts", "--json"]).json().remove(0);
    assert_eq!((&uct["schema"], &uct["name"]), (&json!("ludens/agents/1"), &json!("uct")));
    let c = json!({"name": "c", "kind": "number", "default": "0.4", "min": 0.0, "max": 1000.0,
        "doc": "weight of exploration"});
    assert_eq!(uct["parameters"][0], c);
    insta::assert_snapshot!(ludens(&["agents", "utc"]).all());
}

#[test]
fn the_page_is_printed() {
    let run = ludens(&["agents", "--markdown"]);
    assert!(run.out.starts_with("# Agents\n") && run.out.contains("\n### `ppafm`\n"));
    assert_eq!(ludens(&["agents", "--markdown", "uct"]).code, 2);
}

#[test]
fn native_games_are_played_on_request() {
    let games = ludens(&["games"]).out;
    let line = games.lines().find(|line| line.starts_with("breakthrough ")).unwrap();
    assert!(line.contains(" 4..8 "), "{line}");
    let play = |reasoner: &[&str], seed: &str| {
        let game = ["play", "breakthrough(size=5)", "--role", "none", "--against", "random"];
        ludens(&[&game[..], &["--json", "--seed", seed], reasoner].concat())
    };
    let native = play(&["--reasoner", "native"], "1");
    assert_eq!(native.json().last().unwrap()["kind"], "end", "{}", native.err);
    assert_eq!(native.out, play(&["--reasoner", "native"], "1").out);
    let args = ["perft", "breakthrough(size=4)", "-d", "4", "--json"];
    let counts = |reasoner| {
        let mut lines = ludens(&[&args[..], &["--reasoner", reasoner]].concat()).json();
        lines.pop();
        lines
    };
    assert_eq!(counts("native"), counts("scalar"));
    insta::assert_snapshot!(ludens(&["perft", "nim", "-d", "1", "--reasoner", "native"]).all());
}

#[test]
fn weights_are_learnt_and_used() {
    let folder = Folder::new();
    let out = folder.path("small.json").to_str().unwrap().to_owned();
    let game = ["breakthrough(size=4)", "--reasoner", "native"];
    let learn = |more: &[&str]| ludens(&[&["learn"], &game[..], &["--out", &out], more].concat());
    let run = learn(&["--playouts", "30"]);
    let expected = "wrote weights for 7 positions of breakthrough(size=4) to small.json\n";
    assert_eq!((folder.neutral(&run.out).as_str(), run.code), (expected, 0), "{}", run.err);
    let first = std::fs::read(&out).unwrap();
    let record = learn(&["--playouts", "30", "--concurrency", "1", "--json"]).json().remove(0);
    assert_eq!((&record["schema"], &record["positions"]), (&json!("ludens/learn/1"), &json!(7)));
    assert_eq!(std::fs::read(&out).unwrap(), first, "the number of threads does not matter");
    let agent = format!("ppafm(initial={out})");
    let play = ["--role", "none", "--against", &agent, "--iterations", "20", "--json"];
    let played = ludens(&[&["play"], &game[..], &play].concat());
    assert_eq!(played.json().last().unwrap()["kind"], "end", "{}", played.err);
    let mast = learn(&["--agent", "mast", "--playouts", "1"]);
    assert!(mast.err.contains("learns no initial weights") && mast.code == 2, "{}", mast.all());
    let blank = ludens(&["learn", "nim", "--out", "a b"]);
    assert!(blank.err.contains("cannot be named in the text of an agent"), "{}", blank.all());
}

#[test]
fn an_agent_prepares_and_reports_the_result() {
    let prepare = |args: &[&str]| ludens(&[&["prepare", "tictactoe"], args].concat());
    let clocks = ["--start-iterations", "20000", "--iterations", "50"];
    let records = prepare(&[&clocks[..], &["--times", "2", "--json"]].concat()).json();
    let seeds: Vec<_> = records.iter().map(|record| record["seed"].as_u64()).collect();
    assert_eq!(seeds, [Some(1), Some(2)]);
    for record in &records {
        assert_eq!((&record["game"], &record["agent"]), (&json!("tictactoe"), &json!("auto")));
        let remark = record["remarks"][0].as_str().unwrap();
        assert!(remark.contains("` plays; the race: `uct(solver, decisive)` "), "{remark}");
    }
    let again = prepare(&[&clocks[..], &["--times", "2", "--json"]].concat()).json();
    assert_eq!(records[1]["remarks"], again[1]["remarks"], "the same seed, the same race");
    // A time limit is enough; without any limit the command fails.
    let uct = prepare(&["--agent", "uct", "--start-time", "20ms"]);
    assert!(uct.code == 0 && uct.out.starts_with("seed 1: "), "{}", uct.all());
    assert_eq!(prepare(&[]).code, 2);
}
