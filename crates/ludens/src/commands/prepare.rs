//! `ludens prepare`: the preparation of an agent in the start clock.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use ludens_catalog::{AgentSpec, Cache, ReasonerKind, WithGame, load_agent};
use ludens_core::{Budget, Game};
use serde::Serialize;

use crate::Outcome;
use crate::cli::ReasonerArg;
use crate::console::Console;
use ludens_lab::{QUESTION_TIME, units};

const EXAMPLES: &str = "\
Examples:
  ludens prepare breakthrough --start-time 10s --time 1s
  ludens prepare othello --start-iterations 40000 --iterations 100 --times 5
  ludens prepare my.kif --agent guided --start-time 2s --time 200ms --json

An agent prepares as before the first move of a match, and reports the result: `auto` the winner and the
scores of its race, `heuristic` and `guided` the games behind their evaluation function.";

/// Run the preparation of an agent as in the start clock of a match, and report its result.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Prepare {
    /// A name of the library, a file, or `-`.
    game: String,

    /// The agent that prepares.
    #[arg(long, value_name = "AGENT", default_value = "auto")]
    agent: String,

    /// The time limit of preparation.
    #[arg(long, value_name = "TIME", value_parser = units::positive_duration, required_unless_present = "start_iterations")]
    start_time: Option<Duration>,

    /// The maximum number of iterations of preparation.
    #[arg(long, value_name = "N", value_parser = units::positive::<u64>)]
    start_iterations: Option<u64>,

    /// The time limit of a move of the match, which `auto` takes into account.
    #[arg(long, value_name = "TIME", value_parser = units::positive_duration)]
    time: Option<Duration>,

    /// The number of iterations of a move of the match.
    #[arg(long, value_name = "N", value_parser = units::positive::<u64>)]
    iterations: Option<u64>,

    /// The number of repetitions, each with another seed.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = units::positive::<u64>)]
    times: u64,

    /// The seed of all random numbers.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    reasoner: ReasonerArg,
}

/// The result of preparation.
#[derive(Serialize)]
struct Record {
    game: String,
    agent: String,
    seed: u64,
    simulations: u64,
    seconds: f64,
    remarks: Vec<String>,
}

/// Prepares an agent, and prints the result.
pub fn run(args: &Prepare, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    let spec = load_agent(&args.agent)?;
    let mut loaded = args.reasoner.load_game(&args.game, ReasonerKind::Auto, cache)?;
    loaded.game = loaded.game.limited(QUESTION_TIME);
    for seed in args.seed..args.seed.saturating_add(args.times) {
        let record =
            loaded.game.with(Preparing { args, name: &loaded.source.name, spec: &spec, seed });
        if console.json {
            console.record("prepare", &record)?;
            continue;
        }
        let Record { simulations, seconds, remarks, .. } = record;
        writeln!(console, "seed {seed}: {simulations} simulations in {seconds:.3} s")?;
        for remark in remarks {
            writeln!(console, "{remark}")?;
        }
    }
    Ok(Outcome::Fine)
}

/// Prepares an agent for a game of any type.
struct Preparing<'a> {
    args: &'a Prepare,
    name: &'a str,
    spec: &'a AgentSpec,
    seed: u64,
}

impl WithGame for Preparing<'_> {
    type Out = Record;

    fn call<G: Game>(self, game: Arc<G>) -> Record {
        let Preparing { args, name, spec, seed } = self;
        let mut agent = spec.build(Arc::clone(&game), seed);
        agent.begin(seed);
        agent.expect(args.time, args.iterations);
        let mut budget = Budget::unlimited();
        budget.iterations = args.start_iterations;
        if let Some(time) = args.start_time {
            budget = budget.with_time(time);
        }
        let begun = Instant::now();
        let report = agent.prepare(&game.initial(), &budget);
        let (seconds, simulations) = (begun.elapsed().as_secs_f64(), report.iterations);
        let (game, remarks) = (name.to_owned(), agent.remarks());
        Record { game, agent: spec.to_string(), seed, simulations, seconds, remarks }
    }
}
