//! `analyze`: one position as text, and queries of programs.

mod answers;
mod mistakes;
mod order;
mod people;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout};

use crate::common::command;
use serde_json::Value;

/// A running engine.
struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Talk {
    fn new(args: &[&str]) -> Self {
        let mut child = command(&[&["analyze", "--stdin"], args].concat()).spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Talk { child, input, output }
    }

    fn say(&mut self, line: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// The next answer; `None` at the end.
    fn hear(&mut self) -> Option<Value> {
        let mut line = String::new();
        (self.output.read_line(&mut line).unwrap() > 0)
            .then(|| serde_json::from_str(&line).expect("each line is JSON"))
    }

    /// Ends the input; returns the remaining answers and the exit code.
    fn end(mut self) -> (Vec<Value>, Option<i32>) {
        self.input = None;
        let rest = std::iter::from_fn(|| self.hear()).collect();
        (rest, self.child.wait().unwrap().code())
    }
}

/// The answers to some queries, one at a time.
fn answers(queries: &[Value]) -> Vec<Value> {
    let mut talk = Talk::new(&["--threads", "1", "--iterations", "50"]);
    for query in queries {
        talk.say(query);
    }
    let (answers, code) = talk.end();
    assert_eq!(code, Some(0));
    answers
}

fn answer(query: &Value) -> Value {
    let mut answers = answers(std::slice::from_ref(query));
    assert_eq!(answers.len(), 1, "{answers:?}");
    answers.remove(0)
}

/// An answer without the fields that depend on the machine.
fn neutral(mut answer: Value) -> Value {
    for field in ["bytes", "seconds", "simulationsPerSecond"] {
        let number = answer["rootInfo"].as_object_mut().unwrap().remove(field).unwrap();
        assert!(number.as_f64().is_some_and(|number| number >= 0.0), "{field}");
    }
    answer
}

/// A search with one leaf at a time depends only on its seed.
const UCT: &str = "uct(batch=1)";
