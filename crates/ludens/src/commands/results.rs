//! `ludens results`: prints and exports the contents of a journal.

mod export;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use ludens_arena::journal::{Journal, Summary};
use ludens_arena::record::GameRecord;
use ludens_arena::standing::{Scoreboard, Standing};
use ludens_catalog::{Cache, nearest};
use serde::Serialize;

use super::tournament::print_total;
use crate::Outcome;
use crate::console::Console;
use crate::report::print_standing;
use ludens_lab::Hinted;
use ludens_lab::contest::{DEFAULT_JOURNAL, Settings, Total, VoidGames};

const EXAMPLES: &str = "\
Examples:
  ludens results                                        all matches in ludens.journal
  ludens results ludens.journal mine                    the table of a match, or of a tournament
  ludens results ludens.journal mine --svg mine.svg     a picture with intervals
  ludens results ludens.journal mine --csv > mine.csv
  ludens results ludens.journal mine --jsonl > games.jsonl
  ludens results ludens.journal mine --match-json games   files that `ludens replay` checks

A name selects a match, or all matches of a tournament.";

/// Show and export recorded games.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Results {
    /// The journal.
    #[arg(default_value = DEFAULT_JOURNAL)]
    journal: PathBuf,

    /// A match or a tournament; without it, all are listed or exported.
    name: Option<String>,

    #[command(flatten)]
    form: Form,
}

/// The output format.
#[derive(Args)]
#[group(multiple = false)]
struct Form {
    /// Print tables as comma-separated values, one agent per line.
    #[arg(long)]
    csv: bool,

    /// Print games as JSON Lines, one game per line.
    #[arg(long)]
    jsonl: bool,

    /// Write every game as match JSON to a folder.
    #[arg(long, value_name = "DIR")]
    match_json: Option<PathBuf>,

    /// Write a picture of the scores with their intervals.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// A match of the journal.
struct Found {
    name: String,
    settings: Settings,
    games: Vec<GameRecord>,
    /// When each game of the schedule ended, in milliseconds since 1970.
    finished: BTreeMap<usize, u64>,
}

impl Found {
    fn board(&self) -> Scoreboard {
        Scoreboard::of(&self.settings.names(), &self.games)
    }
}

/// Prints or exports the contents of a journal.
pub fn run(args: &Results, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    if args.form.csv && console.json {
        let hint = "leave one of them out; --jsonl prints games, and --json alone tables";
        return Err(Hinted::new("--csv and --json are alternatives", hint).into());
    }
    let journal = Journal::open_existing(&args.journal)?;
    let summaries = journal.summaries()?;
    let wanted = select(&summaries, args.name.as_deref())?;
    let found: Vec<Found> =
        wanted.iter().map(|name| find(&journal, name)).collect::<Result<_, _>>()?;
    let form = &args.form;
    if form.csv {
        export::csv(&found, console)?;
    } else if form.jsonl {
        export::json_lines(&found, console)?;
    } else if let Some(folder) = &form.match_json {
        export::match_json(&found, folder, cache, console)?;
    } else if let Some(path) = &form.svg {
        export::svg(&found, path, console)?;
    } else if console.json {
        found.iter().try_for_each(|found| console.record("results", &Record::of(found)))?;
    } else if let Some(name) = &args.name {
        print_all(name, found, console)?;
    } else {
        list(&summaries, &found, console)?;
    }
    Ok(Outcome::Fine)
}

/// The names of the matches that a name selects.
fn select<'s>(summaries: &'s [Summary], name: Option<&str>) -> anyhow::Result<Vec<&'s str>> {
    let all = || summaries.iter().map(|summary| summary.name.as_str());
    let Some(name) = name else { return Ok(all().collect()) };
    let belongs = |other: &&str| {
        *other == name || other.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'))
    };
    let wanted: Vec<&str> = all().filter(belongs).collect();
    if wanted.is_empty() {
        let tournaments = all().filter_map(|other| Some(other.split_once('/')?.0));
        let hint = match nearest(name, all().chain(tournaments)) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "without a name, all matches of the journal are listed".to_owned(),
        };
        return Err(Hinted::new(format!("no match is called `{name}`"), hint).into());
    }
    Ok(wanted)
}

fn find(journal: &Journal, name: &str) -> anyhow::Result<Found> {
    let missing = || anyhow::anyhow!("`{name}` is no longer in the journal");
    let experiment = journal.find(name)?.ok_or_else(missing)?;
    let settings = serde_json::from_value(experiment.spec.clone())
        .map_err(|error| anyhow::anyhow!("`{name}` is not a match of this program: {error}"))?;
    let (games, finished) = (experiment.games()?, experiment.finish_times()?);
    Ok(Found { name: name.to_owned(), settings, games, finished })
}

/// A line for each match.
fn list(summaries: &[Summary], found: &[Found], console: &mut Console) -> std::io::Result<()> {
    if found.is_empty() {
        return writeln!(console, "no games yet");
    }
    let head = ["NAME", "GAME", "GAMES", "LEADER", "LAST GAME"].map(str::to_owned).to_vec();
    let row = |(summary, found): (&Summary, &Found)| {
        let standing = found.board().standing();
        // `max_by` takes the last of equal ones: in reverse order, the first.
        let leader = standing.agents.iter().rev().max_by(|a, b| a.score.total_cmp(&b.score));
        let leader = leader.map(|agent| format!("{} {:.1} %", agent.name, agent.score * 100.0));
        let last = summary.last_game_at.clone().unwrap_or_default();
        let games = standing.games.to_string();
        vec![
            found.name.clone(),
            found.settings.game.clone(),
            games,
            leader.unwrap_or_default(),
            last,
        ]
    };
    let rows = summaries.iter().zip(found).map(row);
    console.table(&std::iter::once(head).chain(rows).collect::<Vec<_>>())?;
    writeln!(console, "\n`ludens results JOURNAL NAME` shows one of them")
}

/// The table of each match, and that of all games of a tournament.
fn print_all(name: &str, found: Vec<Found>, console: &mut Console) -> std::io::Result<()> {
    let agents = found.first().map(|found| found.settings.agents.clone()).unwrap_or_default();
    // Games of other agents under a similar name cannot be added up.
    let is_tournament = found.iter().all(|found| found.settings.agents == agents);
    let names = found.first().map(|found| found.settings.names()).unwrap_or_default();
    let mut total = Total::new(&names);
    for Found { settings, games, .. } in found {
        let board = Scoreboard::of(&settings.names(), &games);
        print_standing(&settings, &board, &VoidGames::of(&games), None, console)?;
        let recorded = games.len();
        if is_tournament {
            total.add(games, 0, recorded);
        }
    }
    if is_tournament { print_total(&total, name, console) } else { Ok(()) }
}

/// A match as JSON.
#[derive(Serialize)]
struct Record<'a> {
    kind: &'static str,
    experiment: &'a str,
    settings: &'a Settings,
    #[serde(flatten)]
    standing: Standing,
}

impl<'a> Record<'a> {
    fn of(found: &'a Found) -> Self {
        let (experiment, settings) = (found.name.as_str(), &found.settings);
        Record { kind: "standing", experiment, settings, standing: found.board().standing() }
    }
}
