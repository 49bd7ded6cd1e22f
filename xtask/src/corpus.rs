//! Checks a reasoner against games and recorded truths that others made: every game must load,
//! every recorded game must be reproduced state by state, and fixtures must do what their
//! authors say.

mod fixtures;
mod trace;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ludens_testkit::library::on_all_cores;

use crate::{twins, workspace};

/// What to check.
#[derive(clap::Args)]
pub struct Args {
    /// Only games whose name contains this, and no fixtures
    filter: Option<String>,
    /// Folder with `games`, `traces` and `fixtures`
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// Which reasoner
    #[arg(long, value_enum, default_value_t = Kind::Logic)]
    reasoner: Kind,
    /// A line for every game
    #[arg(long)]
    verbose: bool,
}

/// The reasoners that can be checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Kind {
    /// The reference reasoner
    Logic,
}

/// What became of one game.
#[derive(Default)]
pub struct Outcome {
    name: String,
    states: usize,
    load: Duration,
    check: Duration,
    /// What is odd about the rules themselves.
    anomalies: Vec<String>,
    problem: Option<String>,
}

/// What the corpus says about a game.
struct Remark {
    trace: String,
    remarks: String,
}

/// Runs the whole check, or that of the games whose name contains the filter.
pub fn run(args: &Args) -> Result<()> {
    let Some(folder) = workspace::corpus(args.corpus.as_deref()) else {
        return Ok(());
    };
    let Kind::Logic = args.reasoner;
    let mut failures = check_games(&folder, args)?;
    if args.filter.is_none() {
        failures += fixtures::check(&folder.join("fixtures"))?;
        failures += twins::check(&folder, "")?;
    }
    if failures > 0 {
        bail!("{failures} differences");
    }
    Ok(())
}

fn check_games(folder: &Path, args: &Args) -> Result<usize> {
    let filter = args.filter.as_deref().unwrap_or("");
    let games = game_files(folder, filter)?;
    let outcomes = on_all_cores(&games, |path| {
        let outcome = trace::check(folder, path);
        if args.verbose || outcome.problem.is_some() {
            print_outcome(&outcome);
        }
        outcome
    });
    let remarks = read_index(folder)?;
    let unseen = report_anomalies(&outcomes, &remarks);
    print_slowest(&outcomes);
    let states: usize = outcomes.iter().map(|outcome| outcome.states).sum();
    let failed = outcomes.iter().filter(|outcome| outcome.problem.is_some()).count();
    println!("{} games, {states} recorded states, {failed} games with differences", games.len());
    Ok(failed + unseen)
}

fn game_files(folder: &Path, filter: &str) -> Result<Vec<PathBuf>> {
    let mut games = Vec::new();
    for entry in std::fs::read_dir(folder.join("games"))? {
        let path = entry?.path();
        let is_game = path.extension().is_some_and(|extension| extension == "kif");
        if is_game && name_of(&path).contains(filter) {
            games.push(path);
        }
    }
    games.sort();
    if games.is_empty() {
        bail!("no game's name contains `{filter}`");
    }
    Ok(games)
}

fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn print_outcome(outcome: &Outcome) {
    let verdict = outcome.problem.as_deref().unwrap_or("ok");
    println!(
        "{:34} load {:8.1?} {:4} states {:8.1?}  {verdict}",
        outcome.name, outcome.load, outcome.states, outcome.check
    );
}

fn print_slowest(outcomes: &[Outcome]) {
    let mut slowest: Vec<&Outcome> = outcomes.iter().collect();
    slowest.sort_by_key(|outcome| std::cmp::Reverse(outcome.load + outcome.check));
    let show =
        |outcome: &&Outcome| format!("{} {:.1?}", outcome.name, outcome.load + outcome.check);
    let shown: Vec<_> = slowest.iter().take(5).map(show).collect();
    println!("slowest: {}", shown.join(", "));
}

/// The table of contents: name, kind of trace, remarks.
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

/// Prints what is odd about rules; counts games that are known to be odd and do not look so.
fn report_anomalies(outcomes: &[Outcome], remarks: &BTreeMap<String, Remark>) -> usize {
    let mut unseen = 0;
    for outcome in outcomes {
        let remark = remarks.get(&outcome.name).filter(|remark| remark.trace == "anomaly");
        for anomaly in &outcome.anomalies {
            println!("{}: the rules have {anomaly}", outcome.name);
        }
        if let Some(remark) = remark.filter(|_| outcome.anomalies.is_empty()) {
            println!("{}: expected to see: {}", outcome.name, remark.remarks);
            unseen += 1;
        }
    }
    unseen
}
