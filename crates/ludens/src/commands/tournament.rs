//! `ludens tournament`: many agents, many games.

mod file;
pub(super) mod total;

use std::path::PathBuf;

use clap::Args;
use ludens_catalog::Cache;

use crate::Outcome;
use crate::cli::GroundArgs;
use crate::console::Console;
use crate::contest::{
    Bar, Contest, Summary, Void, is_interrupted, outcome, play_in_lines, tell, tell_the_place,
    tell_the_way_on,
};

use file::Tournament as File;
use total::Total;

const EXAMPLES: &str = "\
Examples:
  ludens tournament experiments/example-tournament.toml
  ludens tournament mine.toml --games 200                    as many games for each pair
  ludens tournament mine.toml --cells hex,breakthrough       only these games
  ludens results ludens.journal mine                         how it stands

A file says who plays what:

  agents = [\"uct\", \"uct + mast\", \"flat\"]
  games = [\"tictactoe\", \"breakthrough(size=6)\"]
  games_per_meeting = 20     # for each group of agents that meets
  iterations = 500           # a move; or time = \"1s\"
  # Optional:
  start_iterations = 5000    # to get ready for each game; or start_time = \"5s\"
  name = \"mine\"              # in the journal; the name of the file if not given
  pairing = \"round_robin\"    # or gauntlet (the first against each), or pairs
  seed = 1
  openings = 2               # random moves at the beginning
  reasoner = \"native\"
  journal = \"mine.journal\"

Every game is written to the journal as it ends, and the same command goes on.";

/// Let many agents meet in many games, as a file says.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Tournament {
    /// The file that says who plays what.
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,

    /// How many games each group of agents plays that meets; without it, as many as the file says.
    #[arg(long, value_name = "N")]
    games: Option<usize>,

    /// Only these games of the file.
    #[arg(long, value_name = "GAME", value_delimiter = ',')]
    cells: Vec<String>,

    #[command(flatten)]
    crew: super::match_::CrewArgs,

    /// The file that remembers every game; without it, the one that the file says.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,

    #[command(flatten)]
    ground: GroundArgs,
}

/// Plays what is missing of the tournament, game after game.
pub fn run(args: &Tournament, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    let file = File::read(&args.file)?;
    let contests = file.contests(args)?;
    let mut total = Total::new(&file.names());
    for (at, contest) in contests.iter().enumerate() {
        if is_interrupted() {
            break;
        }
        let label = format!("{} ({} of {})", contest.game, at + 1, contests.len());
        play(contest, &label, cache, &mut total, console)?;
    }
    total.tell(&file.name, console)?;
    if !console.json {
        let place = format!("{} as `{}/…`", file.journal(args).display(), file.name);
        tell_the_place(&place, total.written(), total.games(), console)?;
        // Contests that were not begun have games as well.
        let missing = if is_interrupted() { total.missing().max(1) } else { 0 };
        tell_the_way_on(missing, console)?;
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
    let opened = contest.open(cache)?;
    let report = if console.json {
        let report = play_in_lines(&opened, console)?;
        console.record("match", &Summary::new(&opened.name, &opened.settings, &report))?;
        report
    } else {
        let report = opened.play(&mut Bar::new(label))?;
        let void = Void::of(&opened.earlier_games()?);
        tell(&opened.settings, &report.board, &void, None, console)?;
        report
    };
    total.add(opened.earlier_games()?, report.missing, opened.games_in_journal()?);
    Ok(())
}
