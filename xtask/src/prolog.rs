//! Compares the reference reasoner with a plain Prolog translation of the same rules, in one run.
//!
//! The translation is straightforward: a clause for each rule, fluents and moves as dynamic facts,
//! `setof` for the next state. Tests follow the literals that bind their variables, and recursive
//! relations are tabled; nothing else is tuned.

mod translate;

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ludens_catalog::{ReasonerKind, load_game};
use ludens_core::Budget;
use ludens_gdl::Rules;
use ludens_lab::speed::{Lap, Starts, track};

use translate::translate;

/// What to measure.
#[derive(clap::Args)]
pub struct Args {
    /// Library names or files
    #[arg(default_values = ["tictactoe", "connectfour", "breakthrough"])]
    games: Vec<String>,
    /// CPU seconds for each program and game
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
}

/// Compares both on each game and prints a table.
pub fn run(args: &Args) -> Result<()> {
    let time = Duration::from_secs_f64(args.seconds);
    println!(
        "random playouts from the initial state per CPU second, one thread, {} s each",
        args.seconds
    );
    println!("{:16} {:>10} {:>10} {:>7}   mean plies of each", "game", "ludens", "prolog", "ratio");
    for game in &args.games {
        let loaded = load_game(game, ReasonerKind::Logic, &Budget::unlimited())?;
        let mut track = track(&loaded.game, Starts::Initial, 1);
        // Ours runs before and after, so that a drift of the machine's speed affects both.
        let before = track.lap(time / 2);
        let prolog = Program::new(&loaded.rules)?.lap(time)?;
        let ours = sum(&[before, track.lap(time / 2)]);
        println!(
            "{:16} {:10.1} {:10.1} {:6.1}x   {:.1} {:.1}",
            loaded.source.name,
            ours.playouts_per_second(),
            prolog.playouts_per_second(),
            ours.playouts_per_second() / prolog.playouts_per_second(),
            ours.plies as f64 / ours.playouts as f64,
            prolog.plies as f64 / prolog.playouts as f64
        );
    }
    Ok(())
}

/// The sum of several laps.
pub fn sum(laps: &[Lap]) -> Lap {
    laps.iter().fold(Lap::default(), |sum, lap| Lap {
        playouts: sum.playouts + lap.playouts,
        plies: sum.plies + lap.plies,
        seconds: sum.seconds + lap.seconds,
    })
}

/// Whether SWI-Prolog is installed.
pub fn is_installed() -> bool {
    Command::new("swipl").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The remedy if it is not.
pub const REMEDY: &str = "swipl does not run; it is in the Debian package swi-prolog-nox";

/// A translation in a temporary file.
pub struct Program {
    file: PathBuf,
}

impl Program {
    /// Translates rules.
    pub fn new(rules: &Rules) -> Result<Self> {
        let file = std::env::temp_dir().join(format!("ludens-{}.pl", std::process::id()));
        std::fs::write(&file, translate(rules)).with_context(|| file.display().to_string())?;
        Ok(Program { file })
    }

    /// Runs random playouts for about this CPU time.
    pub fn lap(&self, time: Duration) -> Result<Lap> {
        let goal = format!("bench({})", time.as_secs_f64());
        let output = Command::new("swipl")
            .args(["-q", "-O", "-g", &goal, "-t", "halt"])
            .arg(&self.file)
            .output()
            .context(REMEDY)?;
        let text = String::from_utf8_lossy(&output.stdout);
        match parse(&text) {
            Some(lap) => Ok(lap),
            None => bail!("swipl printed {text:?} {}", String::from_utf8_lossy(&output.stderr)),
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        std::fs::remove_file(&self.file).ok();
    }
}

/// Parses the output of the program: playouts, joint moves, seconds.
fn parse(text: &str) -> Option<Lap> {
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let &[playouts, plies, seconds] = &numbers[..] else {
        return None;
    };
    Some(Lap { playouts: playouts as u64, plies: plies as u64, seconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_parsed() {
        let lap = Lap { playouts: 12, plies: 90, seconds: 0.5 };
        assert_eq!(parse("12 90 0.5\n"), Some(lap));
        assert_eq!(parse("Warning: 12 90"), None);
    }

    #[test]
    fn laps_add_up() {
        let lap = Lap { playouts: 1, plies: 2, seconds: 0.25 };
        assert_eq!(sum(&[lap, lap]), Lap { playouts: 2, plies: 4, seconds: 0.5 });
    }
}
