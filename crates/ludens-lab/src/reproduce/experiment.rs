//! An experiment whose cells are complete.

use std::collections::BTreeSet;

use anyhow::bail;
use ludens_catalog::ReasonerKind;
use serde::{Deserialize, Serialize};

use super::file::{self, CellFile, ExperimentFile, Kind};
use super::limit::Limit;
use super::verdict::Proportion;
use crate::hinted::Hinted;
use crate::initial_policy::InitialSettings;

/// A table or figure of a paper.
#[derive(Clone, PartialEq, Debug)]
pub struct Experiment {
    /// Its name.
    pub name: String,
    /// What it is about.
    pub about: About,
    /// Its matches.
    pub cells: Vec<Cell>,
}

/// What an experiment is about.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct About {
    /// What is shown.
    pub title: String,
    /// Where it was published.
    pub paper: String,
    /// How it is shown.
    pub kind: Kind,
    /// What the paper says about a figure without readable numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
    /// Notes on differences, as Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// How the policy is learnt that agents name `{initial}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<InitialSettings>,
}

/// A match of an experiment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Cell {
    /// Its name.
    pub name: String,
    /// The game.
    pub game: String,
    /// How its rules are run.
    pub reasoner: String,
    /// What agents may spend.
    #[serde(flatten)]
    pub limit: Limit,
    /// The agent whose score is measured.
    pub first: String,
    /// Its opponent.
    pub second: String,
    /// How many games the paper played.
    pub paper_games: usize,
    /// The score that the paper gives, in percent.
    pub paper_score: Option<f64>,
    /// The wins and losses that it consists of, where the paper gives them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paper_results: Option<Results>,
    /// The curve of a figure that it belongs to, and where on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Point>,
}

/// Games that the first agent won and lost, in percent; the rest was drawn.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Results {
    /// What it won.
    pub win: f64,
    /// What it lost.
    pub loss: f64,
}

impl Results {
    /// The score, in which draws count as half.
    fn score(self) -> f64 {
        self.win + (100.0 - self.win - self.loss) / 2.0
    }
}

/// A place on a curve.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Point {
    /// The curve.
    pub series: String,
    /// The place.
    pub x: f64,
}

/// How a learnt policy is named in the text of an agent.
pub const INITIAL: &str = "{initial}";

impl Experiment {
    /// Reads an experiment from its TOML; `path` is for messages.
    pub fn parse(name: &str, text: &str, path: &str) -> anyhow::Result<Self> {
        let mut file = file::parse(text, path)?;
        if file.iterations.is_some() && file.clocks.is_some() {
            return Err(contradiction(&format!("cannot read {path}: it")).into());
        }
        let cells = std::mem::take(&mut file.cells);
        let cells: Vec<Cell> =
            cells.into_iter().map(|cell| complete(cell, &file, path)).collect::<Result<_, _>>()?;
        let mut names = BTreeSet::new();
        if let Some(twice) = cells.iter().find(|cell| !names.insert(&cell.name)) {
            bail!("cannot read {path}: two cells are called `{}`", twice.name);
        }
        if cells.is_empty() {
            bail!("cannot read {path}: it has no cells");
        }
        let has_clocks = |cell: &Cell| matches!(cell.limit, Limit::Clocks { .. });
        if file.t.is_some() && !cells.iter().any(has_clocks) {
            bail!("cannot read {path}: it says what `t` is, but no cell has `clocks`");
        }
        let ExperimentFile { title, paper, kind, says, notes, initial, .. } = file;
        let about = About { title, paper, kind, says, notes, initial };
        Ok(Experiment { name: name.to_owned(), about, cells })
    }
}

impl Cell {
    /// What was published about it.
    pub fn published(&self) -> Option<Proportion> {
        let share = self.paper_score? / 100.0;
        Some(Proportion { share, games: self.paper_games as f64 })
    }

    /// Whether both are the same match, whatever was published about it.
    pub fn is_same_match(&self, other: &Cell) -> bool {
        let setup = |cell: &Cell| {
            let Cell { game, reasoner, limit, first, second, .. } = cell.clone();
            (game, reasoner, limit, first, second)
        };
        setup(self) == setup(other)
    }
}

