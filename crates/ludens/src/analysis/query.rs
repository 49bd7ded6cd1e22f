//! What a line of the input asks for.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludens_catalog::{AgentSpec, load_agent, nearest};
use ludens_core::Budget;
use serde_json::{Map, Value};

use super::answer::Wishes;
use super::position::{INITIAL, MOVES, Setup, Turn, short};
use super::slip::Slip;

/// What a query can say.
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

/// What can be asked for besides analyses.
const ACTIONS: [&str; 4] = ["query_version", "terminate", "terminate_all", "clear_cache"];

/// What a search may cost.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// How many playouts.
    pub iterations: Option<u64>,
    /// How long.
    pub time: Option<Duration>,
}

impl Limits {
    /// Whether nothing is limited.
    pub fn is_empty(&self) -> bool {
        *self == Limits::default()
    }

    /// The budget of a search that begins now and ends when the flag is raised.
    pub fn budget(&self, stop: &Arc<AtomicBool>) -> Budget {
        let mut budget = Budget::unlimited().with_stop(Arc::clone(stop));
        budget.iterations = self.iterations;
        match self.time {
            Some(time) => budget.with_time(time),
            None => budget,
        }
    }
}

/// Positions to be analysed. What is `None` was not said.
#[derive(Clone, Debug)]
pub struct Query {
    /// What the answers are to be called.
    pub id: Value,
    /// The game.
    pub game: Option<String>,
    /// Where it began, and what was done.
    pub setup: Setup,
    /// After how many turns to look.
    pub turns: Vec<usize>,
    /// Who thinks.
    pub agent: Option<AgentSpec>,
    /// For how long.
    pub limits: Limits,
    /// How often to tell what is known so far.
    pub every: Option<Duration>,
    /// What answers are to hold.
    pub wishes: Wishes,
    /// Random numbers.
    pub seed: Option<u64>,
    /// Larger ones go first.
    pub priority: i64,
}

/// What a line asks for.
#[derive(Debug)]
pub enum Request {
    /// An analysis.
    Query(Box<Query>),
    /// Which program this is.
    Version,
    /// The end of the analyses with an id.
    Terminate(Value),
    /// The end of all analyses.
    TerminateAll,
    /// That games are loaded anew.
    ClearCache,
}

/// A line that was read.
#[derive(Debug)]
pub struct Line {
    /// The id, if there is one.
    pub id: Value,
    /// Fields that mean nothing.
    pub warnings: Vec<Slip>,
    /// What is asked for, or what is wrong.
    pub request: Result<Request, Slip>,
}

impl Line {
    /// Reads a line; the id is kept even if the rest is wrong.
    pub fn read(line: &[u8]) -> Line {
        let refused = |id, slip| Line { id, warnings: Vec::new(), request: Err(slip) };
        let fields = match serde_json::from_slice(line) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => return refused(Value::Null, Slip::new("a query is a JSON object")),
            Err(error) => {
                let slip = Slip::new(format!("this line is not JSON: {error}"));
                return refused(Value::Null, slip);
            }
        };
        let mut fields = Fields(fields);
        let Some(id) = fields.take("id") else {
            let error = "every query has an `id`, by which its answers are known";
            return refused(Value::Null, Slip::of("id", error));
        };
        let request = if fields.0.contains_key("action") {
            fields.action()
        } else {
            fields.query(id.clone()).map(|query| Request::Query(Box::new(query)))
        };
        // Where something is wrong already, what was not looked at would be told as unknown.
        let warnings = if request.is_ok() { fields.unknown() } else { Vec::new() };
        Line { id, warnings, request }
    }
}

/// The fields of a line that were not looked at yet.
struct Fields(Map<String, Value>);

impl Fields {
    /// Takes a field out; `null` is the same as nothing.
    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    fn query(&mut self, id: Value) -> Result<Query, Slip> {
        let setup = Setup { initial: self.texts(INITIAL)?, turns: self.moves()? };
        let agent = match self.text("agent")? {
            Some(text) => {
                let unknown = |error| Slip::from_catalog("agent", &error);
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
            limits: Limits {
                iterations: self.whole("maxVisits", 1)?,
                time: self.seconds("maxTime")?,
            },
            every: self.seconds("reportDuringSearchEvery")?,
            wishes: Wishes {
                top: self.whole("topMoves", 0)?.map_or(Wishes::TOP, |top| top as usize),
                policy: self.flag("includePolicy")?,
                board: self.flag("includeBoard")?,
                state: self.flag("includeState")?,
            },
            seed: self.whole("seed", 0)?,
            priority: self.priority()?,
        })
    }

