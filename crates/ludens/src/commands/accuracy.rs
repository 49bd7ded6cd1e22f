//! `ludens accuracy`: how often agents keep the game-theoretic value.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use ludens_arena::clock::Allowance;
use ludens_catalog::{AgentSpec, Cache, LoadedGame, ReasonerKind, load_agent};
use ludens_lab::accuracy::{
    Accuracy as Measured, Drawn, Positions, Questions, Sample, Share, Step, draw, load, measure,
    save,
};
use ludens_lab::units;
use serde::Serialize;

use crate::Outcome;
use crate::cli::ReasonerArg;
use crate::console::Console;
use crate::interrupt;
use crate::report::{StepProgress, grouped};

const EXAMPLES: &str = "\
Examples:
  ludens accuracy connectfour --agents 'uct(iterations=1000)' 'nn(file=c4/network.safetensors)' --iterations 100
  ludens accuracy connectfour --agents uct --iterations 1000 --plies 16-30 --save c4.jsonl
  ludens accuracy connectfour --agents minimax --time 0.1s --load c4.jsonl
  ludens accuracy breakthrough_6x6 --agents uct heuristic --time 0.1s --plies 16-50 --positions 50 --tactics 3-7
  ludens accuracy 'hex(size=4)' --agents uct random --iterations 100 --plies 3-8 --positions 200

Positions come from random games. Every move of the role that decides is solved exactly; positions in which
all moves have the same value are left out, since nothing can be wrong there. An agent keeps the value if
its move is one of the best. A position is quiet if looking at the own move and the reply is not enough:
no best move ends the game at once, and not every worse move is refuted at once.

Positions that cannot be solved within --budget are left out, too. Their number is shown: if there are
many, the others may be easier than usual. For games of one role, or of two with a constant sum, in
which one role decides at a time.

Reproducible: the same seed gives the same positions, and with --iterations the same moves, on any number
of threads.";

/// Measure how often agents make a move that keeps the game-theoretic value.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Accuracy {
    /// A name of the library, or a file.
    game: String,

    /// The agents; `ludens agents` lists them.
    #[arg(long, value_name = "AGENT", num_args = 1.., required = true)]
    agents: Vec<String>,

    /// The number of positions.
    #[arg(long, value_name = "N", default_value_t = Sample::POSITIONS, value_parser = units::positive::<usize>)]
    positions: usize,

    /// The number of random moves before a position, from the first to the second number.
    #[arg(long, value_name = "FROM-TO", default_value = "12-30", value_parser = plies)]
    plies: RangeInclusive<usize>,

    /// The time limit of a move.
    #[arg(long, value_name = "TIME", value_parser = units::positive_duration, required_unless_present = "iterations")]
    time: Option<Duration>,

    /// The maximum number of iterations of a move.
    #[arg(long, value_name = "N", value_parser = units::positive::<u64>)]
    iterations: Option<u64>,

    /// The number of states that may be searched to solve a position.
    #[arg(long, value_name = "STATES", default_value_t = Sample::BUDGET, value_parser = units::positive::<u64>)]
    budget: u64,

    /// Only tactical positions: a forced win, or a single move that keeps the value, that shows within a number of joint
    /// moves from the first to the second.
    #[arg(long, value_name = "FROM-TO", value_parser = tactical_plies, conflicts_with = "load")]
    tactics: Option<RangeInclusive<u32>>,

    /// The seed of all random numbers.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// The number of threads; all cores by default.
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: Option<u64>,

    /// Write the solved positions to a file.
    #[arg(long, value_name = "FILE", conflicts_with = "load")]
    save: Option<PathBuf>,

    /// Read solved positions from a file, in place of drawing them.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["positions", "plies", "budget"])]
    load: Option<PathBuf>,

    #[command(flatten)]
    reasoner: ReasonerArg,
}

/// Parses a range of numbers.
fn plies(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if first <= last && last <= 100_000 => Ok(first..=last),
        _ => Err("expected two numbers, such as `12-30`, or one".to_owned()),
    }
}

/// Parses the range of `--tactics`: longer ones take too long to prove.
fn tactical_plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    let range =
        plies(text).map_err(|_| "expected two numbers, such as `3-7`, or one".to_owned())?;
    if *range.start() < 1 || *range.end() > 15 {
        return Err("the numbers are from 1 to 15".to_owned());
    }
    Ok(*range.start() as u32..=*range.end() as u32)
}

