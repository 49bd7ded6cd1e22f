//! `ludens train`: a network for a game, learnt from self-play.

mod picture;
mod strength;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use ludens_catalog::{Cache, ReasonerKind};
use ludens_lab::training::{Evaluation, Measured, Metrics, Trained, Training, Until, limit_memory};
use ludens_lab::units;
use ludens_learn::{Architecture, Learning, Method, SETTINGS, Setting, Trials};
use serde::Serialize;

use crate::Outcome;
use crate::cli::ReasonerArg;
use crate::console::Console;
use crate::interrupt;
use picture::{Picture, status};
use strength::strength_table;

const EXAMPLES: &str = "\
Examples:
  ludens train breakthrough_6x6 --out bt6 --minutes 2
  ludens match breakthrough_6x6 --agents 'zero(file=bt6/network.safetensors)' 'uct(solver)' \\
      --time 0.5s --games 40 --openings 4
  ludens train connectfour --out c4 --iterations 200 --seed 3    the same network every time
  ludens train hex --out hex --minutes 60 --evaluate 100 --evaluate-every 10m --memory 512M
  ludens train connectfour --out c4 --minutes 5 --keep 15s,30s,1m,2m,5m   copies for a curve over time
  ludens show --network bt6/network.safetensors                  what it has learnt
  tensorboard --logdir bt6
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
  descent   Descent (Cohen-Solal 2020): minimax values in place of policies, for games in which one
            role decides at a time; the agent `descent(file=…)` plays with its networks

Networks:
  compact             two hidden layers of 256 and 128 units; others by `compact(widths=512-256)`;
                      inputs are the facts, and lines that are nearly complete where the rules have any
  ggpzero(depth=20)   layers as wide as there are facts (Gunawan et al. 2020)
  ggpzero(conv)       convolutions over the board that is found in the rules, 4 of 32 filters, others by
                      `ggpzero(conv, depth=6, filters=64)`, and a layer of 128 units; in games
                      without a board, layers as wide as there are facts (the same paper)
  gaz                 inputs are all nodes of the rules' network; layers that halve to 50 units, then
                      double for each role up to the number of its moves (Goldwaser and Thielscher
                      2020, algorithm 1)

The network plays against itself and learns from these games; nothing but the rules is used.
The folder gets network.safetensors, which the agents `zero` and `nn` and the evaluator `net`
read, metrics.jsonl, and events for TensorBoard. Ctrl-C ends the training and keeps what was
learnt; the same command continues a training that was interrupted.

After an eighth, a quarter, a half and all of the training its strength is measured: `zero` with
100 simulations a move against `random` and against `uct` with 100 and with 1,000. The time for
that is not training time, and the network does not depend on it. Then `zero` plays trial games
against the same search with playouts, a twentieth of the training time: the file keeps their
result, and where playouts are better for the time of a move, `zero` uses them.";

/// Train a network for a game by self-play.
#[derive(Args)]
#[command(after_help = after_help())]
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

    /// The method of learning: `fast`, `ggpzero`, `gaz` or `descent`.
    #[arg(long, value_name = "METHOD", default_value_t = Method::Fast)]
    method: Method,

    /// The layers of the network, such as `ggpzero(depth=5)` or `ggpzero(conv)`; those of the method by default.
    #[arg(long, value_name = "NETWORK")]
    network: Option<Architecture>,

    /// The simulations of a move of self-play; those of the method by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    simulations: Option<u64>,

    /// The weight r of the result z in the target r·z + (1 − r)·q of payoffs, from 0 to 1, where q is the value
    /// that the search found (Goldwaser and Thielscher 2020); that of the method by default.
    #[arg(long, value_name = "R", value_parser = share)]
    result: Option<f32>,

    /// Another setting of the method, such as `ratio=2`; may be repeated. Below is a list.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,

    /// The seed of all random numbers.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// The number of threads; one per core by default.
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: Option<u64>,

    /// The memory limit of the replay buffer and the trees of self-play together.
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    memory: Option<usize>,

    /// The number of games against each opponent whenever the strength is measured, and 0 for none; as many
    /// as 5 % of the training time allow, at most 40, if not given.
    #[arg(long, value_name = "N")]
    evaluate: Option<usize>,

    /// The training time between two measurements of the strength.
    #[arg(long, value_name = "TIME", value_parser = units::positive_duration)]
    evaluate_every: Option<Duration>,

    /// Training times after which a copy of the network is kept, such as `15s,30s,1m`: `network-15s.safetensors`
    /// and so on.
    #[arg(long, value_name = "TIME,…", value_delimiter = ',', value_parser = units::positive_duration)]
    keep: Vec<Duration>,

    /// A journal in which a game of self-play is recorded after every tenth iteration; `ludens results` shows
    /// and exports it.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,

    /// Do not test the network before the training.
    #[arg(long)]
    no_self_test: bool,

    #[command(flatten)]
    reasoner: ReasonerArg,
}

