//! Invalid input is answered with errors.

use ludens_core::Rng;
use serde_json::{Value, json};

use super::{answer, answers};
use crate::common::{Folder, TINY, ludens_with};

/// Checks the error of a query: the field, a part of the message, a part of the hint.
fn refused(query: &Value, field: &str, error: &str, hint: &str) {
    let answer = answer(query);
    assert_eq!((&answer["id"], &answer["field"]), (&query["id"], &field.into()), "{answer}");
    assert!(answer["error"].as_str().unwrap().contains(error), "{answer}");
    assert!(answer["hint"].as_str().unwrap_or_default().contains(hint), "{answer}");
}

#[test]
fn invalid_queries_are_answered_with_a_hint() {
    let game = "tictactoe";
    for (query, field, error, hint) in [
        (json!({"game": "tictacto"}), "game", "tictacto", "did you mean `tictactoe`?"),
        (json!({}), "game", "names no game", "ludens analyze GAME --stdin"),
        (json!({"game": "-"}), "game", "standard input", ""),
        (json!({"game": 7}), "game", "is a text", ""),
        (json!({"game": "hex(size=1000)"}), "game", "size", "whole number"),
        (json!({"game": "no/such.kif"}), "game", "no/such.kif", ""),
        (json!({"game": game, "agent": "utc"}), "agent", "utc", "did you mean `uct`?"),
        (
            json!({"game": game, "moves": ["(mark 1 9)"]}),
            "moves",
            "not legal for `xplayer` in turn 0",
            "did you mean",
        ),
        (
            json!({"game": game, "moves": ["castle"]}),
            "moves",
            "`castle`",
            "legal moves: (mark 1 1)",
        ),
        (json!({"game": game, "moves": [["(mark 1 1)"]]}), "moves", "there are 2 roles", ""),
        (
            json!({"game": game, "moves": [["(mark 1 1)", "(mark 2 2)"]]}),
            "moves",
            "`oplayer`",
            "noop",
        ),
        (json!({"game": game, "moves": "(mark 1 1)"}), "moves", "is a list", "such as"),
        (json!({"game": game, "moves": [7]}), "moves", "is a list", "such as"),
        (
            json!({"game": "rockpaperscissors", "moves": ["rock"]}),
            "moves",
            "at the same time",
            "each of 2 roles",
        ),
        (
            json!({"game": game, "initialState": ["(cell ?x 1 b)"]}),
            "initialState",
            "ground term",
            "",
        ),
        (
            json!({"game": game, "initialState": ["(cell 1 1 b)", "(sell 1 1 b)"]}),
            "initialState",
            "`(sell 1 1 b)` is not a fact",
            "",
        ),
        (
            json!({"game": game, "initialState": "(cell 1 1 b)"}),
            "initialState",
            "list of texts",
            "",
        ),
        (json!({"game": game, "analyzeTurns": [1]}), "analyzeTurns", "there is no turn 1", ""),
        (json!({"game": game, "analyzeTurns": 1}), "analyzeTurns", "is a list", ""),
        (json!({"game": game, "maxVisits": 0}), "maxVisits", "whole number of at least 1", ""),
        (json!({"game": game, "maxVisits": -1.5}), "maxVisits", "whole number", ""),
        (json!({"game": game, "maxTime": 0}), "maxTime", "above 0", ""),
        (json!({"game": game, "maxTime": 1e300}), "maxTime", "seconds", ""),
        (
            json!({"game": game, "reportDuringSearchEvery": "1"}),
            "reportDuringSearchEvery",
            "seconds",
            "",
        ),
        (json!({"game": game, "includePolicy": 1}), "includePolicy", "true or false", ""),
        (json!({"game": game, "topMoves": "all"}), "topMoves", "whole number of at least 0", ""),
        (json!({"game": game, "seed": -1}), "seed", "whole number", ""),
        (json!({"game": game, "priority": 0.5}), "priority", "whole number", ""),
        (json!({"action": "terminat"}), "action", "terminat", "did you mean `terminate`?"),
        (json!({"action": "dance"}), "action", "dance", "the actions are"),
        (json!({"action": "terminate"}), "terminateId", "`id` to terminate", ""),
    ] {
        let mut query = query;
        query["id"] = json!({"any": "value"});
        refused(&query, field, error, hint);
    }
}

