//! Checks reasoners against published games and recorded matches: every game must load, every recorded
//! match must be reproduced state by state, fast evaluators must agree with the plain one bit by bit,
//! and fixtures must have the verdicts of their authors.
//!
//! Each game is checked in its own process, which is killed if it exceeds its memory limit; its
//! result is a line of JSON.

mod fixtures;
mod game;
mod summary;
mod trace;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ludens_catalog::ReasonerKind;
use ludens_testkit::library::side_by_side;

use crate::child::{self, free_memory, mebibytes};
use crate::{twins, workspace};
use game::Verdict;

/// What to check.
#[derive(clap::Args)]
pub struct Args {
    /// Only games whose name contains this, and no fixtures
    filter: Option<String>,
    /// Folder with `games`, `traces` and `fixtures`
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// A reasoner to check; may be repeated; default all
    #[arg(long, value_parser = workspace::parse_reasoner)]
    reasoner: Vec<ReasonerKind>,
    /// Time limit of grounding, for each game
    #[arg(long, default_value_t = 60.0)]
    ground_seconds: f64,
    /// Memory limit of grounding, for each game
    #[arg(long, default_value_t = 8.0)]
    ground_gigabytes: f64,
    /// How many games to check in parallel; default as many as cores and memory allow
    #[arg(long)]
    jobs: Option<usize>,
    /// Print a line for every game
    #[arg(long)]
    verbose: bool,
    /// Print a line of JSON for every game
    #[arg(long)]
    json: bool,
    /// Check the game of this name in this process
    #[arg(long, hide = true)]
    here: bool,
}

/// Memory that a process needs besides grounding: the rules, the reference reasoner, evaluators.
const OVERHEAD_BYTES: u64 = 3 << 30;

/// Time limit of a game, without grounding.
const MAX_TIME: Duration = Duration::from_mins(15);

impl Args {
    /// The reasoners to check, the reference reasoner last.
    fn kinds(&self) -> Vec<ReasonerKind> {
        if self.reasoner.is_empty() { workspace::reasoners() } else { self.reasoner.clone() }
    }

    fn ground_time(&self) -> Duration {
        Duration::from_secs_f64(self.ground_seconds)
    }

    fn ground_bytes(&self) -> u64 {
        (self.ground_gigabytes * (1u64 << 30) as f64) as u64
    }

    /// The arguments of the process that checks one game.
    fn of_child(&self, folder: &Path, name: &str) -> Vec<String> {
        let mut args = vec!["corpus".into(), "--here".into(), name.into()];
        args.extend(["--corpus".into(), folder.display().to_string()]);
        args.extend(["--ground-seconds".into(), self.ground_seconds.to_string()]);
        args.extend(["--ground-gigabytes".into(), self.ground_gigabytes.to_string()]);
        for kind in self.kinds() {
            args.extend(["--reasoner".into(), kind.to_string()]);
        }
        args
    }

    /// The number of concurrent processes: one per core, as far as their memory limits fit.
    fn concurrency(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let fitting = free_memory() / (self.ground_bytes() + OVERHEAD_BYTES);
        self.jobs.unwrap_or_else(|| cores.min(fitting as usize)).max(1)
    }
}

/// Checks all games, or those whose name contains the filter.
pub fn run(args: &Args) -> Result<()> {
    let Some(folder) = workspace::corpus(args.corpus.as_deref()) else {
        return Ok(());
    };
    if args.here {
        let name = args.filter.as_deref().context("a game is named")?;
        let limits = game::GroundingLimits { time: args.ground_time(), bytes: args.ground_bytes() };
        let verdict = game::check(&folder, name, &args.kinds(), limits);
        println!("{}", serde_json::to_string(&verdict)?);
        return Ok(());
    }
    let mut failures = check_games(&folder, args)?;
    if args.filter.is_none() && !args.json {
        failures += fixtures::check(&folder.join("fixtures"), &args.kinds())?;
        failures += twins::check(&folder, "")?;
    }
    if failures > 0 {
        bail!("{failures} differences");
    }
    Ok(())
}

