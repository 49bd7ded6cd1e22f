//! Compares the speed of random playouts with other programs in one run: our grounded reasoners, a plain
//! translation for SWI-Prolog, and `OpenSpiel`. All play from the initial state on one thread, measured in
//! CPU time, and in turn, so that other load on the machine affects all equally. Tree searches are compared
//! in the same way, and play against each other. Self-play with networks is compared on all cores.

mod openspiel;
mod report;
mod search;
mod search_report;
mod self_play;
mod self_play_report;
mod strength;
mod table;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ludens_catalog::{LoadedGame, load_game};
use ludens_core::Budget;
use ludens_lab::speed::{self, Lap, Starts, Track};

use crate::prolog::{self, Program};
use crate::workspace;
use openspiel::OpenSpiel;
use report::{Figure, Row};
use table::{GameEntry, PeerTable};

/// What to measure.
#[derive(clap::Args)]
pub struct Args {
    /// Only games whose name contains one of these
    games: Vec<String>,
    #[command(flatten)]
    what: What,
    /// CPU seconds for each program and game
    #[arg(long, default_value_t = 6.0)]
    seconds: f64,
    /// Number of laps, of which the median counts
    #[arg(long, default_value_t = 3)]
    laps: u32,
    /// A folder with games that are not in the library, such as the corpus
    #[arg(long, value_name = "DIR")]
    games_dir: Option<PathBuf>,
    /// Simulations of a tree search per move
    #[arg(long, default_value_t = 10_000, requires = "search")]
    simulations: u64,
    /// Number of matches of a series
    #[arg(long = "games", value_name = "N", default_value_t = 40, requires = "strength")]
    n_matches: u32,
    /// Wall-clock time for a move of a match
    #[arg(long, default_value = "1s", value_parser = time, requires = "strength")]
    time: Duration,
    /// Seed of a series
    #[arg(long, default_value_t = 1, requires = "strength")]
    seed: u64,
    /// Wall-clock minutes of self-play of each program, all laps together
    #[arg(long, value_name = "M", default_value_t = 1.0, value_parser = minutes, requires = "self_play")]
    minutes: f64,
    /// Print a line of JSON for every game
    #[arg(long)]
    json: bool,
}

/// What is compared instead of random playouts.
#[derive(clap::Args)]
#[group(multiple = false)]
struct What {
    /// Compare tree searches instead of random playouts
    #[arg(long)]
    search: bool,
    /// Play matches against `OpenSpiel`'s tree search, resuming earlier ones
    #[arg(long)]
    strength: bool,
    /// Compare self-play with networks with `OpenSpiel`'s `AlphaZero`
    #[arg(long)]
    self_play: bool,
}

/// Parses a time such as `1s`, `500ms` or `1.5`, in seconds.
fn time(text: &str) -> Result<Duration, String> {
    let (number, scale) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.trim().parse::<f64>().map_err(|_| "expected a time, such as `1s`")?;
    let time = Duration::try_from_secs_f64(seconds * scale).ok();
    let valid = time.filter(|time| time.as_millis() > 0);
    valid.ok_or_else(|| "the time for a move is at least a millisecond".to_owned())
}

/// Parses a number of minutes.
fn minutes(text: &str) -> Result<f64, String> {
    let valid = |minutes: &f64| *minutes > 0.0 && *minutes <= 1e4;
    text.parse().ok().filter(valid).ok_or_else(|| "a positive number of minutes".to_owned())
}

/// Measures all installed programs, and prints what is missing and how to install it.
pub fn run(args: &Args) -> Result<()> {
    let table = PeerTable::read()?;
    if args.what.search {
        return search::run(args, &table);
    }
    if args.what.strength {
        return strength::run(args, &table);
    }
    if args.what.self_play {
        return self_play::run(args, &table);
    }
    let games = args.chosen(&table.games, |entry| &entry.name)?;
    let openspiel = find_openspiel(&table);
    if !prolog::is_installed() {
        eprintln!("SWI-Prolog is missing: {}", prolog::REMEDY);
    }
    let mut rows = Vec::new();
    for entry in games {
        match measure(entry, args, openspiel.as_ref()) {
            Ok(row) if args.json => println!("{}", row.json()),
            Ok(row) => {
                eprintln!("{} is done", row.game);
                rows.push(row);
            }
            Err(why) => eprintln!("{} is skipped: {why:#}", entry.name),
        }
    }
    if !args.json {
        report::print(&rows, args.seconds);
    }
    Ok(())
}

