//! `ludens train`: a network for a game, learnt from self-play.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use ludens_catalog::{Cache, ReasonerKind};
use ludens_lab::training::{Method, Metrics, Training, Until};
use ludens_learn::{DescentLearning, Learning};
use serde::Serialize;

use crate::Outcome;
use crate::cli::ReasonerArg;
use crate::console::Console;
use crate::interrupt;
use crate::report::StatusLine;

const EXAMPLES: &str = "\
Examples:
  ludens train breakthrough_6x6 --out bt6 --minutes 2
  ludens match breakthrough_6x6 --agents 'zero(file=bt6/network.safetensors)' 'uct(solver)' \\
      --time 0.5s --games 40 --openings 4
  ludens train connectfour --out c4 --iterations 200 --seed 3    the same network every time

The network plays against itself and learns from these games; nothing but the rules is used.
The folder gets network.safetensors, which the agents `zero` and `nn` and the evaluator `net`
read, and metrics.jsonl. Ctrl-C ends the training and keeps what was learnt; the same command
continues a training that was interrupted.";

/// Train a network for a game by self-play.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Train {
    /// A name of the library, a file, or `-`.
    game: String,

    /// The folder to which the network and the metrics are written.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// How long it learns.
    #[arg(long, value_name = "M", conflicts_with_all = ["iterations", "games"], default_value_t = 1.0, value_parser = minutes)]
    minutes: f64,

    /// The number of iterations: the same seed gives the same network then.
    #[arg(long, value_name = "N", conflicts_with = "games", value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,

    /// The number of games of self-play.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// Learn by Descent: minimax values in place of policies, for games in which one role decides at a time.
    #[arg(long)]
    descent: bool,

    /// The seed of all random numbers.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// The number of threads; one per core by default.
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: Option<u64>,

    #[command(flatten)]
    reasoner: ReasonerArg,
}

/// Parses a number of minutes.
fn minutes(text: &str) -> Result<f64, String> {
    let valid = |minutes: &f64| *minutes > 0.0 && *minutes <= 1e6;
    text.parse().ok().filter(valid).ok_or_else(|| "a positive number of minutes".to_owned())
}

/// The result as JSON.
#[derive(Serialize)]
struct Record<'a> {
    game: &'a str,
    file: String,
    #[serde(flatten)]
    metrics: Metrics,
}

/// Trains.
pub fn run(args: &Train, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    let loaded = args.reasoner.load_game(&args.game, ReasonerKind::Mixed, cache)?;
    let until = match (args.iterations, args.games) {
        (Some(n), _) => Until::Iterations(n),
        (_, Some(n)) => Until::Games(n),
        _ => Until::Time(Duration::from_secs_f64(args.minutes * 60.0)),
    };
    let method = method(args);
    let (stop, line) = (interrupt::stop(), StatusLine::new());
    let training = Training { method, until, folder: &args.out, stop };
    let trained = training.run(&loaded, &mut |metrics| line.show(&status(metrics)))?;
    line.clear();
    let (game, file) = (loaded.source.name.as_str(), trained.file.display().to_string());
    if console.json {
        console.record("train", &Record { game, file, metrics: trained.metrics })?;
        return Ok(Outcome::Fine);
    }
    writeln!(console, "{}", trained.layers)?;
    writeln!(console, "{}", status(&trained.metrics))?;
    writeln!(console, "wrote {file}")?;
    Ok(Outcome::Fine)
}

/// How the network learns.
fn method(args: &Train) -> Method {
    let seed = args.seed;
    if args.descent {
        let mut learning = DescentLearning { seed, ..DescentLearning::default() };
        learning.n_threads = args.threads.map_or(learning.n_threads, |n| n as usize);
        return Method::Descent(learning);
    }
    let mut learning = Learning { seed, ..Learning::default() };
    learning.n_threads = args.threads.map_or(learning.n_threads, |n| n as usize);
    Method::SelfPlay(learning)
}

/// The metrics in one line.
fn status(metrics: &Metrics) -> String {
    let Metrics { seconds, progress, games, plies, steps, evaluations_per_second, .. } = metrics;
    let loss = |loss: Option<f64>| loss.map_or("–".to_owned(), |loss| format!("{loss:.3}"));
    format!(
        "{:.0} % · {games} games of {plies:.0} plies, {:.0}/s · {:.0}k evaluations/s · {steps} steps · \
         loss {} policy, {} payoff",
        progress * 100.0,
        *games as f64 / seconds.max(1e-9),
        evaluations_per_second / 1000.0,
        loss(metrics.policy_loss),
        loss(metrics.payoff_loss),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_positive() {
        assert_eq!(minutes("0.5"), Ok(0.5));
        for text in ["0", "-1", "NaN", "inf", "x"] {
            assert!(minutes(text).is_err(), "{text}");
        }
    }
}
