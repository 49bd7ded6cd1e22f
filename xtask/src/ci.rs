//! All checks that must pass before a change is merged.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::workspace;

/// Options.
#[derive(clap::Args)]
pub struct Args {
    /// Seconds of fuzzing
    #[arg(long, default_value_t = 20)]
    fuzz_seconds: u64,
}

/// A named command of `cargo`.
struct Step {
    name: &'static str,
    command: String,
    /// Variables of the environment.
    variables: &'static [(&'static str, &'static str)],
}

fn step(name: &'static str, command: &str) -> Step {
    Step { name, command: command.to_owned(), variables: &[] }
}

fn steps(args: &Args) -> Vec<Step> {
    let mut tests = step("tests", "test --workspace");
    // A build from nothing is faster without what only later builds and debuggers need.
    tests.variables = &[("CARGO_INCREMENTAL", "0"), ("CARGO_PROFILE_DEV_DEBUG", "0")];
    let mut doc = step("documentation", "doc --workspace --no-deps --quiet");
    doc.variables = &[("RUSTDOCFLAGS", "-D warnings")];
    vec![
        step("format", "fmt --all --check"),
        step("tidy", "xtask tidy"),
        step("lints", "clippy --workspace --all-targets --quiet -- -D warnings"),
        tests,
        doc,
        // A game that exceeds the limits of grounding is listed, and checked with the reference reasoner.
        step("corpus", "xtask corpus --ground-seconds 10 --ground-gigabytes 4"),
        step("samplers", "xtask samplers --plies 10000 --logic-plies 100"),
        step("hostile", "xtask hostile --seconds 1"),
        step("mutants", "xtask fuzz --kind mutants --texts 600 --seed 7"),
        step(
            "fuzz",
            &format!("xtask fuzz --kind hostile --kind random --seconds {}", args.fuzz_seconds),
        ),
    ]
}

/// Runs all steps up to the first failure.
pub fn run(args: &Args) -> Result<()> {
    let mut times = Vec::new();
    for step in steps(args) {
        println!("\n== {}: cargo {}", step.name, step.command);
        let start = Instant::now();
        let result = run_step(&step);
        times.push((step.name, start.elapsed()));
        if let Err(error) = result {
            print_summary(&times);
            return Err(error);
        }
    }
    print_summary(&times);
    println!("all passed");
    Ok(())
}

fn run_step(step: &Step) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(step.command.split_whitespace())
        .envs(step.variables.iter().copied())
        .current_dir(workspace::root())
        .status()
        .context("cargo cannot be started")?;
    if status.success() {
        return Ok(());
    }
    bail!("{} failed\nhint: `{}` repeats it", step.name, command_line(step))
}

/// The step as a command line.
fn command_line(step: &Step) -> String {
    let variables = step.variables.iter().map(|(name, value)| format!("{name}=\"{value}\""));
    variables.chain([format!("cargo {}", step.command)]).collect::<Vec<_>>().join(" ")
}

fn print_summary(times: &[(&str, Duration)]) {
    println!();
    for (name, time) in times {
        println!("{name:14} {:6.1} s", time.as_secs_f64());
    }
    let total: Duration = times.iter().map(|(_, time)| *time).sum();
    println!("{:14} {:6.1} s", "total", total.as_secs_f64());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_can_be_repeated_by_hand() {
        let steps = steps(&Args { fuzz_seconds: 3 });
        assert_eq!(
            command_line(steps.last().unwrap()),
            "cargo xtask fuzz --kind hostile --kind random --seconds 3"
        );
        let doc = steps.iter().find(|step| step.name == "documentation").unwrap();
        assert!(command_line(doc).starts_with("RUSTDOCFLAGS=\"-D warnings\" cargo doc "));
    }
}
