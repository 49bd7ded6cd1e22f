//! `ludens tournament`: many agents, many games.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use ludens_arena::standing::Standing;
use ludens_catalog::Cache;
use serde::Serialize;

use crate::Outcome;
use crate::cli::GroundArgs;
use crate::console::Console;
use crate::interrupt::{self, outcome};
use crate::report::{
    ContestProgress, play_in_lines, print_board, print_how_to_resume, print_location, print_note,
    print_standing,
};
use ludens_lab::contest::{
    Contest, Summary, Total, Tournament as File, TournamentOptions, VoidGames,
};

const EXAMPLES: &str = "\
Examples:
  ludens tournament experiments/example-tournament.toml
  ludens tournament mine.toml --games 200                    more games for each pair
  ludens tournament mine.toml --cells hex,breakthrough       only these games
  ludens results ludens.journal mine                         the standing

A file lists agents and games:

  agents = [\"uct\", \"uct + mast\", \"flat\"]
  games = [\"tictactoe\", \"breakthrough(size=6)\"]
  games_per_meeting = 20     # for each group of agents that meets
  iterations = 500           # a move; or time = \"1s\"
  # Optional:
  start_iterations = 5000    # to prepare for each game; or start_time = \"5s\"
  name = \"mine\"              # in the journal; the name of the file if not given
  pairing = \"round_robin\"    # or gauntlet (the first against each), or pairs
  seed = 1
  openings = 2               # random moves at the beginning
  reasoner = \"native\"
  journal = \"mine.journal\"

Every game is written to the journal as it ends, and the same command resumes.";

/// Play many agents against each other in many games, as a file describes.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Tournament {
    /// The file that describes the tournament.
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,

    /// The number of games of each meeting of agents; by default that of the file.
    #[arg(long, value_name = "N")]
    games: Option<usize>,

    /// Only these games of the file.
    #[arg(long, value_name = "GAME", value_delimiter = ',')]
    cells: Vec<String>,

    #[command(flatten)]
    concurrency: super::match_::ConcurrencyArgs,

    /// The journal; by default the one that the file names.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,

    #[command(flatten)]
    ground: GroundArgs,
}

impl Tournament {
    fn options(&self) -> TournamentOptions {
        let super::match_::ConcurrencyArgs { concurrency, together } = self.concurrency;
        let limits = self.ground.settings(None);
        TournamentOptions {
            games: self.games,
            cells: self.cells.clone(),
            concurrency,
            together,
            journal: self.journal.clone(),
            ground_time: limits.ground_time,
            ground_bytes: limits.ground_bytes,
        }
    }
}

/// Plays the missing games of the tournament, contest after contest.
pub fn run(args: &Tournament, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    let (file, options) = (File::read(&args.file)?, args.options());
    let contests = file.contests(&options)?;
    let mut total = Total::new(&file.names());
    let is_interrupted = || interrupt::stop().is_raised();
    for (at, contest) in contests.iter().enumerate() {
        if is_interrupted() {
            break;
        }
        let label = format!("{} ({} of {})", contest.game, at + 1, contests.len());
        play(contest, &label, cache, &mut total, console)?;
    }
    print_total(&total, &file.name, console)?;
    if !console.json {
        let place = format!("{} as `{}/…`", file.journal(&options).display(), file.name);
        print_location(&place, total.recorded, total.board.played(), console)?;
        // Contests that did not begin have missing games too.
        let missing = if is_interrupted() { total.missing.max(1) } else { 0 };
        print_how_to_resume(missing, console)?;
    }
    Ok(outcome())
}

fn play(
    contest: &Contest,
    label: &str,
    cache: &Cache,
    total: &mut Total,
    console: &mut Console,
) -> anyhow::Result<()> {
    let stop = interrupt::stop();
    let opened = contest.open(cache, &mut |event| print_note(&event))?;
    let report = if console.json {
        let report = play_in_lines(&opened, stop, console)?;
        console.record("match", &Summary::new(&opened.name, &opened.settings, &report))?;
        report
    } else {
        let mut progress = ContestProgress::new(label);
        let report = opened.play(stop, &mut |event| progress.show(&event))?;
        drop(progress);
        let void = VoidGames::of(&opened.recorded_games()?);
        print_standing(&opened.settings, &report.board, &void, None, console)?;
        report
    };
    total.add(opened.recorded_games()?, report.missing, opened.games_in_journal()?);
    Ok(())
}

/// The last line of a tournament.
#[derive(Serialize)]
struct Record<'a> {
    kind: &'static str,
    tournament: &'a str,
    #[serde(flatten)]
    standing: Standing,
    missing: usize,
}

/// Prints the table of all games.
pub fn print_total(total: &Total, name: &str, console: &mut Console) -> io::Result<()> {
    if console.json {
        let (standing, missing) = (total.board.standing(), total.missing);
        let record = Record { kind: "standing", tournament: name, standing, missing };
        return console.record("tournament", &record);
    }
    if total.n_contests > 1 {
        writeln!(console, "\x1b[1mall {} games of {name}\x1b[0m\n", total.n_contests)?;
        print_board(&total.board, &total.void, console)?;
    }
    Ok(())
}
