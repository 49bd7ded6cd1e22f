//! `ludens reproduce`: reproduces experiments of published papers.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use ludens_catalog::Cache;
use serde::Serialize;
use serde_json::json;

use crate::Outcome;
use crate::console::Console;
use crate::interrupt::{self, outcome};
use crate::report::{CellProgress, print_how_to_resume, print_note};
use ludens_lab::contest::DEFAULT_JOURNAL;
use ludens_lab::reproduce::experiment::{About, Cell, Experiment};
use ludens_lab::reproduce::findings::{Finding, Findings, Measured};
use ludens_lab::reproduce::journal_status::JournalStatus;
use ludens_lab::reproduce::pages::{self, HEAD};
use ludens_lab::reproduce::play::{self, PlaySettings, Run};
use ludens_lab::reproduce::{collection, selection};
use ludens_lab::{Event, Hinted, units};

const EXAMPLES: &str = "\
Examples:
  ludens reproduce
  ludens reproduce ppafm/table2 --cells breakthrough,misere_knightthrough --games 100
  ludens reproduce ppr/table1 --cells size6_1000 --games 200 --html table1.html
  ludens reproduce ppafm/table2 --docs docs/reproduction
  ludens reproduce --render --docs docs/reproduction

An experiment is a name of the list, or a path to a file that ends in `.toml`. Every game is written to
the journal as it ends: the same command resumes, and one with more games plays only the missing ones.
A cell with the same agents, game and seed as another one is played only once.

Clocks of some experiments are in units of T, such as 16T of preparation and 2T per move. T is
one simulation; with `t = \"milliseconds\"` in the file, it is a millisecond, and with `t = \"time\"`, it is
the mean time of a random game, which is measured on one thread before the first game and stored in the
journal with the match.

Networks that agents name are trained before the first game of a cell, each once, into a folder beside the
journal; an interrupted training continues.

A cell agrees if the 95 % interval of the difference between both scores contains 0; that interval
combines Wilson's intervals of the measured and of the published score (Newcombe 1998). If it
contains 0, but ours alone is wider than 40 points, the verdict is `too few games`. The version of the
program is stored with the results if the environment variable LUDENS_COMMIT has it.";

/// The default folder of pages.
const DEFAULT_DOCS: &str = "docs/reproduction";

/// The environment variable with the version of the program.
const COMMIT: &str = "LUDENS_COMMIT";

/// Reproduce tables and figures of papers, and compare.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Reproduce {
    /// The experiment; without it, all are listed with their progress.
    experiment: Option<String>,

    /// Names of cells, or prefixes of names; all cells if not given.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    cells: Vec<String>,

    /// The number of games per cell; that of the paper if not given.
    #[arg(long, value_name = "N")]
    games: Option<usize>,

    /// The seed of all random numbers.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// The number of games at the same time; one per core by default.
    #[arg(long, value_name = "K", value_parser = units::positive::<usize>)]
    concurrency: Option<usize>,

    /// The journal; learnt policies and trained networks are kept beside it.
    #[arg(long, value_name = "FILE", default_value = DEFAULT_JOURNAL)]
    journal: PathBuf,

    /// Write a page with plots to a file.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write Markdown, pictures and numbers to a folder; results of other cells in it are kept.
    #[arg(long, value_name = "DIR")]
    docs: Option<PathBuf>,

    /// Play nothing: regenerate the pages from the numbers in the folder.
    #[arg(long, conflicts_with_all = ["cells", "games"])]
    render: bool,
}

/// Lists, plays or renders.
pub fn run(args: &Reproduce, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    match &args.experiment {
        _ if args.render => render(args)?,
        Some(name) => reproduce(args, &collection::find(name)?, cache, console)?,
        None => list(args, console)?,
    }
    Ok(outcome())
}

impl Reproduce {
    fn docs(&self) -> &Path {
        self.docs.as_deref().unwrap_or(Path::new(DEFAULT_DOCS))
    }

    fn settings(&self) -> PlaySettings {
        let &Reproduce { games, seed, concurrency, .. } = self;
        let (journal, commit) = (self.journal.clone(), std::env::var(COMMIT).ok());
        PlaySettings { games, seed, concurrency, journal, commit }
    }

    fn write_html(&self, all: &[Findings]) -> anyhow::Result<()> {
        let Some(path) = &self.html else { return Ok(()) };
        let within = || format!("cannot write {}", path.display());
        std::fs::write(path, pages::html_page(all)).with_context(within)
    }
}

/// Lists all experiments with their progress.
fn list(args: &Reproduce, console: &mut Console) -> anyhow::Result<()> {
    let (status, experiments) = (JournalStatus::read(&args.journal)?, collection::all()?);
    let head = ["EXPERIMENT", "CELLS PLAYED", "GAMES", "AGREE", "TITLE"].map(str::to_owned);
    let mut rows = vec![head.to_vec()];
    for experiment in &experiments {
        let Experiment { name, about, cells } = experiment;
        let progress = status.progress(experiment, args.docs());
        if console.json {
            let (agree, compared) = progress.agreement.unzip();
            let record = json!({"experiment": name, "title": about.title, "paper": about.paper,
                "cells": cells.len(), "played": progress.played, "games": progress.games,
                "agree": agree, "compared": compared});
            console.record("reproduce", &record)?;
        }
        let agreement = progress.agreement.filter(|(_, compared)| *compared > 0);
        rows.push(vec![
            name.clone(),
            format!("{} of {}", progress.played, cells.len()),
            progress.games.to_string(),
            agreement.map_or("–".to_owned(), |(agree, of)| format!("{agree} of {of}")),
            about.title.clone(),
        ]);
    }
    if !console.json {
        console.table(&rows)?;
        writeln!(console, "\n`ludens reproduce EXPERIMENT` plays one")?;
    }
    Ok(())
}

