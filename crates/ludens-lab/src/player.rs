//! An agent as a player of the competition: rules and moves are texts.

mod seat;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ludens_catalog::{
    AgentSpec, Cache, CatalogError, LoadReport, LoadedGame, LoadedSource, Loader, ReasonerKind,
    load_agent,
};
use ludens_core::{Budget, Draft, Info, MoveText, Player, PlayerError, Role, Setup, guard};
use ludens_gdl::Severity;
use ludens_logic::Limits;

use crate::loads::{LoadKey, Loads, Playable};
use seat::{Seat, SeatSetup};

/// Plays matches with an agent.
pub struct AgentPlayer {
    name: String,
    spec: AgentSpec,
    seed: u64,
    seat: Option<Box<dyn Seat>>,
    /// The last turn.
    turn: Option<Turn>,
    draft: Draft,
    prepared: Option<Preparation>,
    cache: Cache,
    reasoner: ReasonerKind,
    loads: Loads,
    /// Whether it uses the time of others.
    ponders: bool,
    /// The game of the match, shared with other players.
    loaded: Option<Arc<Playable>>,
}

/// A turn that was played.
struct Turn {
    last: Vec<MoveText>,
    chosen: MoveText,
}

/// How a match was prepared.
#[derive(Clone, PartialEq, Debug)]
pub struct Preparation {
    /// The reasoner that runs the rules.
    pub reasoner: ReasonerKind,
    /// Times and outcome of loading.
    pub load: LoadReport,
    /// The number of simulations of the first position in the rest of the clock.
    pub simulations: u64,
    /// Remarks of the agent, in sentences.
    pub remarks: Vec<String>,
}

/// The share of the start clock for grounding; the rest is for the reference reasoner, if grounding fails,
/// and for the search.
const GROUNDING_SHARE: f64 = 0.6;

/// Bytes of grounding per second of the clock, so that rules with an infinite grounding fail sooner. With a
/// start clock of a second these are 192 MiB; of the published games at hand, none that can be grounded in
/// that time takes 160.
const GROUNDING_BYTES_PER_SECOND: f64 = 256.0 * 1024.0 * 1024.0;

/// How many start clocks loading may take in total: rules may be infinite. A player that is not ready in
/// time misses some moves, but plays better ones later.
const LOADING_CLOCKS: f64 = 2.0;

/// With a shorter start clock, rules are loaded as if it were this share of a play clock.
const MIN_CLOCK_SHARE: f64 = 0.5;

/// The fallback has more time, and fewer bytes. It precomputes little: with this limit of steps per
/// relation it is ready after a few milliseconds instead of half a second, and answers hardly more slowly.
const FALLBACK_TIME: Duration = Duration::from_secs(20);
const FALLBACK_BYTES: usize = 128 << 20;
const FALLBACK_STEPS: u64 = 10_000;

/// Limits of one query to the reasoner.
const QUERY_TIME: Duration = Duration::from_secs(5);
const QUERY_BYTES: usize = 512 << 20;

impl AgentPlayer {
    /// A player with a name.
    pub fn new(name: impl Into<String>, spec: AgentSpec, seed: u64) -> Self {
        let (name, draft) = (name.into(), Draft::default());
        AgentPlayer {
            name,
            spec,
            seed,
            seat: None,
            turn: None,
            draft,
            prepared: None,
            cache: Cache::off(),
            reasoner: ReasonerKind::Auto,
            loads: Loads::default(),
            ponders: true,
            loaded: None,
        }
    }

    /// A player that makes random legal moves with the reference reasoner: it is ready sooner than others.
    pub fn fallback(name: impl Into<String>, seed: u64) -> Self {
        let random = load_agent("random").expect("the catalog has it");
        AgentPlayer { reasoner: ReasonerKind::Logic, ..AgentPlayer::new(name, random, seed) }
    }

    /// Caches networks that took long to ground, so that a preview of rules speeds up their match.
    #[must_use]
    pub fn with_cache(mut self, cache: Cache) -> Self {
        self.cache = cache;
        self
    }