/// Examples, and all settings with their values in the default method.
fn after_help() -> String {
    let usual = Method::Fast.settings();
    let line = |setting: &Setting| {
        let value = setting.value(&usual).unwrap_or_else(|| "–".to_owned());
        format!("  {:<14} {:<7} {}", setting.name, value, setting.doc)
    };
    let lines: Vec<String> = SETTINGS.iter().map(line).collect();
    format!("{EXAMPLES}\n\nSettings of `--set`, with those of `fast`:\n{}", lines.join("\n"))
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
    fn until(&self) -> Until {
        match (self.iterations, self.games) {
            (Some(n), _) => Until::Iterations(n),
            (_, Some(n)) => Until::Games(n),
            _ => Until::Time(Duration::from_secs_f64(self.minutes * 60.0)),
        }
    }

    /// The settings of the method with what was chosen otherwise.
    fn learning(&self) -> anyhow::Result<Learning> {
        let mut learning = self.method.settings();
        learning.seed = self.seed;
        if let Some(threads) = self.threads {
            learning.n_threads = threads as usize;
        }
        if let Until::Time(_) = self.until() {
            learning = learning.by_the_clock();
        }
        if let Some(network) = &self.network {
            learning.architecture = network.clone();
        }
        let self_play = &mut learning.self_play;
        self_play.simulations = self.simulations.unwrap_or(self_play.simulations);
        self_play.result = self.result.unwrap_or(self_play.result);
        for text in &self.set {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            learning.set(name.trim(), value.trim()).map_err(anyhow::Error::msg)?;
        }
        if let Some(bytes) = self.memory {
            limit_memory(&mut learning, bytes)?;
        }
        Ok(learning)
    }

    fn evaluation(&self) -> Evaluation {
        let evaluation = self.evaluate.map_or_else(Evaluation::default, Evaluation::of_games);
        Evaluation { every: self.evaluate_every, ..evaluation }
    }
}

/// The result as JSON.
#[derive(Serialize)]
struct Record<'a> {
    game: &'a str,
    file: String,
    #[serde(flatten)]
    metrics: Metrics,
    /// The strength after parts of the training.
    measured: Vec<Measured>,
    /// Trial games against a search with playouts.
    trials: Trials,
}

/// Trains.
pub fn run(args: &Train, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    let learning = args.learning()?;
    let loaded = args.reasoner.load_game(&args.game, ReasonerKind::Mixed, cache)?;
    let training = Training {
        learning,
        until: args.until(),
        folder: &args.out,
        self_test: !args.no_self_test,
        evaluation: args.evaluation(),
        trial: args.evaluate != Some(0),
        keep: &args.keep,
        keep_checkpoint: false,
        journal: args.journal.as_deref(),
        stop: interrupt::stop(),
    };
    let game = loaded.source.name.as_str();
    let mut picture = Picture::new(game, console.json);
    let trained = training.run(&loaded, &mut |metrics| picture.show(metrics))?;
    drop(picture);
    let file = trained.file.display().to_string();
    if console.json {
        let Trained { metrics, measured, trials, .. } = trained;
        console.record("train", &Record { game, file, metrics, measured, trials })?;
        return Ok(Outcome::Fine);
    }
    writeln!(console, "{}", trained.layers)?;
    writeln!(console, "{}", status(&trained.metrics))?;
    if !trained.measured.is_empty() {
        writeln!(console)?;
        console.table(&strength_table(&trained.measured))?;
        writeln!(console)?;
    }
    for remark in trained.trials.remarks() {
        writeln!(console, "{remark}")?;
    }
    writeln!(console, "wrote {file}")?;
    Ok(Outcome::Fine)
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
