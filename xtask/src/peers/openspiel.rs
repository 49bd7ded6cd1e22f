//! `OpenSpiel` from the Python Package Index, in an environment of its own under `target`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ludens_catalog::speed::Lap;
use serde::Deserialize;

use crate::workspace;

/// An environment that has it.
pub struct OpenSpiel {
    python: PathBuf,
}

/// What the script `peers/openspiel.py` prints.
#[derive(Deserialize)]
struct Answer {
    playouts: u64,
    seconds: f64,
    mean_plies: Option<f64>,
}

/// Random games from whose lengths the mean is taken.
const LENGTHS: u32 = 400;

impl OpenSpiel {
    /// Takes the environment that is there, or makes one, which needs the network.
    pub fn find_or_install(package: &str) -> Result<OpenSpiel> {
        let folder = workspace::target().join("peers").join("openspiel");
        let python = folder.join("bin").join("python");
        let found = OpenSpiel { python };
        if found.works() {
            return Ok(found);
        }
        eprintln!("installing {package} into {}", folder.display());
        let venv = "python3 -m venv does not work; it is in the Debian package python3-venv";
        succeed(Command::new("python3").args(["-m", "venv"]).arg(&folder), venv)?;
        let mut install = Command::new(&found.python);
        install.args(["-m", "pip", "install", "--quiet", package]);
        succeed(&mut install, "pip cannot install it; is there a network?")?;
        if found.works() {
            return Ok(found);
        }
        bail!("{package} was installed and does not load")
    }

    fn works(&self) -> bool {
        let output = Command::new(&self.python).args(["-c", "import pyspiel"]).output();
        output.is_ok_and(|output| output.status.success())
    }

    /// Plays for about so much CPU time; the first lap also says how long games are.
    pub fn lap(&self, game: &str, time: Duration, number: u32) -> Result<(Lap, Option<f64>)> {
        let lengths = if number == 0 { LENGTHS } else { 0 };
        let output = Command::new(&self.python)
            .arg(script())
            .args([game, &time.as_secs_f64().to_string(), &number.to_string()])
            .arg(lengths.to_string())
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let complaint = || String::from_utf8_lossy(&output.stderr).into_owned();
        parse(&text).with_context(complaint)
    }
}

fn script() -> PathBuf {
    workspace::root().join(Path::new("peers/openspiel.py"))
}

fn parse(text: &str) -> Result<(Lap, Option<f64>)> {
    let answer: Answer = serde_json::from_str(text.trim())?;
    let Answer { playouts, seconds, mean_plies } = answer;
    Ok((Lap { playouts, plies: 0, seconds }, mean_plies))
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
    fn answers_are_read() {
        let (lap, mean) = parse(r#"{"playouts": 7, "seconds": 0.5, "mean_plies": 9.5}"#).unwrap();
        assert_eq!((lap.playouts, mean), (7, Some(9.5)));
        let (_, mean) = parse(r#"{"playouts": 7, "seconds": 0.5, "mean_plies": null}"#).unwrap();
        assert_eq!(mean, None);
        assert!(parse("Traceback").is_err());
    }

    #[test]
    fn the_script_is_there() {
        assert!(script().exists());
    }
}
