//! Answers queries, a JSON line each, with several threads.

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ludens_arena::clock::Allowance;
use ludens_board::Style;
use ludens_catalog::AgentSpec;
use ludens_core::{Panicked, guard};
use serde::Serialize;
use serde_json::{Value, json};

use super::answer::Answer;
use super::games::SharedGames;
use super::query::{Line, Query, Request};
use super::queue::{Job, Queue};
use super::report::Analysis;
use crate::session::{InputError, Position, SessionError, ThinkSettings};

/// The version of the protocol.
const PROTOCOL: u32 = 1;

/// Defaults for the fields of queries.
pub struct Defaults {
    /// The game.
    pub game: Option<String>,
    /// The agent that thinks.
    pub agent: AgentSpec,
    /// The limits of the search.
    pub allowance: Allowance,
    /// The seed of random numbers.
    pub seed: u64,
}

/// Answers queries.
pub struct Engine<'a> {
    games: SharedGames,
    defaults: Defaults,
    queue: Queue,
    out: Mutex<Out<'a>>,
}

/// The output, until writing fails.
struct Out<'a> {
    writer: &'a mut (dyn Write + Send),
    closed: Option<io::Error>,
}

/// The answer to a line with an error.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Refusal<'a> {
    id: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_number: Option<usize>,
    #[serde(flatten)]
    error: &'a InputError,
}

impl<'a> Engine<'a> {
    /// An engine that has answered nothing yet.
    pub fn new(games: SharedGames, defaults: Defaults, writer: &'a mut (dyn Write + Send)) -> Self {
        let out = Mutex::new(Out { writer, closed: None });
        Engine { games, defaults, queue: Queue::default(), out }
    }