/// A cell completed with the defaults of its file.
fn complete(cell: CellFile, usual: &ExperimentFile, path: &str) -> anyhow::Result<Cell> {
    let limit = limit(&cell, usual, path)?;
    let (paper_score, paper_results) = published(&cell, path)?;
    let CellFile { name, series, x, .. } = cell;
    let missing = |what: &str| {
        Hinted::new(
            format!("cannot read {path}: the cell `{name}` has no `{what}`"),
            format!("write `{what} = …` under the cell, or at the top for all cells"),
        )
    };
    let text = |own: Option<String>, usual: &Option<String>, what| {
        own.or_else(|| usual.clone()).ok_or_else(|| missing(what))
    };
    let complete = Cell {
        game: text(cell.game, &usual.game, "game")?,
        reasoner: usual.reasoner.clone().unwrap_or_else(|| ReasonerKind::Auto.name().to_owned()),
        limit: limit.ok_or_else(|| missing("iterations` or `clocks"))?,
        first: text(cell.first, &usual.first, "first")?,
        second: text(cell.second, &usual.second, "second")?,
        paper_games: cell.games.unwrap_or(usual.games),
        paper_score,
        paper_results,
        point: match (series, x) {
            (Some(series), Some(x)) => Some(Point { series, x }),
            _ if usual.kind == Kind::Figure => return Err(missing("series` and `x").into()),
            _ => None,
        },
        name,
    };
    check(&complete, usual, path)?;
    Ok(complete)
}

/// What agents may spend; `None` if neither the cell nor the file has it.
fn limit(cell: &CellFile, usual: &ExperimentFile, path: &str) -> anyhow::Result<Option<Limit>> {
    let place = format!("cannot read {path}: the cell `{}`", cell.name);
    let (iterations, clocks) = match (cell.iterations, cell.clocks) {
        (Some(_), Some(_)) => return Err(contradiction(&place).into()),
        (None, None) => (usual.iterations, usual.clocks),
        own => own,
    };
    if cell.t.is_some() && clocks.is_none() {
        bail!("{place} says what `t` is, but has no `clocks`");
    }
    let t = cell.t.or(usual.t).unwrap_or_default();
    let in_clocks = clocks.map(|clocks| Limit::Clocks { clocks, t });
    Ok(in_clocks.or(iterations.map(|iterations| Limit::Iterations { iterations })))
}

fn contradiction(place: &str) -> Hinted {
    let hint = "a move costs iterations, or clocks in units of T that `t` explains";
    Hinted::new(format!("{place} has both `iterations` and `clocks`"), hint)
}

/// What was published: a score, or wins and losses.
fn published(cell: &CellFile, path: &str) -> Result<(Option<f64>, Option<Results>), Hinted> {
    match (cell.score, cell.win, cell.loss) {
        (score, None, None) => Ok((score, None)),
        (None, Some(win), Some(loss)) => {
            let results = Results { win, loss };
            Ok((Some(results.score()), Some(results)))
        }
        (score, ..) => {
            let what = match score {
                Some(_) => "has a `score` and wins or losses as well",
                None => "has only one of `win` and `loss`",
            };
            let message = format!("cannot read {path}: the cell `{}` {what}", cell.name);
            Err(Hinted::new(message, "write `score = 60`, or `win = 50` and `loss = 30`"))
        }
    }
}

