//! `ludens player` and `ludens host`.

use std::fs::DirEntry;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Child;

use crate::common::{Folder, command, ludens};
use serde_json::{Value, json};

/// A player that is killed at the end.
pub(crate) struct Running {
    child: Child,
    pub(crate) address: String,
}

impl Running {
    pub(crate) fn new(args: &[&str]) -> Self {
        let mut child =
            command(&[&["player", "--port", "0"], args].concat()).spawn().expect("it starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("the output is a pipe");
        BufReader::new(out).read_line(&mut line).expect("it prints its address");
        let address = line.trim().rsplit("http://").next().expect("a line has an end").to_owned();
        Running { child, address }
    }

    /// The answer to a message.
    fn ask(&self, message: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let length = message.len();
        write!(stream, "POST / HTTP/1.0\r\nContent-Length: {length}\r\n\r\n{message}")
            .expect("it is taken");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("there is an answer");
        answer.split_once("\r\n\r\n").expect("there is a body").1.to_owned()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The path of a file in a folder.
pub(crate) fn path(folder: &Folder, name: &str) -> String {
    folder.path(name).to_str().expect("the path is UTF-8").to_owned()
}

/// The paths of all files in a folder.
fn files(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let path = |entry: std::io::Result<DirEntry>| entry.expect("it can be read").path();
    entries.map(|entry| path(entry).to_str().expect("the path is UTF-8").to_owned()).collect()
}

/// Two roles take three coins in turn, or leave; the role that takes the last one wins.
const RULES: &str = "(ROLE Ann) (ROLE Bob)
(init (coins 3)) (init (turn ann)) (less 3 2) (less 2 1) (less 1 0) (after ann bob) (after bob ann)
(<= (legal ?r Take) (true (turn ?r))) (<= (legal ?r (Leave 1)) (true (turn ?r)))
(<= (legal ?r Wait) (role ?r) (not (true (turn ?r))))
(<= (next (coins ?m)) (true (coins ?n)) (less ?n ?m) (does ?r take))
(<= (next (coins ?n)) (true (coins ?n)) (does ?r (leave 1)))
(<= (next (turn ?s)) (true (turn ?r)) (after ?r ?s))
(<= (next (left ?r)) (does ?r (leave 1))) (<= (next (left ?r)) (true (left ?r)))
(<= terminal (true (coins 0))) (<= terminal (true (left ?r)))
(<= (goal ?r 100) (true (coins 0)) (true (turn ?s)) (after ?s ?r))
(<= (goal ?r 0) (true (coins 0)) (true (turn ?r)))
(<= (goal ?r 0) (true (left ?r))) (<= (goal ?r 50) (role ?r) (not (true (left ?r))) (not (true (coins 0))))";

#[test]
fn both_sides_of_a_match_are_played() {
    let player = Running::new(&["--matches", "2", "--name", "Tester", "--agent", "uct"]);
    assert!(player.ask("( INFO )").contains("( name Tester ) ( status available )"));
    for role in ["ann", "BOB"] {
        assert_eq!(player.ask(&format!("( START {role} {role} ({RULES}) 1 1 )")), "ready");
    }
    assert!(player.ask("( INFO )").contains("( status busy )"));
    let mut last = "NIL".to_owned();
    // A role that leaves gets nothing, so all three are taken, in the spelling of the rules.
    for expected in [("Take", "Wait"), ("Wait", "Take"), ("Take", "Wait")] {
        let moves = ["ann", "BOB"].map(|id| player.ask(&format!("( PLAY {id} {last} )")));
        assert_eq!((moves[0].as_str(), moves[1].as_str()), expected);
        last = format!("( {} )", moves.join(" "));
    }
    for id in ["ann", "BOB"] {
        assert_eq!(player.ask(&format!("( STOP {id} {last} )")), "done");
    }
    assert!(player.ask("( INFO )").contains("( status available )"));
}

#[test]
fn a_second_role_in_a_match_is_refused_and_logged() {
    let mut player = Running::new(&[]);
    assert_eq!(player.ask(&format!("( START m ann ({RULES}) 1 1 )")), "ready");
    assert_eq!(player.ask(&format!("( START m bob ({RULES}) 1 1 )")), "busy");
    assert_eq!(player.ask("( PLAY m NIL )"), "Take");
    let mut log = player.child.stderr.take().expect("the log is a pipe");
    drop(player);
    let mut lines = String::new();
    log.read_to_string(&mut lines).expect("the log is text");
    let refusal = "START of the match `m` for the role `bob` is answered `busy`: this player has the role `ann`";
    assert!(lines.contains(refusal), "{lines}");
}

#[test]
fn web_pages_are_admitted_on_request_only() {
    let preflight = |player: &Running| {
        let mut stream = TcpStream::connect(&player.address).expect("it listens");
        let request = "OPTIONS / HTTP/1.1\r\nHost: h\r\nOrigin: http://web\r\n\r\n";
        stream.write_all(request.as_bytes()).expect("it is taken");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("there is an answer");
        answer.to_lowercase().contains("access-control-allow-origin: *")
    };
    assert!(!preflight(&Running::new(&[])));
    assert!(preflight(&Running::new(&["--cors"])));
}

#[test]
fn rules_that_cannot_be_played_are_refused() {
    let player = Running::new(&[]);
    let endless = "(role r) (init (n z)) (<= (n (s ?x)) (n ?x)) (<= (legal r a) (n ?x)) (n z)";
    assert_eq!(player.ask(&format!("( START m r ({endless}) 2 1 )")), "busy");
    assert_eq!(player.ask("( START m r (( role r) 2 1 )"), "the list at byte 0 is not closed");
    assert_eq!(player.ask(&format!("( START m nobody ({RULES}) 1 1 )")), "busy");
    assert_eq!(player.ask("( PLAY m NIL )"), "busy");
}

#[test]
fn invalid_arguments_are_explained() {
    let player = Running::new(&[]);
    let port = player.address.rsplit(':').next().expect("an address has a port");
    let taken = ludens(&["player", "--port", port]);
    assert_eq!(taken.code, 2, "{}", taken.err);
    assert!(taken.err.contains("cannot listen on 127.0.0.1"), "{}", taken.err);
    assert!(taken.err.contains("try another `--port`"), "{}", taken.err);
    let name = ludens(&["player", "--name", "a b"]);
    assert!(name.code == 2 && name.err.contains("a name has letters"), "{}", name.err);
    let agent = ludens(&["player", "--agent", "uxt"]);
    assert!(agent.code == 2 && agent.err.contains("uct"), "{}", agent.err);
}

#[test]
fn two_players_meet_with_scrambled_rules() {
    let (first, second) = (Running::new(&[]), Running::new(&["--agent", "random"]));
    let folder = Folder::new();
    let records = folder.path("records").to_str().expect("the path is UTF-8").to_owned();
    let clocks = ["--start-clock", "600ms", "--play-clock", "400ms"];
    let players = ["--players", &first.address, &second.address];
    let more = ["--scramble", "--matches", "2", "--records", &records];
    let run = ludens(&[&["host", "tictactoe"][..], &clocks, &players, &more].concat());
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("tictactoe.1.1.") && !run.out.contains("IL"), "{}", run.out);
    assert!(run.err.contains("may not read fractions"), "{}", run.err);
    let files: Vec<String> = files(&records);
    assert_eq!(files.len(), 2, "{files:?}");
    for record in files {
        let replayed = ludens(&["replay", &record]);
        assert_eq!(replayed.code, 0, "{}{}", replayed.out, replayed.err);
        let json: Value = serde_json::from_str(&std::fs::read_to_string(&record).unwrap()).unwrap();
        let id = json["matchId"].as_str().unwrap();
        assert!(record.ends_with(&format!("/{id}.json")), "{id} is in {record}");
        let count = |name: &str| json[name].as_array().unwrap().len();
        assert_eq!(count("stateTimes"), count("states"));
        assert_eq!((&json["startClock"], &json["playClock"]), (&json!(0.6), &json!(0.4)));
        assert!(json["startTime"].as_u64() <= json["stateTimes"][0].as_u64());
    }
}

/// Reads a whole request: an unread part would break the connection.
pub(crate) fn read_request(stream: &TcpStream) {
    let (mut reader, mut length) = (BufReader::new(stream), 0);
    for line in reader.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty()) {
        if let Some(number) = line.to_lowercase().strip_prefix("content-length: ") {
            length = number.parse().expect("a length is a number");
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("all of it comes");
}

/// A player that answers `n_messages` messages and then ends.
fn mortal(n_messages: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has an address").to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming().take(n_messages) {
            let mut stream = stream.expect("it is connected");
            read_request(&stream);
            let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nready");
        }
    });
    address
}