    /// Reads queries until the input ends, and answers all of them.
    pub fn run(self, input: &mut dyn BufRead, threads: usize) -> io::Result<()> {
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| self.work());
            }
            let read = self.read(input);
            self.queue.close();
            read
        })?;
        let out = self.out.into_inner().unwrap_or_else(PoisonError::into_inner);
        out.closed.map_or(Ok(()), Err)
    }

    fn read(&self, input: &mut dyn BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        while input.read_until(b'\n', &mut line)? > 0 {
            if !line.trim_ascii().is_empty() && !self.take(&line) {
                break;
            }
            line.clear();
        }
        Ok(())
    }

    /// Handles a line; false if answers cannot be written any more.
    fn take(&self, line: &[u8]) -> bool {
        let Line { id, warnings, request } = Line::read(line);
        for InputError { error, field, hint } in warnings {
            let mut warning = json!({"id": id, "warning": error, "field": field});
            if let Some(hint) = hint {
                warning["hint"] = hint.into();
            }
            self.write(&warning);
        }
        match request.and_then(|request| self.with_game(request)) {
            Ok(Request::Query(query)) => {
                self.queue.add(&Arc::new(*query));
                self.is_open()
            }
            Ok(action) => self.act(&id, action),
            Err(error) => self.refuse(&id, None, &error),
        }
    }

    /// A request whose query names a game.
    fn with_game(&self, request: Request) -> Result<Request, InputError> {
        if let Request::Query(query) = &request
            && query.game.is_none()
            && self.defaults.game.is_none()
        {
            let hint = "name it in the query, or for all queries: `ludens analyze GAME --stdin`";
            let error = InputError::of("game", "the query names no game");
            return Err(error.with_hint(Some(hint.into())));
        }
        Ok(request)
    }

    fn act(&self, id: &Value, action: Request) -> bool {
        match action {
            Request::Version => {
                let version = env!("CARGO_PKG_VERSION");
                self.write(&json!({"id": id, "action": "query_version", "program": "ludens",
                    "version": version, "protocol": PROTOCOL}))
            }
            Request::ClearCache => {
                self.games.clear();
                self.write(&json!({"id": id, "action": "clear_cache"}))
            }
            Request::Terminate(which) => {
                let count = self.terminate(Some(&which));
                self.write(&json!({"id": id, "action": "terminate", "terminateId": which,
                    "terminated": count}))
            }
            Request::TerminateAll => {
                let count = self.terminate(None);
                self.write(&json!({"id": id, "action": "terminate_all", "terminated": count}))
            }
            Request::Query(_) => unreachable!("queries are queued"),
        }
    }

    /// Terminates analyses; returns how many.
    fn terminate(&self, id: Option<&Value>) -> usize {
        let (removed, stopped) = self.queue.terminate(id);
        for job in &removed {
            self.write_no_results(job);
        }
        removed.len() + stopped
    }

    fn write_no_results(&self, job: &Job) {
        self.write(&json!({"id": job.query.id, "turnNumber": job.turn, "isDuringSearch": false,
            "noResults": true}));
    }

    fn refuse(&self, id: &Value, turn_number: Option<usize>, error: &InputError) -> bool {
        self.write(&Refusal { id, turn_number, error })
    }

    /// Writes a line; false if answers cannot be written any more.
    fn write<T: Serialize>(&self, line: &T) -> bool {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let Out { writer, closed } = &mut *out;
        if closed.is_none() {
            *closed = write_line(*writer, line).err();
        }
        closed.is_none()
    }

    fn is_open(&self) -> bool {
        self.out.lock().unwrap_or_else(PoisonError::into_inner).closed.is_none()
    }

    /// Analyses one position after the other until there are no more.
    fn work(&self) {
        while let Some((number, job)) = self.queue.next() {
            if self.is_open() {
                let failed = |panicked: Panicked| {
                    Err(InputError::new(format!("the analysis failed: {panicked}")))
                };
                // Whatever goes wrong with one query, the others must be answered.
                let done = guard(|| self.analyse(&job)).unwrap_or_else(failed);
                if let Err(error) = done {
                    self.refuse(&job.query.id, Some(job.turn), &error);
                }
            }
            self.queue.done(number);
        }
    }

    fn analyse(&self, job: &Job) -> Result<(), InputError> {
        let (query, defaults) = (&*job.query, &self.defaults);
        let spec = query.game.as_deref().or(defaults.game.as_deref()).unwrap_or_default();
        let game = self.games.get(spec)?;
        if job.stop.is_raised() {
            self.write_no_results(job);
            return Ok(());
        }
        let unlimited = query.allowance == Allowance::default();
        let settings = ThinkSettings {
            allowance: if unlimited { defaults.allowance } else { query.allowance },
            stop: job.stop.clone(),
            every: query.every,
        };
        let agent = query.agent.as_ref().unwrap_or(&defaults.agent);
        let seed = query.seed.unwrap_or(defaults.seed);
        let session = query.setup.session(Arc::clone(&game), job.turn);
        let session = session.map_err(SessionError::into_input)?;
        let position = session.position().map_err(SessionError::into_input)?;
        let mut reporter = Reporter { engine: self, query, last: Duration::ZERO };
        let watch = &mut |analysis: &Analysis| reporter.report(&position, analysis);
        let analysis = session.analyse((agent, seed), &settings, watch);
        let analysis = analysis.map_err(SessionError::into_input)?;
        let board = || game.board().draw(None, &position.facts, Style::Plain);
        let board = query.options.board.then(board);
        let answer = Answer::new(&position, &analysis, &query.options);
        self.write(&answer.with_id(&query.id).with_board(board));
        Ok(())
    }
}

/// Writes a value as a line of JSON.
fn write_line<T: Serialize>(writer: &mut dyn Write, value: &T) -> io::Result<()> {
    let mut line = serde_json::to_string(value)?;
    line.push('\n');
    writer.write_all(line.as_bytes())?;
    writer.flush()
}

/// Reports during a search.
struct Reporter<'a, 'e> {
    engine: &'a Engine<'e>,
    query: &'a Query,
    /// The time of the last report, since the search began.
    last: Duration,
}

impl Reporter<'_, '_> {
    fn report(&mut self, position: &Position, analysis: &Analysis) -> ControlFlow<()> {
        let since = analysis.time.saturating_sub(self.last);
        // Agents that report only at their end may do so too early.
        if self.query.every.is_none_or(|every| since < every) {
            return ControlFlow::Continue(());
        }
        self.last = analysis.time;
        let answer = Answer::new(position, analysis, &self.query.options);
        let open = self.engine.write(&answer.with_id(&self.query.id).during_search());
        if open { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
