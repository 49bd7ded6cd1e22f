//! The other program as a process with a line-based protocol.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::peers::openspiel::{OpenSpiel, parse};

/// A process that runs `peers/openspiel_bot.py` for one match.
pub struct Bot {
    process: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// A state of the other program.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Look {
    /// The player to move; `None` in a terminal state.
    pub player: Option<usize>,
    /// All legal moves.
    pub legal: Vec<String>,
    /// Whether the state is terminal.
    pub terminal: bool,
    /// The payoffs of the players, from -1 to 1.
    pub returns: Vec<f64>,
}

/// The result of a search.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct SearchResult {
    /// The best move.
    #[serde(rename = "move")]
    pub choice: String,
    /// The number of simulations.
    pub simulations: u64,
    /// The wall-clock time.
    pub seconds: f64,
}

impl Bot {
    /// Starts a match.
    pub fn start(openspiel: &OpenSpiel, game: &str, seed: usize, exploration: f64) -> Result<Bot> {
        let mut command = openspiel.script("openspiel_bot.py");
        command.args([game, &seed.to_string(), &exploration.to_string()]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().context("OpenSpiel's bot cannot be started")?;
        let commands = process.stdin.take().context("it has no input")?;
        let answers = BufReader::new(process.stdout.take().context("it has no output")?);
        Ok(Bot { process, commands, answers })
    }

    /// The current state.
    pub fn look(&mut self) -> Result<Look> {
        self.request("look")
    }

    /// Makes a move and returns the next state.
    pub fn play(&mut self, choice: &str) -> Result<Look> {
        self.request(&format!("play {choice}"))
    }

    /// Searches for this time.
    pub fn think(&mut self, time: Duration) -> Result<SearchResult> {
        self.request(&format!("think {}", time.as_secs_f64()))
    }

    fn request<T: DeserializeOwned>(&mut self, command: &str) -> Result<T> {
        let mut answer = String::new();
        let sent = writeln!(self.commands, "{command}").and_then(|()| self.commands.flush());
        let received = sent.and_then(|()| self.answers.read_line(&mut answer));
        let parsed = received.map_err(Into::into).and_then(|_| parse(&answer));
        parsed.with_context(|| {
            format!("OpenSpiel's bot does not answer `{command}`{}", self.error_output())
        })
    }

    /// The error output of the process, which is unusable afterwards.
    fn error_output(&mut self) -> String {
        // The error output of a running process would never end.
        let _ = self.process.kill();
        let mut text = String::new();
        if let Some(mut errors) = self.process.stderr.take() {
            let _ = errors.read_to_string(&mut text);
        }
        if text.is_empty() { text } else { format!(":\n{}", text.trim()) }
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        // It waits for commands.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_parsed() {
        let look: Look =
            parse(r#"{"player": null, "legal": [], "terminal": true, "returns": [1.0, -1.0]}"#)
                .unwrap();
        assert_eq!((look.player, look.terminal, &look.returns[..]), (None, true, &[1.0, -1.0][..]));
        let result: SearchResult =
            parse(r#"{"move": "a7a6", "simulations": 7, "seconds": 1.0}"#).unwrap();
        assert_eq!((&*result.choice, result.simulations), ("a7a6", 7));
        assert!(parse::<Look>("").is_err());
    }
}