fn check_games(folder: &Path, args: &Args) -> Result<usize> {
    let names = game_names(folder, args.filter.as_deref().unwrap_or(""))?;
    let verdicts = side_by_side(args.concurrency(), &names, |name| {
        let verdict = in_child(folder, args, name);
        if args.json {
            println!("{}", serde_json::to_string(&verdict).unwrap_or_default());
        } else if args.verbose || verdict.has_problem() {
            summary::print_verdict(&verdict);
        }
        verdict
    });
    let failed = verdicts.iter().filter(|verdict| verdict.has_problem()).count();
    if args.json {
        return Ok(failed);
    }
    let undetected = report_anomalies(&verdicts, &read_index(folder)?);
    summary::print(&verdicts, &args.kinds());
    Ok(failed + undetected)
}

/// Checks a game in another process.
fn in_child(folder: &Path, args: &Args, name: &str) -> Verdict {
    let limits = child::ProcessLimits {
        time: args.ground_time() + MAX_TIME,
        bytes: args.ground_bytes() + OVERHEAD_BYTES,
    };
    let failed = |problem: String| {
        let problem = Some(problem);
        Verdict { name: name.to_owned(), problem, ..Verdict::default() }
    };
    let ended = match child::run_self(&args.of_child(folder, name), limits) {
        Ok(ended) => ended,
        Err(error) => return failed(format!("{error:#}")),
    };
    match serde_json::from_str::<Verdict>(&ended.output) {
        Ok(verdict) if ended.is_success() => Verdict { peak: ended.peak, ..verdict },
        _ => failed(ended.verdict()),
    }
}

/// The names that contain the filter; an exact name selects one game.
fn game_names(folder: &Path, filter: &str) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder.join("games"))? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_game = path.extension().is_some_and(|extension| extension == "kif");
        if is_game && name.contains(filter) {
            names.push(name);
        }
    }
    names.sort();
    if names.is_empty() {
        bail!("no game's name contains `{filter}`");
    }
    Ok(names)
}

/// The index entry of a game in the corpus.
struct Remark {
    trace: String,
    remarks: String,
}

/// The index of the corpus: name, kind of trace, remarks.
fn read_index(folder: &Path) -> Result<BTreeMap<String, Remark>> {
    let path = folder.join("index.tsv");
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let columns = lines.next().unwrap_or_default();
    let column = |name: &str| {
        let found = columns.iter().position(|column| *column == name);
        found.with_context(|| format!("{} has no column `{name}`", path.display()))
    };
    let (name, trace, remarks) = (column("name")?, column("trace")?, column("remarks")?);
    let cell = |row: &Vec<&str>, at: usize| row.get(at).copied().unwrap_or_default().to_owned();
    Ok(lines
        .map(|row| {
            let remark = Remark { trace: cell(&row, trace), remarks: cell(&row, remarks) };
            (cell(&row, name), remark)
        })
        .collect())
}

/// Prints anomalies of rules, and counts games with known anomalies that the reference reasoner, the
/// only one that reports several goals at once, does not detect.
fn report_anomalies(verdicts: &[Verdict], remarks: &BTreeMap<String, Remark>) -> usize {
    let logic = ReasonerKind::Logic.name();
    let mut undetected = 0;
    for verdict in verdicts {
        let Some(checked) = verdict.reasoners.iter().find(|checked| checked.reasoner == logic)
        else {
            continue;
        };
        for anomaly in &checked.anomalies {
            println!("{}: the rules have {anomaly}", verdict.name);
        }
        let remark = remarks.get(&verdict.name).filter(|remark| remark.trace == "anomaly");
        if let Some(remark) = remark.filter(|_| checked.anomalies.is_empty()) {
            println!("{}: not detected: {}", verdict.name, remark.remarks);
            undetected += 1;
        }
    }
    undetected
}
