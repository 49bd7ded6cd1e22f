//! The commands, one per file.

pub mod accuracy;
pub mod agents;
pub mod analyze;
pub mod bench;
pub mod check;
pub mod completions;
pub mod dump;
pub mod fmt;
pub mod games;
pub mod heuristic;
pub mod host;
pub mod learn;
pub mod match_;
pub mod perft;
pub mod play;
pub mod player;
pub mod prepare;
pub mod reason;
pub mod replay;
pub mod reproduce;
pub mod results;
pub mod show;
pub mod torture;
pub mod tournament;
pub mod train;

use ludens_catalog::Cache;

use crate::Outcome;
use crate::cli::Command;
use crate::console::Console;

/// Runs a command.
pub fn run(command: Command, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    match command {
        Command::Games(args) => games::run(&args, console),
        Command::Agents(args) => agents::run(&args, console),
        Command::Show(args) => show::run(&args, cache, console),
        Command::Play(args) => play::run(&args, cache, console),
        Command::Player(args) => player::run(&args, cache, console),
        Command::Host(args) => host::run(&args, cache, console),
        Command::Heuristic(args) => heuristic::run(&args, cache, console),
        Command::Prepare(args) => prepare::run(&args, cache, console),
        Command::Train(args) => train::run(&args, cache, console),
        Command::Learn(args) => learn::run(&args, cache, console),
        Command::Torture(args) => torture::run(&args, console),
        Command::Analyze(args) => analyze::run(&args, cache, console),
        Command::Accuracy(args) => accuracy::run(&args, cache, console),
        Command::Match(args) => match_::run(&args, cache, console),
        Command::Tournament(args) => tournament::run(&args, cache, console),
        Command::Results(args) => results::run(&args, cache, console),
        Command::Check(args) => check::run(&args, console),
        Command::Fmt(args) => fmt::run(&args, console),
        Command::Perft(args) => perft::run(&args, cache, console),
        Command::Reason(args) => reason::run(&args, cache, console),
        Command::Replay(args) => replay::run(&args, cache, console),
        Command::Reproduce(args) => reproduce::run(&args, cache, console),
        Command::Dump(args) => dump::run(&args, cache, console),
        Command::Bench(args) => bench::run(&args, console),
        Command::Completions(args) => completions::run(&args, console),
    }
}
