//! The command line `ludens`: one file per command in `commands/`.
//!
//! Exit codes: 0 success, 1 a problem was found, 2 wrong usage or unreadable input.

mod check_records;
mod cli;
mod commands;
mod console;
mod failure;
mod interrupt;
mod load_records;
mod play;
mod render;
mod report;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::Cli;
use crate::console::Console;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The outcome of a command that did not fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// Success.
    Fine,
    /// A problem was found: an error in rules, a difference, a file that would change.
    Found,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli.color.write_global();
    let mut console = Console::new(cli.json);
    let cache = cli.cache();
    let outcome = failure::caught(|| commands::run(cli.command, &cache, &mut console));
    let outcome = outcome.and_then(|outcome| Ok(console.finish().map(|()| outcome)?));
    match outcome {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(1),
        // The reader has closed the pipe, as with `ludens games | head`; that is not a failure.
        Err(error) if failure::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => ExitCode::from(failure::report(&error)),
    }
}
