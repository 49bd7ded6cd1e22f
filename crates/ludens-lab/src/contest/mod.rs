//! Contests: agents that meet in one game, and the journal of their matches.
//!
//! A [`Contest`] is plain data. [`Contest::open`] loads its game and finds its matches in the journal;
//! [`Opened::play`] plays the missing ones. Opening the same contest again resumes it, and one with more
//! games begins with the games of the shorter one.

mod agents;
mod millis;
mod naming;
mod pooled_thinker;
mod seats;
mod settings;
mod summary;
mod toml_file;
mod total;
mod tournament;
mod void;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use ludens_arena::clock::{Allowance, SystemClock};
use ludens_arena::journal::{Experiment, Journal};
use ludens_arena::play::Terms;
use ludens_arena::record::GameRecord;
use ludens_arena::runner::{AgentRunner, RunReport, Scheduler};
use ludens_arena::schedule::{Pairing, Plan, Slot};
use ludens_arena::stats::Sprt;
use ludens_catalog::{AgentSpec, Cache, LoadedGame, WithGame};
use ludens_core::Game;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::event::{Events, Reporter};
use crate::hinted::Hinted;
use crate::load::{LoadSettings, QUESTION_TIME};
use crate::stop::Stop;

pub use millis::Millis;
pub use naming::{fingerprint, plain};
pub use seats::fixed_seats;
pub use settings::{FORMAT, Settings, explained};
pub use summary::Summary;
pub use total::Total;
pub use tournament::{Tournament, TournamentOptions};
pub use void::VoidGames;

use agents::ContestAgents;

/// The default journal.
pub const DEFAULT_JOURNAL: &str = "ludens.journal";

/// With a sequential test, how many games per thread may begin ahead of the first unfinished one.
const LEAD: usize = 4;

/// Agents that meet in one game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Contest {
    /// The game, as the catalog names it.
    pub game: String,
    /// How its rules are loaded.
    pub load: LoadSettings,
    /// The agents; a sequential test compares the first two.
    pub agents: Vec<AgentSpec>,
    /// Limits of preparation and moves, tolerance for late answers, number of random plies.
    pub terms: Terms,
    /// The mean time of a random game, if the clocks are multiples of it; kept in the journal.
    pub t: Option<Duration>,
    /// Which agents meet.
    pub pairing: Pairing,
    /// The roles that the first of one or two agents has in every game; empty if agents take all seats in
    /// turn.
    #[serde(default)]
    pub roles: Vec<String>,
    /// How many games each meeting has.
    pub games: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// How many threads play; `None` for all cores.
    pub concurrency: Option<usize>,
    /// How many games each thread plays at the same time; `None` to choose automatically.
    pub together: Option<usize>,
    /// Ends the contest as soon as it has a verdict on the first two agents.
    pub sprt: Option<Sprt>,
    /// The file to which games are written.
    pub journal: PathBuf,
    /// The name of the contest in the journal; `None` for one derived from its settings.
    pub name: Option<String>,
}

impl Contest {
    /// A contest with default settings: round robin, seed 1, all cores, the default journal.
    pub fn new(game: &str, agents: Vec<AgentSpec>, allowance: Allowance, games: usize) -> Self {
        Contest {
            game: game.to_owned(),
            load: LoadSettings::default(),
            agents,
            terms: Terms::new(allowance),
            t: None,
            pairing: Pairing::RoundRobin,
            roles: Vec::new(),
            games,
            seed: 1,
            concurrency: None,
            together: None,
            sprt: None,
            journal: DEFAULT_JOURNAL.into(),
            name: None,
        }
    }

