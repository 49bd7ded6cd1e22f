//! Plays the cells of an experiment, one after the other.

use std::path::{Path, PathBuf};

use anyhow::Context;
use ludens_arena::play::Terms;
use ludens_catalog::{AgentSpec, Cache, ReasonerKind, load_agent, load_source};

use super::course::Course;
use super::experiment::{Cell, Experiment, INITIAL};
use super::findings::Measured;
use super::initial::Lesson;
use super::t;
use crate::cli::ReasonerArg;
use crate::contest::{Contest, is_interrupted};

/// How cells are played.
pub struct Conditions {
    /// How many games a cell; `None` for as many as in the paper.
    pub games: Option<usize>,
    /// What all random numbers are derived from.
    pub seed: u64,
    /// How many threads play; `None` for all cores.
    pub concurrency: Option<usize>,
    /// Where games are written down.
    pub journal: PathBuf,
    /// The version of the program, where the environment says.
    pub commit: Option<String>,
}

impl Conditions {
    /// How many games a cell has.
    pub fn games(&self, cell: &Cell) -> usize {
        self.games.unwrap_or(cell.paper_games)
    }

    /// Where learnt policies are kept: beside the journal.
    fn policies(&self) -> PathBuf {
        self.journal.with_extension("policies")
    }

    fn workers(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.concurrency.unwrap_or_else(cores)
    }
}

/// Tells slips in any of the cells before the first game is played.
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

/// Plays what is missing of cells, and hands over what was measured of each as soon as it is known.
/// Ctrl-C ends it with what was measured so far.
pub fn play(
    experiment: &Experiment,
    cells: &[&Cell],
    conditions: &Conditions,
    cache: &Cache,
    mut take: impl FnMut(&Cell, Option<Measured>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut course =
        Course::new(cells.iter().map(|cell| (cell.limit.work(), conditions.games(cell))));
    for (at, cell) in cells.iter().enumerate() {
        if is_interrupted() {
            return Ok(());
        }
        course.enter(cell, at + 1, cells.len());
        let Some(contest) = contest(experiment, cell, conditions, cache)? else { return Ok(()) };
        let opened = contest.open(cache)?;
        let standing = opened.play(&mut course)?.board.standing();
        let ours = Measured::of(&standing, &opened.settings, conditions.commit.clone());
        let counts_results = cell.paper_results.is_some();
        take(cell, if counts_results { ours.map(Measured::by_results) } else { ours })?;
    }
    Ok(())
}

/// The match of a cell, with policies learnt and T measured; `None` if the user has no patience for
/// that.
fn contest(
    experiment: &Experiment,
    cell: &Cell,
    conditions: &Conditions,
    cache: &Cache,
) -> anyhow::Result<Option<Contest>> {
    let reasoner = ReasonerArg::of(cell.reasoner.parse()?);
    let begins_with_it = cell.first.contains(INITIAL) || cell.second.contains(INITIAL);
    let mut policy = None;
    if let Some(initial) = experiment.about.initial.as_ref().filter(|_| begins_with_it) {
        let loaded = reasoner.load_game(&cell.game, ReasonerKind::Auto, cache)?;
        let lesson = Lesson { initial, seed: conditions.seed, workers: conditions.workers() };
        match lesson.file(&loaded, &conditions.policies())? {
            Some(path) => policy = Some(path),
            None => return Ok(None),
        }
    }
    let agents = agents(cell, policy.as_deref())?;
    let t = if cell.limit.needs_t() { t::of_cell(cell, conditions, cache)? } else { None };
    if cell.limit.needs_t() && t.is_none() {
        return Ok(None);
    }
    let (start, allowance) = cell.limit.allowances(t);
    let &Conditions { seed, concurrency, .. } = conditions;
    let journal = conditions.journal.clone();
    let usual = Contest::new(&cell.game, agents, allowance, conditions.games(cell));
    let terms = Terms { start, ..usual.terms.clone() };
    Ok(Some(Contest { reasoner, terms, t, seed, concurrency, journal, ..usual }))
}

/// The agents of a cell.
fn agents(cell: &Cell, policy: Option<&Path>) -> anyhow::Result<Vec<AgentSpec>> {
    let path = policy.map_or_else(|| "none".into(), Path::to_string_lossy);
    let agent = |text: &String| load_agent(&text.replace(INITIAL, &path));
    Ok(vec![agent(&cell.first)?, agent(&cell.second)?])
}
