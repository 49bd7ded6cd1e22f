//! The matches of one game: their schedule, which are missing, and playing several at the same time.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use anyhow::Context;
use ludens_arena::journal::{Experiment, Journal};
use ludens_arena::record::GameRecord;
use ludens_arena::runner::{Ledger, RunError, Scheduler};
use ludens_arena::schedule::{Plan, Slot};
use ludens_arena::standing::Scoreboard;
use ludens_catalog::LoadedGame;
use ludens_core::Trouble;
use ludens_protocol::{Address, Hosted, Played, RANDOM_ROLE};
use serde_json::Value;
use tokio::runtime::Runtime;

use super::HostSettings;
use super::named_player::{NamedPlayer, labels};
use super::record::game_record;
use super::roles::check_roles;
use crate::contest::{Settings, explained};
use crate::event::{Events, Reporter};
use crate::stop::Stop;

/// How often a running match checks the stop flag.
const STOP_POLL: Duration = Duration::from_millis(100);

/// The matches of one game.
pub struct Series<'a> {
    common: Common<'a>,
    /// Its name in the journal.
    pub name: String,
    /// What its matches depend on.
    pub settings: Settings,
    slots: Vec<Slot>,
}

/// What all matches have in common.
#[derive(Clone, Copy)]
struct Common<'a> {
    host: &'a HostSettings,
    loaded: &'a LoadedGame,
}

/// A match that has ended.
pub struct Ended {
    /// Its place in the schedule.
    pub slot: Slot,
    /// How it was set up.
    pub hosted: Hosted,
    /// When it began.
    pub begun: SystemTime,
    /// Its result.
    pub outcome: Result<Played, Trouble>,
}

impl<'a> Series<'a> {
    /// The schedule of a game; the journal is not touched yet.
    pub fn new(host: &'a HostSettings, loaded: &'a LoadedGame) -> anyhow::Result<Self> {
        let roles = loaded.game.roles();
        let n_played = roles.iter().filter(|role| *role != RANDOM_ROLE).count();
        let plan = Plan {
            n_agents: host.players.len(),
            roles: vec![n_played.max(1)],
            pairing: host.pairing,
            games_per_meeting: host.matches,
            seed: host.seed,
        };
        let mut slots = plan.slots()?;
        // The random role counts as an agent, the last one.
        for (at, _) in roles.iter().enumerate().filter(|(_, role)| *role == RANDOM_ROLE) {
            for slot in &mut slots {
                slot.seats.insert(at.min(slot.seats.len()), host.players.len());
            }
        }
        for slot in &mut slots {
            slot.seats.truncate(roles.len());
        }
        check_roles(host, &loaded.source.name, &slots)?;
        let address = |player: &NamedPlayer| player.address.to_string();
        let mut agents: Vec<String> = host.players.iter().map(address).collect();
        if roles.iter().any(|role| role == RANDOM_ROLE) {
            agents.push(RANDOM_ROLE.to_owned());
        }
        let mut settings = host.contest(loaded, agents);
        // The default name is the same whatever the names of the players are.
        let name = host.name.clone().unwrap_or_else(|| settings.default_name());
        settings.players = labels(&host.players, &[]);
        let common = Common { host, loaded };
        Ok(Series { common, name, settings, slots })
    }

    /// Names the players as they state it, where the settings give no name.
    pub fn name_players(&mut self, stated: &[Option<String>]) {
        self.settings.players = labels(&self.common.host.players, stated);
    }

    /// Names the players as the journal does, where the settings give no name: nobody can be asked once all
    /// matches were played.
    pub fn recall_names(&mut self) -> anyhow::Result<()> {
        let journal = Journal::open_existing(&self.common.host.journal)?;
        let earlier = journal.find(&self.name)?;
        let earlier = earlier.map(|earlier| recorded_names(&earlier.spec)).unwrap_or_default();
        let players = self.common.host.players.iter().zip(&mut self.settings.players);
        for ((_, label), name) in players.zip(earlier).filter(|((p, _), _)| p.name.is_none()) {
            *label = name;
        }
        Ok(())
    }

    /// Whether the journal has all matches already; it is not created.
    pub fn was_played(&self) -> anyhow::Result<bool> {
        let path = &self.common.host.journal;
        if !path.exists() {
            return Ok(false);
        }
        let journal = Journal::open_existing(path)?;
        let Some(experiment) = journal.find(&self.name)? else { return Ok(false) };
        let done = experiment.done_slots()?;
        Ok(self.slots.iter().all(|slot| done.contains(&slot.index)))
    }

