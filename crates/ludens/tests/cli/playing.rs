//! `play`, `reason` and `replay`.

use crate::common::{Folder, TINY, ludens, ludens_with};
use serde_json::{Value, json};

#[test]
fn a_scripted_game_is_played_to_its_end() {
    let folder = Folder::new();
    let file = folder.file("tiny.kif", TINY);
    let script = "help\ncastle\n9\nl\nundo\nfacts\nhint\n1\n";
    // A reasoner without lanes, so that hints do not depend on the batch size of the machine.
    let args = ["play", &file, "--iterations", "50", "--seed", "1", "--reasoner", "scalar"];
    let run = ludens_with(&args, script.as_bytes());
    insta::assert_snapshot!(folder.neutral(&run.all()));
}

#[test]
fn moves_are_undone() {
    let script = "mark 2 2\nundo\n(mark 1 1)\n";
    let args = ["play", "tictactoe", "--against", "random", "--seed", "3", "--json"];
    let records = ludens_with(&args, script.as_bytes()).json();
    let kinds: Vec<_> = records.iter().map(|r| r["kind"].as_str().unwrap()).collect();
    assert_eq!(records[0]["human"], "xplayer");
    let moves: Vec<_> = records.iter().filter(|r| r["kind"] == "moves").collect();
    assert_eq!(moves[0]["moves"], json!({"xplayer": "(mark 2 2)", "oplayer": "noop"}));
    // The computer moves, the user undoes, and both first moves have step 0.
    assert_eq!((&moves[0]["step"], &moves[2]["step"]), (&0.into(), &0.into()));
    assert_eq!(moves[2]["moves"]["xplayer"], "(mark 1 1)");
    assert_eq!(kinds.last(), Some(&"note"), "the end of the input is reported");
}

#[test]
fn the_computer_plays_all_roles_reproducibly() {
    let args =
        ["play", "tictactoe", "--role", "none", "--iterations", "60", "--seed", "5", "--json"];
    let run = ludens(&args);
    let end = run.json().pop().unwrap();
    assert_eq!((run.code, &end["kind"]), (0, &"end".into()));
    let goals = &end["goals"];
    assert_eq!(goals["xplayer"].as_i64().unwrap() + goals["oplayer"].as_i64().unwrap(), 100);
    assert_eq!(run.out, ludens(&args).out);
}

#[test]
fn the_analysis_of_the_computer_is_printed() {
    let args = ["play", "tictactoe", "--role", "none", "--iterations", "60", "--seed", "5"];
    let records = ludens(&[&args[..], &["--json"]].concat()).json();
    let moves: Vec<_> = records.iter().filter(|record| record["kind"] == "moves").collect();
    for (record, roles) in moves.iter().zip([["xplayer", "oplayer"], ["oplayer", "xplayer"]]) {
        let thought = record["thought"].as_array().unwrap();
        assert_eq!((thought.len(), &thought[0]["role"]), (1, &roles[0].into()));
        assert_eq!(thought[0]["move"], record["moves"][roles[0]]);
        assert!((0.0..=100.0).contains(&thought[0]["value"].as_f64().unwrap()));
        let first = &thought[0]["pv"][0];
        assert_eq!(*first, json!([record["moves"]["xplayer"], record["moves"]["oplayer"]]));
    }
    // Without a terminal there is no live view, only a line for each move.
    let run = ludens(&args);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.contains("\n   xplayer expects ") && run.out.contains(" of 60 visits ("));
    assert!(!run.out.contains("thinking"), "{}", run.out);
}

#[test]
fn the_analysis_of_the_human_role_is_not_printed() {
    let args = ["play", "rockpaperscissors", "--iterations", "60", "--seed", "5"];
    let run = ludens_with(&args, b"rock\nquit\n");
    assert!(run.out.contains("\n   black expects ") && !run.out.contains("white expects"));
}

#[test]
fn mistakes_in_roles_and_agents_are_answered() {
    insta::assert_snapshot!(ludens(&["play", "tictactoe", "--role", "xplayr"]).all());
    insta::assert_snapshot!(ludens(&["play", "tictactoe", "--against", "utc(c=1)"]).all());
}

