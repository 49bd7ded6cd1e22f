//! `ludens reason`: one JSON line in, one JSON line out, for tools in any language.

use std::io::{self, BufRead, Write};

use clap::Args;
use ludens_catalog::{Cache, ReasonerKind};
use ludens_core::{Answer, Reasoner, Trouble};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::Outcome;
use crate::cli::ReasonerArg;
use crate::console::Console;
use ludens_lab::QUESTION_TIME;

const EXAMPLES: &str = "\
Examples:
  echo '{\"id\":1}' | ludens reason tictactoe
  echo '{\"id\":2,\"moves\":[\"(mark 2 2)\",\"noop\"]}' | ludens reason tictactoe

In:   {\"id\":…, \"state\":[\"(cell 1 1 b)\",…] (absent: the initial state),
       \"moves\":[\"(mark 1 1)\",\"noop\"] (in role order, optional)}
Out:  {\"id\":…, \"roles\":[…], \"state\":[…], \"terminal\":false, \"legal\":{\"xplayer\":[…],…},
       \"goal\":{\"xplayer\":50,…} (where defined), \"next\":[…] (when moves were given)}
   or {\"id\":…, \"error\":{\"code\":…,\"message\":…}}; then the next line is read.

The default reasoner is `logic`: it accepts every fact, and starts at once. Others are faster, accept
only facts and moves that are reachable in the game, and give only the largest of several goal
values.";

/// Answer queries about states, one JSON line each.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Reason {
    /// A name of the library, or a file.
    game: String,

    #[command(flatten)]
    reasoner: ReasonerArg,
}

/// Reads lines until the input ends.
pub fn run(args: &Reason, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    // States may have unreachable facts, which only the reference reasoner accepts, and a single
    // query should not wait for a network.
    let loaded = args.reasoner.load_game(&args.game, ReasonerKind::Logic, cache)?;
    let reasoner = loaded.game.limited(QUESTION_TIME).reasoner();
    let mut line = Vec::new();
    let mut input = io::stdin().lock();
    while input.read_until(b'\n', &mut line)? > 0 {
        if !line.trim_ascii().is_empty() {
            reply(&*reasoner, &line, console)?;
            console.flush()?;
        }
        line.clear();
    }
    Ok(Outcome::Fine)
}

fn reply(reasoner: &dyn Reasoner, line: &[u8], console: &mut Console) -> io::Result<()> {
    let mut id = Value::Null;
    let reply =
        Request::read(line, reasoner, &mut id).and_then(|request| respond(reasoner, &request));
    match reply {
        Ok(response) => console.line(&WithId { id: &id, body: response }),
        Err(error) => console.line(&WithId { id: &id, body: Refusal { error } }),
    }
}

#[derive(Serialize)]
struct WithId<'a, T> {
    id: &'a Value,
    #[serde(flatten)]
    body: T,
}

#[derive(Serialize)]
struct Refusal {
    error: RequestError,
}

/// Why a request is refused.
#[derive(Serialize)]
struct RequestError {
    code: &'static str,
    message: String,
}

impl RequestError {
    fn new(code: &'static str, message: impl Into<String>) -> Self {
        RequestError { code, message: message.into() }
    }
}

impl From<Trouble> for RequestError {
    fn from(trouble: Trouble) -> Self {
        RequestError::new(trouble.code(), trouble.to_string())
    }
}

struct Request {
    state: Option<Vec<String>>,
    moves: Option<Vec<String>>,
}

impl Request {
    /// Reads a line; the id is kept even if the rest is wrong.
    fn read(line: &[u8], reasoner: &dyn Reasoner, id: &mut Value) -> Result<Self, RequestError> {
        let value: Value = serde_json::from_slice(line).map_err(|error| {
            RequestError::new("json", format!("this line is not JSON: {error}"))
        })?;
        let Value::Object(mut fields) = value else {
            return Err(RequestError::new("request", "a request is a JSON object"));
        };
        *id = fields.remove("id").unwrap_or(Value::Null);
        let state = terms(reasoner, fields.remove("state"), "state", "fact")?.map(|mut facts| {
            facts.sort_unstable();
            facts.dedup();
            facts
        });
        let moves = terms(reasoner, fields.remove("moves"), "moves", "illegal-move")?;
        Ok(Request { state, moves })
    }
}

/// A list of ground terms in the reasoner's spelling; `code` is the error code for other terms.
fn terms(
    reasoner: &dyn Reasoner,
    value: Option<Value>,
    field: &str,
    code: &'static str,
) -> Result<Option<Vec<String>>, RequestError> {
    let wrong =
        || RequestError::new("request", format!("`{field}` is a list of ground terms as text"));
    let items = match value {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Array(items)) => items,
        Some(_) => return Err(wrong()),
    };
    let term = |item: &Value| {
        let text = item.as_str().ok_or_else(wrong)?;
        let refused = || {
            let shown: String = text.chars().take(80).collect();
            let rest = if shown.len() < text.len() { "…" } else { "" };
            RequestError::new(code, format!("`{shown}{rest}` in `{field}` is not a ground term"))
        };
        reasoner.spelling(text).ok_or_else(refused)
    };
    items.iter().map(term).collect::<Result<Vec<_>, _>>().map(Some)
}

