//! The speed of searches.

use crate::common::ludens;

const QUICK: [&str; 4] = ["--iterations", "60", "--seconds", "5ms"];

#[test]
fn agents_of_a_game_are_measured_in_one_run() {
    let args = ["bench", "search", "tictactoe", "--agent", "uct(batch=1)", "--agent", "mast"];
    let run = ludens(&[&args[..], &QUICK, &["--json"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let records = run.json();
    assert_eq!(records.len(), 2);
    for (record, agent) in records.iter().zip(["uct(batch=1)", "uct + mast"]) {
        assert_eq!((&record["game"], &record["agent"]), (&"tictactoe".into(), &agent.into()));
        assert_eq!((&record["batch"], &record["together"]), (&1.into(), &1.into()), "{record}");
        for number in ["simulations_per_s", "plies_per_s", "plies_ratio", "bytes_per_node"] {
            assert!(record[number].as_f64().unwrap() > 0.0, "{agent}: {number}");
        }
        let nodes = record["nodes"].as_u64().unwrap();
        assert!((20..=61).contains(&nodes), "{agent}: {nodes}");
        let laps = record["laps"].as_array().unwrap();
        assert!(laps.len() == 5 && laps.contains(&record["simulations_per_s"]), "{record}");
    }
    assert_eq!(records[0]["plies_ratio"], 1.0);
}

#[test]
fn searches_share_an_evaluator_if_possible() {
    let args = ["bench", "search", "breakthrough(size=4)", "--reasoner", "native"];
    let args = [&args[..], &["--agent", "uct", "--together", "3"], &QUICK].concat();
    let run = ludens(&[&args[..], &["--json"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let record = &run.json()[0];
    assert_eq!((&record["reasoner"], &record["together"]), (&"native".into(), &3.into()));
    assert!((20..=61).contains(&record["nodes"].as_u64().unwrap()), "of one tree: {record}");
    let table = ludens(&args);
    assert!(table.out.starts_with("GAME ") && table.out.lines().count() == 2, "{}", table.out);

    let flat = ["bench", "search", "tictactoe", "--agent", "flat", "--together", "2"];
    let run = ludens(&flat);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("searches of `flat` cannot share an evaluator"), "{}", run.err);
}

#[test]
fn mistakes_are_answered() {
    let run = ludens(&["bench", "search", "tictactoe", "--agent", "uvt"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("did you mean `uct`?"), "{}", run.err);
    let run = ludens(&["bench", "search", "--agent", "uct"]);
    assert!(run.code == 2 && run.err.contains("GAME"), "{}", run.err);
    let run =
        ludens(&[&["bench", "search", "nowhere", "tictactoe", "--json"], &QUICK[..]].concat());
    let kinds: Vec<_> = run.json().iter().map(|record| record["kind"].clone()).collect();
    assert_eq!((run.code, kinds), (1, vec!["error".into(), "speed".into()]));
}
