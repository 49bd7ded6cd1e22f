//! Small rules with known results of a correct reasoner, validator and formatter. The expectations are
//! in `data/fixtures.toml`.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use ludens_catalog::ReasonerKind;
use ludens_core::Budget;
use ludens_gdl::Severity;
use serde::Deserialize;

use crate::workspace;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expectations {
    play: Vec<Play>,
    validate: Vec<Validate>,
    range: Vec<Range>,
    format: Vec<Format>,
}

/// The expected states of a playout.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Play {
    file: String,
    roles: Option<Vec<String>>,
    /// Numbers of legal moves in the initial state.
    n_legal: Option<Vec<usize>>,
    /// The legal moves in the initial state.
    legal: Option<Vec<Vec<String>>>,
    /// Goals in the initial state.
    goals_before: Option<Vec<i64>>,
    /// Joint moves to make; each must be legal.
    #[serde(default)]
    moves: Vec<Vec<String>>,
    /// Whether the state after them is terminal.
    terminal: Option<bool>,
    /// Goals after them.
    goals: Option<Vec<i64>>,
}

/// The expected verdict of a validator.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Validate {
    verdict: Verdict,
    files: Vec<String>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    /// No error; warnings are allowed.
    Accept,
    /// No error, and at least one warning.
    Warn,
    /// At least one error.
    Reject,
}

/// The range of the error in a file; no range means no error.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Range {
    file: String,
    at: Option<(u32, u32)>,
}

/// A file that formatting does not change.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Format {
    file: String,
}

/// Checks all fixtures, those about play with each reasoner, and counts failures.
pub fn check(folder: &Path, kinds: &[ReasonerKind]) -> Result<usize> {
    let expected: Expectations = toml::from_str(include_str!("../../data/fixtures.toml"))?;
    let path = |file: &str| folder.join(format!("{file}.kif"));
    let mut verdicts: Vec<(String, Result<()>)> = Vec::new();
    for play in &expected.play {
        for &kind in kinds {
            let verdict = check_play(&path(&play.file), play, kind).with_context(|| kind.name());
            verdicts.push((play.file.clone(), verdict));
        }
    }
    for group in &expected.validate {
        for file in &group.files {
            verdicts.push((file.clone(), check_verdict(&path(file), group.verdict)));
        }
    }
    for range in &expected.range {
        verdicts.push((range.file.clone(), check_range(&path(&range.file), range.at)));
    }
    for format in &expected.format {
        verdicts.push((format.file.clone(), check_format(&path(&format.file))));
    }
    for (file, verdict) in &verdicts {
        if let Err(error) = verdict {
            println!("fixture {file}: {error:#}");
        }
    }
    let failed = verdicts.iter().filter(|(_, verdict)| verdict.is_err()).count();
    println!("{} expectations of fixtures, {failed} not met", verdicts.len());
    Ok(failed)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: Option<&T>) -> Result<()> {
    if let Some(expected) = expected {
        ensure!(found == expected, "{what}: {found:?} instead of {expected:?}");
    }
    Ok(())
}

fn check_play(path: &Path, play: &Play, kind: ReasonerKind) -> Result<()> {
    let budget = Budget::unlimited().with_time(Duration::from_mins(1));
    let reasoner = kind.load(&workspace::rules(path)?, &budget)?.reasoner();
    same("roles", &reasoner.roles().to_vec(), play.roles.as_ref())?;
    let mut facts = reasoner.initial()?;
    let answer = reasoner.answer(&facts)?;
    let counts: Vec<usize> = answer.legal.iter().map(Vec::len).collect();
    same("numbers of legal moves", &counts, play.n_legal.as_ref())?;
    same("legal moves", &answer.legal, play.legal.as_ref())?;
    same("goals in the initial state", &answer.goals.concat(), play.goals_before.as_ref())?;
    for joint in &play.moves {
        let legal = reasoner.answer(&facts)?.legal;
        let is_legal = joint.iter().zip(&legal).all(|(m, legal)| legal.contains(m));
        ensure!(is_legal, "{joint:?} is not legal");
        facts = reasoner.next(&facts, joint)?;
    }
    let answer = reasoner.answer(&facts)?;
    same("terminal", &answer.terminal, play.terminal.as_ref())?;
    same("goals", &answer.goals.concat(), play.goals.as_ref())
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| path.display().to_string())
}

fn check_verdict(path: &Path, expected: Verdict) -> Result<()> {
    let problems = ludens_gdl::check_text(&read(path)?);
    let worst = problems.iter().min_by_key(|problem| problem.severity);
    let found = match worst.map(|problem| problem.severity) {
        None => Verdict::Accept,
        Some(Severity::Warning) => Verdict::Warn,
        Some(Severity::Error) => Verdict::Reject,
    };
    // Warnings about a text that other validators accept are allowed.
    if found == expected || (expected, found) == (Verdict::Accept, Verdict::Warn) {
        return Ok(());
    }
    let why = worst.map_or_else(|| "nothing".into(), |p| format!("{} {}", p.code, p.message));
    bail!("expected to {expected:?}, found {why}")
}

fn check_range(path: &Path, expected: Option<(u32, u32)>) -> Result<()> {
    let problems = ludens_gdl::check_text(&read(path)?);
    let found: Vec<(u32, u32)> = problems
        .iter()
        .filter(|problem| problem.is_error())
        .map(|problem| (problem.span.start, problem.span.end))
        .collect();
    match expected {
        None => ensure!(found.is_empty(), "errors at {found:?} instead of none"),
        Some(at) => ensure!(found.contains(&at), "errors at {found:?}, none at {at:?}"),
    }
    Ok(())
}

fn check_format(path: &Path) -> Result<()> {
    let text = read(path)?;
    let formatted = ludens_gdl::format(&text)
        .map_err(|problems| anyhow::anyhow!("not formatted: {problems:?}"))?;
    let first = ludens_testkit::golden::first_difference(text.trim_end(), formatted.trim_end());
    if let Some((line, before, after)) = first {
        bail!("line {line} was `{before}` and is now `{after}`");
    }
    Ok(())
}