    fn action(&mut self) -> Result<Request, Slip> {
        let action = self.text("action")?.unwrap_or_default();
        match action.as_str() {
            "query_version" => Ok(Request::Version),
            "terminate" => {
                let missing = || Slip::of("terminateId", "say which `id` is to be terminated");
                self.take("terminateId").map(Request::Terminate).ok_or_else(missing)
            }
            "terminate_all" => Ok(Request::TerminateAll),
            "clear_cache" => Ok(Request::ClearCache),
            _ => {
                let hint = match nearest(&action, ACTIONS) {
                    Some(nearest) => format!("did you mean `{nearest}`?"),
                    None => format!("the actions are: {}", ACTIONS.join(", ")),
                };
                let error = format!("there is no action `{}`", short(&action));
                Err(Slip::of("action", error).hinting(Some(hint)))
            }
        }
    }

    /// What is left when everything known was taken out.
    fn unknown(&self) -> Vec<Slip> {
        let warning = |name: &String| {
            let hint = nearest(name, FIELDS).filter(|known| known != name);
            let hint = hint.map(|nearest| format!("did you mean `{nearest}`?"));
            Slip::of(name, format!("the field `{}` means nothing here", short(name))).hinting(hint)
        };
        self.0.keys().map(warning).collect()
    }

    fn text(&mut self, name: &str) -> Result<Option<String>, Slip> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Slip::of(name, format!("`{name}` is a text"))),
        }
    }

    fn flag(&mut self, name: &str) -> Result<bool, Slip> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(_) => Err(Slip::of(name, format!("`{name}` is true or false"))),
        }
    }

    fn whole(&mut self, name: &str, least: u64) -> Result<Option<u64>, Slip> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let number = value.as_u64().filter(|&number| number >= least);
        let slip = || Slip::of(name, format!("`{name}` is a whole number from {least} on"));
        number.map(Some).ok_or_else(slip)
    }

    fn priority(&mut self) -> Result<i64, Slip> {
        let Some(value) = self.take("priority") else { return Ok(0) };
        value.as_i64().ok_or_else(|| Slip::of("priority", "`priority` is a whole number"))
    }

    fn seconds(&mut self, name: &str) -> Result<Option<Duration>, Slip> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let seconds = value.as_f64().filter(|&seconds| seconds > 0.0);
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let slip = || Slip::of(name, format!("`{name}` is a number of seconds above 0"));
        time.map(Some).ok_or_else(slip)
    }

    fn texts(&mut self, name: &str) -> Result<Option<Vec<String>>, Slip> {
        let Some(value) = self.take(name) else { return Ok(None) };
        texts(&value)
            .map(Some)
            .ok_or_else(|| Slip::of(name, format!("`{name}` is a list of texts")))
    }

    fn moves(&mut self) -> Result<Vec<Turn>, Slip> {
        let turn = |value: &Value| match value {
            Value::String(text) => Some(Turn::Mover(text.clone())),
            other => texts(other).map(Turn::Joint),
        };
        let turns = match self.take(MOVES) {
            None => return Ok(Vec::new()),
            Some(Value::Array(turns)) => turns.iter().map(turn).collect(),
            Some(_) => None,
        };
        let slip = || {
            let hint = "such as [\"(mark 2 2)\", [\"noop\", \"(mark 1 1)\"]]".to_owned();
            let error =
                "`moves` is a list; each turn is a move, or a list with a move for each role";
            Slip::of(MOVES, error).hinting(Some(hint))
        };
        turns.ok_or_else(slip)
    }

    /// The turns to be analysed, each once; the last position if nothing is said.
    fn turns(&mut self, made: usize) -> Result<Vec<usize>, Slip> {
        const NAME: &str = "analyzeTurns";
        let Some(value) = self.take(NAME) else { return Ok(vec![made]) };
        let slip = || Slip::of(NAME, "`analyzeTurns` is a list of numbers of turns");
        let items = value.as_array().ok_or_else(slip)?;
        let mut turns = Vec::with_capacity(items.len());
        for item in items {
            let turn = item.as_u64().ok_or_else(slip)? as usize;
            if turn > made {
                let error = format!("turn {turn} is not there: {made} moves are given");
                return Err(Slip::of(NAME, error));
            }
            turns.push(turn);
        }
        let mut met = std::collections::BTreeSet::new();
        turns.retain(|turn| met.insert(*turn));
        Ok(turns)
    }
}

/// A list of texts.
fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}
