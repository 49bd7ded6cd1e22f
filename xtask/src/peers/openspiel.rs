//! `OpenSpiel` from the Python Package Index, in a separate environment under `target`.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ludens_lab::speed::{Lap, SearchLap};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::workspace;

/// The environment.
pub struct OpenSpiel {
    python: PathBuf,
}

/// Parameters of its tree search.
pub struct SearchParameters {
    /// Its seed.
    pub seed: u32,
    /// Simulations per move.
    pub simulations: u64,
    /// Exploration constant.
    pub exploration: f64,
}

/// How its `AlphaZero` plays against itself.
pub struct ZeroParameters<'a> {
    /// Its seed.
    pub seed: u32,
    /// Simulations per move.
    pub simulations: u64,
    /// The kind of network, its width and its depth.
    pub network: (&'a str, u32, u32),
    /// Processes that play.
    pub actors: usize,
}

/// The output of `peers/openspiel_zero.py`.
#[derive(Deserialize)]
pub struct ZeroAnswer {
    pub games: u64,
    pub moves: u64,
    pub simulations: u64,
    /// Calls of the network.
    pub calls: u64,
    pub seconds: f64,
    pub cpu_seconds: f64,
    /// Processes that played.
    pub actors: u64,
    /// Steps of training.
    pub steps: u64,
    pub parameters: u64,
    pub versions: String,
}

/// The output of `peers/openspiel_search.py`.
#[derive(Deserialize)]
struct SearchAnswer {
    simulations: u64,
    seconds: f64,
}

/// The output of `peers/openspiel.py`.
#[derive(Deserialize)]
struct Answer {
    playouts: u64,
    seconds: f64,
    mean_plies: Option<f64>,
}

/// Number of random playouts for the mean length.
const N_LENGTHS: u32 = 400;

/// The module of its `AlphaZero`.
const ZERO: &str = "open_spiel.python.algorithms.alpha_zero.alpha_zero";

impl OpenSpiel {
    /// Opens the environment, or creates it, which needs the network.
    pub fn find_or_install(package: &str) -> Result<OpenSpiel> {
        let folder = workspace::target().join("peers").join("openspiel");
        let python = folder.join("bin").join("python");
        let found = OpenSpiel { python };
        if found.loads("pyspiel") {
            return Ok(found);
        }
        let venv = "python3 -m venv does not work; it is in the Debian package python3-venv";
        succeed(Command::new("python3").args(["-m", "venv"]).arg(&folder), venv)?;
        found.install(&[package], "pyspiel")?;
        Ok(found)
    }

    /// Installs what its `AlphaZero` needs, unless it is there.
    pub fn find_or_install_zero(&self, packages: &[String]) -> Result<()> {
        if self.loads(ZERO) {
            return Ok(());
        }
        self.install(&packages.iter().map(String::as_str).collect::<Vec<_>>(), ZERO)
    }

    /// Installs packages for a module.
    fn install(&self, packages: &[&str], module: &str) -> Result<()> {
        let all = packages.join(" ");
        eprintln!("installing {all} for {}", self.python.display());
        let mut install = Command::new(&self.python);
        install.args(["-m", "pip", "install", "--quiet"]).args(packages);
        succeed(&mut install, "pip cannot install it; is there a network?")?;
        if self.loads(module) {
            return Ok(());
        }
        bail!("{all} is installed, but {module} does not load")
    }

    fn loads(&self, module: &str) -> bool {
        let import = format!("import {module}");
        let output = Command::new(&self.python).args(["-c", &import]).output();
        output.is_ok_and(|output| output.status.success())
    }

    /// Runs playouts for about this CPU time; the first lap also reports their mean length.
    pub fn lap(&self, game: &str, time: Duration, number: u32) -> Result<(Lap, Option<f64>)> {
        let lengths = if number == 0 { N_LENGTHS } else { 0 };
        let numbers = [time.as_secs_f64().to_string(), number.to_string(), lengths.to_string()];
        let mut command = self.script("openspiel.py");
        let Answer { playouts, seconds, mean_plies } = answer(command.arg(game).args(numbers))?;
        Ok((Lap { playouts, plies: 0, seconds }, mean_plies))
    }

    /// Runs its tree search for about this CPU time.
    pub fn search_lap(
        &self,
        game: &str,
        time: Duration,
        parameters: &SearchParameters,
    ) -> Result<SearchLap> {
        let SearchParameters { seed, simulations, exploration } = parameters;
        let numbers = [&time.as_secs_f64() as &dyn ToString, seed, simulations, exploration];
        let mut command = self.script("openspiel_search.py");
        command.arg(game).args(numbers.map(ToString::to_string));
        let SearchAnswer { simulations, seconds } = answer(&mut command)?;
        Ok(SearchLap { simulations, seconds, ..SearchLap::default() })
    }

    /// Lets its `AlphaZero` play against itself for about this time by the clock.
    pub fn zero_lap(
        &self,
        game: &str,
        time: Duration,
        parameters: &ZeroParameters<'_>,
    ) -> Result<ZeroAnswer> {
        let ZeroParameters { seed, simulations, network: (model, width, depth), actors } =
            parameters;
        let numbers =
            [&time.as_secs_f64() as &dyn ToString, seed, simulations, model, width, depth, actors];
        let mut command = self.script("openspiel_zero.py");
        answer(command.arg(game).args(numbers.map(ToString::to_string)))
    }

    /// A script of the folder `peers`, to be run in the environment.
    pub fn script(&self, name: &str) -> Command {
        let mut command = Command::new(&self.python);
        command.arg(script(name));
        command
    }
}

fn script(name: &str) -> PathBuf {
    workspace::root().join("peers").join(name)
}

/// Runs a script and parses the line that it prints.
fn answer<T: DeserializeOwned>(command: &mut Command) -> Result<T> {
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = || String::from_utf8_lossy(&output.stderr).into_owned();
    parse(&text).with_context(errors)
}

/// Parses a line that a script printed.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T> {
    Ok(serde_json::from_str(text.trim())?)
}

fn succeed(command: &mut Command, remedy: &'static str) -> Result<Output> {
    let output = command.output().context(remedy)?;
    if output.status.success() {
        return Ok(output);
    }
    bail!("{remedy}\n{}", String::from_utf8_lossy(&output.stderr).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_parsed() {
        let read =
            |text: &str| parse::<Answer>(text).map(|answer| (answer.playouts, answer.mean_plies));
        let text = r#"{"playouts": 7, "seconds": 0.5, "mean_plies": 9.5}"#;
        assert_eq!(read(text).unwrap(), (7, Some(9.5)));
        assert_eq!(read(&text.replace("9.5", "null")).unwrap(), (7, None));
        assert!(read("Traceback").is_err());
        let answer: SearchAnswer = parse("{\"simulations\": 7, \"seconds\": 0.5}\n").unwrap();
        assert_eq!((answer.simulations, answer.seconds), (7, 0.5));
        let text = r#"{"games": 5, "moves": 127, "simulations": 4064, "calls": 3100, "seconds": 11.2,
            "cpu_seconds": 11.8, "parameters": 119345, "steps": 0, "actors": 2,
            "versions": "open_spiel 2.0.2"}"#;
        let answer: ZeroAnswer = parse(text).unwrap();
        assert_eq!((answer.games, answer.moves, answer.calls), (5, 127, 3100));
    }

    #[test]
    fn the_scripts_exist() {
        for name in ["openspiel.py", "openspiel_search.py", "openspiel_bot.py", "openspiel_zero.py"]
        {
            assert!(script(name).exists(), "{name}");
        }
    }
}
