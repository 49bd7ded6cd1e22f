//! The games of a match in a file, one line of JSON each.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::duel::{Effort, Played};
use crate::workspace;

/// The terms of a game; games with other terms do not count.
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
    /// The seed of all games.
    pub seed: u64,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameLine {
    /// Its terms.
    #[serde(flatten)]
    pub terms: Terms,
    /// Its number in the match.
    pub number: u32,
    /// Our role; 0 moves first.
    pub seat: usize,
    /// Its course.
    #[serde(flatten)]
    pub played: Played,
}

impl GameLine {
    /// The line.
    pub fn json(&self) -> Result<String> {
        Ok(serde_json::to_string(self)?)
    }
}

impl fmt::Display for GameLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GameLine { number, seat, played, .. } = self;
        let Played { payoff, moves, .. } = played;
        write!(f, "game {number}, seat {seat}: {payoff} after {} moves", moves.len())
    }
}

/// The games of one match.
pub struct Scores {
    /// Their terms.
    pub terms: Terms,
    path: PathBuf,
    file: File,
    n_games: u32,
    games: Vec<GameLine>,
}

impl Scores {
    /// Resumes a match of this number of games.
    pub fn open(name: &str, terms: Terms, n_games: u32) -> Result<Scores> {
        let stem: String =
            name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let folder = workspace::target().join("peers");
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        Self::open_at(&folder.join(format!("strength-{stem}.jsonl")), terms, n_games)
    }

    fn open_at(path: &Path, terms: Terms, n_games: u32) -> Result<Scores> {
        let shown = || path.display().to_string();
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            read => read.with_context(shown)?,
        };
        let games = read_games(&text, &terms, n_games);
        let mut file =
            OpenOptions::new().create(true).append(true).open(path).with_context(shown)?;
        // A line truncated by an interrupt must not be continued.
        if !text.is_empty() && !text.ends_with('\n') {
            writeln!(file).with_context(shown)?;
        }
        Ok(Scores { terms, path: path.to_owned(), file, n_games, games })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The games so far.
    pub fn games(&self) -> &[GameLine] {
        &self.games
    }

    /// The numbers of the missing games.
    pub fn missing(&self) -> Vec<u32> {
        let is_missing = |number: &u32| !self.games.iter().any(|line| line.number == *number);
        (0..self.n_games).filter(is_missing).collect()
    }

    /// Adds a game.
    pub fn add(&mut self, line: GameLine) -> Result<()> {
        let text = format!("{}\n", line.json()?);
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.with_context(|| self.path.display().to_string())?;
        self.games.push(line);
        Ok(())
    }

    /// The total payoff of our agent.
    pub fn points(&self) -> f64 {
        self.games.iter().map(|line| line.played.payoff).sum()
    }

    /// The mean effort of both sides.
    pub fn efforts(&self) -> String {
        let sum = |of: fn(&Played) -> &Effort| {
            let mut sum = Effort::default();
            for effort in self.games.iter().map(|line| of(&line.played)) {
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

/// The games of a match with given terms, each number once; malformed lines are ignored.
fn read_games(text: &str, terms: &Terms, n_games: u32) -> Vec<GameLine> {
    let mut games: Vec<GameLine> = Vec::new();
    for line in text.lines().filter_map(|line| serde_json::from_str::<GameLine>(line).ok()) {
        let is_new = games.iter().all(|known| known.number != line.number);
        if is_new && line.terms == *terms && line.number < n_games {
            games.push(line);
        }
    }
    games
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

    fn line(number: u32, payoff: f64) -> GameLine {
        let played = Played { payoff, moves: vec!["a7a6".into()], ..Played::default() };
        GameLine { terms: terms(), number, seat: (number % 2) as usize, played }
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
    fn a_match_goes_on_where_it_was_stopped() {
        let path = fresh("stopped");
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
        assert_eq!((third.missing(), third.games().len()), (vec![3], 3));
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn games_under_other_terms_do_not_count() {
        let mut lines = [line(0, 1.0), line(0, 0.0), line(1, 0.0), line(7, 1.0)];
        lines[2].terms.milliseconds = 10;
        let text: String = lines.iter().map(|line| line.json().unwrap() + "\n").collect();
        assert_eq!(read_games(&text, &terms(), 4), [line(0, 1.0)]);
    }
}