/// One answer for each line.
fn reason(game: &str, lines: &[Value]) -> Vec<Value> {
    let input: Vec<_> = lines.iter().map(Value::to_string).collect();
    ludens_with(&["reason", game], input.join("\n").as_bytes()).json()
}

#[test]
fn reason_answers_in_the_agreed_form() {
    let input = "{\"id\":\"a\",\"moves\":[\"( MARK 2 2 )\",\"noop\"]}\n\n{\"id\": 2}\n";
    insta::assert_snapshot!(ludens_with(&["reason", "tictactoe"], input.as_bytes()).all());
}

#[test]
fn reason_sorts_and_spells_states_as_agreed() {
    let state = ["(Cell 1 3 X)", "(cell 1 1 x)", "( cell  1 2 x)", "(cell 1 1 x)"];
    let answer = reason("tictactoe", &[json!({"id": {"x": 1}, "state": state})]).remove(0);
    assert_eq!(answer["id"], json!({"x": 1}));
    assert_eq!(answer["state"], json!(["(cell 1 1 x)", "(cell 1 2 x)", "(cell 1 3 x)"]));
    assert_eq!(answer["terminal"], true);
    assert_eq!(answer["goal"], json!({"xplayer": 100, "oplayer": 0}));
    assert!(answer.get("next").is_none());
}

#[test]
fn reason_continues_after_errors() {
    let input = b"{\n\xff\n7\n\
        {\"id\":1,\"moves\":[\"(mark 1 1)\",\"(mark 2 2)\"]}\n\
        {\"id\":2,\"moves\":[\"(mark 1 1)\"]}\n\
        {\"id\":3,\"moves\":[\"(mark 1\",\"noop\"]}\n\
        {\"id\":4,\"state\":[\"(cell ?x 1 b)\"]}\n\
        {\"id\":5,\"state\":\"(cell 1 1 b)\"}\n\
        {\"id\":6}";
    let answers = ludens_with(&["reason", "tictactoe"], input).json();
    let codes: Vec<_> = answers.iter().map(|a| (&a["id"], a["error"]["code"].as_str())).collect();
    assert_eq!(
        codes,
        [
            (&Value::Null, Some("json")),
            (&Value::Null, Some("json")),
            (&Value::Null, Some("request")),
            (&json!(1), Some("illegal-move")),
            (&json!(2), Some("move-count")),
            (&json!(3), Some("illegal-move")),
            (&json!(4), Some("fact")),
            (&json!(5), Some("request")),
            (&json!(6), None),
        ]
    );
}

#[test]
fn reason_gives_the_largest_goal_and_mentions_others() {
    let folder = Folder::new();
    let file = folder.file("two.kif", format!("{TINY}(goal you 30) (goal you 7)"));
    let answer = reason(&file, &[json!({"id": 1})]).remove(0);
    assert_eq!(answer["goal"], json!({"you": 30}));
    assert_eq!(answer["anomalies"].as_array().unwrap().len(), 1);
}

/// A match of the tiny game as hosts record it.
fn tiny_match() -> Value {
    json!({
        "matchId": "m1", "rulesheet": TINY, "isCompleted": true,
        "states": ["( start )", "( ( done WIN ) )"], "moves": [["( win )"]], "goalValues": [100],
    })
}

fn replayed(record: &Value) -> (i32, String) {
    let folder = Folder::new();
    let file = folder.file("m.json", record.to_string());
    let run = ludens(&["replay", &file]);
    (run.code, folder.neutral(&run.out))
}

#[test]
fn replay_accepts_a_correct_record() {
    let ok = "m.json: m1: ok, 1 steps of rulesheet\n";
    assert_eq!(replayed(&tiny_match()), (0, ok.to_owned()));
    let mut aborted = tiny_match();
    aborted["isCompleted"] = false.into();
    aborted["isAborted"] = true.into();
    aborted["goalValues"] = json!([]);
    assert_eq!(replayed(&aborted).0, 0);
}

