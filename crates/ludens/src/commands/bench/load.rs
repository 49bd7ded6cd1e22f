//! `ludens bench load`: the time from the text of rules to the end of the first random game.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use ludens_catalog::{
    AnyGame, Cache, LoadReport, LoadedSource, ReasonerKind, WithGame, load_source,
};
use ludens_core::{Game, Rng, Tally};
use serde::Serialize;

use super::{Games, look_up, short};
use crate::Outcome;
use crate::cli::{GroundArgs, reasoner_parser};
use crate::console::Console;
use ludens_lab::{QUESTION_TIME, units};

/// The name of the records' format.
const VERB: &str = "bench-load";

/// The number of loads of each game; the median counts.
const REPEATS: usize = 3;

/// Measure the time from the text of rules to the end of the first random game.
///
/// Times are wall-clock times. Games are loaded without the cache; those that would be cached
/// (grounded in more than 20 ms) are then loaded again from a temporary cache.
#[derive(Args)]
pub struct LoadBench {
    #[command(flatten)]
    games: Games,

    /// The reasoner that runs the rules.
    #[arg(long, value_name = "REASONER", default_value = "auto", value_parser = reasoner_parser())]
    reasoner: ReasonerKind,

    #[command(flatten)]
    ground: GroundArgs,
}

/// The times of one game, in milliseconds.
#[derive(Serialize)]
struct Record<'a> {
    kind: &'static str,
    game: &'a str,
    reasoner: &'static str,
    total_ms: f64,
    ground_ms: Option<f64>,
    compile_ms: f64,
    playout_ms: f64,
    /// The total time with a cached network, if it is cached.
    cached_ms: Option<f64>,
    /// Why the rules could not be grounded, if grounding failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    fallback: Option<String>,
}

#[derive(Serialize)]
struct Summary {
    kind: &'static str,
    games: usize,
    median_ms: f64,
    p90_ms: f64,
    max_ms: f64,
    /// Games that were run by the reference reasoner, because they could not be grounded.
    fallbacks: usize,
}

/// Measures all games.
pub fn run(args: &LoadBench, console: &mut Console) -> anyhow::Result<Outcome> {
    look_up(args.games.names())?;
    if !console.json {
        writeln!(
            console,
            "{:<22} {:<8} {:>10} {:>10} {:>10} {:>10} {:>10}",
            "GAME", "REASONER", "TOTAL ms", "GROUND", "COMPILE", "PLAYOUT", "CACHED"
        )?;
    }
    let (mut times, mut fallbacks) = (Vec::new(), 0);
    let outcome = args.games.each(VERB, console, |game, progress, console| {
        let source = load_source(game)?;
        let mut runs = (0..REPEATS).map(|_| measure(args, &source, &Cache::off()));
        let mut runs = runs.by_ref().collect::<anyhow::Result<Vec<_>>>()?;
        runs.sort_by_key(|run| run.total);
        let run = runs.swap_remove(REPEATS / 2);
        let record = run.record(&source.name, cached(args, &source)?);
        times.push(run.total);
        fallbacks += usize::from(run.report.fallback.is_some());
        progress.clear();
        print(&record, console)
    })?;
    times.sort_unstable();
    print_summary(&times, fallbacks, console)?;
    Ok(outcome)
}

/// The times of loading a game and of one random game.
struct Run {
    total: Duration,
    playout: Duration,
    report: LoadReport,
    kind: ReasonerKind,
}

impl Run {
    fn record<'a>(&self, game: &'a str, cached: Option<Duration>) -> Record<'a> {
        Record {
            kind: "load",
            game,
            reasoner: self.kind.name(),
            total_ms: units::milliseconds(self.total),
            ground_ms: self.report.ground.map(units::milliseconds),
            compile_ms: units::milliseconds(self.report.compile),
            playout_ms: units::milliseconds(self.playout),
            cached_ms: cached.map(units::milliseconds),
            fallback: self.report.fallback.as_ref().map(ToString::to_string),
        }
    }
}

fn measure(args: &LoadBench, source: &LoadedSource, cache: &Cache) -> anyhow::Result<Run> {
    let source = source.clone();
    let begun = Instant::now();
    let loaded = args.ground.loader(args.reasoner, cache).load_text(source)?;
    let (game, report): (AnyGame, LoadReport) = (loaded.game.limited(QUESTION_TIME), loaded.report);
    let ready = Instant::now();
    game.with(FirstPlayout);
    let (playout, total) = (ready.elapsed(), begun.elapsed());
    Ok(Run { total, playout, report, kind: game.kind() })
}

/// The time of loading from the cache; `None` if the network is not cached.
fn cached(args: &LoadBench, source: &LoadedSource) -> anyhow::Result<Option<Duration>> {
    let folder = tempfile::tempdir()?;
    let cache = Cache::at(folder.path());
    measure(args, source, &cache)?;
    let again = measure(args, source, &cache)?;
    Ok(again.report.cached.then_some(again.total))
}

/// Plays one random game.
struct FirstPlayout;

impl WithGame for FirstPlayout {
    type Out = ();

    fn call<G: Game>(self, game: Arc<G>) {
        let initial = game.initial();
        let mut tally = [Tally::default()];
        game.simulator().tally(&[&initial], 1, &mut Rng::new(1), &mut tally);
    }
}

fn print(record: &Record<'_>, console: &mut Console) -> anyhow::Result<Outcome> {
    if console.json {
        console.record(VERB, record)?;
        return Ok(Outcome::Fine);
    }
    let or_dash = |ms: Option<f64>| ms.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.2}"));
    writeln!(
        console,
        "{:<22} {:<8} {:>10.2} {:>10} {:>10.2} {:>10.2} {:>10}",
        short(record.game),
        record.reasoner,
        record.total_ms,
        or_dash(record.ground_ms),
        record.compile_ms,
        record.playout_ms,
        or_dash(record.cached_ms),
    )?;
    Ok(Outcome::Fine)
}

fn print_summary(
    times: &[Duration],
    fallbacks: usize,
    console: &mut Console,
) -> anyhow::Result<()> {
    let quantile = |share: f64| {
        let place = (times.len() as f64 * share) as usize;
        times.get(place.min(times.len().saturating_sub(1))).copied().unwrap_or_default()
    };
    let summary = Summary {
        kind: "summary",
        games: times.len(),
        median_ms: units::milliseconds(quantile(0.5)),
        p90_ms: units::milliseconds(quantile(0.9)),
        max_ms: units::milliseconds(quantile(1.0)),
        fallbacks,
    };
    if console.json {
        console.record(VERB, &summary)?;
        return Ok(());
    }
    let Summary { games, median_ms, p90_ms, max_ms, .. } = summary;
    let s = if games == 1 { "" } else { "s" };
    writeln!(
        console,
        "{games} game{s}: median {median_ms} ms, 90 % within {p90_ms} ms, longest {max_ms} ms; \
         {fallbacks} not grounded"
    )?;
    Ok(())
}
