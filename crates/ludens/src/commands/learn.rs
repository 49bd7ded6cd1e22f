//! `ludens learn`: the initial policy of agents with learnt weights.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use ludens_catalog::{Cache, ReasonerKind, load_agent};
use serde::Serialize;

use crate::Outcome;
use crate::cli::ReasonerArg;
use crate::console::Console;
use crate::interrupt;
use crate::report::StatusLine;
use ludens_lab::Event;
use ludens_lab::initial_policy::{InitialSettings, PolicyLearner, check_name};

const EXAMPLES: &str = "\
Examples:
  ludens learn breakthrough --reasoner native --out breakthrough.json
  ludens match breakthrough --reasoner native --iterations 10000 \\
      --agents 'ppafm(initial=breakthrough.json)' 'uct'
  ludens learn 'nogo(size=6)' --agent 'uct + ppa' --playouts 20000 --out nogo6.json

The agent searches each position with fewer than two moves with --playouts. Its tree is then
discarded, and the weights of its playout policy are written to the file. Weights belong to
move codes: play with the same reasoner and the same `features` as in learning.";

/// Learn initial weights for `ppa`, `ppaf` and `ppafm` (`initial=FILE`).
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Learn {
    /// A name of the library, a file, or `-`.
    game: String,

    /// The agent that learns.
    #[arg(long, value_name = "AGENT", default_value = "uct + ppaf")]
    agent: String,

    /// The number of playouts for each position.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    playouts: u64,

    /// The file to which the weights are written.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// The seed of all random numbers.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// How many positions are learnt at the same time; one per core by default.
    #[arg(long, value_name = "K")]
    concurrency: Option<usize>,

    #[command(flatten)]
    reasoner: ReasonerArg,
}

/// The learnt policy as JSON.
#[derive(Serialize)]
struct Record<'a> {
    game: &'a str,
    agent: String,
    playouts: u64,
    positions: usize,
    file: String,
}

/// Learns.
pub fn run(args: &Learn, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    check_name(&args.out, "choose a file without blanks, brackets, `,`, `=` and `+`")?;
    let agent = load_agent(&args.agent)?.to_string();
    let loaded = args.reasoner.load_game(&args.game, ReasonerKind::Auto, cache)?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let (seed, workers) = (args.seed, args.concurrency.unwrap_or_else(cores));
    let initial = InitialSettings { agent: agent.clone(), playouts: args.playouts };
    let (stop, line) = (interrupt::stop(), StatusLine::new());
    let learner = PolicyLearner { initial: &initial, seed, workers, stop };
    let learnt = learner.learn(&loaded, &mut |event| {
        if let Event::Learning { game, position, n_positions } = event {
            line.show(&format!("{game}: learning position {position} of {n_positions}"));
        }
    })?;
    line.clear();
    let Some(learnt) = learnt else { return Ok(Outcome::Found) };
    learnt.write(&args.out).with_context(|| format!("cannot write {}", args.out.display()))?;
    let (game, positions) = (loaded.source.name.as_str(), learnt.n_positions());
    let file = args.out.display().to_string();
    if console.json {
        console
            .record("learn", &Record { game, agent, playouts: args.playouts, positions, file })?;
    } else {
        writeln!(console, "wrote weights for {positions} positions of {game} to {file}")?;
    }
    Ok(Outcome::Fine)
}