impl Accuracy {
    fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, |threads| threads as usize)
    }

    /// The positions: drawn, or read.
    fn positions(&self, game: &LoadedGame) -> anyhow::Result<Positions> {
        if let Some(path) = &self.load {
            return load(path, game);
        }
        let &Accuracy { positions, budget, seed, .. } = self;
        let tactics = self.tactics.clone();
        let sample = Sample { positions, plies: self.plies.clone(), seed, budget, tactics };
        let progress = StepProgress::new("solving", positions);
        let positions = draw(game, &sample, (self.threads(), interrupt::stop()), &mut |step| {
            if let Step::Solved(done) = step {
                progress.show(done);
            }
        })?;
        if let Some(path) = &self.save {
            save(path, game, &positions)?;
        }
        Ok(positions)
    }

    fn measure(
        &self,
        game: &LoadedGame,
        agents: &[AgentSpec],
        positions: &Positions,
    ) -> anyhow::Result<Vec<Measured>> {
        let allowance = Allowance { time: self.time, iterations: self.iterations, bytes: None };
        let (seed, threads, stop) = (self.seed, self.threads(), interrupt::stop());
        let questions = Questions { agents, allowance, seed, threads, stop };
        let progress = StepProgress::new("moving", positions.list.len() * agents.len());
        measure(game, &positions.list, &questions, &mut |step| {
            if let Step::Moved(done) = step {
                progress.show(done);
            }
        })
    }
}

/// The result as JSON.
#[derive(Serialize)]
struct Record<'a> {
    game: &'a str,
    positions: usize,
    quiet: usize,
    drawn: &'a Drawn,
    agents: &'a [Measured],
}

/// Draws or reads positions, and measures.
pub fn run(args: &Accuracy, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    let agents: Result<Vec<AgentSpec>, _> =
        args.agents.iter().map(|text| load_agent(text)).collect();
    let (agents, game) = (agents?, args.reasoner.load_game(&args.game, ReasonerKind::Auto, cache)?);
    agents.iter().try_for_each(|agent| agent.check_game(&game.game))?;
    let positions = args.positions(&game)?;
    let measured = args.measure(&game, &agents, &positions)?;
    let quiet = positions.list.iter().filter(|position| position.quiet).count();
    let (n_positions, drawn) = (positions.list.len(), &positions.drawn);
    if console.json {
        let game = game.source.name.as_str();
        let record = Record { game, positions: n_positions, quiet, drawn, agents: &measured };
        console.record("accuracy", &record)?;
        return Ok(Outcome::Fine);
    }
    console.table(&table(&measured))?;
    if measured.iter().any(|agent| !agent.by_plies.is_empty()) {
        writeln!(console)?;
        console.table(&by_plies(&measured))?;
    }
    let [first, last] = drawn.plies;
    writeln!(
        console,
        "\n{n_positions} positions after {first} to {last} random moves, {quiet} of them quiet, seed {}\n\
         left out: {} unsolved within {} states, {} with moves of equal value",
        drawn.seed,
        drawn.unsolved,
        grouped(drawn.budget),
        drawn.even,
    )?;
    if drawn.strategic > 0 {
        writeln!(console, "and {} that are not tactical in this range", drawn.strategic)?;
    }
    Ok(Outcome::Fine)
}

fn table(measured: &[Measured]) -> Vec<Vec<String>> {
    let head = ["AGENT", "KEPT", "95 % INTERVAL", "QUIET", "95 % INTERVAL"];
    let row = |agent: &Measured| {
        let ([all, all_interval], [quiet, quiet_interval]) =
            (cells(&agent.all), cells(&agent.quiet));
        vec![agent.agent.clone(), all, all_interval, quiet, quiet_interval]
    };
    let rows = measured.iter().map(row);
    std::iter::once(head.map(str::to_owned).to_vec()).chain(rows).collect()
}

/// The shares in tactical positions, by the number of joint moves that show the right one.
fn by_plies(measured: &[Measured]) -> Vec<Vec<String>> {
    let all: BTreeMap<u32, usize> = measured
        .iter()
        .flat_map(|agent| agent.by_plies.iter().map(|(&plies, share)| (plies, share.positions)))
        .collect();
    let head = all.iter().map(|(plies, n)| {
        let s = if *plies == 1 { "" } else { "S" };
        format!("{plies} MOVE{s} ({n})")
    });
    let row = |agent: &Measured| {
        let share = |plies| {
            agent.by_plies.get(plies).map_or("–".to_owned(), |share| cells(share)[0].clone())
        };
        std::iter::once(agent.agent.clone()).chain(all.keys().map(share)).collect()
    };
    let head = std::iter::once("AGENT".to_owned()).chain(head).collect();
    std::iter::once(head).chain(measured.iter().map(row)).collect()
}

/// A share and its interval.
fn cells(share: &Share) -> [String; 2] {
    if share.positions == 0 {
        return ["–".to_owned(), "–".to_owned()];
    }
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    let interval = share.interval;
    let interval = format!("{} – {} %", percent(interval.low), percent(interval.high));
    [format!("{} %", percent(share.share)), interval]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_are_one_number_or_a_range() {
        assert_eq!((plies("12-30"), plies("7")), (Ok(12..=30), Ok(7..=7)));
        for text in ["", "-", "3-", "-3", "5-4", "x", "1-2-3"] {
            assert!(plies(text).is_err() && tactical_plies(text).is_err(), "{text}");
        }
        assert_eq!(tactical_plies("3-7"), Ok(3..=7));
        for text in ["0-7", "3-16", "0"] {
            assert!(tactical_plies(text).is_err(), "{text}");
        }
    }
}