    /// Shares games with other players of this process, so that each is loaded once.
    #[must_use]
    pub fn with_loads(mut self, loads: Loads) -> Self {
        self.loads = loads;
        self
    }

    /// Does nothing while others think.
    #[must_use]
    pub fn without_pondering(mut self) -> Self {
        self.ponders = false;
        self
    }

    /// How the match was prepared.
    pub fn preparation(&self) -> Option<&Preparation> {
        self.prepared.as_ref()
    }

    fn is_fallback(&self) -> bool {
        self.reasoner == ReasonerKind::Logic
    }

    /// The budget for loading the rules of a match, given the rest of the start clock and the free bytes.
    fn budget(&self, clock: Duration, bytes: usize) -> Budget {
        let budget = Budget::unlimited().with_stop(self.draft.stop_flag());
        if self.is_fallback() {
            budget
                .with_time(clock + FALLBACK_TIME)
                .at_most(FALLBACK_STEPS, bytes.min(FALLBACK_BYTES))
        } else {
            budget.with_time(clock.mul_f64(LOADING_CLOCKS)).with_bytes(bytes)
        }
    }

    /// The limits of queries to the reasoner in a match.
    fn limits(&self, play_clock: Duration) -> Limits {
        let bytes = if self.is_fallback() { FALLBACK_BYTES } else { QUERY_BYTES };
        Limits { time: Some(play_clock.min(QUERY_TIME)), bytes }
    }

    /// Leaves the match.
    fn leave(&mut self) {
        (self.seat, self.turn, self.loaded) = (None, None, None);
    }

    /// The game of a match, given the rest of the start clock.
    fn shared_game(&self, rules: &str, clock: Duration) -> Result<Arc<Playable>, PlayerError> {
        let load = |bytes| {
            let loaded = self.load(rules, clock, self.budget(clock, bytes))?;
            let symbols = loaded.rules.symbols;
            Ok(Playable { game: loaded.game, symbols, report: loaded.report })
        };
        let key = LoadKey::new(rules, self.reasoner, clock);
        self.loads.get((key, Instant::now()), load, || self.draft.is_stopped())
    }

    /// Takes a seat and prepares for the match.
    fn prepare(&mut self, setup: &Setup, deadline: Instant) -> Result<(), PlayerError> {
        let clock = deadline.saturating_duration_since(Instant::now());
        let clock = clock.max(setup.play_clock.mul_f64(MIN_CLOCK_SHARE));
        let loaded = self.shared_game(&setup.rules, clock)?;
        let limits = self.limits(setup.play_clock);
        let game = loaded.game.clone().limited_to(limits, self.draft.stop_flag());
        let is_role = |name: &String| name.eq_ignore_ascii_case(&setup.role);
        let role = game.roles().iter().position(is_role);
        let role = role.ok_or_else(|| PlayerError::UnknownRole(setup.role.clone()))?;
        // A network for another game is of no use; a player plays nevertheless.
        let misfit = self.spec.check_game(&game).err();
        let spec = if misfit.is_some() { AgentSpec::default() } else { self.spec.clone() };
        let take_seat = || {
            let (symbols, draft) = (loaded.symbols.clone(), self.draft.clone());
            let (spec, role) = (&spec, Role(role as u8));
            game.with(SeatSetup { role, spec, seed: self.seed, symbols, draft })
        };
        let mut seat = take_seat();
        let done = caught(|| Ok((seat.prepare(deadline, setup.play_clock), seat.remarks())));
        // An agent that panicked may be inconsistent; a new one can still play if there is a first move.
        let (simulations, mut remarks) = done.unwrap_or_else(|error| {
            seat = take_seat();
            seat.look();
            (0, vec![error.to_string()])
        });
        remarks.extend(misfit.map(|error| format!("{error}; plays by `{spec}`")));
        self.prepared = Some(Preparation {
            reasoner: game.kind(),
            load: loaded.report.clone(),
            simulations,
            remarks,
        });
        (self.seat, self.loaded) = (Some(seat), Some(loaded));
        Ok(())
    }