/// Refuses what could not be played or compared.
fn check(cell: &Cell, usual: &ExperimentFile, path: &str) -> anyhow::Result<()> {
    let refuse = |what: &str| bail!("cannot read {path}: the cell `{}` {what}", cell.name);
    if cell.paper_games == 0 || cell.limit.work() == 0 {
        return refuse("has no games or no iterations");
    }
    let shares = |Results { win, loss }| win >= 0.0 && loss >= 0.0 && win + loss <= 100.0;
    if !cell.paper_results.is_none_or(shares) {
        return refuse("has a `win` and a `loss` that are not parts of 100");
    }
    if cell.paper_score.is_some_and(|score| !(0.0..=100.0).contains(&score)) {
        return refuse("has a score that is not from 0 to 100");
    }
    if cell.point.as_ref().is_some_and(|point| !point.x.is_finite()) {
        return refuse("has an `x` that is not a number");
    }
    let learns = [&cell.first, &cell.second].iter().any(|agent| agent.contains(INITIAL));
    if learns && usual.initial.is_none() {
        return refuse("names `{initial}`, but there is no section [initial]");
    }
    cell.reasoner.parse::<ReasonerKind>()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::limit::{Clocks, Unit};
    use super::*;

    const USUAL: &str = "title = 't'\npaper = 'p'\nkind = 'table'\ngames = 10\nfirst = 'uct'\n";

    fn parse(text: &str) -> anyhow::Result<Experiment> {
        Experiment::parse("a", text, "a.toml")
    }

    #[test]
    fn cells_override_the_defaults_of_the_file() {
        let cells = "game = 'nim'\niterations = 5\n[[cells]]\nname = 'a'\nsecond = 'random'\n\
                     [[cells]]\nname = 'b'\nfirst = 'flat'\nsecond = 'random'\ngames = 20\nscore = 50";
        let cells = parse(&format!("{USUAL}{cells}")).unwrap().cells;
        assert_eq!((cells[0].first.as_str(), cells[1].first.as_str()), ("uct", "flat"));
        assert_eq!((cells[0].paper_games, cells[1].paper_games), (10, 20));
        assert_eq!((cells[0].published(), cells[0].reasoner.as_str()), (None, "auto"));
        assert_eq!(cells[1].published(), Some(Proportion { share: 0.5, games: 20.0 }));
    }

    #[test]
    fn clocks_are_of_the_file_or_of_the_cell() {
        let head = "game = 'nim'\nsecond = 'random'\nclocks = '16T, 2T'\n[[cells]]\nname = ";
        let cells = ["'a'", "'b'\nclocks = '32T, 4T'\nt = 'time'", "'c'\niterations = 5"];
        let text = format!("{USUAL}{head}{}", cells.join("\n[[cells]]\nname = "));
        let limits: Vec<_> = parse(&text).unwrap().cells.iter().map(|cell| cell.limit).collect();
        let clocks = |start, play, t| Limit::Clocks { clocks: Clocks { start, play }, t };
        let expected = [
            clocks(16, 2, Unit::Simulations),
            clocks(32, 4, Unit::Time),
            Limit::Iterations { iterations: 5 },
        ];
        assert_eq!(limits, expected);
        let timed = text.replace("clocks = '16T, 2T'", "clocks = '16T, 2T'\nt = 'time'");
        assert_eq!(parse(&timed).unwrap().cells[0].limit, clocks(16, 2, Unit::Time));
    }

    #[test]
    fn wins_and_losses_make_a_score() {
        let cell = "game = 'nim'\niterations = 5\n[[cells]]\nname = 'a'\nsecond = 'random'\n";
        let text = format!("{USUAL}{cell}win = 14\nloss = 0");
        let cell = parse(&text).unwrap().cells.remove(0);
        assert_eq!(cell.paper_score, Some(57.0));
        assert_eq!(cell.paper_results, Some(Results { win: 14.0, loss: 0.0 }));
    }

    #[test]
    fn what_could_not_be_played_or_compared_is_refused() {
        let cell = "[[cells]]\nname = 'a'\nsecond = 'random'\n";
        let full = format!("{cell}game = 'nim'\niterations = 5\n");
        for (text, answer) in [
            ("cells = []".to_owned(), "it has no cells"),
            (cell.to_owned(), "the cell `a` has no `game`"),
            (format!("{cell}game = 'nim'"), "the cell `a` has no `iterations`"),
            (format!("{full}{full}"), "two cells are called `a`"),
            (format!("{full}clocks = '2T, 1T'"), "the cell `a` has both `iterations` and `clocks`"),
            (format!("{full}t = 'time'"), "`a` says what `t` is, but has no `clocks`"),
            (format!("t = 'time'\n{full}"), "it says what `t` is, but no cell has `clocks`"),
            (format!("iterations = 5\nclocks = '2T, 1T'\n{full}"), "it has both `iterations`"),
            (format!("{full}win = 5\nscore = 5"), "has a `score` and wins or losses as well"),
            (format!("{full}loss = 5"), "has only one of `win` and `loss`"),
            (format!("{full}win = 60\nloss = 41"), "that are not parts of 100"),
            (format!("{full}win = -1\nloss = 41"), "that are not parts of 100"),
            (format!("{full}score = 101"), "a score that is not from 0 to 100"),
            (format!("{full}games = 0"), "has no games or no iterations"),
            (format!("{full}first = 'ppaf(initial={INITIAL})'"), "there is no section [initial]"),
            (format!("reasoner = 'fast'\n{full}"), "no reasoner is called `fast`"),
        ] {
            let error = parse(&format!("{USUAL}{text}")).unwrap_err().to_string();
            assert!(error.contains(answer), "{error}");
        }
        let figure = USUAL.replace("table", "figure");
        let error = parse(&format!("{figure}{full}")).unwrap_err().to_string();
        assert!(error.ends_with("has no `series` and `x`"), "{error}");
    }
}
