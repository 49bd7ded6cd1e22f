//! What `match`, `tournament` and `reproduce` have in common: agents that meet in a game, and a
//! journal that remembers it.
//!
//! A [`Contest`] is plain data. [`Contest::open`] loads its game and finds its games in the journal;
//! [`Opened::play`] plays what is missing. The same contest opened again goes on where it was
//! left, and one with more games begins with the games of the shorter one. [`is_interrupted`] tells
//! whether the user has ended it early.

mod bar;
mod command_line;
mod crew;
mod interrupt;
mod lines;
mod millis;
mod naming;
mod quiet;
mod settings;
mod summary;
mod table;
mod tell;
mod together;
mod toml_file;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use ludens_arena::clock::{Allowance, SystemClock};
use ludens_arena::journal::{Experiment, Journal};
use ludens_arena::play::Terms;
use ludens_arena::record::GameRecord;
use ludens_arena::runner::{AgentRunner, Observer, RunReport, Scheduler};
use ludens_arena::schedule::{Pairing, Plan, Slot};
use ludens_arena::stats::Sprt;
use ludens_catalog::{AgentSpec, Cache, LoadedGame, ReasonerKind, WithGame};
use ludens_core::Game;
use serde_json::Value;

use crate::cli::{QUESTION_TIME, ReasonerArg};
use crate::failure::Hinted;

pub use bar::Bar;
pub use interrupt::{is_interrupted, outcome};
pub use lines::play_in_lines;
pub use millis::Millis;
pub use naming::{distinct, fingerprint, plain};
pub use settings::{FORMAT, Settings, explained};
pub use summary::Summary;
pub use tell::{Void, tell, tell_board, tell_the_place, tell_the_way_on};
pub use toml_file::{Slip, read_toml};

use crew::Company;

/// Where games are written down if nobody says so.
pub const USUAL_JOURNAL: &str = "ludens.journal";

/// With a sequential test, how many games for each thread may be begun ahead of the first open one
/// before many are over.
const LEAD: usize = 4;

/// Agents that meet in one game.
#[derive(Clone)]
pub struct Contest {
    /// The game, as the catalog names it.
    pub game: String,
    /// How its rules are run.
    pub reasoner: ReasonerArg,
    /// Who plays; the first two are those of the sequential test.
    pub agents: Vec<AgentSpec>,
    /// What getting ready and a move may cost, how much later an answer may come, how many plies are
    /// random.
    pub terms: Terms,
    /// The mean time of a random game, if the times are multiples of it: the journal remembers it.
    pub t: Option<Duration>,
    /// Who meets whom.
    pub pairing: Pairing,
    /// How many games each group of agents that meets has.
    pub games: usize,
    /// What all random numbers are derived from.
    pub seed: u64,
    /// How many threads play; `None` for all cores.
    pub concurrency: Option<usize>,
    /// How many games each thread plays at the same time; `None` for as many as suit.
    pub together: Option<usize>,
    /// Ends the contest as soon as it has a verdict on the first two agents.
    pub sprt: Option<Sprt>,
    /// Where games are written down.
    pub journal: PathBuf,
    /// The name of the contest in the journal; `None` for one made of its settings.
    pub name: Option<String>,
}

impl Contest {
    /// A contest with usual settings: round robin, seed 1, all cores, the usual journal.
    pub fn new(game: &str, agents: Vec<AgentSpec>, allowance: Allowance, games: usize) -> Self {
        Contest {
            game: game.to_owned(),
            reasoner: ReasonerArg::default(),
            agents,
            terms: Terms::new(allowance),
            t: None,
            pairing: Pairing::RoundRobin,
            games,
            seed: 1,
            concurrency: None,
            together: None,
            sprt: None,
            journal: USUAL_JOURNAL.into(),
            name: None,
        }
    }

