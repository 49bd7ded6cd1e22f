//! `ludens train`: a network for a game, learnt from self-play.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use ludens_catalog::{Cache, ReasonerKind};
use ludens_lab::training::{GateMetrics, Metrics, Training, Until};
use ludens_learn::{Architecture, Learning, Method};
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
  ludens train connectfour --out z4 --method ggpzero --network 'ggpzero(depth=5)' --minutes 10
  ludens train connectfour --out g4 --method gaz --result 1 --minutes 10

Methods:
  fast      ours, made for a few minutes on CPUs: Gumbel search, proven values, training in step
            with play; network `compact`
  ggpzero   GGPZero (Gunawan, Ruan, Thielscher and Narayanan 2020): iterations of 64 games of the
            best network, training of a new one, and a match that it must win; network
            `ggpzero(depth=20)`, 50 simulations, result 1
  gaz       Generalised AlphaZero (Goldwaser and Thielscher 2020): 10 mini-batches of 128 for each
            game, from the 20,000 newest positions; network `gaz`, 50 simulations, result 0.5

Networks:
  compact             two hidden layers of 256 and 128 units; others by `compact(widths=512-256)`
  ggpzero(depth=20)   layers as wide as there are inputs (Gunawan et al. 2020)
  gaz                 layers that halve to 50 units, then double for each role up to the number of
                      its moves (Goldwaser and Thielscher 2020, algorithm 1)

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

    /// The method of learning: `fast`, `ggpzero` or `gaz`.
    #[arg(long, value_name = "METHOD", default_value_t = Method::Fast)]
    method: Method,

    /// The layers of the network, such as `ggpzero(depth=5)`; those of the method by default.
    #[arg(long, value_name = "NETWORK")]
    network: Option<Architecture>,

    /// The simulations of a move of self-play; those of the method by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    simulations: Option<u64>,

    /// The weight r of the result z in the target r·z + (1 − r)·q of payoffs, from 0 to 1, where q is the value
    /// that the search found (Goldwaser and Thielscher 2020); that of the method by default.
    #[arg(long, value_name = "R", value_parser = share)]
    result: Option<f32>,

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

/// Parses a number from 0 to 1.
fn share(text: &str) -> Result<f32, String> {
    let valid = |share: &f32| (0.0..=1.0).contains(share);
    text.parse().ok().filter(valid).ok_or_else(|| "a number from 0 to 1".to_owned())
}

impl Train {
    /// The settings of the method with what was chosen otherwise.
    fn learning(&self) -> Learning {
        let mut learning = self.method.settings();
        learning.seed = self.seed;
        if let Some(threads) = self.threads {
            learning.n_threads = threads as usize;
        }
        if let Some(network) = &self.network {
            learning.architecture = network.clone();
        }
        let self_play = &mut learning.self_play;
        self_play.simulations = self.simulations.unwrap_or(self_play.simulations);
        self_play.result = self.result.unwrap_or(self_play.result);
        learning
    }
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
    let learning = args.learning();
    let (stop, line) = (interrupt::stop(), StatusLine::new());
    let training = Training { learning, until, folder: &args.out, stop };
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

/// The metrics in one line.
fn status(metrics: &Metrics) -> String {
    let Metrics { seconds, progress, games, plies, steps, evaluations_per_second, .. } = metrics;
    let loss = |loss: Option<f64>| loss.map_or("–".to_owned(), |loss| format!("{loss:.3}"));
    let gate = metrics.gate.map_or(String::new(), |GateMetrics { new, best, accepted, .. }| {
        format!(
            " · new {new:.3}, best {best:.3}: {}",
            if accepted { "accepted" } else { "rejected" }
        )
    });
    format!(
        "{:.0} % · {games} games of {plies:.0} plies, {:.0}/s · {:.0}k evaluations/s · {steps} steps · \
         loss {} policy, {} payoff{gate}",
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
    fn shares_are_from_0_to_1() {
        assert_eq!((share("0"), share("0.5"), share("1")), (Ok(0.0), Ok(0.5), Ok(1.0)));
        for text in ["-0.1", "1.1", "NaN", "x"] {
            assert!(share(text).is_err(), "{text}");
        }
    }

    #[test]
    fn minutes_are_positive() {
        assert_eq!(minutes("0.5"), Ok(0.5));
        for text in ["0", "-1", "NaN", "inf", "x"] {
            assert!(minutes(text).is_err(), "{text}");
        }
    }
}
