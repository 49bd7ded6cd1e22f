//! Checks a reasoner against games and recorded truths that others made: every game must load,
//! and every recorded game must be reproduced state by state.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use ludens_core::{Budget, Reasoner};
use ludens_logic::{Limits, LogicGame};
use serde::Deserialize;

/// A recorded game.
#[derive(Deserialize)]
struct Trace {
    roles: Vec<String>,
    playouts: Vec<Playout>,
}

#[derive(Deserialize)]
struct Playout {
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    state: Vec<String>,
    legal: BTreeMap<String, Vec<String>>,
    goal: BTreeMap<String, Vec<String>>,
    terminal: bool,
    moves: Option<BTreeMap<String, String>>,
}

/// What became of one game.
struct Outcome {
    name: String,
    states: usize,
    load: Duration,
    check: Duration,
    problem: Option<String>,
}

/// Runs the check on all games whose name contains `filter`.
pub fn run(corpus: &Path, filter: &str) -> Result<()> {
    let mut games: Vec<PathBuf> = std::fs::read_dir(corpus.join("games"))
        .with_context(|| format!("{} has no folder `games`", corpus.display()))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<std::io::Result<_>>()?;
    games.retain(|path| path.file_stem().is_some_and(|stem| stem.to_string_lossy().contains(filter)));
    games.sort();
    let mut failed = 0;
    let mut states = 0;
    for path in &games {
        let outcome = check_game(corpus, path);
        states += outcome.states;
        let verdict = outcome.problem.as_deref().unwrap_or("ok");
        println!(
            "{:34} load {:8.1?} {:4} states {:8.1?}  {verdict}",
            outcome.name, outcome.load, outcome.states, outcome.check
        );
        failed += usize::from(outcome.problem.is_some());
    }
    println!("{} games, {states} states, {failed} with differences", games.len());
    if failed > 0 {
        bail!("{failed} games differ from their recorded truth");
    }
    Ok(())
}

fn check_game(corpus: &Path, path: &Path) -> Outcome {
    let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let mut outcome = Outcome { name, states: 0, load: Duration::ZERO, check: Duration::ZERO, problem: None };
    if let Err(problem) = check_traces(corpus, path, &mut outcome) {
        outcome.problem = Some(format!("{problem:#}"));
    }
    outcome
}

fn check_traces(corpus: &Path, path: &Path, outcome: &mut Outcome) -> Result<()> {
    let begin = Instant::now();
    let text = std::fs::read_to_string(path)?;
    let (rules, problems) = ludens_gdl::load(&text);
    let Some(rules) = rules else {
        let first = problems.iter().find(|p| p.is_error());
        bail!("does not load: {}", first.map_or("", |p| &p.message));
    };
    let game = LogicGame::load(&rules, &Budget::unlimited().with_time(Duration::from_secs(60)))?
        .with_limits(Limits { time: Some(Duration::from_secs(30)), ..Limits::default() });
    outcome.load = begin.elapsed();
    let begin = Instant::now();
    let trace = corpus.join("traces").join(format!("{}.json.gz", outcome.name));
    if !trace.exists() {
        return Ok(());
    }
    let mut json = String::new();
    flate2::read::GzDecoder::new(File::open(&trace)?).read_to_string(&mut json)?;
    let trace: Trace = serde_json::from_str(&json)?;
    let reasoner: &dyn Reasoner = &game;
    if reasoner.roles() != trace.roles {
        bail!("roles {:?} instead of {:?}", reasoner.roles(), trace.roles);
    }
    for (i, playout) in trace.playouts.iter().enumerate() {
        compare("initial state", &reasoner.initial()?, &playout.steps[0].state)?;
        for (j, step) in playout.steps.iter().enumerate() {
            let next = playout.steps.get(j + 1);
            check_step(reasoner, step, next).with_context(|| format!("game {} step {j}", i + 1))?;
            outcome.states += 1;
        }
    }
    outcome.check = begin.elapsed();
    Ok(())
}

fn check_step(reasoner: &dyn Reasoner, step: &Step, next: Option<&Step>) -> Result<()> {
    let answer = reasoner.answer(&step.state)?;
    if answer.terminal != step.terminal {
        bail!("terminal is {} instead of {}", answer.terminal, step.terminal);
    }
    for (role_idx, role) in reasoner.roles().iter().enumerate() {
        compare(&format!("legal moves of {role}"), &answer.legal[role_idx], &step.legal[role])?;
        let found: Vec<String> = answer.goals[role_idx].iter().map(ToString::to_string).collect();
        compare(&format!("goals of {role}"), &found, &step.goal[role])?;
    }
    if let (Some(moves), Some(next)) = (&step.moves, next) {
        let joint: Vec<String> = reasoner.roles().iter().map(|role| moves[role].clone()).collect();
        compare("next state", &reasoner.next(&step.state, &joint)?, &next.state)?;
    }
    Ok(())
}

fn compare(what: &str, found: &[String], expected: &[String]) -> Result<()> {
    let mut expected = expected.to_vec();
    let mut found = found.to_vec();
    expected.sort();
    found.sort();
    if found == expected {
        return Ok(());
    }
    let missing: Vec<_> = expected.iter().filter(|x| !found.contains(x)).take(5).collect();
    let extra: Vec<_> = found.iter().filter(|x| !expected.contains(x)).take(5).collect();
    bail!("{what}: missing {missing:?}, extra {extra:?}");
}