    /// Loads the game and opens the journal.
    pub fn open(&self, cache: &Cache, events: &mut Events<'_>) -> anyhow::Result<Opened<'_>> {
        if self.games == 0 {
            let hint = "give the number of games, such as 100";
            return Err(Hinted::new("the number of games is 0", hint).into());
        }
        let mut loaded = self.load.load_game(&self.game, cache, events)?;
        loaded.game = loaded.game.limited(QUESTION_TIME);
        self.check_agents(&loaded)?;
        let slots = self.slots(&loaded)?;
        let settings = Settings::of(self, &loaded);
        let name = self.name.clone().unwrap_or_else(|| settings.default_name());
        let spec = serde_json::to_value(&settings).context("cannot serialize the settings")?;
        let journal = Journal::open(&self.journal)?;
        // Fails before anything is played if another contest has this name.
        journal.experiment(&name, &spec).map_err(settings::explained)?;
        Ok(Opened { contest: self, name, settings, slots, loaded, journal, spec })
    }

    /// Whether there are enough agents for the game and for the sequential test.
    fn check_agents(&self, loaded: &LoadedGame) -> anyhow::Result<()> {
        let (game, is_alone) = (&loaded.source.name, loaded.game.roles().len() == 1);
        if is_alone && self.sprt.is_some() {
            let message = format!("a sequential test needs two opponents, but {game} has one role");
            let hint = "leave out --sprt, and compare the scores and their intervals";
            return Err(Hinted::new(message, hint).into());
        }
        if !is_alone && self.roles.is_empty() && self.agents.len() < 2 {
            let message = format!("{game} needs at least two agents");
            let hint = "name two or more, such as `uct flat`; `uct uct` is a match too";
            return Err(Hinted::new(message, hint).into());
        }
        for agent in &self.agents {
            agent.check_game(&loaded.game)?;
        }
        Ok(())
    }

    /// All games.
    fn slots(&self, loaded: &LoadedGame) -> anyhow::Result<Vec<Slot>> {
        let plan = self.plan(loaded);
        if self.roles.is_empty() {
            return Ok(plan.slots()?);
        }
        let seats = fixed_seats(loaded.game.roles(), &self.roles)?;
        let n_seated = seats.iter().max().map_or(0, |last| last + 1);
        if n_seated != self.agents.len() {
            let n_agents = self.agents.len();
            let message =
                format!("the number of agents that have roles is {n_seated}, not {n_agents}");
            let hint = "name one agent if it has all roles, and two if it has some";
            return Err(Hinted::new(message, hint).into());
        }
        // One agent has one seating, so that every game is a round of its own, with its own seed.
        let mut slots = Plan { n_agents: 1, ..plan }.slots()?;
        for slot in &mut slots {
            slot.seats.clone_from(&seats);
        }
        Ok(slots)
    }

    fn plan(&self, loaded: &LoadedGame) -> Plan {
        Plan {
            n_agents: self.agents.len(),
            roles: vec![loaded.game.roles().len()],
            pairing: self.pairing,
            games_per_meeting: self.games,
            seed: self.seed,
        }
    }

    fn n_workers(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.concurrency.unwrap_or_else(cores).max(1)
    }
}

/// A contest that is ready to be played.
pub struct Opened<'c> {
    contest: &'c Contest,
    /// The name of the contest in the journal.
    pub name: String,
    /// The settings in the journal.
    pub settings: Settings,
    /// All its games.
    pub slots: Vec<Slot>,
    /// The game.
    pub loaded: LoadedGame,
    journal: Journal,
    spec: Value,
}

impl Opened<'_> {
    /// The games of the schedule that are in the journal.
    pub fn recorded_games(&self) -> anyhow::Result<Vec<GameRecord>> {
        let mut games = self.experiment()?.games()?;
        // A journal may have more games than this contest.
        games.retain(|game| game.slot.index < self.slots.len());
        Ok(games)
    }

    /// How many games the journal has, including those beyond this schedule.
    pub fn games_in_journal(&self) -> anyhow::Result<usize> {
        Ok(self.experiment()?.done_slots()?.len())
    }

    /// Plays the missing games until the flag is raised. A panic of an agent is an incident of its game.
    pub fn play(&self, stop: &Stop, events: &mut Events<'_>) -> anyhow::Result<RunReport> {
        self.play_with(stop, events, &|_| {})
    }

    /// The same; `making` is called on a worker before it builds the agent with a number.
    fn play_with(
        &self,
        stop: &Stop,
        events: &mut Events<'_>,
        making: &(dyn Fn(usize) + Sync),
    ) -> anyhow::Result<RunReport> {
        let mut ledger = self.experiment()?;
        self.loaded.game.with(Playing { opened: self, ledger: &mut ledger, stop, events, making })
    }

    fn experiment(&self) -> anyhow::Result<Experiment<'_>> {
        Ok(self.journal.experiment(&self.name, &self.spec)?)
    }
}

/// Plays with the game in its concrete type.
struct Playing<'p, 'e, 'j> {
    opened: &'p Opened<'p>,
    ledger: &'p mut Experiment<'j>,
    stop: &'p Stop,
    events: &'p mut Events<'e>,
    making: &'p (dyn Fn(usize) + Sync),
}

impl WithGame for Playing<'_, '_, '_> {
    type Out = anyhow::Result<RunReport>;

    fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
        let Opened { contest, slots, settings, .. } = self.opened;
        let done: BTreeSet<usize> = self.ledger.done_slots()?.into_iter().collect();
        let missing = slots.iter().filter(|slot| !done.contains(&slot.index)).count();
        let workers = contest.n_workers().min(missing.max(1));
        let contest_agents = ContestAgents::new(&game, contest);
        let scheduler = Scheduler {
            names: &settings.names(),
            slots,
            workers,
            sprt: contest.sprt,
            lead: contest.together.is_none().then_some(LEAD * workers),
            stop: self.stop.flag(),
        };
        let agents = |agent| {
            (self.making)(agent);
            contest_agents.agent(agent)
        };
        let thinker = || contest_agents.thinker();
        let runner = AgentRunner {
            game,
            terms: &contest.terms,
            agents: &agents,
            thinker: &thinker,
            games_per_worker: contest_agents.games_per_worker(missing, workers),
            clock: &SystemClock,
        };
        Ok(runner.run(&scheduler, self.ledger, &mut Reporter(self.events))?)
    }
}
