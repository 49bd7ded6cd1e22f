//! Plays the cells of an experiment, one after the other.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Context;
use ludens_arena::play::Terms;
use ludens_catalog::{AgentSpec, Cache, ReasonerKind, load_agent, load_game, load_source};
use serde::{Deserialize, Serialize};

use super::experiment::{Cell, Experiment, INITIAL};
use super::findings::Measured;
use super::networks::{INITIAL_NAME, NetworkSettings, filled, unlearnt};
use super::trained::{NetworkTrainer, TrainingTime};
use super::unit_time;
use crate::contest::{Contest, fixed_seats};
use crate::event::{Event, Events};
use crate::hinted::Hinted;
use crate::initial_policy::PolicyLearner;
use crate::load::{LoadSettings, load_budget};
use crate::stop::Stop;

/// How cells are played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlaySettings {
    /// How many games per cell; `None` for as many as in the paper.
    pub games: Option<usize>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// How many threads play; `None` for all cores.
    pub concurrency: Option<usize>,
    /// The file to which games are written.
    pub journal: PathBuf,
    /// The version of the program, if known.
    pub commit: Option<String>,
}

/// A run of an experiment.
pub struct Run<'a, 'e> {
    /// How cells are played.
    pub settings: &'a PlaySettings,
    /// The cache of networks.
    pub cache: &'a Cache,
    /// Stops the run early.
    pub stop: &'a Stop,
    /// Receives events.
    pub events: &'a mut Events<'e>,
}

impl PlaySettings {
    /// How many games a cell has.
    pub fn games(&self, cell: &Cell) -> usize {
        self.games.unwrap_or(cell.paper_games)
    }

    /// The folder of learnt policies, beside the journal.
    fn policies(&self) -> PathBuf {
        self.journal.with_extension("policies")
    }

    /// The folder of trained networks, beside the journal.
    fn networks(&self) -> PathBuf {
        self.journal.with_extension("networks")
    }

    fn workers(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.concurrency.unwrap_or_else(cores)
    }
}

/// Finds errors in any of the cells before the first game is played.
pub fn check(experiment: &Experiment, cells: &[&Cell]) -> anyhow::Result<()> {
    if let Some(initial) = &experiment.about.initial {
        load_agent(&initial.agent).context("the section [initial]")?;
    }
    for cell in cells {
        check_cell(cell).with_context(|| format!("the cell `{}`", cell.name))?;
    }
    Ok(())
}

fn check_cell(cell: &Cell) -> anyhow::Result<()> {
    let source = load_source(&cell.game)?;
    for agent in cell.agents() {
        load_agent(&unlearnt(agent))?;
    }
    for (name, network) in &cell.networks {
        let own = load_source(&network.game).with_context(|| format!("[networks.{name}]"))?;
        if own.source.text != source.source.text {
            let message = format!("the network `{name}` is for {}, not {}", own.name, source.name);
            let hint = format!("add a section with `game = \"{}\"`, and name it", cell.game);
            return Err(Hinted::new(message, hint).into());
        }
    }
    if cell.roles.is_empty() { Ok(()) } else { check_roles(cell) }
}

/// Whether each agent has a role. The rules need not be grounded to know the roles.
fn check_roles(cell: &Cell) -> anyhow::Result<()> {
    let game = load_game(&cell.game, ReasonerKind::Logic, &load_budget())?;
    let seats = fixed_seats(game.game.roles(), &cell.roles)?;
    match (&cell.second, seats.contains(&1)) {
        (Some(_), false) => {
            let message = "the first agent has all roles, but there is a second one";
            Err(Hinted::new(message, "leave out `second`, or some of `roles`").into())
        }
        (None, true) => {
            let message = "the first agent has some of the roles, and there is no second one";
            Err(Hinted::new(message, "add `second`, or all other roles to `roles`").into())
        }
        _ => Ok(()),
    }
}

