//! `ludens replay`: checks recorded matches state by state.

use std::io::Write;
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use ludens_catalog::{Cache, LoadedSource, ReasonerKind, load_source};
use ludens_core::{Reasoner, Trouble};
use serde::Serialize;

use crate::Outcome;
use crate::cli::ReasonerArg;
use crate::console::Console;
use ludens_lab::{Hinted, MatchRecord, QUESTION_TIME};

const EXAMPLES: &str = "\
Examples:
  ludens replay match.json
  ludens replay --game tictactoe matches.jsonl
  ludens replay --json *.json

The game is the one given, or the `rulesheet` in the record, or the one that its `gameMetaURL`
names. A file holds one match, several one after the other, or a list of them.";

/// Check recorded matches state by state.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Replay {
    /// Files with matches as JSON.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// The game, if the records do not name it.
    #[arg(long)]
    game: Option<String>,

    #[command(flatten)]
    reasoner: ReasonerArg,
}

#[derive(Serialize)]
struct Record<'a> {
    file: &'a str,
    #[serde(rename = "match")]
    name: &'a str,
    game: &'a str,
    steps: usize,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<Difference>,
}

/// The first difference between a record and the rules.
#[derive(Serialize, Debug, PartialEq, Eq)]
struct Difference {
    /// Joint moves made before.
    step: usize,
    what: &'static str,
    message: String,
    /// Facts of the rules that the record lacks.
    missing: Vec<String>,
    /// Facts of the record that the rules do not give.
    extra: Vec<String>,
}

impl Difference {
    fn new(step: usize, what: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Difference { step, what, message, missing: Vec::new(), extra: Vec::new() }
    }
}

/// Checks all matches of all files.
pub fn run(args: &Replay, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    let mut replayer = Replayer { args, cache, reasoner: None };
    let mut outcome = Outcome::Fine;
    let mut unreadable = None;
    for file in &args.files {
        match replayer.check_file(file, console) {
            Ok(Outcome::Fine) => {}
            Ok(found) => outcome = found,
            // One bad file must not hide the problems of the others.
            Err(error) => {
                if let Some(earlier) = unreadable.replace(error) {
                    crate::failure::report(&earlier);
                }
            }
        }
    }
    unreadable.map_or(Ok(outcome), Err)
}

struct Replayer<'a> {
    args: &'a Replay,
    cache: &'a Cache,
    /// The game of the last match; consecutive matches often have the same game.
    reasoner: Option<(String, String, Arc<dyn Reasoner>)>,
}

impl Replayer<'_> {
    fn check_file(&mut self, file: &str, console: &mut Console) -> anyhow::Result<Outcome> {
        let text = std::fs::read(file).with_context(|| format!("cannot read {file}"))?;
        let records = MatchRecord::read_all(&text).with_context(|| format!("cannot use {file}"))?;
        let mut outcome = Outcome::Fine;
        for (i, record) in records.iter().enumerate() {
            let name = record.match_id.clone().unwrap_or_else(|| format!("match {}", i + 1));
            let checked = self.check(record, file, &name, console);
            if checked.with_context(|| format!("cannot check {name} in {file}"))? == Outcome::Found
            {
                outcome = Outcome::Found;
            }
        }
        Ok(outcome)
    }

    fn check(
        &mut self,
        record: &MatchRecord,
        file: &str,
        name: &str,
        console: &mut Console,
    ) -> anyhow::Result<Outcome> {
        let (game, reasoner) = self.reasoner(record)?;
        let difference = compare(record, &*reasoner)?;
        let (steps, ok) = (record.moves()?.len(), difference.is_none());
        let record = Record { file, name, game: &game, steps, ok, difference };
        if console.json {
            console.record("replay", &record)?;
        } else {
            print(&record, console)?;
        }
        Ok(if ok { Outcome::Fine } else { Outcome::Found })
    }

    fn reasoner(&mut self, record: &MatchRecord) -> anyhow::Result<(String, Arc<dyn Reasoner>)> {
        let source = match &self.args.game {
            Some(game) => load_source(game)?,
            None => record.source().ok_or_else(|| unknown_game(record))?,
        };
        if let Some((name, text, reasoner)) = &self.reasoner
            && *text == source.source.text
        {
            return Ok((name.clone(), Arc::clone(reasoner)));
        }
        let LoadedSource { name, source: text, .. } = source.clone();
        // Records may have any error, so the reference reasoner checks them.
        let default = ReasonerKind::Logic;
        let game = self.args.reasoner.load_text(source, default, self.cache)?.game;
        let reasoner = game.limited(QUESTION_TIME).reasoner();
        self.reasoner = Some((name.clone(), text.text, Arc::clone(&reasoner)));
        Ok((name, reasoner))
    }
}

fn unknown_game(record: &MatchRecord) -> Hinted {
    let message = match &record.game_meta_url {
        Some(url) => format!("the library has no game for the address {url}"),
        None => "the record does not name its game".to_owned(),
    };
    Hinted::new(message, "name the game with --game GAME")
}