#[test]
fn a_player_that_dies_gets_random_moves() {
    let (player, folder) = (Running::new(&[]), Folder::new());
    let clocks = ["--start-clock", "500ms", "--play-clock", "300ms"];
    // It answers INFO and START.
    let dying = mortal(2);
    let players = ["--players", &player.address, &dying, "--json"];
    let journal = ["--journal", &path(&folder, "journal")];
    let run = ludens(&[&["host", "tictactoe"][..], &clocks, &players, &journal].concat());
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let record = &run.json()[0];
    let errors = record["errors"].as_array().expect("it has errors");
    assert_eq!(errors.len(), record["moves"].as_array().expect("it has moves").len() + 1);
    assert_eq!(errors[0], json!(["", ""]));
    assert!(errors[1..].iter().all(|step| step[0] == "" && step[1] == "CE"), "{errors:?}");
}

#[test]
fn nothing_is_played_or_written_if_a_player_does_not_listen() {
    let (player, folder) = (Running::new(&[]), Folder::new());
    let (journal, records) = (path(&folder, "journal"), path(&folder, "records"));
    let gone = mortal(0);
    let args = ["host", "tictactoe", "--journal", &journal, "--records", &records, "--players"];
    // The socket may be open for a moment longer.
    while TcpStream::connect(&gone).is_ok() {}
    let run = ludens(&[&args[..], &[&player.address, &gone]].concat());
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    assert!(run.err.contains(&format!("no player listens on http://{gone}\n")), "{}", run.err);
    assert!(run.err.contains("`ludens player` starts one"), "{}", run.err);
    assert!(!folder.path("journal").exists() && !folder.path("records").exists());
}