impl Run<'_, '_> {
    /// Plays the missing games of cells until the flag is raised; the result of each cell is reported
    /// as soon as it is known.
    pub fn play(&mut self, experiment: &Experiment, cells: &[&Cell]) -> anyhow::Result<()> {
        for (at, cell) in cells.iter().enumerate() {
            if self.stop.is_raised() {
                return Ok(());
            }
            (self.events)(Event::CellBegun { cell, number: at + 1, n_cells: cells.len() });
            let Some(contest) = self.contest(experiment, cell)? else { return Ok(()) };
            let opened = contest.open(self.cache, self.events)?;
            let board = opened.play(self.stop, self.events)?.board;
            let commit = self.settings.commit.clone();
            let ours = Measured::of(&board.standing(), &opened.settings, commit);
            let by_ply = experiment.about.by_ply;
            let ours = if by_ply { ours.map(|ours| ours.with_stages(&board)) } else { ours };
            let counts_results = cell.paper_results.is_some();
            let ours = if counts_results { ours.map(Measured::by_results) } else { ours };
            let training = self.training_times(cell);
            let ours = ours.map(|ours| Measured { training, ..ours });
            (self.events)(Event::CellEnded { cell, measured: ours.as_ref() });
        }
        Ok(())
    }

    /// How long the networks of a cell were trained.
    fn training_times(&self, cell: &Cell) -> BTreeMap<String, TrainingTime> {
        let time = |(name, network): (&String, &NetworkSettings)| {
            let file = network.file(name, self.settings.seed).ok()?;
            Some((name.clone(), TrainingTime::read(&self.settings.networks().join(file))?))
        };
        cell.networks.iter().filter_map(time).collect()
    }

    /// The contest of a cell, with its policy and networks learnt and T measured; `None` if the flag is
    /// raised meanwhile.
    fn contest(&mut self, experiment: &Experiment, cell: &Cell) -> anyhow::Result<Option<Contest>> {
        let load = LoadSettings::from(cell.reasoner.parse::<ReasonerKind>()?);
        let Some(learnt) = self.learnt(experiment, cell, load)? else { return Ok(None) };
        let agents = agents(cell, &learnt)?;
        let t = if cell.limit.needs_t() { unit_time::of_cell(cell, self)? } else { None };
        if cell.limit.needs_t() && t.is_none() {
            return Ok(None);
        }
        let (start, allowance) = cell.limit.allowances(t);
        let &PlaySettings { seed, concurrency, .. } = self.settings;
        let (journal, roles) = (self.settings.journal.clone(), cell.roles.clone());
        let default = Contest::new(&cell.game, agents, allowance, self.settings.games(cell));
        let terms = Terms { start, opening: cell.openings, ..default.terms.clone() };
        Ok(Some(Contest { load, terms, t, roles, seed, concurrency, journal, ..default }))
    }

    /// The files of what the agents of a cell have learnt, by the names in braces; `None` if the flag is
    /// raised meanwhile.
    fn learnt(
        &mut self,
        experiment: &Experiment,
        cell: &Cell,
        load: LoadSettings,
    ) -> anyhow::Result<Option<BTreeMap<String, PathBuf>>> {
        let (seed, workers, stop) = (self.settings.seed, self.settings.workers(), self.stop);
        let mut learnt = BTreeMap::new();
        let needs_policy = cell.agents().any(|agent| agent.contains(INITIAL));
        if let Some(initial) = experiment.about.initial.as_ref().filter(|_| needs_policy) {
            let loaded = load.load_game(&cell.game, self.cache, self.events)?;
            let learner = PolicyLearner { initial, seed, workers, stop };
            let file = learner.file(&loaded, &self.settings.policies(), self.events)?;
            let Some(file) = file else { return Ok(None) };
            learnt.insert(INITIAL_NAME.to_owned(), file);
        }
        let (folder, cache) = (&self.settings.networks(), self.cache);
        let trainer = NetworkTrainer { folder, seed, n_threads: workers, cache, stop };
        for (name, network) in &cell.networks {
            let file = trainer.file(name, network, self.events)?;
            let Some(file) = file else { return Ok(None) };
            learnt.insert(name.clone(), file);
        }
        Ok(Some(learnt))
    }
}

/// The agents of a cell, with the files of what they have learnt.
fn agents(cell: &Cell, learnt: &BTreeMap<String, PathBuf>) -> anyhow::Result<Vec<AgentSpec>> {
    let file = |name: &str| {
        learnt.get(name).map_or_else(|| "none".to_owned(), |file| file.display().to_string())
    };
    cell.agents().map(|agent| Ok(load_agent(&filled(agent, file))?)).collect()
}

#[cfg(test)]
mod tests;
