//! `ludens bench`: the speed of playouts, loading and search.

mod load;
mod reasoner;
mod record;
mod search;
mod search_record;

use clap::{Args, Subcommand};
use ludens_catalog::{CatalogError, library, load_source};
use serde::Serialize;

use crate::console::Console;
use crate::report::StatusLine;
use crate::{Outcome, failure};

const EXAMPLES: &str = "\
Examples:
  ludens bench reasoner
  ludens bench reasoner chess my.kif --reasoner scalar --reasoner logic --seconds 10
  ludens bench reasoner --all --leaves 256 --json > speeds.jsonl
  ludens bench load --all
  ludens bench search
  ludens bench search chess --agent uct --agent 'grave + mast' --iterations 2000 --json";

/// Measure the speed of playouts, loading and search.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Bench {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Reasoner(reasoner::ReasonerBench),
    Load(load::LoadBench),
    Search(search::SearchBench),
}

/// Measures.
pub fn run(args: &Bench, console: &mut Console) -> anyhow::Result<Outcome> {
    match &args.what {
        What::Reasoner(args) => reasoner::run(args, console),
        What::Load(args) => load::run(args, console),
        What::Search(args) => search::run(args, console),
    }
}

/// The default games, of many kinds: short and long, few moves and many, recursive helpers, one to
/// three roles.
const DEFAULT_GAMES: [&str; 12] = [
    "tictactoe",
    "connectfour",
    "breakthrough",
    "checkers",
    "othello",
    "hex",
    "amazons",
    "chess",
    "lines_of_action",
    "tron",
    "connectfour_3p",
    "eight_puzzle",
];

/// Which games to measure.
#[derive(Args)]
struct Games {
    /// Names of the library, or files; a dozen of the library if none are given.
    #[arg(value_name = "GAME")]
    games: Vec<String>,

    /// Measure all games of the library.
    #[arg(long, conflicts_with = "games")]
    all: bool,
}

#[derive(Serialize)]
struct ErrorRecord<'a> {
    kind: &'static str,
    game: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoner: Option<&'a str>,
    error: String,
}

impl Games {
    fn names(&self) -> Vec<&str> {
        if self.all {
            library().iter().map(|entry| entry.name).collect()
        } else if self.games.is_empty() {
            DEFAULT_GAMES.to_vec()
        } else {
            self.games.iter().map(String::as_str).collect()
        }
    }

    /// Measures one game after the other.
    fn each(
        &self,
        verb: &str,
        console: &mut Console,
        measure: impl FnMut(&str, &StatusLine, &mut Console) -> anyhow::Result<Outcome>,
    ) -> anyhow::Result<Outcome> {
        each(self.names().into_iter().map(|name| (name, name)), verb, console, measure)
    }
}

/// Fails if none of the requested games can be found, so that no empty table is printed.
fn look_up<'a>(games: impl IntoIterator<Item = &'a str>) -> Result<(), CatalogError> {
    let mut found = Ok(());
    for game in games {
        // The standard input can be read once only.
        if game == "-" {
            return Ok(());
        }
        match load_source(game) {
            Ok(_) => return Ok(()),
            Err(error) => found = found.and(Err(error)),
        }
    }
    found
}

/// Measures items one after the other, each with the name of its game; a failure does not affect
/// the others.
fn each<'a, T>(
    items: impl Iterator<Item = (&'a str, T)>,
    verb: &str,
    console: &mut Console,
    mut measure: impl FnMut(T, &StatusLine, &mut Console) -> anyhow::Result<Outcome>,
) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::Fine;
    for (game, item) in items {
        let progress = StatusLine::new();
        progress.show(game);
        let measured = failure::caught(|| measure(item, &progress, console));
        drop(progress);
        match measured {
            Ok(Outcome::Fine) => {}
            Ok(Outcome::Found) => outcome = Outcome::Found,
            Err(error) if failure::is_broken_pipe(&error) => return Err(error),
            Err(error) => {
                print_failure(verb, game, None, &error, console)?;
                outcome = Outcome::Found;
            }
        }
    }
    Ok(outcome)
}

/// The name of a game in tables: the last part of a path.
fn short(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Prints why something could not be measured.
fn print_failure(
    verb: &str,
    game: &str,
    reasoner: Option<&str>,
    error: &anyhow::Error,
    console: &mut Console,
) -> anyhow::Result<()> {
    if console.json {
        let error = format!("{error:#}");
        console.record(verb, &ErrorRecord { kind: "error", game, reasoner, error })?;
    } else {
        failure::report(error);
    }
    Ok(())
}
