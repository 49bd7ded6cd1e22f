//! Lines of the input: queries and actions.

use std::time::Duration;

use ludens_arena::clock::Allowance;
use ludens_catalog::{AgentSpec, load_agent, nearest};
use serde_json::{Map, Value};

use super::answer::AnswerOptions;
use crate::session::{INITIAL, InputError, MOVES, Setup, Turn, shortened};

/// The fields of a query.
const FIELDS: [&str; 16] = [
    "id",
    "game",
    MOVES,
    INITIAL,
    "analyzeTurns",
    "agent",
    "maxVisits",
    "maxTime",
    "reportDuringSearchEvery",
    "includePolicy",
    "includeBoard",
    "includeState",
    "topMoves",
    "seed",
    "priority",
    "action",
];

/// The actions besides analyses.
const ACTIONS: [&str; 4] = ["query_version", "terminate", "terminate_all", "clear_cache"];

/// Positions to analyse; a field that the query does not have is `None`.
#[derive(Clone, Debug)]
pub struct Query {
    /// The id of the answers.
    pub id: Value,
    /// The game.
    pub game: Option<String>,
    /// The initial state of the match, and its moves.
    pub setup: Setup,
    /// The positions: after how many turns.
    pub turns: Vec<usize>,
    /// The agent that thinks.
    pub agent: Option<AgentSpec>,
    /// The limits of the search.
    pub allowance: Allowance,
    /// How often to report during the search.
    pub every: Option<Duration>,
    /// What answers contain.
    pub options: AnswerOptions,
    /// The seed of random numbers.
    pub seed: Option<u64>,
    /// Larger ones come first.
    pub priority: i64,
}

/// The request of a line.
#[derive(Debug)]
pub enum Request {
    /// An analysis.
    Query(Box<Query>),
    /// The version of the program.
    Version,
    /// Terminate the analyses with an id.
    Terminate(Value),
    /// Terminate all analyses.
    TerminateAll,
    /// Drop all loaded games.
    ClearCache,
}

/// A line that was read.
#[derive(Debug)]
pub struct Line {
    /// The id, if there is one.
    pub id: Value,
    /// Unknown fields.
    pub warnings: Vec<InputError>,
    /// The request, or its error.
    pub request: Result<Request, InputError>,
}

impl Line {
    /// Reads a line; the id is kept even if the rest is wrong.
    pub fn read(line: &[u8]) -> Line {
        let refused = |id, error| Line { id, warnings: Vec::new(), request: Err(error) };
        let fields = match serde_json::from_slice(line) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => return refused(Value::Null, InputError::new("a query is a JSON object")),
            Err(error) => {
                let error = InputError::new(format!("this line is not JSON: {error}"));
                return refused(Value::Null, error);
            }
        };
        let mut fields = Fields(fields);
        let Some(id) = fields.take("id") else {
            let error = "a query needs an `id`, which identifies its answers";
            return refused(Value::Null, InputError::of("id", error));
        };
        let request = if fields.0.contains_key("action") {
            fields.action()
        } else {
            fields.query(id.clone()).map(|query| Request::Query(Box::new(query)))
        };
        // After an error, fields that were not read yet would be reported as unknown.
        let warnings = if request.is_ok() { fields.unknown() } else { Vec::new() };
        Line { id, warnings, request }
    }
}

/// The fields of a line that were not read yet.
struct Fields(Map<String, Value>);

impl Fields {
    /// Takes a field out; `null` is the same as nothing.
    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    fn query(&mut self, id: Value) -> Result<Query, InputError> {
        let setup = Setup { initial: self.texts(INITIAL)?, turns: self.moves()? };
        let agent = match self.text("agent")? {
            Some(text) => {
                let unknown = |error| InputError::from_catalog("agent", &error);
                Some(load_agent(&text).map_err(unknown)?)
            }
            None => None,
        };
        Ok(Query {
            id,
            game: self.text("game")?,
            turns: self.turns(setup.turns.len())?,
            setup,
            agent,
            allowance: Allowance {
                iterations: self.whole("maxVisits", 1)?,
                time: self.seconds("maxTime")?,
                bytes: None,
            },
            every: self.seconds("reportDuringSearchEvery")?,
            options: AnswerOptions {
                top: self
                    .whole("topMoves", 0)?
                    .map_or(AnswerOptions::DEFAULT_TOP, |top| top as usize),
                policy: self.flag("includePolicy")?,
                board: self.flag("includeBoard")?,
                state: self.flag("includeState")?,
            },
            seed: self.whole("seed", 0)?,
            priority: self.priority()?,
        })
    }

