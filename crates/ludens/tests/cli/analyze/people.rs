//! One position as text.

use serde_json::json;

use super::{UCT, answer, neutral};
use crate::common::ludens;

/// The text with `_` in place of numbers that depend on the machine.
fn without_times(text: &str) -> String {
    let line = |line: &str| match line.split_once(" playouts in ") {
        Some((playouts, rest)) => {
            let nodes = rest.split_once("; ").map_or("", |(_, rest)| rest);
            let nodes = nodes.split_once(" nodes").map_or("", |(nodes, _)| nodes);
            format!("{playouts} playouts in _; {nodes} nodes, _\n")
        }
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn people_see_the_board_and_the_best_moves() {
    let moves = ["--moves", "(mark 2 2)", "noop ( MARK 1 1 )", "mark 1 2"];
    let args = ["analyze", "tictactoe", "--agent", UCT, "--iterations", "400", "--top", "4"];
    let run = ludens(&[&args[..], &moves].concat());
    insta::assert_snapshot!(without_times(&run.all()));
}

#[test]
fn roles_that_decide_at_the_same_time_have_a_table_each() {
    let args = ["analyze", "rockpaperscissors", "--moves", "rock paper", "--agent", UCT];
    let run = ludens(&[&args[..], &["--iterations", "300"]].concat());
    insta::assert_snapshot!(without_times(&run.all()));
}

#[test]
fn one_position_as_json_is_an_answer_without_an_id() {
    let args = ["analyze", "tictactoe", "--agent", UCT, "--iterations", "100", "--json"];
    let once = ludens(&[&args[..], &["--moves", "(mark 2 2)"]].concat()).json().remove(0);
    let query = json!({"id": 7, "game": "tictactoe", "agent": UCT, "maxVisits": 100,
        "moves": ["(mark 2 2)"]});
    let mut answer = answer(&query);
    assert_eq!(answer.as_object_mut().unwrap().remove("id"), Some(json!(7)));
    assert_eq!(neutral(once), neutral(answer));
}

#[test]
fn the_help_has_examples() {
    let help = ludens(&["analyze", "--help"]).out;
    assert!(help.contains("Examples:\n  ludens analyze breakthrough") && help.contains("--stdin"));
    assert!(ludens(&["--help"]).out.contains("  analyze "));
}

#[test]
fn mistakes_on_the_command_line_are_answered() {
    for (args, message) in [
        (&["analyze"][..], "hint: name one, or give --stdin"),
        (&["analyze", "tictactoe", "--moves", "(mark 2 4)"], "hint: did you mean `(mark"),
        (&["analyze", "tictacto"], "hint: did you mean `tictactoe`?"),
        (&["analyze", "tictactoe", "--agent", "utc"], "hint: did you mean `uct`?"),
        (&["analyze", "tictactoe", "--threads", "2"], "--stdin"),
        (&["analyze", "tictactoe", "--iterations", "0"], "--iterations"),
    ] {
        let run = ludens(args);
        assert!(run.code == 2 && run.err.contains(message), "{args:?}: {}", run.err);
    }
}
