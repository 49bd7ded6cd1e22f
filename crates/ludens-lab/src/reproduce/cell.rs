//! A match of an experiment, completed with the defaults of its file.

use std::collections::BTreeMap;

use anyhow::bail;
use ludens_catalog::{ReasonerKind, nearest};
use serde::{Deserialize, Serialize};

use super::experiment::INITIAL;
use super::file::{CellFile, ExperimentFile, Kind};
use super::limit::Limit;
use super::networks::{INITIAL_NAME, NetworkSettings, names};
use super::published::{Published, Results};
use super::verdict::Proportion;
use crate::hinted::Hinted;

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
    /// How many joint moves at the beginning of a game are random.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub openings: usize,
    /// The roles that the first agent has in every game; empty if agents take all seats in turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// The agent whose score is measured.
    pub first: String,
    /// Its opponent; absent if the first agent has all roles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<String>,
    /// How the networks are trained that the agents name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub networks: BTreeMap<String, NetworkSettings>,
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

/// A point on a curve.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Point {
    /// The curve.
    pub series: String,
    /// The x coordinate.
    pub x: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes the field")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

impl Cell {
    /// The texts of its agents.
    pub fn agents(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.first).chain(&self.second)
    }

    /// The published score.
    pub fn published(&self) -> Option<Proportion> {
        let share = self.paper_score? / 100.0;
        Some(Proportion { share, games: self.paper_games as f64 })
    }

    /// Whether both are the same match, whatever their published scores.
    pub fn is_same_match(&self, other: &Cell) -> bool {
        let setup = |cell: &Cell| {
            let Cell { game, reasoner, limit, openings, roles, first, second, networks, .. } =
                cell.clone();
            (game, reasoner, limit, (openings, roles), (first, second, networks))
        };
        setup(self) == setup(other)
    }
}

/// A cell completed with the defaults of its file.
pub fn complete(cell: CellFile, defaults: &ExperimentFile, path: &str) -> anyhow::Result<Cell> {
    let limit = limit(&cell, defaults, path)?;
    let Published { score: paper_score, results: paper_results } = Published::read(&cell, path)?;
    let CellFile { name, series, x, roles, .. } = cell;
    let missing = |what: &str| {
        Hinted::new(
            format!("cannot read {path}: the cell `{name}` has no `{what}`"),
            format!("write `{what} = …` under the cell, or at the top for all cells"),
        )
    };
    let text = |own: Option<String>, defaults: &Option<String>, what| {
        own.or_else(|| defaults.clone()).ok_or_else(|| missing(what))
    };
    let second = match text(cell.second, &defaults.second, "second") {
        Err(_) if !roles.is_empty() => None,
        second => Some(second?),
    };
    let mut complete = Cell {
        game: text(cell.game, &defaults.game, "game")?,
        reasoner: defaults.reasoner.clone().unwrap_or_else(|| ReasonerKind::Auto.name().to_owned()),
        limit: limit.ok_or_else(|| missing("iterations`, `time` or `clocks"))?,
        openings: cell.openings.or(defaults.openings).unwrap_or(0),
        roles,
        first: text(cell.first, &defaults.first, "first")?,
        second,
        networks: BTreeMap::new(),
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
    complete.networks = networks(&complete, defaults, path)?;
    check(&complete, defaults, path)?;
    Ok(complete)
}

/// The limits of the agents; `None` if neither the cell nor the file has any.
fn limit(cell: &CellFile, defaults: &ExperimentFile, path: &str) -> anyhow::Result<Option<Limit>> {
    let place = format!("cannot read {path}: the cell `{}`", cell.name);
    cell.limits().check(&place)?;
    let stated = cell.limits().or(defaults.limits());
    if cell.t.is_some() && stated.clocks.is_none() {
        bail!("{place} defines `t`, but has no `clocks`");
    }
    Ok(stated.limit(cell.t.or(defaults.t).unwrap_or_default()))
}

/// The networks that the agents name.
fn networks(
    cell: &Cell,
    defaults: &ExperimentFile,
    path: &str,
) -> Result<BTreeMap<String, NetworkSettings>, Hinted> {
    let all = cell.agents().flat_map(|agent| names(agent)).filter(|name| *name != INITIAL_NAME);
    let known = |name: &str| {
        let found = defaults.networks.get_key_value(name);
        found.map(|(name, network)| (name.clone(), network.clone())).ok_or_else(|| {
            let message = format!(
                "cannot read {path}: the cell `{}` names `{{{name}}}`, but there is no section \
                 [networks.{name}]",
                cell.name
            );
            let hint = match nearest(name, defaults.networks.keys().map(String::as_str)) {
                Some(nearest) => format!("did you mean `{{{nearest}}}`?"),
                None => "add the section, with a game, a method and a length".to_owned(),
            };
            Hinted::new(message, hint)
        })
    };
    all.map(known).collect()
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
        return refuse(
            "has a score that is not from 0 to 100, or a payoff that is not from 0 to 1",
        );
    }
    if cell.point.as_ref().is_some_and(|point| !point.x.is_finite()) {
        return refuse("has an `x` that is not a number");
    }
    let learns = cell.agents().any(|agent| agent.contains(INITIAL));
    if learns && defaults.initial.is_none() {
        return refuse("names `{initial}`, but there is no section [initial]");
    }
    cell.reasoner.parse::<ReasonerKind>()?;
    Ok(())
}
