//! Grounded rules: limits and fallbacks, the cache, `bench`, and the stages of `dump`.

use std::path::Path;

use crate::common::{Folder, TINY, command, ludens, ludens_with};

/// A game whose grounded rules take some memory, but not much.
const GAME: &str = "checkers";

#[test]
fn rules_that_cannot_be_grounded_fall_back_with_a_note() {
    let args = ["perft", GAME, "-d", "2", "--json"];
    let limited = ludens(&[&args[..], &["--ground-memory", "1K"]].concat());
    assert_eq!(limited.code, 0, "{}", limited.err);
    assert_eq!(limited.json().last().unwrap()["reasoner"], "logic");
    let note = "note: checkers could not be grounded within 30 s and 1 KiB (";
    let end = "); using the reference reasoner (slower)\n";
    assert!(limited.err.starts_with(note) && limited.err.ends_with(end), "{}", limited.err);
    assert_eq!(limited.err.lines().count(), 1);
    let unlimited = ludens(&args);
    assert_eq!((unlimited.code, unlimited.err.as_str()), (0, ""));
    let (limited, unlimited) = (limited.json(), unlimited.json());
    assert_eq!(limited[..limited.len() - 1], unlimited[..unlimited.len() - 1], "reasoners agree");
}

#[test]
fn a_requested_reasoner_is_an_error_if_grounding_fails() {
    let args = ["perft", GAME, "-d", "1", "--reasoner", "scalar", "--ground-memory", "1K"];
    let run = ludens(&args);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    let error = "error: the reasoner `scalar` cannot run checkers: ";
    assert!(run.err.starts_with(error), "{}", run.err);
    let hint = "\nhint: raise --ground-seconds or --ground-memory, or interpret the rules with \
        --reasoner logic\n";
    assert!(run.err.ends_with(hint), "{}", run.err);
}

#[test]
fn commands_that_need_no_network_do_not_ground() {
    let ends = "(role you) (init (n z)) (legal you go) (goal you 0)
        (<= (next (n (s ?x))) (true (n ?x))) (<= terminal (true (n (s z))))";
    // Grounding these rules would never terminate.
    for args in [&["check", "-"][..], &["fmt", "-"], &["dump", "-", "--stage", "tree"]] {
        let run = ludens_with(args, ends.as_bytes());
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{args:?}");
    }
    let folder = Folder::new();
    let file = folder.file("endless.kif", ends);
    let answer = ludens_with(&["reason", &file], b"{\"id\":1,\"moves\":[\"go\"]}").json().remove(0);
    assert_eq!(answer["next"], serde_json::json!(["(n (s z))"]));
}

#[test]
fn show_prints_the_size_of_the_network() {
    let args = ["show", "tictactoe", "--playouts", "1", "--json"];
    let shown = ludens(&args).json().remove(0);
    assert_eq!(
        (&shown["network"]["fluents"], &shown["network"]["moves"]),
        (&29.into(), &10.into())
    );
    assert_eq!(shown["network"]["state_bytes"], 8);
    let count = |kind: &str| shown["network"][kind].as_u64().unwrap();
    let kinds = ["inputs", "ands", "ors", "loops"].map(count);
    assert_eq!(kinds.iter().sum::<u64>(), count("gates"));
    assert!(shown["loading"]["ground_ms"].as_f64().unwrap() > 0.0);
    let shown = ludens(&[&args[..], &["--reasoner", "logic"]].concat()).json().remove(0);
    assert!(shown["network"].is_null() && shown["loading"]["ground_ms"].is_null());
}

/// A game of one move out of a hundred thousand, which takes longer to ground than the 20 ms from
/// which on a network is cached.
fn broad_game() -> String {
    let numbers: Vec<_> = (0..48).map(|n| format!("(init (n {n}))")).collect();
    let rules =
        "(role you) (<= (legal you (pick ?a ?b ?c)) (true (n ?a)) (true (n ?b)) (true (n ?c)))
        (<= (next over) (does you ?m)) (<= terminal (true over)) (goal you 100)";
    numbers.join("\n") + rules
}

/// Runs `show` with a cache; returns whether the network was cached.
fn is_cached(game: &str, cache: &Path, more: &[&str]) -> bool {
    let args = ["show", game, "--playouts", "1", "--json", "--reasoner", "scalar"];
    let mut command = command(&[&args[..], more].concat());
    let output = command.env("LUDENS_CACHE", cache).output().unwrap();
    let shown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    shown["loading"]["cached"].as_bool().unwrap()
}

#[test]
fn networks_are_cached() {
    let folder = Folder::new();
    let (cache, game) = (folder.path("cache"), folder.file("broad.kif", broad_game()));
    let is_cached = |more: &[&str]| is_cached(&game, &cache, more);
    assert!(!is_cached(&["--no-cache"]));
    assert!(!cache.exists());
    assert!(!is_cached(&[]));
    assert!(is_cached(&[]));
    assert!(!is_cached(&["--no-cache"]));
    let entry = std::fs::read_dir(&cache).unwrap().next().unwrap().unwrap().path();
    let mut bytes = std::fs::read(&entry).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&entry, &bytes).unwrap();
    assert!(!is_cached(&[]), "a damaged entry is not used");
    assert!(is_cached(&[]), "and is built again");
}

