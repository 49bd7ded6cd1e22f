//! An experiment whose cells are complete.

use std::collections::BTreeSet;

use anyhow::bail;
use serde::{Deserialize, Serialize};

use super::cell::complete;
use super::file::{self, ExperimentFile, Kind};
use super::limit::Limit;
use crate::hinted::Hinted;
use crate::initial_policy::InitialSettings;

pub use super::cell::{Cell, Point};
pub use super::published::Results;

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
    /// Whether simulations are shown by ply.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_ply: bool,
}

/// The placeholder for a learnt policy in the text of an agent.
pub const INITIAL: &str = "{initial}";

impl Experiment {
    /// Reads an experiment from its TOML; `path` is for messages.
    pub fn parse(name: &str, text: &str, path: &str) -> anyhow::Result<Self> {
        let mut file = file::parse(text, path)?;
        file.limits().check(&format!("cannot read {path}: it"))?;
        for (name, network) in &file.networks {
            network.check(name, path)?;
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
        if file.by_ply && !cells.iter().any(|cell| cell.limit.is_timed()) {
            bail!("cannot read {path}: it has `by_ply`, but no cell has a time limit");
        }
        let is_named = |name: &&String| cells.iter().any(|cell| cell.networks.contains_key(*name));
        if let Some(unused) = file.networks.keys().find(|name| !is_named(name)) {
            let message =
                format!("cannot read {path}: no cell names the network of [networks.{unused}]");
            let hint = format!("remove the section, or name it: `zero(file={{{unused}}})`");
            return Err(Hinted::new(message, hint).into());
        }
        let ExperimentFile { title, paper, kind, says, notes, initial, by_ply, .. } = file;
        let about = About { title, paper, kind, says, notes, initial, by_ply };
        Ok(Experiment { name: name.to_owned(), about, cells })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::limit::{Clocks, MoveTime, Unit};
    use super::super::verdict::Proportion;
    use super::*;

    const HEAD: &str = "title = 't'\npaper = 'p'\nkind = 'table'\ngames = 10\nfirst = 'uct'\n";

    const NETWORK: &str = "[networks.net]\ngame = 'nim'\nmethod = 'fast'\niterations = 5\n";

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
    fn cells_know_their_networks_openings_roles_and_times() {
        let rest = "game = 'nim'\nopenings = 4\ntime = '2s'\n[[cells]]\nname = 'a'\n\
                    second = 'nn(file={net})'\n[[cells]]\nname = 'b'\nroles = ['x']\nopenings = 2\n\
                    iterations = 5\npayoff = 0.638\n";
        let cells = parse(&format!("{HEAD}{rest}{NETWORK}")).unwrap().cells;
        let time = MoveTime(Duration::from_secs(2));
        assert_eq!((cells[0].limit, cells[0].openings), (Limit::Time { time }, 4));
        assert_eq!(cells[0].networks.keys().collect::<Vec<_>>(), ["net"]);
        assert_eq!((cells[1].openings, cells[1].paper_score), (2, Some(63.8)));
        assert_eq!(
            (cells[1].limit, &cells[1].second),
            (Limit::Iterations { iterations: 5 }, &None)
        );
        assert!(cells[1].networks.is_empty() && cells[1].roles == ["x"]);
        assert_eq!(cells[1].agents().collect::<Vec<_>>(), ["uct"]);
        for cell in &cells {
            let json = serde_json::to_string(cell).unwrap();
            assert_eq!(&serde_json::from_str::<Cell>(&json).unwrap(), cell, "{json}");
        }
        let mut other = cells[0].clone();
        assert!(other.is_same_match(&cells[0]));
        other.networks.get_mut("net").unwrap().iterations = Some(6);
        assert!(!other.is_same_match(&cells[0]), "another network is another match");
    }

    #[test]
    fn simulations_are_shown_by_ply_on_request() {
        let text =
            format!("{HEAD}time = '2s'\n[[cells]]\nname = 'a'\ngame = 'nim'\nsecond = 'uct'");
        let about = parse(&text).unwrap().about;
        assert!(!about.by_ply && !serde_json::to_string(&about).unwrap().contains("by_ply"));
        let about = parse(&format!("by_ply = true\n{text}")).unwrap().about;
        assert!(about.by_ply);
        let json = serde_json::to_string(&about).unwrap();
        assert_eq!(serde_json::from_str::<About>(&json).unwrap(), about);
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
            (format!("{cell}game = 'nim'"), "the cell `a` has no `iterations`, `time`"),
            (format!("{full}{full}"), "two cells are called `a`"),
            (format!("{full}clocks = '2T, 1T'"), "the cell `a` has both `iterations` and `clocks`"),
            (format!("{full}t = 'time'"), "`a` defines `t`, but has no `clocks`"),
            (format!("t = 'time'\n{full}"), "it defines `t`, but no cell has `clocks`"),
            (format!("iterations = 5\nclocks = '2T, 1T'\n{full}"), "it has both `iterations`"),
            (format!("{full}win = 5\nscore = 5"), "has both a `score` and wins or losses"),
            (format!("{full}loss = 5"), "has only one of `win` and `loss`"),
            (format!("{full}win = 60\nloss = 41"), "that are not parts of 100"),
            (format!("{full}win = -1\nloss = 41"), "that are not parts of 100"),
            (format!("{full}payoff = 0.5\nscore = 50"), "a `payoff` and another result"),
            (format!("{full}payoff = 5"), "a payoff that is not from 0 to 1"),
            (format!("{full}time = '2s'"), "the cell `a` has both `iterations` and `time`"),
            (format!("time = '2s'\nclocks = '2T, 1T'\n{full}"), "it has both `time` and `clocks`"),
            (format!("{full}first = 'nn(file={{c4}})'"), "there is no section [networks.c4]"),
            (format!("{full}{NETWORK}"), "no cell names the network of [networks.net]"),
            (
                format!("{full}first = 'nn(file={{ent}})'\n{NETWORK}"),
                "names `{ent}`, but there is no",
            ),
            (format!("{full}{NETWORK}minutes = 5"), "[networks.net] says in several ways how long"),
            (format!("{full}score = 101"), "a score that is not from 0 to 100"),
            (format!("{full}games = 0"), "has no games or no iterations"),
            (format!("{full}first = 'ppaf(initial={INITIAL})'"), "there is no section [initial]"),
            (format!("by_ply = true\n{full}"), "it has `by_ply`, but no cell has a time limit"),
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
