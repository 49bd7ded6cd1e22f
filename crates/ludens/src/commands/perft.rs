//! `ludens perft`: counts the lines of play of a game.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use ludens_catalog::{Cache, ReasonerKind, WithGame};
use ludens_core::{Budget, Game};
use ludens_testkit::perft::{Level, Perft as Count, Totals};
use serde::Serialize;

use crate::Outcome;
use crate::cli::ReasonerArg;
use crate::console::Console;
use ludens_lab::units;

const EXAMPLES: &str = "\
Examples:
  ludens perft tictactoe --depth 9
  ludens perft 'hex(size=3)' --depth 5 --json
  ludens perft chess --depth 4 --memory 512M

Columns: depth; paths (sequences of joint moves); terminals (those that end the game there);
states (distinct states at that depth); sum of the goal values of each role over the terminals.";

/// Count the lines of play down to a depth.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Perft {
    /// A name of the library, a file, or `-`.
    game: String,

    /// The depth in joint moves.
    #[arg(long, short, value_name = "N")]
    depth: u32,

    #[command(flatten)]
    reasoner: ReasonerArg,

    /// Memory for states; beyond it, paths are counted one by one, and states are not counted.
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = units::bytes)]
    memory: usize,

    /// The time limit.
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    time: Option<Duration>,
}

#[derive(Serialize)]
struct LevelRecord<'a> {
    kind: &'static str,
    depth: u32,
    paths: u128,
    terminals: u128,
    payoffs: &'a [i128],
    states: Option<u64>,
    #[serde(skip_serializing_if = "is_zero")]
    stuck: u128,
}

#[derive(Serialize)]
struct TotalRecord<'a> {
    kind: &'static str,
    game: &'a str,
    reasoner: &'a str,
    roles: &'a [String],
    games: u128,
    states: Option<u64>,
    complete: bool,
    seconds: f64,
}

fn is_zero(number: &u128) -> bool {
    *number == 0
}

/// Counts, and prints each depth as soon as it is known.
pub fn run(args: &Perft, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    let loaded = args.reasoner.load_game(&args.game, ReasonerKind::Auto, cache)?;
    let roles = loaded.game.roles().to_vec();
    if !console.json {
        let sums: Vec<_> = roles.iter().map(|role| format!("{role:>14}")).collect();
        let head = ["depth", "paths", "terminals", "states"];
        let [depth, paths, terminals, states] = head;
        writeln!(
            console,
            "{depth:>5} {paths:>18} {terminals:>18} {states:>12} {}",
            sums.join(" ")
        )?;
    }
    let begun = Instant::now();
    let counting = Counting { args, console };
    let totals = loaded.game.with(counting)?;
    let seconds = begun.elapsed().as_secs_f64();
    if console.json {
        console.record(
            "perft",
            &TotalRecord {
                kind: "total",
                game: &loaded.source.name,
                reasoner: loaded.game.kind().name(),
                roles: &roles,
                games: totals.games,
                states: totals.states,
                complete: totals.complete,
                seconds,
            },
        )?;
    } else {
        print_totals(&totals, seconds, console)?;
    }
    Ok(if totals.complete { Outcome::Fine } else { Outcome::Found })
}

fn print_totals(totals: &Totals, seconds: f64, console: &mut Console) -> anyhow::Result<()> {
    match totals.states {
        Some(states) => write!(console, "{} games, {states} states", totals.games)?,
        None => write!(console, "{} games", totals.games)?,
    }
    writeln!(console, ", {seconds:.2} seconds")?;
    if !totals.complete {
        writeln!(console, "the time limit was reached before all depths were counted")?;
    } else if totals.states.is_none() {
        writeln!(console, "states did not fit into memory and were not counted below that depth")?;
    }
    Ok(())
}

struct Counting<'a> {
    args: &'a Perft,
    console: &'a mut Console,
}

impl WithGame for Counting<'_> {
    type Out = anyhow::Result<Totals>;

    fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
        let mut budget = Budget::unlimited().with_bytes(self.args.memory);
        if let Some(time) = self.args.time {
            budget = budget.with_time(time);
        }
        let mut failed = Ok(());
        let totals = Count::new(&*game, self.args.depth, &budget).run(&mut |level| {
            if failed.is_ok() {
                failed = print_level(level, self.console);
            }
        });
        failed.map(|()| totals)
    }
}

fn print_level(level: &Level, console: &mut Console) -> anyhow::Result<()> {
    let Level { depth, paths, terminals, states, .. } = *level;
    if console.json {
        let payoffs = &level.payoffs;
        let (kind, stuck) = ("level", level.stuck);
        let record = LevelRecord { kind, depth, paths, terminals, payoffs, states, stuck };
        console.record("perft", &record)?;
        return Ok(());
    }
    let states = states.map_or("-".to_owned(), |states| states.to_string());
    let sums: Vec<_> = level.payoffs.iter().map(|sum| format!("{sum:>14}")).collect();
    writeln!(console, "{depth:>5} {paths:>18} {terminals:>18} {states:>12} {}", sums.join(" "))?;
    if level.stuck > 0 {
        let n = level.stuck;
        writeln!(
            console,
            "      at {n} of these a role has no legal move, and the game is not over"
        )?;
    }
    Ok(())
}
