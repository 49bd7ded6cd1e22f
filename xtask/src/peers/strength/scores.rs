//! The matches of a series in a file, one line of JSON each.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::duel::{Effort, Played};
use crate::workspace;

/// The terms of a match; matches with other terms do not count.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// Our name of the game.
    pub game: String,
    /// Our agent.
    pub agent: String,
    /// The reasoner.
    pub reasoner: String,
    /// The package of the other program.
    pub opponent: String,
    /// Its exploration constant.
    pub exploration: f64,
    /// The time for a move.
    pub milliseconds: u64,
    /// The seed of the series.
    pub seed: u64,
}

/// A finished match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchLine {
    /// Its terms.
    #[serde(flatten)]
    pub terms: Terms,
    /// Its number in the series.
    pub number: u32,
    /// Our role; 0 moves first.
    pub seat: usize,
    /// Its moves and result.
    #[serde(flatten)]
    pub played: Played,
}

impl MatchLine {
    /// The line.
    pub fn json(&self) -> Result<String> {
        Ok(serde_json::to_string(self)?)
    }
}

impl fmt::Display for MatchLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MatchLine { number, seat, played, .. } = self;
        let Played { payoff, moves, .. } = played;
        write!(f, "match {number}, seat {seat}: {payoff} after {} moves", moves.len())
    }
}

/// The matches of one series.
pub struct Scores {
    /// Their terms.
    pub terms: Terms,
    path: PathBuf,
    file: File,
    n_matches: u32,
    matches: Vec<MatchLine>,
}

impl Scores {
    /// Resumes a series of `n_matches` matches.
    pub fn open(name: &str, terms: Terms, n_matches: u32) -> Result<Scores> {
        let stem: String =
            name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let folder = workspace::target().join("peers");
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        Self::open_at(&folder.join(format!("strength-{stem}.jsonl")), terms, n_matches)
    }

    fn open_at(path: &Path, terms: Terms, n_matches: u32) -> Result<Scores> {
        let shown = || path.display().to_string();
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            read => read.with_context(shown)?,
        };
        let matches = read_matches(&text, &terms, n_matches);
        let mut file =
            OpenOptions::new().create(true).append(true).open(path).with_context(shown)?;
        // A line truncated by an interrupt must not be continued.
        if !text.is_empty() && !text.ends_with('\n') {
            writeln!(file).with_context(shown)?;
        }
        Ok(Scores { terms, path: path.to_owned(), file, n_matches, matches })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The matches so far.
    pub fn matches(&self) -> &[MatchLine] {
        &self.matches
    }

    /// The numbers of the missing matches.
    pub fn missing(&self) -> Vec<u32> {
        let is_missing = |number: &u32| !self.matches.iter().any(|line| line.number == *number);
        (0..self.n_matches).filter(is_missing).collect()
    }

    /// Adds a match.
    pub fn add(&mut self, line: MatchLine) -> Result<()> {
        let text = format!("{}\n", line.json()?);
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.with_context(|| self.path.display().to_string())?;
        self.matches.push(line);
        Ok(())
    }

    /// The total payoff of our agent.
    pub fn points(&self) -> f64 {
        self.matches.iter().map(|line| line.played.payoff).sum()
    }

    /// The mean effort of both sides.
    pub fn efforts(&self) -> String {
        let sum = |of: fn(&Played) -> &Effort| {
            let mut sum = Effort::default();
            for effort in self.matches.iter().map(|line| of(&line.played)) {
                sum.moves += effort.moves;
                sum.simulations += effort.simulations;
                sum.seconds += effort.seconds;
            }
            let moves = sum.moves.max(1) as f64;
            format!("{:.0} in {:.2} s", sum.simulations as f64 / moves, sum.seconds / moves)
        };
        let (ours, theirs) = (sum(|played| &played.ours), sum(|played| &played.theirs));
        format!("simulations per move: ours {ours}, OpenSpiel's {theirs}")
    }
}

/// The matches of a series with given terms, each number once; malformed lines are ignored.
fn read_matches(text: &str, terms: &Terms, n_matches: u32) -> Vec<MatchLine> {
    let mut matches: Vec<MatchLine> = Vec::new();
    for line in text.lines().filter_map(|line| serde_json::from_str::<MatchLine>(line).ok()) {
        let is_new = matches.iter().all(|known| known.number != line.number);
        if is_new && line.terms == *terms && line.number < n_matches {
            matches.push(line);
        }
    }
    matches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms() -> Terms {
        Terms {
            game: "nim".into(),
            agent: "uct".into(),
            reasoner: "native".into(),
            opponent: "open_spiel".into(),
            exploration: 2.0,
            milliseconds: 1000,
            seed: 1,
        }
    }

    fn line(number: u32, payoff: f64) -> MatchLine {
        let played = Played { payoff, moves: vec!["a7a6".into()], ..Played::default() };
        MatchLine { terms: terms(), number, seat: (number % 2) as usize, played }
    }

    /// A path in the target folder that no other test uses.
    fn fresh(name: &str) -> PathBuf {
        let folder = workspace::target().join("peers-tests");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{name}-{}.jsonl", std::process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    #[test]
    fn an_interrupted_series_is_resumed() {
        let path = fresh("interrupted");
        let mut scores = Scores::open_at(&path, terms(), 4).unwrap();
        scores.add(line(0, 1.0)).unwrap();
        scores.add(line(2, 0.5)).unwrap();
        // The third line was truncated by an interrupt.
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}{}", &text[..40])).unwrap();
        let mut again = Scores::open_at(&path, terms(), 4).unwrap();
        assert_eq!((again.missing(), again.points()), (vec![1, 3], 1.5));
        again.add(line(1, 0.0)).unwrap();
        let third = Scores::open_at(&path, terms(), 4).unwrap();
        assert_eq!((third.missing(), third.matches().len()), (vec![3], 3));
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn matches_with_other_terms_do_not_count() {
        let mut lines = [line(0, 1.0), line(0, 0.0), line(1, 0.0), line(7, 1.0)];
        lines[2].terms.milliseconds = 10;
        let text: String = lines.iter().map(|line| line.json().unwrap() + "\n").collect();
        assert_eq!(read_matches(&text, &terms(), 4), [line(0, 1.0)]);
    }
}
