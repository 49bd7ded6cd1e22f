//! Compares a game with its recorded match.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use ludens_core::{Answer, Reasoner};
use serde::Deserialize;

use super::game::Checked;

/// Time limit of a recorded match.
const MAX_TIME: Duration = Duration::from_mins(3);

/// A recorded match.
#[derive(Deserialize)]
pub struct Trace {
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

/// The recorded match of a game, if there is one.
pub fn find(folder: &Path, name: &str) -> Result<Option<Trace>> {
    let file = folder.join("traces").join(format!("{name}.json.gz"));
    if !file.exists() {
        return Ok(None);
    }
    let mut json = String::new();
    flate2::read::GzDecoder::new(File::open(&file)?).read_to_string(&mut json)?;
    serde_json::from_str(&json).with_context(|| file.display().to_string())
}

/// Compares a reasoner with the record.
pub fn check(reasoner: &dyn Reasoner, trace: Option<&Trace>, checked: &mut Checked) -> Result<()> {
    let Some(trace) = trace else {
        // Without a record, the first queries must at least succeed.
        record_anomalies(reasoner, &reasoner.answer(&reasoner.initial()?)?, checked);
        return Ok(());
    };
    let roles = reasoner.roles();
    if roles != trace.roles {
        bail!("roles {roles:?} instead of {:?}", trace.roles);
    }
    let subject = Subject { reasoner };
    for (number, playout) in trace.playouts.iter().enumerate() {
        let result = subject.check_playout(playout, checked);
        result.with_context(|| format!("playout {number}"))?;
    }
    Ok(())
}

/// The reasoner under check.
struct Subject<'a> {
    reasoner: &'a dyn Reasoner,
}

impl Subject<'_> {
    fn check_playout(&self, playout: &Playout, checked: &mut Checked) -> Result<()> {
        let start = Instant::now();
        if let Some(first) = playout.steps.first() {
            compare("initial state", &self.reasoner.initial()?, &first.state)?;
        }
        for (number, step) in playout.steps.iter().enumerate() {
            let answer = self
                .check_step(step, playout.steps.get(number + 1))
                .with_context(|| format!("step {number}"))?;
            record_anomalies(self.reasoner, &answer, checked);
            checked.states += 1;
            if start.elapsed() > MAX_TIME {
                bail!("step {number}: more than {MAX_TIME:.0?}");
            }
        }
        Ok(())
    }

    fn check_step(&self, step: &Step, next: Option<&Step>) -> Result<Answer> {
        let answer = self.reasoner.answer(&step.state)?;
        if answer.terminal != step.terminal {
            bail!("terminal is {} instead of {}", answer.terminal, step.terminal);
        }
        for (role_idx, role) in self.reasoner.roles().iter().enumerate() {
            let legal = step.legal.get(role).map_or(&[][..], |moves| moves);
            compare(&format!("legal moves of {role}"), &answer.legal[role_idx], legal)?;
            let goals = step.goal.get(role).map_or(&[][..], |goals| goals);
            let found: Vec<String> =
                answer.goals[role_idx].iter().map(ToString::to_string).collect();
            compare(&format!("goals of {role}"), &found, goals)?;
        }
        if let (Some(moves), Some(next)) = (&step.moves, next) {
            let made = |role: &String| moves.get(role).cloned().context("a role without a move");
            let joint = self.reasoner.roles().iter().map(made).collect::<Result<Vec<_>>>()?;
            compare("next state", &self.reasoner.next(&step.state, &joint)?, &next.state)?;
        }
        Ok(answer)
    }
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

fn record_anomalies(reasoner: &dyn Reasoner, answer: &Answer, checked: &mut Checked) {
    let mut record = |anomaly: String| {
        if !checked.anomalies.contains(&anomaly) {
            checked.anomalies.push(anomaly);
        }
    };
    let kind = if answer.terminal { "a terminal state" } else { "a nonterminal state" };
    for (role_idx, role) in reasoner.roles().iter().enumerate() {
        if answer.goals[role_idx].len() > 1 {
            record(format!("several goal values for {role} in {kind}"));
        }
        if answer.terminal && answer.goals[role_idx].is_empty() {
            record(format!("no goal value for {role} in {kind}"));
        }
        if !answer.terminal && answer.legal[role_idx].is_empty() {
            record(format!("no legal move for {role} in {kind}"));
        }
    }
}
