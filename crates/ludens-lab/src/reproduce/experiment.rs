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
    /// Its description.
    pub about: About,
    /// Its matches.
    pub cells: Vec<Cell>,
}

/// The description of an experiment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct About {
    /// Its title.
    pub title: String,
    /// Where it was published.
    pub paper: String,
    /// Whether it is a table or a figure.
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
    /// The reasoner.
    pub reasoner: String,
    /// The limits of the agents.
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
    /// The wins and losses of the score, if the paper gives them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paper_results: Option<Results>,
    /// Its point in a figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Point>,
}

/// Games that the first agent won and lost, in percent; the rest was drawn.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Results {
    /// Wins.
    pub win: f64,
    /// Losses.
    pub loss: f64,
}

impl Results {
    /// The score, in which draws count as half.
    fn score(self) -> f64 {
        self.win + (100.0 - self.win - self.loss) / 2.0
    }
}

/// A point on a curve.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Point {
    /// The curve.
    pub series: String,
    /// The x coordinate.
    pub x: f64,
}

/// The placeholder for a learnt policy in the text of an agent.
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
            bail!("cannot read {path}: it defines `t`, but no cell has `clocks`");
        }
        let ExperimentFile { title, paper, kind, says, notes, initial, .. } = file;
        let about = About { title, paper, kind, says, notes, initial };
        Ok(Experiment { name: name.to_owned(), about, cells })
    }
}

impl Cell {
    /// The published score.
    pub fn published(&self) -> Option<Proportion> {
        let share = self.paper_score? / 100.0;
        Some(Proportion { share, games: self.paper_games as f64 })
    }

    /// Whether both are the same match, whatever their published scores.
    pub fn is_same_match(&self, other: &Cell) -> bool {
        let setup = |cell: &Cell| {
            let Cell { game, reasoner, limit, first, second, .. } = cell.clone();
            (game, reasoner, limit, first, second)
        };
        setup(self) == setup(other)
    }
}

/// A cell completed with the defaults of its file.
fn complete(cell: CellFile, defaults: &ExperimentFile, path: &str) -> anyhow::Result<Cell> {
    let limit = limit(&cell, defaults, path)?;
    let (paper_score, paper_results) = published(&cell, path)?;
    let CellFile { name, series, x, .. } = cell;
    let missing = |what: &str| {
        Hinted::new(
            format!("cannot read {path}: the cell `{name}` has no `{what}`"),
            format!("write `{what} = …` under the cell, or at the top for all cells"),
        )
    };
    let text = |own: Option<String>, defaults: &Option<String>, what| {
        own.or_else(|| defaults.clone()).ok_or_else(|| missing(what))
    };
    let complete = Cell {
        game: text(cell.game, &defaults.game, "game")?,
        reasoner: defaults.reasoner.clone().unwrap_or_else(|| ReasonerKind::Auto.name().to_owned()),
        limit: limit.ok_or_else(|| missing("iterations` or `clocks"))?,
        first: text(cell.first, &defaults.first, "first")?,
        second: text(cell.second, &defaults.second, "second")?,
        paper_games: cell.games.unwrap_or(defaults.games),
        paper_score,
        paper_results,
        point: match (series, x) {
            (Some(series), Some(x)) => Some(Point { series, x }),
            _ if defaults.kind == Kind::Figure => return Err(missing("series` and `x").into()),
            _ => None,
        },
        name,
    };
    check(&complete, defaults, path)?;
    Ok(complete)
}

/// The limits of the agents; `None` if neither the cell nor the file has any.
fn limit(cell: &CellFile, defaults: &ExperimentFile, path: &str) -> anyhow::Result<Option<Limit>> {
    let place = format!("cannot read {path}: the cell `{}`", cell.name);
    let (iterations, clocks) = match (cell.iterations, cell.clocks) {
        (Some(_), Some(_)) => return Err(contradiction(&place).into()),
        (None, None) => (defaults.iterations, defaults.clocks),
        own => own,
    };
    if cell.t.is_some() && clocks.is_none() {
        bail!("{place} defines `t`, but has no `clocks`");
    }
    let t = cell.t.or(defaults.t).unwrap_or_default();
    let in_clocks = clocks.map(|clocks| Limit::Clocks { clocks, t });
    Ok(in_clocks.or(iterations.map(|iterations| Limit::Iterations { iterations })))
}

fn contradiction(place: &str) -> Hinted {
    let hint = "limit moves by iterations, or by clocks in units of T, which `t` defines";
    Hinted::new(format!("{place} has both `iterations` and `clocks`"), hint)
}

