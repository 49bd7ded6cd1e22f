//! Compares self-play with networks with that of `OpenSpiel`'s `AlphaZero` in one run: the same game, machine,
//! number of cores, simulations and time.
//!
//! The programs take turns, and each lap begins with a new network. What happens once is left out: ours finds
//! symmetries and makes its network before the clock starts, theirs builds its network and compiles.

use std::thread::available_parallelism;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use cpu_time::ProcessTime;
use ludens_catalog::{LoadedGame, ReasonerKind, load_game, new_learner};
use ludens_core::Budget;
use ludens_learn::{Choosing, Learning, Method, VisitCounts};
use ludens_search::RootNoise;

use super::openspiel::{OpenSpiel, ZeroAnswer, ZeroParameters};
use super::self_play_report::{self, SelfPlayFigure, SelfPlayLap, SelfPlayRow};
use super::table::{OwnSelfPlay, PeerTable, SelfPlayEntry, TheirSelfPlay};
use super::{Args, find_openspiel};

/// Measures ours, and the other program if it is installed.
pub fn run(args: &Args, table: &PeerTable) -> Result<()> {
    let entries = args.chosen(&table.self_plays, |entry| &entry.game)?;
    let openspiel = find_openspiel(table).filter(|openspiel| {
        let found = openspiel.find_or_install_zero(&table.openspiel.zero);
        found.inspect_err(|why| eprintln!("its AlphaZero is missing: {why:#}")).is_ok()
    });
    for entry in entries {
        let row = measure(entry, args, openspiel.as_ref()).context(entry.game.clone())?;
        if args.json {
            println!("{}", row.json());
        } else {
            self_play_report::print(&row);
        }
    }
    Ok(())
}

impl Args {
    fn self_play_time(&self) -> std::time::Duration {
        std::time::Duration::from_secs_f64(self.minutes * 60.0 / f64::from(self.laps.max(1)))
    }
}

/// A program that plays against itself.
enum Contender<'a> {
    Ours(&'a OwnSelfPlay),
    Theirs(&'a OpenSpiel, &'a TheirSelfPlay),
}

impl Contender<'_> {
    fn figure(&self) -> SelfPlayFigure {
        let (name, doc) = match self {
            Contender::Ours(own) => (&own.name, &own.doc),
            Contender::Theirs(_, their) => (&their.name, &their.doc),
        };
        SelfPlayFigure::new(name, doc)
    }
}

fn measure(
    entry: &SelfPlayEntry,
    args: &Args,
    openspiel: Option<&OpenSpiel>,
) -> Result<SelfPlayRow> {
    let loaded = load_game(&entry.game, ReasonerKind::Mixed, &Budget::unlimited())?;
    let n_cores = available_parallelism().map_or(1, usize::from);
    let ours = entry.ours.iter().map(Contender::Ours);
    let theirs = entry.theirs.iter().filter_map(|their| Some(Contender::Theirs(openspiel?, their)));
    let contenders: Vec<_> = ours.chain(theirs).collect();
    let mut figures: Vec<_> = contenders.iter().map(Contender::figure).collect();
    let mut versions = None;
    for number in 0..args.laps.max(1) {
        for (contender, figure) in contenders.iter().zip(&mut figures) {
            let lap = match contender {
                Contender::Ours(own) => {
                    our_lap(&loaded, own.learning(entry, n_cores, number)?, args)
                }
                Contender::Theirs(openspiel, their) => {
                    their_lap(openspiel, their, entry, n_cores, number, args).map(|answer| {
                        let lap = SelfPlayLap::from(&answer);
                        versions = Some(answer.versions);
                        lap
                    })
                }
            };
            let lap = lap.with_context(|| figure.program.clone())?;
            eprintln!("lap {} of {}: {:.2} games/s", number + 1, figure.program, lap.games_per_s());
            figure.laps.push(lap);
        }
    }
    Ok(SelfPlayRow {
        game: entry.game.clone(),
        simulations: entry.simulations,
        seconds: args.self_play_time().as_secs_f64(),
        n_cores,
        versions,
        figures,
        theirs: entry.theirs.iter().map(|their| their.name.clone()).collect(),
        floors: entry.floors.clone(),
        simulations_floors: entry.simulations_floors.clone(),
    })
}

