//! The contents of answers.

use ludens_catalog::{Named, PartKind};
use serde_json::{Value, json};

use super::{Talk, UCT, answer, answers, neutral};
use crate::common::{Folder, ludens_with};

#[test]
fn an_answer_has_the_agreed_form() {
    let query = json!({"id": "q1", "game": "connectfour_3p", "agent": UCT, "maxVisits": 60,
        "moves": ["(drop 2)"], "topMoves": 2, "includePolicy": true, "includeBoard": true,
        "includeState": true, "seed": 3});
    let mut line = ludens_with(&["analyze", "--stdin"], query.to_string().as_bytes()).out;
    for field in ["bytes", "seconds", "simulationsPerSecond"] {
        let from = line.find(&format!("\"{field}\":")).unwrap() + field.len() + 3;
        let to = from + line[from..].find([',', '}']).unwrap();
        line.replace_range(from..to, "_");
    }
    // A line of JSON is long: it is shown with a line break before each of its main parts.
    for part in
        ["\"rootInfo\"", "\"moveInfos\"", "{\"move\"", "\"policy\"", "\"state\"", "\"board\""]
    {
        line = line.replace(part, &format!("\n{part}"));
    }
    insta::assert_snapshot!(line);
}

#[test]
fn every_requested_turn_is_answered() {
    let moves =
        json!(["(mark 1 1)", ["noop", "(mark 2 1)"], "(mark 1 2)", "(mark 2 2)", "(mark 1 3)"]);
    let query = json!({"id": 1, "game": "tictactoe", "moves": moves, "analyzeTurns": [5, 0, 4, 0]});
    let answers = answers(&[query]);
    let turns: Vec<_> = answers.iter().map(|answer| answer["turnNumber"].as_u64()).collect();
    assert_eq!(turns, [Some(5), Some(0), Some(4)]);
    let over = &answers[0];
    assert_eq!((&over["terminal"], &over["goals"]["xplayer"]), (&true.into(), &100.into()));
    assert_eq!(over["rootInfo"]["settled"], json!({"xplayer": 100.0, "oplayer": 0.0}));
    assert_eq!((&over["toMove"], &over["moveInfos"]["xplayer"]), (&json!([]), &json!([])));
    assert_eq!(answers[1]["legal"], json!({"xplayer": 9, "oplayer": 1}));
    let best = &answers[2]["moveInfos"]["xplayer"][0];
    assert_eq!((&best["move"], &best["value"]), (&"(mark 1 3)".into(), &100.0.into()));
    assert_eq!(best["pv"], json!([["(mark 1 3)", "noop"]]));
}

#[test]
fn matches_may_begin_in_any_state() {
    let facts = [
        "(cell 1 1 x)",
        "( Cell 1 2 x )",
        "(cell 1 3 b)",
        "(cell 2 1 o)",
        "(cell 2 2 o)",
        "(cell 2 3 b)",
        "(cell 3 1 b)",
        "(cell 3 2 b)",
        "(cell 3 3 b)",
        "(control oplayer)",
    ];
    for agent in ["uct", "minimax"] {
        let query = json!({"id": 1, "game": "tictactoe", "initialState": facts, "agent": agent,
            "maxVisits": 2000, "includeState": true});
        let answer = answer(&query);
        assert_eq!(answer["moveInfos"]["oplayer"][0]["move"], "(mark 2 3)", "{agent}");
        assert_eq!(answer["state"][1], "(cell 1 2 x)");
    }
}

#[test]
fn forced_moves_are_followed_to_the_next_choice() {
    let folder = Folder::new();
    let rules = "(role you) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (legal you wait) (true (step ?n)) (distinct ?n 2))
        (<= (legal you win) (true (step 2)))
        (<= (legal you lose) (true (step 2)))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= (next won) (does you win))
        (<= (goal you 100) (true won))
        (<= (goal you 0) (not (true won)))
        (<= terminal (true (step 3)))";
    let game = folder.file("wait.kif", rules);
    let answer = answer(&json!({"id": 1, "game": game, "agent": UCT}));
    let infos = &answer["moveInfos"]["you"];
    assert_eq!((infos.as_array().unwrap().len(), &infos[0]["move"]), (1, &"wait".into()));
    assert_eq!(infos[0]["pv"], json!([["wait"], ["wait"], ["win"]]));
    assert!(answer["rootInfo"]["value"]["you"].as_f64().unwrap() > 50.0);
    assert_eq!((&answer["toMove"], &answer["legal"]["you"]), (&json!([]), &1.into()));
}

#[test]
fn the_same_query_has_the_same_answer() {
    let query = |id: u64, agent: &str, every: Value| {
        json!({"id": id, "game": "breakthrough_6x6", "agent": agent, "maxVisits": 1500, "seed": 9,
            "reportDuringSearchEvery": every, "includePolicy": true})
    };
    for agent in ["uct", "rave + mast", "uct(threads=2)", "flat"] {
        let mut talk = Talk::new(&["--threads", "2"]);
        for (id, every) in [json!(null), json!(0.001), json!(null)].into_iter().enumerate() {
            talk.say(&query(id as u64, agent, every));
        }
        let ended = |answer: &Value| answer["isDuringSearch"] == false;
        let mut answers: Vec<_> = talk.end().0.into_iter().filter(ended).map(neutral).collect();
        assert_eq!(answers.len(), 3, "{agent}");
        for answer in &mut answers {
            answer["id"] = Value::Null;
        }
        assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{agent}: {answers:?}");
        let mut other = query(1, agent, Value::Null);
        other["seed"] = 10.into();
        assert_ne!(answer(&other)["policy"], answers[0]["policy"], "{agent}");
    }
}

/// Checks the invariants of every answer about a position.
fn check(answer: &Value, what: &str) {
    assert!(answer.get("error").is_none(), "{what}: {answer}");
    for role in answer["roles"].as_array().unwrap() {
        let role_idx = answer["roles"].as_array().unwrap().iter().position(|r| r == role).unwrap();
        let role = role.as_str().unwrap();
        let infos = answer["moveInfos"][role].as_array().unwrap();
        assert_eq!(Some(infos.len() as u64), answer["legal"][role].as_u64(), "{what}");
        let shares: f64 = infos.iter().map(|info| info["share"].as_f64().unwrap()).sum();
        assert!((shares - 1.0).abs() < 0.01 || shares == 0.0, "{what}: {shares}");
        for (order, info) in infos.iter().enumerate() {
            assert_eq!(info["order"], order, "{what}");
            let value = &info["value"];
            assert!(value.is_null() || (0.0..=100.0).contains(&value.as_f64().unwrap()), "{what}");
            if let Some(first) = info["pv"].as_array().unwrap().first() {
                assert_eq!(first[role_idx], info["move"], "{what}");
            }
        }
    }
}

#[test]
fn every_agent_analyses_every_kind_of_game() {
    let games = ["tictactoe", "rockpaperscissors", "connectfour_3p", "eight_puzzle"];
    let is_agent = |named: &Named| matches!(named.part.kind(), PartKind::Tree | PartKind::Whole);
    let agents: Vec<_> = Named::all().filter(is_agent).map(|named| named.name()).collect();
    assert!(agents.len() > 8, "{agents:?}");
    let mut talk = Talk::new(&["--iterations", "40"]);
    for game in games {
        for agent in &agents {
            talk.say(&json!({"id": [game, agent], "game": game, "agent": agent, "topMoves": 999}));
        }
    }
    let (answers, code) = talk.end();
    assert_eq!((answers.len(), code), (games.len() * agents.len(), Some(0)));
    for answer in &answers {
        check(answer, &answer["id"].to_string());
    }
}