#[test]
fn games_that_end_early_or_cannot_continue_are_refused() {
    let folder = Folder::new();
    let tiny = folder.file("tiny.kif", TINY);
    let query = json!({"id": 1, "game": tiny, "moves": ["win", "win"]});
    refused(&query, "moves", "the game is over after 1 of 2 moves", "");
    assert_eq!(answer(&query)["turnNumber"], 2, "errors of a turn name it");
    let stuck =
        folder.file("stuck.kif", format!("{TINY}(role other) (<= (legal other x) (true y))"));
    refused(&json!({"id": 1, "game": stuck}), "moves", "`other` has no legal move", "");
    let broken = folder.file("broken.kif", "(role you");
    refused(&json!({"id": 1, "game": broken}), "game", "cannot be played", "ludens check");
}

#[test]
fn invalid_lines_are_answered_and_ignored() {
    let input = b"{\n\xff\xfe\n7\n\n  \n[]\n{\"game\": \"tictactoe\"}\n{\"id\": 1, \"game\": \"tictactoe\"}";
    let run = ludens_with(&["analyze", "--stdin", "--iterations", "10"], input);
    let answers = run.json();
    let errors: Vec<_> = answers.iter().map(|answer| answer["error"].as_str()).collect();
    assert_eq!((run.code, answers.len()), (0, 6), "{errors:?}");
    assert!(errors[..2].iter().all(|error| error.unwrap().starts_with("this line is not JSON")));
    assert!(errors[2..4].iter().all(|error| error.unwrap() == "a query is a JSON object"));
    assert_eq!(answers[4]["field"], "id");
    assert_eq!(answers[5]["rootInfo"]["visits"], 10);
}

#[test]
fn unknown_fields_are_reported_and_the_query_is_answered() {
    let query = json!({"id": 1, "game": "tictactoe", "maxVisit": 5, "komi": 7.5, "seed": null});
    let answers = answers(&[query]);
    let warning = |i: usize| (answers[i]["field"].as_str(), answers[i]["hint"].as_str());
    assert_eq!(warning(0), (Some("komi"), None));
    assert_eq!(warning(1), (Some("maxVisit"), Some("did you mean `maxVisits`?")));
    assert!(answers[0]["warning"].as_str().unwrap().contains("is unknown"));
    assert_eq!((answers.len(), &answers[2]["rootInfo"]["visits"]), (3, &50.into()));
}

#[test]
fn the_engine_survives_any_input() {
    let seeds = [
        r#"{"id": "q1", "game": "tictactoe", "moves": [["(mark 2 2)", "noop"], "(mark 1 1)"], "maxVisits": 9}"#,
        r#"{"id": 3, "game": "tictactoe", "initialState": ["(cell 1 1 x)", "(control oplayer)"], "analyzeTurns": [0]}"#,
        r#"{"id": [], "action": "terminate", "terminateId": "q1"}"#,
        r#"{"id": {}, "game": "tictactoe", "agent": "uct(c=0.4) + mast", "topMoves": 3, "includeBoard": true}"#,
        r#"{"id": null, "priority": -5, "seed": 18446744073709551615, "includePolicy": false}"#,
    ];
    let mut rng = Rng::new(11);
    let mut input = Vec::new();
    let n_lines = 400;
    for i in 0..n_lines {
        let mut line = seeds[rng.below(seeds.len())].as_bytes().to_vec();
        if i % 4 == 0 {
            line = (0..rng.below(60)).map(|_| rng.next_u64() as u8).collect();
        }
        for _ in 0..rng.below(4) {
            let at = rng.below(line.len().max(1)).min(line.len());
            match rng.below(3) {
                0 if at < line.len() => drop(line.remove(at)),
                1 if at < line.len() => line[at] = b" {}[]\",:0aeE-\\"[rng.below(14)],
                _ => line.insert(at, rng.next_u64() as u8),
            }
        }
        // A file could have any such name.
        line.retain(|&byte| byte != b'\n' && byte != b'/');
        input.extend_from_slice(&line);
        input.push(b'\n');
    }
    input.extend_from_slice(b"{\"id\": \"last\", \"game\": \"tictactoe\"}\n");
    let run = ludens_with(&["analyze", "tictactoe", "--stdin", "--iterations", "5"], &input);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let answers = run.json();
    let is_last = |answer: &&Value| answer["id"] == "last" && answer["rootInfo"]["visits"] == 5;
    assert_eq!(answers.iter().filter(is_last).count(), 1);
    assert!(answers.len() > n_lines / 2);
}