    /// The matches in the journal; an error if they began with other settings.
    pub fn experiment<'j>(&self, journal: &'j Journal) -> anyhow::Result<Experiment<'j>> {
        let mut settings = self.settings.clone();
        // The journal keeps the names that it has: the contest is the same under other names.
        if let Some(earlier) = journal.find(&self.name)? {
            settings.players = recorded_names(&earlier.spec);
        }
        let spec = serde_json::to_value(&settings).context("the settings are no JSON")?;
        journal.experiment(&self.name, &spec).map_err(explained)
    }

    /// The matches of the schedule that the journal has.
    pub fn games(&self, journal: &Journal) -> anyhow::Result<Vec<GameRecord>> {
        let mut games = self.experiment(journal)?.games()?;
        // A journal may have more matches than this schedule.
        games.retain(|game| game.slot.index < self.slots.len());
        Ok(games)
    }

    /// How many matches there are.
    pub fn n_matches(&self) -> usize {
        self.slots.len()
    }

    /// Plays the missing matches until the flag is raised. Every match is recorded and then passed to
    /// `ended`; the result is the standing.
    pub fn play(
        &self,
        (journal, runtime): (&Journal, &Runtime),
        stop: &Stop,
        events: &mut Events<'_>,
        ended: impl FnMut(&Ended) -> anyhow::Result<()>,
    ) -> anyhow::Result<Scoreboard> {
        let waiting = Mutex::default();
        let mut ledger =
            MatchLedger { experiment: self.experiment(journal)?, waiting: &waiting, ended };
        let scheduler = Scheduler {
            names: &self.settings.names(),
            slots: &self.slots,
            workers: self.common.host.concurrency,
            sprt: None,
            lead: None,
            stop: stop.flag(),
        };
        let play = |slot: &Slot, halt: &Arc<AtomicBool>| {
            let ended = self.common.play(slot, runtime, halt)?;
            let record = game_record(slot, &ended.outcome);
            lock(&waiting).insert(slot.index, ended);
            Some(record)
        };
        match scheduler.run(&play, &mut ledger, &mut Reporter(events)) {
            Ok(report) => Ok(report.board),
            Err(RunError::Ledger(error)) => Err(error),
            Err(other) => Err(anyhow::Error::msg(other.to_string())),
        }
    }
}

/// The names of the players in the settings of a journal.
fn recorded_names(spec: &Value) -> Vec<String> {
    serde_json::from_value(spec["players"].clone()).unwrap_or_default()
}

/// Matches that have ended and are not recorded yet, by their index in the schedule.
type Waiting = Mutex<BTreeMap<usize, Ended>>;

fn lock(waiting: &Waiting) -> MutexGuard<'_, BTreeMap<usize, Ended>> {
    // Nothing panics while it holds the lock.
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The journal's matches; each that is recorded is passed on as a whole.
struct MatchLedger<'a, F> {
    experiment: Experiment<'a>,
    waiting: &'a Waiting,
    ended: F,
}

impl<F: FnMut(&Ended) -> anyhow::Result<()>> Ledger for MatchLedger<'_, F> {
    type Error = anyhow::Error;

    fn games(&self) -> anyhow::Result<Vec<GameRecord>> {
        Ok(self.experiment.games()?)
    }

    fn record(&mut self, games: &[GameRecord]) -> anyhow::Result<Vec<Option<GameRecord>>> {
        let earlier = Ledger::record(&mut self.experiment, games)?;
        for game in games {
            let ended = lock(self.waiting).remove(&game.slot.index);
            // A match whose host panicked has a record only.
            ended.map_or(Ok(()), |ended| (self.ended)(&ended))?;
        }
        Ok(earlier)
    }
}

impl Common<'_> {
    /// Plays a match; `None` if it was stopped.
    fn play(&self, slot: &Slot, runtime: &Runtime, halt: &AtomicBool) -> Option<Ended> {
        let begun = SystemTime::now();
        let hosted = self.hosted(slot, begun);
        let outcome = runtime.block_on(async {
            tokio::select! {
                outcome = hosted.play(|_| {}) => Some(outcome),
                () = raised(halt) => {
                    hosted.abort().await;
                    None
                }
            }
        });
        outcome.map(|outcome| Ended { slot: slot.clone(), hosted, begun, outcome })
    }

    /// A match that begins.
    fn hosted(&self, slot: &Slot, begun: SystemTime) -> Hosted {
        let begun = begun.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_millis();
        let fit = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        // Players are not told where a file lies.
        let name = Path::new(&self.loaded.source.name).file_stem().unwrap_or_default();
        let name: String = name.to_string_lossy().chars().map(fit).collect();
        let player = |&agent: &usize| -> Option<Address> {
            Some(self.host.players.get(agent)?.address.clone())
        };
        Hosted {
            id: format!("{name}.{}.{}.{begun}", self.host.seed, slot.index),
            rules: self.loaded.source.source.text.clone(),
            symbols: self.loaded.rules.symbols.clone(),
            reasoner: self.loaded.game.reasoner(),
            players: slot.seats.iter().map(player).collect(),
            start_clock: self.host.start_clock,
            play_clock: self.host.play_clock,
            grace: self.host.grace,
            most_steps: self.host.most_steps.unwrap_or(usize::MAX),
            scramble: self.host.scramble,
            seed: slot.seed.wrapping_add(slot.index as u64),
        }
    }
}

/// Ends when the flag is raised.
async fn raised(flag: &AtomicBool) {
    while !flag.load(Ordering::Relaxed) {
        tokio::time::sleep(STOP_POLL).await;
    }
}
