//! `ludens torture`, with our own player.

use std::io::{BufRead, BufReader};
use std::process::Child;

use crate::common::{command, ludens};

/// A player that is killed at the end.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn player() -> (Running, String) {
    let mut child = command(&["player", "--port", "0"]).spawn().expect("it starts");
    let out = child.stdout.take().expect("the output is a pipe");
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line).expect("it prints its address");
    let address = line.trim().rsplit("http://").next().expect("a line has an end").to_owned();
    (Running(child), address)
}

#[test]
fn our_player_passes() {
    let (_player, address) = player();
    let names = ["info", "preview", "heads", "layouts", "get", "options", "bytewise", "chunked"];
    let matches = ["spelling", "scrambled", "two-matches", "idle", "endless-rules", "memory"];
    let clocks = ["--play-clock", "500ms", "--connections", "600", "--json", "--only"];
    let run = ludens(&[&["torture", &address][..], &clocks, &names, &matches].concat());
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let lines = run.json();
    assert_eq!(lines.len(), names.len() + matches.len() + 1);
    let summary = lines.last().expect("there is a summary");
    assert_eq!((&summary["kind"], &summary["fail"]), (&"summary".into(), &0.into()), "{summary}");
    let idle = lines.iter().find(|line| line["trial"] == "idle").expect("it was run");
    assert_eq!(idle["meanwhile"]["lost"], serde_json::json!([]), "{idle}");
}

#[test]
fn trials_are_listed_and_mistakes_are_answered() {
    let list = ludens(&["torture", "--list"]);
    assert_eq!(list.code, 0, "{}", list.err);
    assert!(list.out.contains("idle") && list.out.contains("(during a match)"), "{}", list.out);
    let mistake = ludens(&["torture", "127.0.0.1:9", "--only", "idel"]);
    assert!(mistake.code == 2 && mistake.err.contains("did you mean `idle`?"), "{}", mistake.err);
    let absent = ludens(&["torture", "127.0.0.1:9"]);
    assert!(absent.code == 2 && absent.err.contains("no player listens"), "{}", absent.err);
    assert_eq!(ludens(&["torture"]).code, 2);
}

#[test]
fn a_silent_player_fails() {
    let socket = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = socket.local_addr().expect("it has an address").to_string();
    let run = ludens(&["torture", &address, "--only", "info"]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.contains("required") && run.out.contains("1 failed"), "{}", run.out);
    // Without INFO, the other trials cannot run, and that is no success.
    let run = ludens(&["torture", &address, "--only", "match"]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.contains("not measured") && run.out.contains("not run: INFO"), "{}", run.out);
}