/// Plays an experiment and prints its results.
fn reproduce(
    args: &Reproduce,
    experiment: &Experiment,
    cache: &Cache,
    console: &mut Console,
) -> anyhow::Result<()> {
    let cells = selection::select(experiment, &args.cells)?;
    play::check(experiment, &cells)?;
    let settings = args.settings();
    let work = cells.iter().map(|cell| (cell.limit.work(), settings.games(cell)));
    let mut cell_printer = CellPrinter {
        experiment: &experiment.name,
        progress: CellProgress::new(work),
        console,
        measured: BTreeMap::new(),
        failed: None,
    };
    let mut events = |event: Event<'_>| cell_printer.show(&event);
    let mut run = Run { settings: &settings, cache, stop: interrupt::stop(), events: &mut events };
    run.play(experiment, &cells)?;
    let CellPrinter { mut measured, failed, progress, .. } = cell_printer;
    drop(progress);
    if let Some(error) = failed {
        return Err(error.into());
    }
    let findings = Findings::new(experiment, |cell| measured.remove(&cell.name));
    print_findings(&findings, &cells, console)?;
    if !console.json {
        let wanted: usize = cells.iter().map(|cell| settings.games(cell)).sum();
        print_how_to_resume(wanted.saturating_sub(findings.played().1 as usize), console)?;
    }
    args.write_html(std::slice::from_ref(&findings))?;
    if let Some(docs) = &args.docs {
        write_docs(docs, findings)?;
    }
    Ok(())
}

/// Shows the progress of cells, and prints those that end as JSON.
struct CellPrinter<'a> {
    experiment: &'a str,
    progress: CellProgress,
    console: &'a mut Console,
    measured: BTreeMap<String, Measured>,
    /// Why nothing more can be printed.
    failed: Option<io::Error>,
}

impl CellPrinter<'_> {
    fn show(&mut self, event: &Event<'_>) {
        print_note(event);
        self.progress.show(event);
        let &Event::CellEnded { cell, measured } = event else { return };
        if self.console.json && self.failed.is_none() {
            let finding = Finding::new(cell.clone(), measured.cloned());
            let line = Line { experiment: self.experiment, finding: &finding };
            self.failed = self.console.record("reproduce", &line).err();
            // Without a reader there is no use in continuing.
            if self.failed.is_some() {
                interrupt::stop().raise();
            }
        }
        self.measured.extend(measured.map(|ours| (cell.name.clone(), ours.clone())));
    }
}

/// A cell as a line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    experiment: &'a str,
    #[serde(flatten)]
    finding: &'a Finding,
}

/// Prints the table of the selected cells, or the last line of JSON.
fn print_findings(
    findings: &Findings,
    cells: &[&Cell],
    console: &mut Console,
) -> anyhow::Result<()> {
    let ((played, games), (agree, compared)) = (findings.played(), findings.agreement());
    if console.json {
        let record = json!({"experiment": findings.name, "played": played, "games": games,
            "agree": agree, "compared": compared});
        return Ok(console.record("reproduce", &record)?);
    }
    let About { title, paper, .. } = &findings.about;
    writeln!(console, "\x1b[1m{title}\x1b[0m\n{paper}\n")?;
    let selected = |finding: &&Finding| cells.iter().any(|cell| cell.name == finding.cell.name);
    let mut rows = vec![HEAD.map(str::to_uppercase).to_vec()];
    rows.extend(findings.cells.iter().filter(selected).map(|finding| pages::row(finding).to_vec()));
    console.table(&rows)?;
    writeln!(console)?;
    for sentence in pages::explanation(findings) {
        writeln!(console, "{sentence}")?;
    }
    Ok(())
}

/// Writes the pages of an experiment; results with more games are kept.
fn write_docs(docs: &Path, mut findings: Findings) -> anyhow::Result<()> {
    let path = Findings::path(docs, &findings.name);
    if path.exists() {
        findings.keep_from(&Findings::read(&path)?);
    }
    pages::write_findings(docs, &findings)?;
    pages::write_index(docs, &pages::read_all(docs)?)
}

/// Regenerates pages from the numbers, with the current titles and notes.
fn render(args: &Reproduce) -> anyhow::Result<()> {
    let docs = args.docs();
    let mut all = pages::read_all(docs)?;
    if let Some(name) =
        args.experiment.as_ref().filter(|name| !all.iter().any(|f| f.name == **name))
    {
        let hint = format!("`ludens reproduce {name} --docs {}` plays it", docs.display());
        let message = format!("{} has no numbers of `{name}`", docs.display());
        return Err(Hinted::new(message, hint).into());
    }
    for findings in &mut all {
        if let Ok(experiment) = collection::find(&findings.name) {
            let initial = findings.about.initial.take();
            findings.about = About { initial, ..experiment.about };
        }
        pages::write_findings(docs, findings)?;
    }
    pages::write_index(docs, &all)?;
    all.retain(|findings| args.experiment.as_ref().is_none_or(|name| findings.name == *name));
    args.write_html(&all)
}
