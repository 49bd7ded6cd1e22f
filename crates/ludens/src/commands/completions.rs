//! `ludens completions`: shell completions of commands and options.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use crate::Outcome;
use crate::cli::Cli;
use crate::console::Console;

const EXAMPLES: &str = "\
Examples:
  ludens completions bash > ~/.local/share/bash-completion/completions/ludens
  ludens completions zsh > ~/.zfunc/_ludens
  ludens completions fish > ~/.config/fish/completions/ludens.fish";

/// Print completions for a shell.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Completions {
    /// The shell.
    shell: Shell,
}

/// Prints the completions.
pub fn run(args: &Completions, console: &mut Console) -> anyhow::Result<Outcome> {
    // The generator panics when its output is closed, so it writes to memory first.
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "ludens", &mut script);
    console.write_all(&script)?;
    Ok(Outcome::Fine)
}
