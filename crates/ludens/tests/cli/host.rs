//! `ludens host`: who plays which role, names in results, and matches that do not count.

use std::io::Write;
use std::net::TcpListener;

use crate::common::{Folder, ludens};
use crate::player::{CLOCKS, Running, path, read_request};
use serde_json::{Value, json};

/// Each player makes one move, and chance decides nothing.
const RULES: &str = "(role Ann) (role random) (role Bob) (init start)
(legal Ann wait) (legal Bob wait) (legal random heads) (legal random tails) (next over)
(<= terminal (true over)) (goal Ann 50) (goal Bob 50) (goal random 100)";

#[test]
fn standings_have_the_names_of_players_and_not_the_random_role() {
    let (left, right) = (Running::new(&["--name", "Left"]), Running::new(&["--name", "Right"]));
    let folder = Folder::new();
    let (rules, journal) = (folder.file("chance.kif", RULES), path(&folder, "journal"));
    let records = path(&folder, "records");
    let (named, given) = (left.address.clone(), format!("Given={}", right.address));
    let rest = ["--players", &named, &given, "--matches", "2", "--journal", &journal];
    let host = [&["host", &rules, "--records", &records][..], &CLOCKS, &rest].concat();
    let run = ludens(&host);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let (_, standing) = run.out.rsplit_once("AGENT").expect("there is a standing");
    let rows: Vec<&str> = standing.lines().filter_map(|row| row.split("  ").next()).collect();
    assert_eq!(rows[1..3], ["Left", "Given"], "{standing}");
    assert!(!standing.contains("random") && !standing.contains("http"), "{standing}");
    assert!(run.out.contains("random (random): 100"), "{}", run.out);
    let mut tokens = Vec::new();
    for entry in std::fs::read_dir(&records).expect("the folder is there") {
        let text = std::fs::read_to_string(entry.expect("it can be read").path()).unwrap();
        let record: Value = serde_json::from_str(&text).unwrap();
        let mut names: Vec<&str> = record["playerNamesFromHost"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert_eq!(names.remove(1), "random");
        names.sort_unstable();
        assert_eq!(names, ["Given", "Left"]);
        tokens.push(record["randomToken"].as_str().unwrap().to_owned());
    }
    assert!(tokens.len() == 2 && tokens[0] != tokens[1], "{tokens:?}");
    drop((left, right));
    // Nobody can be asked for a name any more.
    for again in [ludens(&host), ludens(&["results", &journal])] {
        assert_eq!(again.code, 0, "{}{}", again.out, again.err);
        assert!(again.out.contains("Left"), "{}", again.out);
        assert!(!again.out.contains("http"), "{}", again.out);
    }
}

#[test]
fn a_player_of_several_roles_is_refused_before_the_match() {
    let folder = Folder::new();
    let journal = path(&folder, "journal");
    let rest = ["--journal", &journal, "--players", "localhost:9147"];
    let alone = ludens(&[&["host", "tictactoe"][..], &rest].concat());
    assert_eq!(alone.code, 2, "{}{}", alone.out, alone.err);
    let message = "http://localhost:9147 would have several roles of a match: tictactoe needs 2 players, not 1";
    assert!(alone.err.contains(message), "{}", alone.err);
    assert!(alone.err.contains("`ludens player --port 9148`"), "{}", alone.err);
    assert!(alone.err.contains("--pairs"), "{}", alone.err);
    for more in [&["localhost:9147"][..], &["Other=localhost:9147", "--pairs"]] {
        let twice = ludens(&[&["host", "tictactoe"][..], &rest, more].concat());
        assert_eq!(twice.code, 2, "{}{}", twice.out, twice.err);
        assert!(twice.err.contains("http://localhost:9147 is named twice"), "{}", twice.err);
    }
    assert!(!folder.path("journal").exists());
}

/// A player that is always busy.
fn busy() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has an address").to_string();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            read_request(&stream);
            let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nbusy");
        }
    });
    address
}

#[test]
fn a_match_that_a_player_does_not_start_does_not_count() {
    let (player, folder) = (Running::new(&["--name", "Ready"]), Folder::new());
    let (busy, journal) = (busy(), path(&folder, "journal"));
    let rest = ["--players", &player.address, &busy, "--journal", &journal];
    let run = ludens(&[&["host", "tictactoe", "--json"][..], &CLOCKS, &rest].concat());
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let why = "the player of `oplayer` does not play: it answered START with `busy`";
    assert!(run.err.contains(why), "{}", run.err);
    let record = &run.json()[0];
    assert_eq!((&record["errors"], &record["moves"]), (&json!([["", "IL busy"]]), &json!([])));
    assert_eq!((&record["isCompleted"], &record["isAborted"]), (&json!(false), &json!(true)));
    let results = ludens(&["results", &journal, "--json"]);
    let standing = &results.json()[0];
    assert_eq!((&standing["games"], &standing["void"]), (&json!(0), &json!(1)), "{standing}");
}