    /// Applies the last joint move, and chooses a move.
    fn answer(&mut self, last: &[MoveText], deadline: Instant) -> Result<MoveText, PlayerError> {
        let none = PlayerError::OutOfOrder("no match has begun");
        // A seat that panics may have lost the position, and must not move again.
        let mut seat = self.seat.take().ok_or(none)?;
        let advanced = seat.advance(last);
        let seat = self.seat.insert(seat);
        // A host that repeats a message because it got no answer gets the same move.
        let again = |turn: &&Turn| advanced.is_err() && turn.last == last;
        if let Some(turn) = self.turn.as_ref().filter(again) {
            return Ok(turn.chosen.clone());
        }
        advanced?;
        let chosen = seat.choose(deadline)?;
        self.turn = Some(Turn { last: last.to_vec(), chosen: chosen.clone() });
        Ok(chosen)
    }

    /// Loads rules.
    fn load(
        &self,
        rules: &str,
        clock: Duration,
        budget: Budget,
    ) -> Result<LoadedGame, PlayerError> {
        let source = LoadedSource::from_bytes("rules", rules.as_bytes());
        let mut loader = Loader::new(self.reasoner, budget);
        loader.ground.time = loader.ground.time.min(clock.mul_f64(GROUNDING_SHARE));
        let bytes = (clock.as_secs_f64() * GROUNDING_BYTES_PER_SECOND) as usize;
        loader.ground.bytes = loader.ground.bytes.min(bytes);
        loader.cache = self.cache.clone();
        loader.load_text(source).map_err(|error| PlayerError::Rules(reason(&error)))
    }
}

/// Why rules are refused, in one line.
fn reason(error: &CatalogError) -> String {
    match error {
        CatalogError::Rules { problems, .. } => {
            let first = problems.iter().find(|problem| problem.severity == Severity::Error);
            first.map_or_else(|| error.to_string(), |problem| problem.message.clone())
        }
        _ => error.to_string(),
    }
}

/// Runs work that queries the reasoner; a reasoner that gives up is an ordinary error.
fn caught<T>(work: impl FnOnce() -> Result<T, PlayerError>) -> Result<T, PlayerError> {
    guard(work).unwrap_or_else(|panicked| Err(PlayerError::Rules(panicked.to_string())))
}

impl Player for AgentPlayer {
    fn info(&self) -> Info {
        Info { name: self.name.clone() }
    }

    fn draft(&self) -> Draft {
        self.draft.clone()
    }

    fn preview(&mut self, rules: &str, deadline: Instant) {
        let clock = deadline.saturating_duration_since(Instant::now());
        let budget = Budget::unlimited().with_deadline(deadline);
        // Rules that cannot be loaded are refused when a match begins.
        let _ = self.loads.reserve(|bytes| self.load(rules, clock, budget.with_bytes(bytes)));
    }

    fn start(&mut self, setup: &Setup, deadline: Instant) -> Result<(), PlayerError> {
        self.leave();
        self.prepared = None;
        caught(|| self.prepare(setup, deadline))
    }

    fn play(&mut self, last: &[MoveText], deadline: Instant) -> Result<MoveText, PlayerError> {
        caught(|| self.answer(last, deadline))
    }

    fn ponder(&mut self, stop: &Arc<AtomicBool>) {
        if !self.ponders {
            return;
        }
        // A seat that panics may be inconsistent, and must not move again.
        let Some(mut seat) = self.seat.take() else { return };
        let pondered = caught(|| {
            seat.ponder(stop);
            Ok(())
        });
        if pondered.is_ok() {
            self.seat = Some(seat);
        }
    }

    fn stop(&mut self, _last: &[MoveText]) {
        self.leave();
    }

    fn abort(&mut self) {
        self.leave();
    }
}