/// One value for each role, written as an object in role order.
struct ByRole<'a, T>(&'a [String], Vec<Option<T>>);

impl<T: Serialize> Serialize for ByRole<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (role, value) in self.0.iter().zip(&self.1) {
            if let Some(value) = value {
                map.serialize_entry(role, value)?;
            }
        }
        map.end()
    }
}

#[derive(Serialize)]
struct Response<'a> {
    roles: &'a [String],
    state: Vec<String>,
    terminal: bool,
    legal: ByRole<'a, Vec<String>>,
    goal: ByRole<'a, i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    anomalies: Vec<String>,
}

fn respond<'a>(
    reasoner: &'a dyn Reasoner,
    request: &Request,
) -> Result<Response<'a>, RequestError> {
    let roles = reasoner.roles();
    let state = match &request.state {
        Some(facts) => facts.clone(),
        None => reasoner.initial()?,
    };
    let answer = reasoner.answer(&state)?;
    let next = match &request.moves {
        Some(moves) => {
            check_moves(roles, &answer, moves)?;
            Some(reasoner.next(&state, moves)?)
        }
        None => None,
    };
    let anomalies = anomalies(roles, &answer);
    let goal = answer.goals.iter().map(|values| values.last().copied()).collect();
    let legal = answer.legal.into_iter().map(Some).collect();
    Ok(Response {
        roles,
        state,
        terminal: answer.terminal,
        legal: ByRole(roles, legal),
        goal: ByRole(roles, goal),
        next,
        anomalies,
    })
}

fn check_moves(roles: &[String], answer: &Answer, moves: &[String]) -> Result<(), RequestError> {
    let (expected, found) = (roles.len(), moves.len());
    if expected != found {
        return Err(Trouble::MoveCount { expected, found }.into());
    }
    for ((role, legal), m) in roles.iter().zip(&answer.legal).zip(moves) {
        if !legal.contains(m) {
            return Err(RequestError::new(
                "illegal-move",
                format!("`{m}` is not legal for `{role}` here"),
            ));
        }
    }
    Ok(())
}

fn anomalies(roles: &[String], answer: &Answer) -> Vec<String> {
    let several = |(role, goals): (&String, &Vec<i64>)| {
        let values: Vec<_> = goals.iter().map(i64::to_string).collect();
        (goals.len() > 1).then(|| {
            format!("`{role}` has several goal values: {}; the largest is given", values.join(", "))
        })
    };
    roles.iter().zip(&answer.goals).filter_map(several).collect()
}
