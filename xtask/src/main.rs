//! Development tasks, run as `cargo xtask …`.

mod bless;
mod child;
mod ci;
mod corpus;
mod fuzz;
mod hostile;
mod lanes;
mod matches;
mod peers;
mod prolog;
mod puzzles;
mod samplers;
mod tactics;
mod tidy;
mod twins;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// With the allocator of the C library, 18 % of the time of fuzzing went into allocation.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Development tasks of Ludens.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, about)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Check the invariants of the architecture, sizes, names, headers and golden files
    Tidy(tidy::Args),
    /// Rewrite the golden files (.perft and .play) of library games
    Bless(bless::Args),
    /// Check all reasoners on published games, recorded matches and fixtures
    Corpus(corpus::Args),
    /// Play library games in lockstep with other authors' rules of the same game
    Twins(twins::Args),
    /// Feed hostile texts to the front end and to all reasoners, and random rules in lockstep
    Fuzz(fuzz::Args),
    /// Load rules that explode with every reasoner, and check limits of time and memory
    Hostile(hostile::Args),
    /// Play a match over HTTP in every published game, several in parallel
    Matches(matches::Args),
    /// Compare all reasoners on all library games: states bit by bit, random playouts by their means
    Samplers(samplers::Args),
    /// Measure the grounded reasoners against SWI-Prolog and `OpenSpiel`, in one run
    Peers(peers::Args),
    /// Measure the reference reasoner against a plain SWI-Prolog translation, in one run
    Prolog(prolog::Args),
    /// Count the games of one role, of the library and published ones, that agents solve
    Puzzles(puzzles::Args),
    /// Count the tactical positions of several games that agents solve
    Tactics(tactics::Args),
    /// Run all checks that must pass before a change is merged
    Ci(ci::Args),
}

fn main() -> ExitCode {
    match run(Cli::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<()> {
    if matches!(task, Task::Peers(_) | Task::Prolog(_)) && !workspace::is_release() {
        return workspace::rerun_in_release();
    }
    match task {
        Task::Tidy(args) => tidy::run(&args),
        Task::Bless(args) => bless::run(&args),
        Task::Corpus(args) => corpus::run(&args),
        Task::Twins(args) => twins::run(&args),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::Hostile(args) => hostile::run(&args),
        Task::Matches(args) => matches::run(&args),
        Task::Samplers(args) => samplers::run(&args),
        Task::Peers(args) => peers::run(&args),
        Task::Prolog(args) => prolog::run(&args),
        Task::Puzzles(args) => puzzles::run(&args),
        Task::Tactics(args) => tactics::run(&args),
        Task::Ci(args) => ci::run(&args),
    }
}