#[test]
fn replay_reports_the_first_difference() {
    let differs = |change: &dyn Fn(&mut Value)| {
        let mut record = tiny_match();
        change(&mut record);
        let (code, out) = replayed(&record);
        assert_eq!(code, 1, "{out}");
        out
    };
    let state = differs(&|record| record["states"][1] = "( ( done lose ) )".into());
    assert_eq!(
        state,
        "m.json: m1: differs at step 1 of 1 of rulesheet: the state has 1 missing and 1 extra\n\
         \x20 missing  (done win)\n  extra    (done lose)\n"
    );
    for (change, message) in [
        (json!({"moves": [["jump"]]}), "step 0 of 1 of rulesheet: `jump` is not legal for `you`"),
        (json!({"goalValues": [50]}), "the goals are [100], but [50] in the record"),
        (json!({"isCompleted": false}), "the game is over, but the record is not complete"),
        (json!({"moves": []}), "there are 2 states for 0 moves"),
        (json!({"moves": [], "states": ["(start)"]}), "but the game is not over"),
        (json!({"states": ["(start)"]}), "step 1 of 1 of rulesheet: the record has no state here"),
        (json!({"moves": [["win", "win"]]}), "there are 2 moves for 1 roles"),
    ] {
        let change = change.as_object().unwrap().clone();
        let out = differs(&|record| record.as_object_mut().unwrap().extend(change.clone()));
        assert!(out.contains(message), "{out}");
    }
}

#[test]
fn replay_finds_the_game_by_name_or_address() {
    let folder = Folder::new();
    let game = folder.file("tiny.kif", TINY);
    let mut record = tiny_match();
    record["rulesheet"] = Value::Null;
    let lines = format!("{record}\n{record}\n");
    let file = folder.file("m.jsonl", lines);
    let run = ludens(&["replay", "--json", "--game", &game, &file]);
    assert_eq!((run.code, run.json().len()), (0, 2));
    assert_eq!(run.json()[0]["schema"], "ludens/replay/1");
    let run = ludens(&["replay", &file]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("hint: name the game with --game GAME"), "{}", run.err);
    record["gameMetaURL"] = "http://games.ggp.org/base/games/ticTacToe/v0/".into();
    let file = folder.file("other.json", record.to_string());
    assert!(ludens(&["replay", &file]).out.contains("of tictactoe: the state has"));
}

#[test]
fn output_of_play_can_be_replayed() {
    let args = ["play", "connectfour", "--role", "none", "--against", "random", "--seed", "4"];
    let records = ludens(&[&args[..], &["--json"]].concat()).json();
    let of = |kind: &'static str| records.iter().filter(move |record| record["kind"] == kind);
    let state = |record: &Value| -> Value {
        let facts = record["state"].as_array().unwrap().iter();
        format!("( {} )", facts.map(|f| f.as_str().unwrap()).collect::<Vec<_>>().join(" ")).into()
    };
    let joint = |record: &Value| json!([record["moves"]["red"], record["moves"]["black"]]);
    let goals = &of("end").next().unwrap()["goals"];
    let record = json!({
        "matchId": "m2", "gameMetaURL": "connectFour", "isCompleted": true,
        "states": of("state").map(state).collect::<Vec<_>>(),
        "moves": of("moves").map(joint).collect::<Vec<_>>(),
        "goalValues": [goals["red"], goals["black"]],
    });
    let (code, out) = replayed(&record);
    assert!(code == 0 && out.contains("m2: ok, "), "{out}");
}

#[test]
fn replay_names_unreadable_files() {
    let folder = Folder::new();
    let file = folder.file("m.json", "{\"states\": 7}");
    let run = ludens(&["replay", &file]);
    assert!(run.code == 2 && run.err.contains("m.json"), "{}", run.err);
    let run = ludens(&["replay", "nowhere.json"]);
    assert!(run.code == 2 && run.err.contains("nowhere.json"), "{}", run.err);
}