/// The published result: a score, or wins and losses.
fn published(cell: &CellFile, path: &str) -> Result<(Option<f64>, Option<Results>), Hinted> {
    match (cell.score, cell.win, cell.loss) {
        (score, None, None) => Ok((score, None)),
        (None, Some(win), Some(loss)) => {
            let results = Results { win, loss };
            Ok((Some(results.score()), Some(results)))
        }
        (score, ..) => {
            let what = match score {
                Some(_) => "has both a `score` and wins or losses",
                None => "has only one of `win` and `loss`",
            };
            let message = format!("cannot read {path}: the cell `{}` {what}", cell.name);
            Err(Hinted::new(message, "write `score = 60`, or `win = 50` and `loss = 30`"))
        }
    }
}

/// Refuses cells that cannot be played or compared.
fn check(cell: &Cell, defaults: &ExperimentFile, path: &str) -> anyhow::Result<()> {
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
    if learns && defaults.initial.is_none() {
        return refuse("names `{initial}`, but there is no section [initial]");
    }
    cell.reasoner.parse::<ReasonerKind>()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::limit::{Clocks, Unit};
    use super::*;

    const HEAD: &str = "title = 't'\npaper = 'p'\nkind = 'table'\ngames = 10\nfirst = 'uct'\n";

    fn parse(text: &str) -> anyhow::Result<Experiment> {
        Experiment::parse("a", text, "a.toml")
    }

    #[test]
    fn cells_override_the_defaults_of_the_file() {
        let cells = "game = 'nim'\niterations = 5\n[[cells]]\nname = 'a'\nsecond = 'random'\n\
                     [[cells]]\nname = 'b'\nfirst = 'flat'\nsecond = 'random'\ngames = 20\nscore = 50";
        let cells = parse(&format!("{HEAD}{cells}")).unwrap().cells;
        assert_eq!((cells[0].first.as_str(), cells[1].first.as_str()), ("uct", "flat"));
        assert_eq!((cells[0].paper_games, cells[1].paper_games), (10, 20));
        assert_eq!((cells[0].published(), cells[0].reasoner.as_str()), (None, "auto"));
        assert_eq!(cells[1].published(), Some(Proportion { share: 0.5, games: 20.0 }));
    }

    #[test]
    fn clocks_are_of_the_file_or_of_the_cell() {
        let rest = "game = 'nim'\nsecond = 'random'\nclocks = '16T, 2T'\n[[cells]]\nname = ";
        let cells = ["'a'", "'b'\nclocks = '32T, 4T'\nt = 'time'", "'c'\niterations = 5"];
        let text = format!("{HEAD}{rest}{}", cells.join("\n[[cells]]\nname = "));
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
        let text = format!("{HEAD}{cell}win = 14\nloss = 0");
        let cell = parse(&text).unwrap().cells.remove(0);
        assert_eq!(cell.paper_score, Some(57.0));
        assert_eq!(cell.paper_results, Some(Results { win: 14.0, loss: 0.0 }));
    }

    #[test]
    fn cells_that_cannot_be_played_or_compared_are_refused() {
        let cell = "[[cells]]\nname = 'a'\nsecond = 'random'\n";
        let full = format!("{cell}game = 'nim'\niterations = 5\n");
        for (text, answer) in [
            ("cells = []".to_owned(), "it has no cells"),
            (cell.to_owned(), "the cell `a` has no `game`"),
            (format!("{cell}game = 'nim'"), "the cell `a` has no `iterations`"),
            (format!("{full}{full}"), "two cells are called `a`"),
            (format!("{full}clocks = '2T, 1T'"), "the cell `a` has both `iterations` and `clocks`"),
            (format!("{full}t = 'time'"), "`a` defines `t`, but has no `clocks`"),
            (format!("t = 'time'\n{full}"), "it defines `t`, but no cell has `clocks`"),
            (format!("iterations = 5\nclocks = '2T, 1T'\n{full}"), "it has both `iterations`"),
            (format!("{full}win = 5\nscore = 5"), "has both a `score` and wins or losses"),
            (format!("{full}loss = 5"), "has only one of `win` and `loss`"),
            (format!("{full}win = 60\nloss = 41"), "that are not parts of 100"),
            (format!("{full}win = -1\nloss = 41"), "that are not parts of 100"),
            (format!("{full}score = 101"), "a score that is not from 0 to 100"),
            (format!("{full}games = 0"), "has no games or no iterations"),
            (format!("{full}first = 'ppaf(initial={INITIAL})'"), "there is no section [initial]"),
            (format!("reasoner = 'fast'\n{full}"), "no reasoner is called `fast`"),
        ] {
            let error = parse(&format!("{HEAD}{text}")).unwrap_err().to_string();
            assert!(error.contains(answer), "{error}");
        }
        let figure = HEAD.replace("table", "figure");
        let error = parse(&format!("{figure}{full}")).unwrap_err().to_string();
        assert!(error.ends_with("has no `series` and `x`"), "{error}");
    }
}
