//! Compares tree search with `OpenSpiel`'s in one run: simulations per second of CPU time.
//!
//! Each program searches from the initial state with an empty tree and evaluates each leaf by one random
//! playout. The programs take turns, and the median lap counts.

use anyhow::{Context, Result};
use ludens_catalog::{load_agent, load_game};
use ludens_core::Budget;
use ludens_lab::speed::{self, SearchLap, SearchSetup, SearchTrack};

use super::openspiel::{OpenSpiel, SearchParameters};
use super::search_report::{self, SearchFigure, SearchRow};
use super::table::{PeerTable, SearchEntrant, SearchEntry};
use super::{Args, find_openspiel};

/// Measures our agents, and the other program if it is installed.
pub fn run(args: &Args, table: &PeerTable) -> Result<()> {
    let games = args.chosen(&table.searches, |entry| &entry.game)?;
    let openspiel = find_openspiel(table);
    let mut rows = Vec::new();
    for entry in games {
        let exploration = table.openspiel.exploration;
        match measure(entry, args, openspiel.as_ref().map(|program| (program, exploration))) {
            Ok(row) if args.json => println!("{}", row.json()),
            Ok(row) => {
                eprintln!("{} is done", row.game);
                rows.push(row);
            }
            Err(why) => eprintln!("{} is skipped: {why:#}", entry.game),
        }
    }
    if !args.json {
        search_report::print(&rows, args.simulations);
    }
    Ok(())
}

/// A search.
enum Contender<'a> {
    Ours(Box<dyn SearchTrack>),
    OpenSpiel { program: &'a OpenSpiel, game: &'a str, exploration: f64 },
}

impl Contender<'_> {
    fn lap(&mut self, args: &Args, number: u32) -> Result<SearchLap> {
        match self {
            Contender::Ours(track) => Ok(track.lap(args.lap_time())),
            Contender::OpenSpiel { program, game, exploration } => {
                let (simulations, exploration) = (args.simulations, *exploration);
                // No lap repeats a search of another lap.
                let parameters =
                    SearchParameters { seed: 1 + 10_000 * number, simulations, exploration };
                program.search_lap(game, args.lap_time(), &parameters)
            }
        }
    }
}

fn measure(
    entry: &SearchEntry,
    args: &Args,
    openspiel: Option<(&OpenSpiel, f64)>,
) -> Result<SearchRow> {
    let mut contenders = Vec::new();
    for entrant in &entry.entrants {
        let track = ours(&entry.game, entrant, args).with_context(|| entrant.name.clone())?;
        contenders.push((entrant.name.clone(), Contender::Ours(track)));
    }
    if let Some((program, exploration)) = openspiel {
        let contender = Contender::OpenSpiel { program, game: &entry.openspiel, exploration };
        contenders.push(("openspiel".to_owned(), contender));
    }
    let figures = race(&mut contenders, args)?;
    let (floors, plies_floors) = (entry.floors.clone(), entry.plies_floors.clone());
    Ok(SearchRow { game: entry.game.clone(), figures, floors, plies_floors })
}

fn ours(game: &str, entrant: &SearchEntrant, args: &Args) -> Result<Box<dyn SearchTrack>> {
    let loaded = load_game(game, entrant.reasoner, &Budget::unlimited())?;
    let setup = SearchSetup {
        agent: load_agent(&entrant.agent)?,
        iterations: args.simulations,
        together: entrant.together,
        seed: 1,
    };
    let mut track = speed::search_track(&loaded.game, setup)?;
    // A warm-up: memory that is allocated once is reused.
    track.lap(std::time::Duration::ZERO);
    Ok(track)
}

fn race(contenders: &mut [(String, Contender<'_>)], args: &Args) -> Result<Vec<SearchFigure>> {
    let mut laps = vec![Vec::new(); contenders.len()];
    for number in 0..args.laps.max(1) {
        for ((name, contender), laps) in contenders.iter_mut().zip(&mut laps) {
            laps.push(contender.lap(args, number).with_context(|| name.clone())?);
        }
    }
    let figure = |((name, _), laps): (&(String, Contender<'_>), Vec<SearchLap>)| {
        SearchFigure::new(name, &speed::median_search(laps))
    };
    Ok(contenders.iter().zip(laps).map(figure).collect())
}