fn print(record: &Record<'_>, console: &mut Console) -> std::io::Result<()> {
    let Record { file, name, game, steps, .. } = record;
    let Some(difference) = &record.difference else {
        return writeln!(console, "{file}: {name}: ok, {steps} steps of {game}");
    };
    let Difference { step, message, missing, extra, .. } = difference;
    writeln!(console, "{file}: {name}: differs at step {step} of {steps} of {game}: {message}")?;
    for fact in missing {
        writeln!(console, "  missing  {fact}")?;
    }
    for fact in extra {
        writeln!(console, "  extra    {fact}")?;
    }
    Ok(())
}

/// The first difference between a record and the rules.
fn compare(record: &MatchRecord, reasoner: &dyn Reasoner) -> anyhow::Result<Option<Difference>> {
    // Terms are compared in the reasoner's spelling.
    let spell = |text: String| reasoner.spelling(&text).unwrap_or(text);
    let spell_all = |lists: Vec<Vec<String>>| -> Vec<Vec<String>> {
        lists.into_iter().map(|list| list.into_iter().map(spell).collect()).collect()
    };
    let (mut states, moves) = (spell_all(record.states()?), spell_all(record.moves()?));
    for facts in &mut states {
        facts.sort_unstable();
    }
    Ok(compare_steps(record, &states, &moves, reasoner)?.err())
}

type Compared = Result<Result<(), Difference>, Trouble>;

fn compare_steps(
    record: &MatchRecord,
    states: &[Vec<String>],
    moves: &[Vec<String>],
    reasoner: &dyn Reasoner,
) -> Compared {
    let mut facts = reasoner.initial()?;
    for (step, joint) in moves.iter().enumerate() {
        if let Err(difference) = compare_state(step, states.get(step), &facts) {
            return Ok(Err(difference));
        }
        if let Err(difference) = compare_moves(step, joint, &facts, reasoner)? {
            return Ok(Err(difference));
        }
        facts = reasoner.next(&facts, joint)?;
    }
    let last = compare_state(moves.len(), states.get(moves.len()), &facts);
    let Ok(()) = last else { return Ok(last) };
    if states.len() > moves.len() + 1 {
        let message = format!("there are {} states for {} moves", states.len(), moves.len());
        return Ok(Err(Difference::new(moves.len(), "states", message)));
    }
    compare_end(record, moves.len(), &facts, reasoner)
}

fn compare_state(
    step: usize,
    recorded: Option<&Vec<String>>,
    facts: &[String],
) -> Result<(), Difference> {
    let Some(recorded) = recorded else {
        return Err(Difference::new(step, "states", "the record has no state here"));
    };
    let only_in = |a: &[String], b: &[String]| -> Vec<_> {
        a.iter().filter(|fact| b.binary_search(fact).is_err()).cloned().collect()
    };
    let (missing, extra) = (only_in(facts, recorded), only_in(recorded, facts));
    if missing.is_empty() && extra.is_empty() {
        return Ok(());
    }
    let message = format!("the state has {} missing and {} extra", missing.len(), extra.len());
    Err(Difference { missing, extra, ..Difference::new(step, "state", message) })
}

fn compare_moves(
    step: usize,
    joint: &[String],
    facts: &[String],
    reasoner: &dyn Reasoner,
) -> Compared {
    let (roles, answer) = (reasoner.roles(), reasoner.answer(facts)?);
    if answer.terminal {
        let message = "the game is over here, but the record continues";
        return Ok(Err(Difference::new(step, "terminal", message)));
    }
    if joint.len() != roles.len() {
        let message = format!("there are {} moves for {} roles", joint.len(), roles.len());
        return Ok(Err(Difference::new(step, "moves", message)));
    }
    for ((role, legal), m) in roles.iter().zip(&answer.legal).zip(joint) {
        if !legal.contains(m) {
            let message = format!("`{m}` is not legal for `{role}`");
            return Ok(Err(Difference::new(step, "moves", message)));
        }
    }
    Ok(Ok(()))
}

/// An aborted match may end anywhere; a completed one must end in a terminal state.
fn compare_end(
    record: &MatchRecord,
    step: usize,
    facts: &[String],
    reasoner: &dyn Reasoner,
) -> Compared {
    let answer = reasoner.answer(facts)?;
    let completed = record.is_completed.unwrap_or(answer.terminal);
    if completed && !answer.terminal {
        let message = "the record is complete, but the game is not over";
        return Ok(Err(Difference::new(step, "terminal", message)));
    }
    if !completed && answer.terminal && record.is_aborted != Some(true) {
        let message = "the game is over, but the record is not complete";
        return Ok(Err(Difference::new(step, "terminal", message)));
    }
    if !completed || (record.goal_values.is_empty() && record.is_completed.is_none()) {
        return Ok(Ok(()));
    }
    Ok(compare_goals(record, step, &answer.goals))
}

fn compare_goals(record: &MatchRecord, step: usize, goals: &[Vec<i64>]) -> Result<(), Difference> {
    let best: Vec<_> = goals.iter().map(|values| values.last().copied().unwrap_or(0)).collect();
    if best == record.goal_values {
        return Ok(());
    }
    let message = format!("the goals are {best:?}, but {:?} in the record", record.goal_values);
    Err(Difference::new(step, "goals", message))
}
