//! The matches of one game: their schedule, which are missing, and playing several at the same time.

use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, SystemTime};

use anyhow::Context;
use ludens_arena::journal::{Experiment, Journal};
use ludens_arena::record::GameRecord;
use ludens_arena::schedule::{Plan, Slot};
use ludens_arena::standing::Scoreboard;
use ludens_catalog::LoadedGame;
use ludens_core::Trouble;
use ludens_protocol::{Address, Hosted, Played};
use serde_json::Value;
use tokio::runtime::Runtime;

use super::HostSettings;
use super::record::game_record;
use crate::contest::{Settings, explained};
use crate::event::{Event, Events};
use crate::stop::Stop;

/// The role that no player has: its moves are drawn at random.
const RANDOM_ROLE: &str = "random";

/// How often a running match checks the stop flag.
const STOP_POLL: Duration = Duration::from_millis(100);

/// The matches of one game.
pub struct Series<'a> {
    common: Common<'a>,
    /// Its name in the journal.
    pub name: String,
    /// What its matches depend on.
    pub settings: Settings,
    spec: Value,
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
        let mut agents: Vec<String> = host.players.iter().map(ToString::to_string).collect();
        if roles.iter().any(|role| role == RANDOM_ROLE) {
            agents.push(RANDOM_ROLE.to_owned());
        }
        let settings = host.contest(loaded, agents);
        let name = host.name.clone().unwrap_or_else(|| settings.default_name());
        let spec = serde_json::to_value(&settings).context("the settings are no JSON")?;
        let common = Common { host, loaded };
        Ok(Series { common, name, settings, spec, slots })
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
        journal.experiment(&self.name, &self.spec).map_err(explained)
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
        mut ended: impl FnMut(&Ended) -> anyhow::Result<()>,
    ) -> anyhow::Result<Scoreboard> {
        let experiment = self.experiment(journal)?;
        let mut board = Scoreboard::new(&self.settings.names());
        let games = self.games(journal)?;
        let known = |slot: &Slot| games.iter().find(|game| game.slot.index == slot.index);
        let (done, missing): (Vec<&Slot>, Vec<&Slot>) =
            self.slots.iter().partition(|slot| known(slot).is_some());
        done.iter().filter_map(|slot| known(slot)).for_each(|game| board.add(game));
        let (done, total) = (done.len(), self.slots.len());
        events(Event::ContestBegun { done, total, board: &board });
        let waiting = Mutex::new(missing.into_iter());
        let (sender, receiver) = sync_channel(1);
        std::thread::scope(|scope| {
            for _ in 0..self.common.host.concurrency {
                let (sender, waiting, common) = (sender.clone(), &waiting, self.common);
                scope.spawn(move || common.work((runtime, stop), waiting, &sender));
            }
            drop(sender);
            for done in receiver {
                let record = game_record(&done.slot, &done.outcome);
                experiment.record(std::slice::from_ref(&record))?;
                board.add(&record);
                ended(&done)?;
                events(Event::GameEnded { game: &record, board: &board });
            }
            Ok(board)
        })
    }
}

impl Common<'_> {
    /// Plays one match after the other until there are no more or the flag is raised.
    fn work<'s>(
        &self,
        (runtime, stop): (&Runtime, &Stop),
        waiting: &Mutex<impl Iterator<Item = &'s Slot>>,
        sender: &SyncSender<Ended>,
    ) {
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some(slot) = next().filter(|_| !stop.is_raised()) {
            let begun = SystemTime::now();
            let hosted = self.hosted(slot, begun);
            let outcome = runtime.block_on(async {
                tokio::select! {
                    outcome = hosted.play(|_| {}) => Some(outcome),
                    () = raised(stop) => {
                        hosted.abort().await;
                        None
                    }
                }
            });
            let Some(outcome) = outcome else { return };
            let ended = Ended { slot: slot.clone(), hosted, begun, outcome };
            if sender.send(ended).is_err() {
                return;
            }
        }
    }

    /// A match that begins.
    fn hosted(&self, slot: &Slot, begun: SystemTime) -> Hosted {
        let begun = begun.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_millis();
        let fit = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        // Players are not told where a file lies.
        let name = Path::new(&self.loaded.source.name).file_stem().unwrap_or_default();
        let name: String = name.to_string_lossy().chars().map(fit).collect();
        let player = |&agent: &usize| -> Option<Address> { self.host.players.get(agent).cloned() };
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
async fn raised(stop: &Stop) {
    while !stop.is_raised() {
        tokio::time::sleep(STOP_POLL).await;
    }
}
