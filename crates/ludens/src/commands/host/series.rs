//! The matches of one game: who meets whom, what is missing, and playing several at the same time.

use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, SystemTime};

use anyhow::Context;
use ludens_arena::journal::{Experiment, Journal};
use ludens_arena::record::GameRecord;
use ludens_arena::runner::Observer;
use ludens_arena::schedule::{Plan, Slot};
use ludens_arena::standing::Scoreboard;
use ludens_catalog::LoadedGame;
use ludens_core::Trouble;
use ludens_protocol::{Address, Hosted, Played};
use serde_json::Value;
use tokio::runtime::Runtime;

use super::Host;
use super::record::game_record;
use crate::contest::{Settings, explained, is_interrupted};

/// The role that nobody plays: its moves are drawn.
const DRAWN: &str = "random";

/// How often a match under way looks whether the user wants an end.
const LOOK_UP: Duration = Duration::from_millis(100);

/// The matches of one game.
pub(super) struct Series<'a> {
    setting: Setting<'a>,
    /// What it is called in the journal.
    pub name: String,
    /// What its matches depend on.
    pub settings: Settings,
    spec: Value,
    slots: Vec<Slot>,
}

/// What all matches have in common.
#[derive(Clone, Copy)]
struct Setting<'a> {
    args: &'a Host,
    loaded: &'a LoadedGame,
}

/// A match that has ended.
pub(super) struct Ended {
    /// Where it stands in the schedule.
    pub slot: Slot,
    /// How it was set up.
    pub hosted: Hosted,
    /// When it began.
    pub begun: SystemTime,
    /// How it went.
    pub outcome: Result<Played, Trouble>,
}

impl<'a> Series<'a> {
    /// Who meets whom in a game; nothing is written down yet.
    pub(super) fn new(args: &'a Host, loaded: &'a LoadedGame) -> anyhow::Result<Self> {
        let roles = loaded.game.roles();
        let n_played = roles.iter().filter(|role| *role != DRAWN).count();
        let plan = Plan {
            n_agents: args.players.len(),
            roles: vec![n_played.max(1)],
            pairing: args.pairing(),
            games_per_meeting: args.matches,
            seed: args.seed,
        };
        let mut slots = plan.slots()?;
        // Whoever draws is an agent too, the last one.
        for (at, _) in roles.iter().enumerate().filter(|(_, role)| *role == DRAWN) {
            for slot in &mut slots {
                slot.seats.insert(at.min(slot.seats.len()), args.players.len());
            }
        }
        for slot in &mut slots {
            slot.seats.truncate(roles.len());
        }
        let mut agents: Vec<String> = args.players.iter().map(ToString::to_string).collect();
        if roles.iter().any(|role| role == DRAWN) {
            agents.push(DRAWN.to_owned());
        }
        let settings = args.settings(loaded, agents);
        let name = args.name.clone().unwrap_or_else(|| settings.usual_name());
        let spec = serde_json::to_value(&settings).context("the settings are no JSON")?;
        let setting = Setting { args, loaded };
        Ok(Series { setting, name, settings, spec, slots })
    }

    /// Whether the journal has all matches already. It is only looked at, and not made.
    pub(super) fn was_played(&self) -> anyhow::Result<bool> {
        let path = &self.setting.args.journal;
        if !path.exists() {
            return Ok(false);
        }
        let journal = Journal::open_existing(path)?;
        let Some(experiment) = journal.find(&self.name)? else { return Ok(false) };
        let done = experiment.done_slots()?;
        Ok(self.slots.iter().all(|slot| done.contains(&slot.index)))
    }

    /// What the journal has of the matches; an error if they were begun with other settings.
    pub(super) fn experiment<'j>(&self, journal: &'j Journal) -> anyhow::Result<Experiment<'j>> {
        journal.experiment(&self.name, &self.spec).map_err(explained)
    }

    /// The matches of the schedule that are written down.
    pub(super) fn games(&self, journal: &Journal) -> anyhow::Result<Vec<GameRecord>> {
        let mut games = self.experiment(journal)?.games()?;
        // The journal may have more than are asked for now.
        games.retain(|game| game.slot.index < self.slots.len());
        Ok(games)
    }

    /// How many matches there are.
    pub(super) fn n_matches(&self) -> usize {
        self.slots.len()
    }

    /// Plays what is missing. Every match is written down and then told; `told` says how they stand.
    pub(super) fn play(
        &self,
        journal: &Journal,
        runtime: &Runtime,
        bar: &mut dyn Observer,
        mut tell: impl FnMut(&Ended) -> anyhow::Result<()>,
    ) -> anyhow::Result<Scoreboard> {
        let experiment = self.experiment(journal)?;
        let mut board = Scoreboard::new(&self.settings.names());
        let games = self.games(journal)?;
        let known = |slot: &Slot| games.iter().find(|game| game.slot.index == slot.index);
        let (done, missing): (Vec<&Slot>, Vec<&Slot>) =
            self.slots.iter().partition(|slot| known(slot).is_some());
        done.iter().filter_map(|slot| known(slot)).for_each(|game| board.add(game));
        bar.begun(done.len(), self.slots.len(), &board);
        let waiting = Mutex::new(missing.into_iter());
        let (sender, receiver) = sync_channel(1);
        std::thread::scope(|scope| {
            for _ in 0..self.setting.args.concurrency {
                let (sender, waiting, setting) = (sender.clone(), &waiting, self.setting);
                scope.spawn(move || setting.work(runtime, waiting, &sender));
            }
            drop(sender);
            for ended in receiver {
                let record = game_record(&ended.slot, &ended.outcome);
                experiment.record(std::slice::from_ref(&record))?;
                board.add(&record);
                tell(&ended)?;
                bar.game_ended(&record, &board);
            }
            Ok(board)
        })
    }
}

impl Setting<'_> {
    /// Plays one match after the other, as long as there are some and the user does not want an end.
    fn work<'s>(
        &self,
        runtime: &Runtime,
        waiting: &Mutex<impl Iterator<Item = &'s Slot>>,
        sender: &SyncSender<Ended>,
    ) {
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some(slot) = next().filter(|_| !is_interrupted()) {
            let begun = SystemTime::now();
            let hosted = self.hosted(slot, begun);
            let outcome = runtime.block_on(async {
                tokio::select! {
                    outcome = hosted.play(|_| {}) => Some(outcome),
                    () = interrupted() => {
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
        // Of a file, what it is called; where it lies is nobody else's business.
        let name = Path::new(&self.loaded.source.name).file_stem().unwrap_or_default();
        let name: String = name.to_string_lossy().chars().map(fit).collect();
        let player = |&agent: &usize| -> Option<Address> { self.args.players.get(agent).cloned() };
        Hosted {
            id: format!("{name}.{}.{}.{begun}", self.args.seed, slot.index),
            rules: self.loaded.source.source.text.clone(),
            symbols: self.loaded.rules.symbols.clone(),
            reasoner: self.loaded.game.reasoner(),
            players: slot.seats.iter().map(player).collect(),
            start_clock: self.args.start_clock,
            play_clock: self.args.play_clock,
            grace: self.args.grace,
            most_steps: self.args.most_steps.unwrap_or(usize::MAX),
            scramble: self.args.scramble,
            seed: slot.seed.wrapping_add(slot.index as u64),
        }
    }
}

/// Ends when the user wants an end.
async fn interrupted() {
    while !is_interrupted() {
        tokio::time::sleep(LOOK_UP).await;
    }
}