impl OwnSelfPlay {
    /// The settings of a lap.
    pub fn learning(&self, entry: &SelfPlayEntry, n_cores: usize, number: u32) -> Result<Learning> {
        let mut learning = Method::Fast.settings();
        learning.self_play.simulations = entry.simulations;
        learning.seed = u64::from(number) + 1;
        learning.n_threads = n_cores;
        if self.visits {
            learning.self_play.choosing = Choosing::Visits(VisitCounts {
                temperature: 1.0,
                sampled_plies: usize::MAX,
                noise: RootNoise::NONE,
                forced: 0.0,
                cap: None,
            });
        }
        if self.alone {
            (learning.n_groups, learning.games_per_group) = (n_cores, 1);
        }
        for text in &self.settings {
            let (name, value) = text.split_once('=').context("a setting is NAME=VALUE")?;
            learning.set(name, value).map_err(anyhow::Error::msg)?;
        }
        Ok(learning)
    }
}

/// Plays, and trains if the settings say so, until the time is over.
fn our_lap(game: &LoadedGame, learning: Learning, args: &Args) -> Result<SelfPlayLap> {
    let n_threads = learning.n_threads as u64;
    let learner = new_learner(&game.game, learning);
    let mut learner = learner.map_err(|why| anyhow!("the game cannot be learnt: {why}"))?;
    let parameters = learner.weights().shape.n_parameters() as u64;
    let time = args.self_play_time();
    let (began, cpu) = (Instant::now(), ProcessTime::now());
    let budget = Budget::unlimited().with_time(time);
    while !budget.is_over() {
        let progress = began.elapsed().as_secs_f64() / time.as_secs_f64();
        learner.iterate(progress.min(1.0), &budget);
    }
    let (seconds, cpu_seconds) = (began.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    let state = learner.state();
    let playing = state.playing.as_secs_f64();
    Ok(SelfPlayLap {
        games: state.played.games,
        moves: state.played.plies,
        simulations: state.played.simulations,
        calls: None,
        seconds,
        cpu_seconds,
        playing: playing / (playing + state.training.as_secs_f64()).max(1e-9),
        n_threads,
        steps: state.n_steps,
        parameters,
    })
}

fn their_lap(
    openspiel: &OpenSpiel,
    their: &TheirSelfPlay,
    entry: &SelfPlayEntry,
    n_cores: usize,
    number: u32,
    args: &Args,
) -> Result<ZeroAnswer> {
    let parameters = ZeroParameters {
        // Actors add their numbers.
        seed: 1 + 1000 * number,
        simulations: entry.simulations,
        network: (&their.model, their.width, their.depth),
        actors: n_cores,
    };
    openspiel.zero_lap(&entry.openspiel, args.self_play_time(), &parameters)
}

impl From<&ZeroAnswer> for SelfPlayLap {
    fn from(answer: &ZeroAnswer) -> Self {
        SelfPlayLap {
            games: answer.games,
            moves: answer.moves,
            simulations: answer.simulations,
            calls: Some(answer.calls),
            seconds: answer.seconds,
            cpu_seconds: answer.cpu_seconds,
            // There is no learner.
            playing: 1.0,
            n_threads: answer.actors,
            steps: answer.steps,
            parameters: answer.parameters,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn the_time_is_shared_by_laps() {
        let args = |text: &str| Line::try_parse_from(text.split(' ')).map(|line| line.args);
        let given = args("peers --self-play --minutes 2 --laps 4").unwrap();
        assert_eq!(given.self_play_time(), Duration::from_secs(30));
        assert!(args("peers --minutes 2").is_err(), "it is not for playouts");
        assert!(args("peers --self-play --search").is_err());
    }

    #[test]
    fn entrants_differ_by_their_settings() {
        let table = PeerTable::read().unwrap();
        let entry = &table.self_plays[0];
        let learning = |name: &str| {
            let own = entry.ours.iter().find(|own| own.name == name).unwrap();
            own.learning(entry, 2, 4).unwrap()
        };
        let fast = learning("fast");
        assert_eq!((fast.changed(), fast.seed, fast.n_threads), (Vec::new(), 5, 2));
        assert_eq!(learning("whole").changed(), [("solver", "false".to_owned())]);
        let alone = learning("alone");
        assert_eq!((alone.n_groups, alone.games_per_group), (2, 1));
        assert_eq!(alone.self_play, learning("alike").self_play);
        assert!(matches!(alone.self_play.choosing, Choosing::Visits(_)));
    }
}
