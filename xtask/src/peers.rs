//! Random playouts beside those of other programs, in one run: our ground reasoners, a plain
//! translation for SWI-Prolog, and `OpenSpiel`. Each plays from the initial state in one thread,
//! by CPU time, a lap of each in turn, so that whatever else the machine does befalls all alike.

mod openspiel;
mod report;
mod table;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ludens_catalog::speed::{self, Lap, Starts, Track};
use ludens_catalog::{LoadedGame, load_game};
use ludens_core::Budget;

use crate::prolog::{self, Program};
use crate::workspace;
use openspiel::OpenSpiel;
use report::{Figure, Row};
use table::{GameEntry, Table};

/// What to measure.
#[derive(clap::Args)]
pub struct Args {
    /// Only games whose name contains one of these
    games: Vec<String>,
    /// CPU seconds for each program and game
    #[arg(long, default_value_t = 6.0)]
    seconds: f64,
    /// In how many laps, of which the middle one counts
    #[arg(long, default_value_t = 3)]
    laps: u32,
    /// A folder with games that are not in the library, such as the corpus has
    #[arg(long, value_name = "DIR")]
    games_dir: Option<PathBuf>,
    /// A line of JSON for every game
    #[arg(long)]
    json: bool,
}

/// Measures all programs that are there, and prints what is missing and how to get it.
pub fn run(args: &Args) -> Result<()> {
    let table = Table::read()?;
    let games = args.chosen(&table)?;
    let openspiel = OpenSpiel::find_or_install(&table.openspiel.package);
    if let Err(why) = &openspiel {
        eprintln!("OpenSpiel is missing: {why:#}");
    }
    if !prolog::is_installed() {
        eprintln!("SWI-Prolog is missing: {}", prolog::REMEDY);
    }
    let mut rows = Vec::new();
    for entry in games {
        match measure(entry, args, openspiel.as_ref().ok()) {
            Ok(row) if args.json => println!("{}", row.json()),
            Ok(row) => {
                eprintln!("{} is done", row.game);
                rows.push(row);
            }
            Err(why) => eprintln!("{} is left out: {why:#}", entry.name),
        }
    }
    if !args.json {
        report::print(&rows, args.seconds);
    }
    Ok(())
}

impl Args {
    fn chosen<'t>(&self, table: &'t Table) -> Result<Vec<&'t GameEntry>> {
        let is_chosen = |entry: &&GameEntry| {
            self.games.is_empty() || self.games.iter().any(|part| entry.name.contains(part))
        };
        let chosen: Vec<_> = table.games.iter().filter(is_chosen).collect();
        if chosen.is_empty() {
            bail!("no game's name contains `{}`", self.games.join("` or `"));
        }
        Ok(chosen)
    }

    fn lap_time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds / f64::from(self.laps.max(1)))
    }

    /// How the catalog is asked for a game.
    fn spec(&self, entry: &GameEntry) -> Result<String> {
        if !entry.file {
            return Ok(entry.name.clone());
        }
        let folder = self.games_dir.as_ref().context("its folder is given by --games-dir")?;
        Ok(folder.join(format!("{}.kif", entry.name)).display().to_string())
    }
}

/// A program that plays.
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

/// A lap, and how long its games were on average if that is known.
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
                // A short lap to warm up, which does not count.
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