    /// Loads the game and opens the journal.
    pub fn open(&self, cache: &Cache) -> anyhow::Result<Opened<'_>> {
        if self.games == 0 {
            let hint = "say how many games are to be played, such as 100";
            return Err(Hinted::new("no games prove nothing", hint).into());
        }
        let mut loaded = self.reasoner.load_game(&self.game, ReasonerKind::Auto, cache)?;
        loaded.game = loaded.game.limited(QUESTION_TIME);
        self.check_company(&loaded)?;
        let slots = self.plan(&loaded).slots()?;
        let settings = Settings::of(self, &loaded);
        let name = self.name.clone().unwrap_or_else(|| settings.usual_name());
        let spec = serde_json::to_value(&settings).context("the settings are no JSON")?;
        let journal = Journal::open(&self.journal)?;
        // Whether the name is taken by another contest must be known before anything is played.
        journal.experiment(&name, &spec).map_err(settings::explained)?;
        Ok(Opened { contest: self, name, settings, slots, loaded, journal, spec })
    }

    /// Whether there are enough agents for the game, and for the test that is asked for.
    fn check_company(&self, loaded: &LoadedGame) -> anyhow::Result<()> {
        let (game, is_alone) = (&loaded.source.name, loaded.game.roles().len() == 1);
        if is_alone && self.sprt.is_some() {
            let message = format!(
                "a sequential test needs agents that meet, and {game} is played by one alone"
            );
            let hint = "leave out --sprt: scores and their intervals tell who is better";
            return Err(Hinted::new(message, hint).into());
        }
        if !is_alone && self.agents.len() < 2 {
            let message = format!("one agent has nobody to play {game} against");
            let hint = "name two or more, such as `uct flat`; `uct uct` is a match as well";
            return Err(Hinted::new(message, hint).into());
        }
        Ok(())
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
    /// The contest as the journal knows it.
    pub settings: Settings,
    /// All its games.
    pub slots: Vec<Slot>,
    /// The game.
    pub loaded: LoadedGame,
    journal: Journal,
    spec: Value,
}

impl Opened<'_> {
    /// The games of the schedule that are written down already.
    pub fn earlier_games(&self) -> anyhow::Result<Vec<GameRecord>> {
        let mut games = self.experiment()?.games()?;
        // A journal may have more games than are asked for now.
        games.retain(|game| game.slot.index < self.slots.len());
        Ok(games)
    }

    /// How many games the journal has, also such as are not asked for now.
    pub fn games_in_journal(&self) -> anyhow::Result<usize> {
        Ok(self.experiment()?.done_slots()?.len())
    }

    /// Plays what is missing. A panic of an agent is a result and not told; Ctrl-C ends the run
    /// with what is written down.
    pub fn play(&self, observer: &mut dyn Observer) -> anyhow::Result<RunReport> {
        let _quiet = quiet::panics_of_other_threads();
        let mut ledger = self.experiment()?;
        self.loaded.game.with(Playing { opened: self, ledger: &mut ledger, observer })
    }

    fn experiment(&self) -> anyhow::Result<Experiment<'_>> {
        Ok(self.journal.experiment(&self.name, &self.spec)?)
    }
}

/// Plays with the game in its own type.
struct Playing<'p, 'o, 'j> {
    opened: &'p Opened<'p>,
    ledger: &'p mut Experiment<'j>,
    observer: &'o mut dyn Observer,
}

impl WithGame for Playing<'_, '_, '_> {
    type Out = anyhow::Result<RunReport>;

    fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
        let Opened { contest, slots, settings, .. } = self.opened;
        let done: BTreeSet<usize> = self.ledger.done_slots()?.into_iter().collect();
        let missing = slots.iter().filter(|slot| !done.contains(&slot.index)).count();
        let workers = contest.n_workers().min(missing.max(1));
        let company = Company::new(&game, contest);
        let scheduler = Scheduler {
            names: &settings.names(),
            slots,
            workers,
            sprt: contest.sprt,
            lead: contest.together.is_none().then_some(LEAD * workers),
            stop: interrupt::flag(),
        };
        let (agents, thinker) = (|agent| company.agent(agent), || company.thinker());
        let runner = AgentRunner {
            game,
            terms: &contest.terms,
            agents: &agents,
            thinker: &thinker,
            games_per_worker: company.games_per_worker(missing, workers),
            clock: &SystemClock,
        };
        Ok(runner.run(&scheduler, self.ledger, self.observer)?)
    }
}
