//! Plays the cells of an experiment, one after the other.

use std::path::{Path, PathBuf};

use anyhow::Context;
use ludens_arena::play::Terms;
use ludens_catalog::{AgentSpec, Cache, ReasonerKind, load_agent, load_source};
use serde::{Deserialize, Serialize};

use super::experiment::{Cell, Experiment, INITIAL};
use super::findings::Measured;
use super::unit_time;
use crate::contest::Contest;
use crate::event::{Event, Events};
use crate::initial_policy::PolicyLearner;
use crate::load::LoadSettings;
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
        load_source(&cell.game).with_context(|| format!("the cell `{}`", cell.name))?;
        for agent in [&cell.first, &cell.second] {
            let agent = load_agent(&agent.replace(INITIAL, "none"));
            agent.with_context(|| format!("the cell `{}`", cell.name))?;
        }
    }
    Ok(())
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
            let standing = opened.play(self.stop, self.events)?.board.standing();
            let ours = Measured::of(&standing, &opened.settings, self.settings.commit.clone());
            let counts_results = cell.paper_results.is_some();
            let ours = if counts_results { ours.map(Measured::by_results) } else { ours };
            (self.events)(Event::CellEnded { cell, measured: ours.as_ref() });
        }
        Ok(())
    }

    /// The contest of a cell, with its policy learnt and T measured; `None` if the flag is raised
    /// meanwhile.
    fn contest(&mut self, experiment: &Experiment, cell: &Cell) -> anyhow::Result<Option<Contest>> {
        let load = LoadSettings::from(cell.reasoner.parse::<ReasonerKind>()?);
        let needs_policy = cell.first.contains(INITIAL) || cell.second.contains(INITIAL);
        let mut policy = None;
        if let Some(initial) = experiment.about.initial.as_ref().filter(|_| needs_policy) {
            let loaded = load.load_game(&cell.game, self.cache, self.events)?;
            let (seed, workers) = (self.settings.seed, self.settings.workers());
            let learner = PolicyLearner { initial, seed, workers, stop: self.stop };
            match learner.file(&loaded, &self.settings.policies(), self.events)? {
                Some(path) => policy = Some(path),
                None => return Ok(None),
            }
        }
        let agents = agents(cell, policy.as_deref())?;
        let t = if cell.limit.needs_t() { unit_time::of_cell(cell, self)? } else { None };
        if cell.limit.needs_t() && t.is_none() {
            return Ok(None);
        }
        let (start, allowance) = cell.limit.allowances(t);
        let &PlaySettings { seed, concurrency, .. } = self.settings;
        let journal = self.settings.journal.clone();
        let default = Contest::new(&cell.game, agents, allowance, self.settings.games(cell));
        let terms = Terms { start, ..default.terms.clone() };
        Ok(Some(Contest { load, terms, t, seed, concurrency, journal, ..default }))
    }
}

/// The agents of a cell.
fn agents(cell: &Cell, policy: Option<&Path>) -> anyhow::Result<Vec<AgentSpec>> {
    let path = policy.map_or_else(|| "none".into(), Path::to_string_lossy);
    let agent = |text: &String| load_agent(&text.replace(INITIAL, &path));
    Ok(vec![agent(&cell.first)?, agent(&cell.second)?])
}