impl Args {
    /// The selected entries of the table.
    fn chosen<'t, T>(&self, entries: &'t [T], name: fn(&T) -> &str) -> Result<Vec<&'t T>> {
        let is_chosen = |entry: &&T| {
            self.games.is_empty() || self.games.iter().any(|part| name(entry).contains(part))
        };
        let chosen: Vec<_> = entries.iter().filter(is_chosen).collect();
        if chosen.is_empty() {
            bail!("no game's name contains `{}`", self.games.join("` or `"));
        }
        Ok(chosen)
    }

    fn lap_time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds / f64::from(self.laps.max(1)))
    }

    /// The name of a game for the catalog.
    fn spec(&self, entry: &GameEntry) -> Result<String> {
        if !entry.file {
            return Ok(entry.name.clone());
        }
        let folder = self.games_dir.as_ref().context("its folder is missing; use --games-dir")?;
        Ok(folder.join(format!("{}.kif", entry.name)).display().to_string())
    }
}

/// `OpenSpiel`; if it is missing, prints the reason and a remedy.
fn find_openspiel(table: &PeerTable) -> Option<OpenSpiel> {
    let found = OpenSpiel::find_or_install(&table.openspiel.package);
    found.inspect_err(|why| eprintln!("OpenSpiel is missing: {why:#}")).ok()
}

/// A program that runs playouts.
enum Contender<'a> {
    Ours(Box<dyn Track>),
    Swi(Program),
    OpenSpiel(&'a OpenSpiel, &'a str),
}

impl Contender<'_> {
    fn lap(&mut self, time: Duration, number: u32) -> Result<Measured> {
        Ok(match self {
            Contender::Ours(track) => Measured::of(track.lap(time)),
            Contender::Swi(program) => Measured::of(program.lap(time)?),
            Contender::OpenSpiel(openspiel, game) => {
                let (lap, mean_plies) = openspiel.lap(game, time, number)?;
                Measured { lap, mean_plies }
            }
        })
    }
}

/// A lap, and the mean length of its playouts if known.
struct Measured {
    lap: Lap,
    mean_plies: Option<f64>,
}

impl Measured {
    fn of(lap: Lap) -> Self {
        Measured { lap, mean_plies: Some(lap.plies as f64 / lap.playouts.max(1) as f64) }
    }
}

/// Lets all programs play a game in turn.
fn measure(entry: &GameEntry, args: &Args, openspiel: Option<&OpenSpiel>) -> Result<Row> {
    let spec = args.spec(entry)?;
    let mut contenders: Vec<(String, Contender<'_>)> = Vec::new();
    let mut rules = None;
    for kind in workspace::reasoners().into_iter().filter(|kind| kind.is_ground()) {
        let LoadedGame { game, rules: own, .. } = load_game(&spec, kind, &Budget::unlimited())?;
        let track = speed::track(&game, Starts::Initial, 1);
        contenders.push((kind.to_string(), Contender::Ours(track)));
        rules = Some(own);
    }
    if let Some(rules) = rules.filter(|_| prolog::is_installed()) {
        contenders.push(("swi".into(), Contender::Swi(Program::new(&rules)?)));
    }
    if let (Some(openspiel), Some(game)) = (openspiel, &entry.openspiel) {
        contenders.push(("openspiel".into(), Contender::OpenSpiel(openspiel, game)));
    }
    let figures = race(&mut contenders, args)?;
    Ok(Row { game: entry.name.clone(), figures, floors: entry.floors.clone() })
}

fn race(contenders: &mut [(String, Contender<'_>)], args: &Args) -> Result<Vec<Figure>> {
    let mut laps = vec![Vec::new(); contenders.len()];
    let mut lengths = vec![None; contenders.len()];
    for number in 0..args.laps.max(1) {
        for (i, (name, contender)) in contenders.iter_mut().enumerate() {
            if number == 0 {
                // A short warm-up lap.
                contender.lap(args.lap_time() / 20, number).with_context(|| name.clone())?;
            }
            let measured = contender.lap(args.lap_time(), number).with_context(|| name.clone())?;
            laps[i].push(measured.lap);
            lengths[i] = measured.mean_plies.or(lengths[i]);
        }
    }
    let figure = |((name, _), (laps, mean_plies)): (&(String, Contender<'_>), (Vec<Lap>, _))| {
        let rate = speed::median(laps).playouts_per_second();
        Figure { program: name.clone(), rate, mean_plies }
    };
    Ok(contenders.iter().zip(laps.into_iter().zip(lengths)).map(figure).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_parsed() {
        assert_eq!(time("1s"), Ok(Duration::from_secs(1)));
        assert_eq!(time("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(time("1.5"), Ok(Duration::from_millis(1500)));
        for text in ["", "s", "0", "-1s", "1h", "NaN", "1e300"] {
            assert!(time(text).is_err(), "{text}");
            assert!(minutes(text).is_err(), "{text}");
        }
        assert_eq!(minutes("1.5"), Ok(1.5));
    }
}
