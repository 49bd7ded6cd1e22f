//! One game against its recorded truth.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use ludens_core::{Answer, Reasoner};
use ludens_testkit::fuzz::front_end;
use serde::Deserialize;

use super::{Outcome, name_of};
use crate::workspace;

/// No game may take longer.
const MAX_TIME: Duration = Duration::from_mins(3);

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

/// Loads a game and compares it with its trace, if there is one.
pub fn check(folder: &Path, path: &Path) -> Outcome {
    let mut outcome = Outcome { name: name_of(path), ..Outcome::default() };
    if let Err(problem) = check_traces(folder, path, &mut outcome) {
        outcome.problem = Some(format!("{problem:#}"));
    }
    outcome
}

fn check_traces(folder: &Path, path: &Path, outcome: &mut Outcome) -> Result<()> {
    front_end(&std::fs::read(path)?).map_err(anyhow::Error::msg)?;
    let begin = Instant::now();
    let game = workspace::load(path)?;
    outcome.load = begin.elapsed();
    let file = folder.join("traces").join(format!("{}.json.gz", outcome.name));
    if !file.exists() {
        // Nobody knows the truth, but the first questions must be answered.
        note_anomalies(&game, &game.answer(&Reasoner::initial(&game)?)?, outcome);
        return Ok(());
    }
    let trace = read(&file)?;
    let roles = Reasoner::roles(&game);
    if roles != trace.roles {
        bail!("roles {roles:?} instead of {:?}", trace.roles);
    }
    let begin = Instant::now();
    for (number, playout) in trace.playouts.iter().enumerate() {
        check_playout(&game, playout, outcome).with_context(|| format!("game {number}"))?;
        outcome.check = begin.elapsed();
    }
    Ok(())
}

fn read(file: &Path) -> Result<Trace> {
    let mut json = String::new();
    flate2::read::GzDecoder::new(File::open(file)?).read_to_string(&mut json)?;
    serde_json::from_str(&json).with_context(|| file.display().to_string())
}

fn check_playout(reasoner: &dyn Reasoner, playout: &Playout, outcome: &mut Outcome) -> Result<()> {
    let begin = Instant::now();
    if let Some(first) = playout.steps.first() {
        compare("initial state", &reasoner.initial()?, &first.state)?;
    }
    for (number, step) in playout.steps.iter().enumerate() {
        let answer = check_step(reasoner, step, playout.steps.get(number + 1))
            .with_context(|| format!("step {number}"))?;
        note_anomalies(reasoner, &answer, outcome);
        outcome.states += 1;
        if begin.elapsed() > MAX_TIME {
            bail!("step {number}: more than {MAX_TIME:.0?}");
        }
    }
    Ok(())
}

fn check_step(reasoner: &dyn Reasoner, step: &Step, next: Option<&Step>) -> Result<Answer> {
    let answer = reasoner.answer(&step.state)?;
    if answer.terminal != step.terminal {
        bail!("terminal is {} instead of {}", answer.terminal, step.terminal);
    }
    for (role_idx, role) in reasoner.roles().iter().enumerate() {
        let legal = step.legal.get(role).map_or(&[][..], |moves| moves);
        compare(&format!("legal moves of {role}"), &answer.legal[role_idx], legal)?;
        let found: Vec<String> = answer.goals[role_idx].iter().map(ToString::to_string).collect();
        let goals = step.goal.get(role).map_or(&[][..], |goals| goals);
        compare(&format!("goals of {role}"), &found, goals)?;
    }
    if let (Some(moves), Some(next)) = (&step.moves, next) {
        let made = |role: &String| moves.get(role).cloned().context("a role without a move");
        let joint = reasoner.roles().iter().map(made).collect::<Result<Vec<_>>>()?;
        compare("next state", &reasoner.next(&step.state, &joint)?, &next.state)?;
    }
    Ok(answer)
}

fn compare(what: &str, found: &[String], expected: &[String]) -> Result<()> {
    let sorted = |list: &[String]| {
        let mut list = list.to_vec();
        list.sort();
        list
    };
    let (found, expected) = (sorted(found), sorted(expected));
    if found == expected {
        return Ok(());
    }
    let missing: Vec<_> = expected.iter().filter(|item| !found.contains(item)).take(5).collect();
    let extra: Vec<_> = found.iter().filter(|item| !expected.contains(item)).take(5).collect();
    bail!("{what}: missing {missing:?}, extra {extra:?}");
}

fn note_anomalies(reasoner: &dyn Reasoner, answer: &Answer, outcome: &mut Outcome) {
    let mut note = |anomaly: String| {
        if !outcome.anomalies.contains(&anomaly) {
            outcome.anomalies.push(anomaly);
        }
    };
    let kind = if answer.terminal { "a terminal state" } else { "a state that is not terminal" };
    for (role_idx, role) in reasoner.roles().iter().enumerate() {
        if answer.goals[role_idx].len() > 1 {
            note(format!("several goal values for {role} in {kind}"));
        }
        if answer.terminal && answer.goals[role_idx].is_empty() {
            note(format!("no goal value for {role} in {kind}"));
        }
        if !answer.terminal && answer.legal[role_idx].is_empty() {
            note(format!("no legal move for {role} in {kind}"));
        }
    }
}