#[test]
fn dump_prints_grounded_rules_and_networks() {
    let run = ludens_with(&["dump", "-", "--stage", "net"], TINY.as_bytes());
    assert_eq!(run.code, 0, "{}", run.err);
    for line in [
        "g0 = constant",
        "(init start)",
        "(goal you 100) = ",
        "(legal you lose) = ",
        "(next (done win)) = ",
        "terminal = ",
    ] {
        assert!(run.out.lines().any(|printed| printed.starts_with(line)), "{line}: {}", run.out);
    }
    let json = ludens_with(&["dump", "-", "--stage", "net", "--json"], TINY.as_bytes()).json();
    assert!(json.len() == run.out.lines().count() && json[0]["stage"] == "net");

    let run = ludens_with(&["dump", "-", "--stage", "ground"], TINY.as_bytes());
    let rule = "(<= (next (done win)) (does you win))";
    assert!(run.out.lines().any(|line| line == rule), "{}", run.out);
    let limited = ["dump", GAME, "--stage", "ground", "--ground-memory", "1K"];
    let run = ludens(&limited);
    assert!(run.code == 1 && run.err.contains("--ground-memory"), "{}", run.err);
}

#[test]
fn recursive_rules_are_printed_as_blocks() {
    let rules = "(role you) (init (at a)) (edge a b) (edge b a) (edge b c)
        (<= (reached ?x) (true (at ?x))) (<= (reached ?y) (reached ?x) (edge ?x ?y) (true go))
        (<= (legal you (to ?x)) (reached ?x)) (<= (next (at ?x)) (does you (to ?x)))
        (<= (next go) (not (reached b))) (<= terminal (reached c)) (goal you 100)";
    let out = ludens_with(&["dump", "-", "--stage", "net"], rules.as_bytes()).out;
    let lines: Vec<_> = out.lines().collect();
    let begin = lines.iter().position(|line| line.starts_with("; block g")).unwrap();
    let end = lines.iter().position(|line| *line == "; end of the block").unwrap();
    assert!(lines[begin..end].iter().any(|line| line.contains(" = loop g")), "{out}");
    assert!(lines[end..].contains(&"(goal you 100) = yes"), "{out}");
}

#[test]
fn bench_reasoner_measures_each_reasoner() {
    let args = ["bench", "reasoner", "tictactoe", "nowhere", "--seconds", "20ms", "--leaves", "5"];
    let run = ludens(&[&args[..], &["--json"]].concat());
    assert_eq!(run.code, 1, "one game cannot be found");
    let records = run.json();
    let of = |reasoner: &str| records.iter().find(|record| record["reasoner"] == reasoner).unwrap();
    for reasoner in ["scalar", "logic"] {
        let record = of(reasoner);
        assert_eq!((&record["game"], &record["kind"]), (&"tictactoe".into(), &"speed".into()));
        assert_eq!(record["leaves"]["n"], 5);
        for number in ["playouts_per_s", "plies_per_s", "ratio", "playouts", "mean_plies"] {
            assert!(record[number].as_f64().unwrap() > 0.0, "{reasoner}: {number}");
        }
        let payoffs = record["mean_payoffs"].as_object().unwrap().values();
        let sum: f64 = payoffs.map(|payoff| payoff.as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 0.001, "tic-tac-toe is a zero-sum game: {sum}");
    }
    assert_eq!(of("scalar")["ratio"], 1.0);
    assert!(of("scalar")["gates"].is_u64() && of("logic")["gates"].is_null());
    let error = records.last().unwrap();
    assert_eq!((&error["kind"], &error["game"]), (&"error".into(), &"nowhere".into()));

    let table = ludens(&args);
    assert!(table.out.starts_with("GAME ") && table.out.lines().count() >= 3, "{}", table.out);
    assert!(table.err.contains("no game is called `nowhere`"), "{}", table.err);
}

#[test]
fn bench_reasoner_reports_failed_grounding_and_measures_the_rest() {
    let args = ["bench", "reasoner", GAME, "--seconds", "5ms", "--json"];
    let run = ludens(&[&args[..], &["--ground-memory", "1"]].concat());
    let kinds: Vec<_> =
        run.json().iter().map(|r| (r["kind"].clone(), r["reasoner"].clone())).collect();
    assert_eq!(run.code, 1);
    assert!(kinds.contains(&("error".into(), "scalar".into())), "{}", run.out);
    assert!(kinds.contains(&("speed".into(), "logic".into())), "{}", run.out);
}

#[test]
fn bench_load_measures_the_time_to_the_first_game() {
    let run = ludens(&["bench", "load", "tictactoe", "connectfour", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let records = run.json();
    assert_eq!(records.len(), 3);
    for record in &records[..2] {
        let parts = ["ground_ms", "compile_ms", "playout_ms"].map(|p| record[p].as_f64().unwrap());
        assert!(parts.iter().sum::<f64>() <= record["total_ms"].as_f64().unwrap() + 0.1);
    }
    assert_eq!((&records[2]["kind"], &records[2]["games"]), (&"summary".into(), &2.into()));
    assert!(ludens(&["bench", "load", "tictactoe"]).out.contains("1 game: median "));
}