    fn action(&mut self) -> Result<Request, InputError> {
        let action = self.text("action")?.unwrap_or_default();
        match action.as_str() {
            "query_version" => Ok(Request::Version),
            "terminate" => {
                let missing = || InputError::of("terminateId", "name the `id` to terminate");
                self.take("terminateId").map(Request::Terminate).ok_or_else(missing)
            }
            "terminate_all" => Ok(Request::TerminateAll),
            "clear_cache" => Ok(Request::ClearCache),
            _ => {
                let hint = match nearest(&action, ACTIONS) {
                    Some(nearest) => format!("did you mean `{nearest}`?"),
                    None => format!("the actions are: {}", ACTIONS.join(", ")),
                };
                let error = format!("there is no action `{}`", shortened(&action));
                Err(InputError::of("action", error).with_hint(Some(hint)))
            }
        }
    }

    /// Warnings about the fields that are left.
    fn unknown(&self) -> Vec<InputError> {
        let warning = |name: &String| {
            let hint = nearest(name, FIELDS).filter(|known| known != name);
            let hint = hint.map(|nearest| format!("did you mean `{nearest}`?"));
            InputError::of(name, format!("the field `{}` is unknown", shortened(name)))
                .with_hint(hint)
        };
        self.0.keys().map(warning).collect()
    }

    fn text(&mut self, name: &str) -> Result<Option<String>, InputError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(InputError::of(name, format!("`{name}` is a text"))),
        }
    }

    fn flag(&mut self, name: &str) -> Result<bool, InputError> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(_) => Err(InputError::of(name, format!("`{name}` is true or false"))),
        }
    }

    fn whole(&mut self, name: &str, min: u64) -> Result<Option<u64>, InputError> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let number = value.as_u64().filter(|&number| number >= min);
        let wrong =
            || InputError::of(name, format!("`{name}` is a whole number of at least {min}"));
        number.map(Some).ok_or_else(wrong)
    }

    fn priority(&mut self) -> Result<i64, InputError> {
        let Some(value) = self.take("priority") else { return Ok(0) };
        value.as_i64().ok_or_else(|| InputError::of("priority", "`priority` is a whole number"))
    }

    fn seconds(&mut self, name: &str) -> Result<Option<Duration>, InputError> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let seconds = value.as_f64().filter(|&seconds| seconds > 0.0);
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let wrong = || InputError::of(name, format!("`{name}` is a number of seconds above 0"));
        time.map(Some).ok_or_else(wrong)
    }

    fn texts(&mut self, name: &str) -> Result<Option<Vec<String>>, InputError> {
        let Some(value) = self.take(name) else { return Ok(None) };
        texts(&value)
            .map(Some)
            .ok_or_else(|| InputError::of(name, format!("`{name}` is a list of texts")))
    }

    fn moves(&mut self) -> Result<Vec<Turn>, InputError> {
        let turn = |value: &Value| match value {
            Value::String(text) => Some(Turn::Mover(text.clone())),
            other => texts(other).map(Turn::Joint),
        };
        let turns = match self.take(MOVES) {
            None => return Ok(Vec::new()),
            Some(Value::Array(turns)) => turns.iter().map(turn).collect(),
            Some(_) => None,
        };
        let wrong = || {
            let hint = "such as [\"(mark 2 2)\", [\"noop\", \"(mark 1 1)\"]]".to_owned();
            let error =
                "`moves` is a list; each turn is a move, or a list with a move for each role";
            InputError::of(MOVES, error).with_hint(Some(hint))
        };
        turns.ok_or_else(wrong)
    }

    /// The turns to analyse, each once; by default the last position.
    fn turns(&mut self, made: usize) -> Result<Vec<usize>, InputError> {
        const NAME: &str = "analyzeTurns";
        let Some(value) = self.take(NAME) else { return Ok(vec![made]) };
        let wrong = || InputError::of(NAME, "`analyzeTurns` is a list of numbers of turns");
        let items = value.as_array().ok_or_else(wrong)?;
        let mut turns = Vec::with_capacity(items.len());
        for item in items {
            let turn = item.as_u64().ok_or_else(wrong)? as usize;
            if turn > made {
                let error = format!("there is no turn {turn}: {made} moves are given");
                return Err(InputError::of(NAME, error));
            }
            turns.push(turn);
        }
        let mut seen = std::collections::BTreeSet::new();
        turns.retain(|turn| seen.insert(*turn));
        Ok(turns)
    }
}

/// A list of texts.
fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}
