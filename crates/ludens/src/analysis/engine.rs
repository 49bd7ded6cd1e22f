//! Answers queries, a JSON line each, with several threads.

use std::cell::Cell;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ludens_catalog::AgentSpec;
use ludens_core::{Panicked, guard};
use serde::Serialize;
use serde_json::{Value, json};

use super::answer::Answer;
use super::insight::Insight;
use super::query::{Limits, Line, Query, Request};
use super::queue::{Job, Queue};
use super::shelf::Shelf;
use super::slip::Slip;
use super::study::{Position, Study};
use crate::console::Console;

/// The version of what is said in lines.
const PROTOCOL: u32 = 1;

/// What holds where a query says nothing.
pub struct Defaults {
    /// The game, if there is a usual one.
    pub game: Option<String>,
    /// Who thinks.
    pub agent: AgentSpec,
    /// For how long.
    pub limits: Limits,
    /// Random numbers.
    pub seed: u64,
}

/// Answers queries.
pub struct Engine<'a> {
    shelf: Shelf,
    defaults: Defaults,
    queue: Queue,
    out: Mutex<Out<'a>>,
}

/// Where answers go, as long as anybody reads them.
struct Out<'a> {
    console: &'a mut Console,
    closed: Option<io::Error>,
}

/// What is told of a line that something is wrong with.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Refusal<'a> {
    id: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_number: Option<usize>,
    #[serde(flatten)]
    slip: &'a Slip,
}

impl<'a> Engine<'a> {
    /// An engine that has answered nothing yet.
    pub fn new(shelf: Shelf, defaults: Defaults, console: &'a mut Console) -> Self {
        let out = Mutex::new(Out { console, closed: None });
        Engine { shelf, defaults, queue: Queue::default(), out }
    }

    /// Reads queries until the input ends, and finishes what was asked.
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

    /// Does what a line asks for; whether anybody still reads the answers.
    fn take(&self, line: &[u8]) -> bool {
        let Line { id, warnings, request } = Line::read(line);
        for Slip { error, field, hint } in warnings {
            let mut warning = json!({"id": id, "warning": error, "field": field});
            if let Some(hint) = hint {
                warning["hint"] = hint.into();
            }
            self.say(&warning);
        }
        match request.and_then(|request| self.ordered(request)) {
            Ok(Request::Query(query)) => {
                self.queue.add(&Arc::new(*query));
                self.is_heard()
            }
            Ok(action) => self.act(&id, action),
            Err(slip) => self.refuse(&id, None, &slip),
        }
    }

    /// A request whose query says all it must.
    fn ordered(&self, request: Request) -> Result<Request, Slip> {
        if let Request::Query(query) = &request
            && query.game.is_none()
            && self.defaults.game.is_none()
        {
            let hint = "name it in the query, or for all queries: `ludens analyze GAME --stdin`";
            return Err(Slip::of("game", "which game is it?").hinting(Some(hint.into())));
        }
        Ok(request)
    }

    fn act(&self, id: &Value, action: Request) -> bool {
        match action {
            Request::Version => {
                let version = env!("CARGO_PKG_VERSION");
                self.say(&json!({"id": id, "action": "query_version", "program": "ludens",
                    "version": version, "protocol": PROTOCOL}))
            }
            Request::ClearCache => {
                self.shelf.clear();
                self.say(&json!({"id": id, "action": "clear_cache"}))
            }
            Request::Terminate(which) => {
                let count = self.terminate(Some(&which));
                self.say(&json!({"id": id, "action": "terminate", "terminateId": which,
                    "terminated": count}))
            }
            Request::TerminateAll => {
                let count = self.terminate(None);
                self.say(&json!({"id": id, "action": "terminate_all", "terminated": count}))
            }
            Request::Query(_) => unreachable!("queries are queued"),
        }
    }

    /// Ends analyses; how many.
    fn terminate(&self, id: Option<&Value>) -> usize {
        let (gone, stopped) = self.queue.terminate(id);
        for job in &gone {
            self.say_nothing_found(job);
        }
        gone.len() + stopped
    }

    fn say_nothing_found(&self, job: &Job) {
        self.say(&json!({"id": job.query.id, "turnNumber": job.turn, "isDuringSearch": false,
            "noResults": true}));
    }

    fn refuse(&self, id: &Value, turn_number: Option<usize>, slip: &Slip) -> bool {
        self.say(&Refusal { id, turn_number, slip })
    }

    /// Says something; whether anybody still listens.
    fn say<T: Serialize>(&self, line: &T) -> bool {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let Out { console, closed } = &mut *out;
        if closed.is_none() {
            *closed = console.line(line).and_then(|()| console.flush()).err();
        }
        closed.is_none()
    }

    fn is_heard(&self) -> bool {
        self.out.lock().unwrap_or_else(PoisonError::into_inner).closed.is_none()
    }

    /// Takes one position after the other until there are no more.
    fn work(&self) {
        while let Some((number, job)) = self.queue.next() {
            if self.is_heard() {
                // Whatever goes wrong with one query, the others are to be answered.
                let failed =
                    |panicked: Panicked| Err(Slip::new(format!("the analysis failed: {panicked}")));
                let done = guard(|| self.analyse(&job)).unwrap_or_else(failed);
                if let Err(slip) = done {
                    self.refuse(&job.query.id, Some(job.turn), &slip);
                }
            }
            self.queue.done(number);
        }
    }

    fn analyse(&self, job: &Job) -> Result<(), Slip> {
        let (query, defaults) = (&*job.query, &self.defaults);
        let spec = query.game.as_deref().or(defaults.game.as_deref()).unwrap_or_default();
        let game = self.shelf.take(spec)?;
        if job.stop.load(Ordering::Relaxed) {
            self.say_nothing_found(job);
            return Ok(());
        }
        let limits = if query.limits.is_empty() { defaults.limits } else { query.limits };
        let begun = Cell::new(Instant::now());
        let mut reporter = Reporter { engine: self, query, begun: &begun, last: None };
        let study = Study {
            setup: &query.setup,
            turn: job.turn,
            agent: query.agent.as_ref().unwrap_or(&defaults.agent),
            seed: query.seed.unwrap_or(defaults.seed),
            budget: &|| {
                begun.set(Instant::now());
                limits.budget(&job.stop)
            },
            every: query.every.unwrap_or(Duration::MAX),
            watch: &mut |position, insight| reporter.tell((position, insight)),
        };
        let (position, insight) = game.loaded.game.with(study)?;
        let board = || game.painter(false).draw(None, &position.facts);
        let board = query.wishes.board.then(board);
        let answer = Answer::new((&position, &insight), &query.wishes, begun.get().elapsed());
        self.say(&answer.called(&query.id).with_board(board));
        Ok(())
    }
}

/// Tells what is known so far.
struct Reporter<'a, 'e> {
    engine: &'a Engine<'e>,
    query: &'a Query,
    /// When thinking began.
    begun: &'a Cell<Instant>,
    /// When something was told last.
    last: Option<Instant>,
}

impl Reporter<'_, '_> {
    fn tell(&mut self, found: (&Position, &Insight)) -> ControlFlow<()> {
        let (now, begun) = (Instant::now(), self.begun.get());
        let last = self.last.unwrap_or(begun);
        // Agents that cannot be looked into are seen at their end, which may come before it is time.
        if self.query.every.is_none_or(|every| now - last < every) {
            return ControlFlow::Continue(());
        }
        self.last = Some(now);
        let answer = Answer::new(found, &self.query.wishes, now - begun);
        let heard = self.engine.say(&answer.called(&self.query.id).during_search());
        if heard { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
