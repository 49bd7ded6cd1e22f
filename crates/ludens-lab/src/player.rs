//! An agent as a player of the competition: rules and moves are texts.

mod late_grounding;
mod loading;
mod seat;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ludens_catalog::{AgentSpec, Cache, LoadReport, ReasonerKind, load_agent};
use ludens_core::{Draft, Info, MoveText, Player, PlayerError, Role, Setup, guard};
use ludens_logic::Limits;

use crate::loads::{Loads, Playable};
use late_grounding::LateGrounding;
use loading::{FALLBACK_BYTES, MIN_CLOCK_SHARE, RuleLoader};
use seat::{Seat, SeatSetup};

/// Plays matches with an agent.
pub struct AgentPlayer {
    name: String,
    spec: AgentSpec,
    seed: u64,
    loader: RuleLoader,
    /// Whether it uses the time of others.
    ponders: bool,
    /// The game of the match, shared with other players.
    loaded: Option<Arc<Playable>>,
    late: Option<LateGrounding>,
    prepared: Option<Preparation>,
    seat: Option<Box<dyn Seat>>,
    /// The last turn.
    turn: Option<Turn>,
    draft: Draft,
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

/// Limits of one query to the reasoner.
const QUERY_TIME: Duration = Duration::from_secs(5);
const QUERY_BYTES: usize = 512 << 20;

impl AgentPlayer {
    /// A player with a name.
    pub fn new(name: impl Into<String>, spec: AgentSpec, seed: u64) -> Self {
        AgentPlayer {
            name: name.into(),
            spec,
            seed,
            loader: RuleLoader {
                reasoner: ReasonerKind::Auto,
                cache: Cache::off(),
                loads: Loads::default(),
            },
            ponders: true,
            loaded: None,
            late: None,
            prepared: None,
            seat: None,
            turn: None,
            draft: Draft::default(),
        }
    }

    /// A player that makes random legal moves with the reference reasoner: it is ready sooner than others.
    pub fn fallback(name: impl Into<String>, seed: u64) -> Self {
        let random = load_agent("random").expect("the catalog has it");
        let mut player = AgentPlayer::new(name, random, seed);
        player.loader.reasoner = ReasonerKind::Logic;
        player
    }

    /// Caches networks that took long to ground, so that a preview of rules speeds up their match.
    #[must_use]
    pub fn with_cache(mut self, cache: Cache) -> Self {
        self.loader.cache = cache;
        self
    }

    /// Shares games with other players of this process, so that each is loaded once.
    #[must_use]
    pub fn with_loads(mut self, loads: Loads) -> Self {
        self.loader.loads = loads;
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

    /// The limits of queries to the reasoner in a match.
    fn limits(&self, play_clock: Duration) -> Limits {
        let bytes = if self.loader.is_fallback() { FALLBACK_BYTES } else { QUERY_BYTES };
        Limits { time: Some(play_clock.min(QUERY_TIME)), bytes }
    }

    /// Leaves the match.
    fn leave(&mut self) {
        (self.seat, self.turn, self.loaded, self.late) = (None, None, None, None);
    }

    /// A seat at the match, in the initial position. A network for another game is of no use; a player plays
    /// nevertheless, and the reason is returned.
    fn take_seat(
        &self,
        setup: &Setup,
        loaded: &Playable,
    ) -> Result<(Box<dyn Seat>, Option<String>), PlayerError> {
        let limits = self.limits(setup.play_clock);
        let game = loaded.game.clone().limited_to(limits, self.draft.stop_flag());
        let is_role = |name: &String| name.eq_ignore_ascii_case(&setup.role);
        let role = game.roles().iter().position(is_role);
        let role = role.ok_or_else(|| PlayerError::UnknownRole(setup.role.clone()))?;
        let misfit = self.spec.check_game(&game).err();
        let spec = if misfit.is_some() { AgentSpec::default() } else { self.spec.clone() };
        let remark = misfit.map(|error| format!("{error}; plays by `{spec}`"));
        let (symbols, draft) = (loaded.symbols.clone(), self.draft.clone());
        let role = Role(role as u8);
        let seat = SeatSetup { role, spec: &spec, seed: self.seed, symbols, draft };
        Ok((game.with(seat), remark))
    }

    /// Takes a seat and prepares for the match.
    fn prepare(&mut self, setup: &Setup, deadline: Instant) -> Result<(), PlayerError> {
        let clock = deadline.saturating_duration_since(Instant::now());
        let clock = clock.max(setup.play_clock.mul_f64(MIN_CLOCK_SHARE));
        let loaded = self.loader.game(&setup.rules, clock, &self.draft)?;
        let (mut seat, misfit) = self.take_seat(setup, &loaded)?;
        let (loader, draft) = (self.loader.clone(), self.draft.clone());
        self.late = LateGrounding::begin(&loaded, loader, setup, draft);
        let done = caught(|| Ok((seat.prepare(deadline, setup.play_clock), seat.remarks())));
        // An agent that panicked may be inconsistent; a new one can still play if there is a first move.
        let (simulations, mut remarks) = match done {
            Ok(done) => done,
            Err(error) => {
                seat = self.take_seat(setup, &loaded)?.0;
                seat.look();
                (0, vec![error.to_string()])
            }
        };
        remarks.extend(misfit);
        self.prepared = Some(Preparation {
            reasoner: loaded.game.kind(),
            load: loaded.report.clone(),
            simulations,
            remarks,
        });
        (self.seat, self.loaded) = (Some(seat), Some(loaded));
        Ok(())
    }

    /// If the rules have been grounded meanwhile, a new seat takes over.
    fn take_over(&mut self) -> Result<(), PlayerError> {
        let Some(late) = &self.late else { return Ok(()) };
        let Some(loaded) = late.take() else { return Ok(()) };
        let (mut seat, _) = self.take_seat(&late.setup, &loaded)?;
        for joint in &late.history {
            seat.advance(joint)?;
        }
        if let Some(prepared) = &mut self.prepared {
            (prepared.reasoner, prepared.load) = (loaded.game.kind(), loaded.report.clone());
        }
        (self.seat, self.loaded, self.late) = (Some(seat), Some(loaded), None);
        Ok(())
    }

    /// Applies the last joint move, and chooses a move.
    fn answer(&mut self, last: &[MoveText], deadline: Instant) -> Result<MoveText, PlayerError> {
        let none = PlayerError::OutOfOrder("no match has begun");
        // A seat that panics may have lost the position, and must not move again.
        let mut seat = self.seat.take().ok_or(none)?;
        let advanced = seat.advance(last);
        self.seat = Some(seat);
        // A host that repeats a message because it got no answer gets the same move.
        let again = |turn: &&Turn| advanced.is_err() && turn.last == last;
        if let Some(turn) = self.turn.as_ref().filter(again) {
            return Ok(turn.chosen.clone());
        }
        advanced?;
        if let Some(late) = self.late.as_mut().filter(|_| !last.is_empty()) {
            late.history.push(last.to_vec());
        }
        // A seat that plays goes on if a new one cannot take over.
        let _ = caught(|| self.take_over());
        let seat = self.seat.as_mut().ok_or(PlayerError::OutOfOrder("no match has begun"))?;
        let chosen = seat.choose(deadline)?;
        self.turn = Some(Turn { last: last.to_vec(), chosen: chosen.clone() });
        Ok(chosen)
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
        self.loader.preview(rules, deadline);
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
        let _ = caught(|| self.take_over());
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