#[test]
fn records_spell_words_as_the_rules_do() {
    let (player, folder) = (Running::new(&["--matches", "2"]), Folder::new());
    let (rules, journal) = (folder.file("coins.kif", RULES), path(&folder, "journal"));
    let clocks = ["--start-clock", "1s", "--play-clock", "1s", "--most-steps", "1"];
    let rest = ["--players", &player.address, "--pairs", "--journal", &journal, "--json"];
    let run = ludens(&[&["host", &rules][..], &clocks, &rest].concat());
    let record = &run.json()[0];
    assert!(!run.err.contains("warning"), "{}", run.err);
    assert_eq!(record["gameRoleNames"], json!(["Ann", "Bob"]), "{}", run.err);
    assert_eq!(record["moves"][0], json!(["Take", "Wait"]));
    assert!(record["states"][0].as_str().unwrap().contains("(turn Ann)"), "{record}");
    let replayed = ludens(&["replay", &folder.file("match.json", &run.out)]);
    assert_eq!(replayed.code, 0, "{}{}", replayed.out, replayed.err);
}

#[test]
fn all_games_are_checked_before_the_first_match() {
    let (player, folder) = (Running::new(&["--matches", "2"]), Folder::new());
    let journal = path(&folder, "journal");
    let rest = ["--players", &player.address, "--journal", &journal];
    let run = ludens(&[&["host", "tictactoe", "tictactow"][..], &rest].concat());
    assert!(run.code == 2 && run.err.contains("tictactow"), "{}{}", run.out, run.err);
    let run = ludens(&[&["host", "tictactoe", "hex", "--name", "x"][..], &rest].concat());
    assert!(run.code == 2 && run.err.contains("--name is for"), "{}{}", run.out, run.err);
    assert!(!folder.path("journal").exists());
}

/// The shortest clocks that are whole seconds.
pub(crate) const CLOCKS: [&str; 4] = ["--start-clock", "1s", "--play-clock", "1s"];

#[test]
fn records_of_other_matches_are_kept() {
    let (player, folder) = (Running::new(&["--matches", "2"]), Folder::new());
    let (records, rules) = (path(&folder, "records"), folder.file("coins.kif", RULES));
    let rest =
        ["--players", &player.address, "--pairs", "--most-steps", "1", "--records", &records];
    for journal in ["first", "second"] {
        let journal = path(&folder, journal);
        ludens(&[&["host", &rules, "--journal", &journal][..], &CLOCKS, &rest].concat());
    }
    assert_eq!(files(&records).len(), 2);
}

#[test]
fn invalid_matches_are_refused() {
    let host = ["host", "tictactoe", "--players", "127.0.0.1:1"];
    let mistakes =
        [["--play-clock", "0s"], ["--most-steps", "0"], ["--concurrency", "0"], ["--matches", "0"]];
    for mistake in mistakes {
        let run = ludens(&[&host[..], &mistake].concat());
        assert!(run.code == 2 && run.err.contains("expected"), "{mistake:?}: {}", run.err);
    }
    let torture = ludens(&["torture", "127.0.0.1:1", "--play-clock", "0s"]);
    assert!(torture.code == 2 && torture.err.contains("expected"), "{}", torture.err);
}

#[test]
fn a_match_without_a_result_is_explained() {
    let (player, folder) = (Running::new(&["--matches", "2"]), Folder::new());
    let rules = "(role Ann) (role Bob) (init start) (legal Ann wait) (legal Bob wait) (next over)
        (<= terminal (true over)) (goal Ann 50) (<= (goal Bob 50) (true start))";
    let (rules, journal) = (folder.file("unfair.kif", rules), path(&folder, "journal"));
    let rest = ["--players", &player.address, "--pairs", "--journal", &journal];
    let run = ludens(&[&["host", &rules][..], &CLOCKS, &rest].concat());
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let reason = "the rules give `Bob` no goal value at the end";
    assert!(run.err.contains(&format!("has no result: {reason}")), "{}", run.err);
    assert!(run.out.contains(&format!("1 game does not count: {reason}")), "{}", run.out);
    let steps = ["--most-steps", "1"];
    let run = ludens(&[&["host", "tictactoe"][..], &CLOCKS, &rest, &steps].concat());
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.contains("1 game does not count: not over after 1 steps"), "{}", run.out);
}
