//! The TOML file of an experiment.
//!
//! Defaults for all cells are at the top; a cell overrides them.

use std::collections::BTreeMap;

use ludens_catalog::nearest;
use serde::{Deserialize, Serialize};

use super::limit::{Clocks, MoveTime, Stated, Unit};
use super::networks::NetworkSettings;
use crate::hinted::Hinted;
use crate::initial_policy::InitialSettings;

/// A file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExperimentFile {
    /// Its title.
    pub title: String,
    /// Where it was published.
    pub paper: String,
    /// Whether it is a table or a figure.
    pub kind: Kind,
    /// What the paper says about a figure without readable numbers.
    pub says: Option<String>,
    /// Notes on differences, as Markdown.
    pub notes: Option<String>,
    /// How the policy is learnt that agents name `{initial}`.
    pub initial: Option<InitialSettings>,
    /// How networks are trained that agents name in braces.
    #[serde(default)]
    pub networks: BTreeMap<String, NetworkSettings>,
    /// How many games per cell the paper played.
    pub games: usize,
    /// The reasoner.
    pub reasoner: Option<String>,
    /// The default game of a cell.
    pub game: Option<String>,
    /// The default number of iterations per move.
    pub iterations: Option<u64>,
    /// The default time per move, instead of iterations.
    pub time: Option<MoveTime>,
    /// The default start clock and move clock in units of T, instead of iterations.
    pub clocks: Option<Clocks>,
    /// The default meaning of T; one simulation if absent.
    pub t: Option<Unit>,
    /// How many joint moves at the beginning of a game are random, by default.
    pub openings: Option<usize>,
    /// Whether simulations are shown by ply, for moves with a time limit.
    #[serde(default)]
    pub by_ply: bool,
    /// The default agent whose score is measured.
    pub first: Option<String>,
    /// Its default opponent.
    pub second: Option<String>,
    /// The matches.
    pub cells: Vec<CellFile>,
}

/// The kind of an experiment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// One row per cell.
    Table,
    /// One curve per series.
    Figure,
}

/// A match, with the fields that differ from the defaults.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellFile {
    /// Its name.
    pub name: String,
    /// The game.
    pub game: Option<String>,
    /// Iterations per move.
    pub iterations: Option<u64>,
    /// The time per move, instead of iterations.
    pub time: Option<MoveTime>,
    /// The start clock and the move clock in units of T, instead of iterations.
    pub clocks: Option<Clocks>,
    /// The meaning of T.
    pub t: Option<Unit>,
    /// How many joint moves at the beginning of a game are random.
    pub openings: Option<usize>,
    /// The roles that the first agent has in every game; if there are none, agents take all seats in turn.
    #[serde(default)]
    pub roles: Vec<String>,
    /// The agent whose score is measured.
    pub first: Option<String>,
    /// The opponent; absent if the first agent has all roles.
    pub second: Option<String>,
    /// How many games the paper played.
    pub games: Option<usize>,
    /// The published score, in percent.
    pub score: Option<f64>,
    /// The games that the first agent won, in percent; with `loss` instead of `score`.
    pub win: Option<f64>,
    /// The games that it lost, in percent; the rest was drawn.
    pub loss: Option<f64>,
    /// The published mean payoff of the first agent, from 0 to 1, instead of `score`.
    pub payoff: Option<f64>,
    /// Its curve in a figure.
    pub series: Option<String>,
    /// Its x coordinate on the curve.
    pub x: Option<f64>,
}

impl ExperimentFile {
    /// The default limit.
    pub fn limits(&self) -> Stated {
        Stated { iterations: self.iterations, time: self.time, clocks: self.clocks }
    }
}

impl CellFile {
    /// The limit that differs from the default.
    pub fn limits(&self) -> Stated {
        Stated { iterations: self.iterations, time: self.time, clocks: self.clocks }
    }
}

/// Reads a file; `path` is for messages.
pub fn parse(text: &str, path: &str) -> anyhow::Result<ExperimentFile> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| text[..span.start].matches('\n').count() + 1);
        let line = line.map_or(String::new(), |line| format!(", line {line}"));
        let what = error.message().trim_end();
        let message = format!("cannot read {path}{line}: {what}");
        match nearest_key(what) {
            Some(key) => Hinted::new(message, format!("did you mean `{key}`?")).into(),
            None => anyhow::Error::msg(message),
        }
    })
}

/// The known key closest to an unknown one. The message has all of them in backquotes, the unknown
/// one first.
fn nearest_key(message: &str) -> Option<&str> {
    message.starts_with("unknown ").then_some(())?;
    let mut names = message.split('`').skip(1).step_by(2);
    nearest(names.next()?, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "title = 't'\npaper = 'p'\nkind = 'table'\ngames = 10\n";

    fn refused(text: &str) -> String {
        let error = parse(text, "a.toml").err().expect("it is refused");
        // Only the debug format has hints.
        format!("{error} {:?}", error.downcast_ref::<Hinted>())
    }

    #[test]
    fn errors_name_the_line_and_suggest_a_correction() {
        for (text, answer) in [
            ("iteratons = 5\ncells = []", "line 5: unknown field `iteratons`"),
            ("[[cells]]\nname = 'a'\nsocre = 5.0", "line 7: unknown field `socre`"),
            ("[[cells]]\nname = 'a'\nscore = 'b'", "line 7: invalid type: string \"b\""),
            ("clocks = '16T'\ncells = []", "line 5: expected a start clock and a move clock"),
            ("[[cells]]\nname = 'a'\nclocks = '2, 1'", "line 7: expected a start clock"),
            ("t = 'tmie'\ncells = []", "line 5: unknown variant `tmie`"),
            ("time = '0s'\ncells = []", "line 5: expected a time above 0"),
            ("cells = []\n[networks.a]\nmethod = 'gaz'", "line 6: missing field `game`"),
            ("cells = []\n[networks.a]\ngame = 'nim'\nmethod = 'x'", "no method is called `x`"),
            ("cells = []\n[networks.a]\nnetwork = 'x'", "no network is called `x`; there are"),
            ("cells = []\n[networks.a]\niteration = 5", "line 7: unknown field `iteration`"),
            ("cells = []\n= 5", "line 6: "),
            ("", "missing field `cells`"),
        ] {
            let text = refused(&format!("{HEAD}{text}"));
            assert!(text.starts_with("cannot read a.toml"), "{text}");
            assert!(text.contains(answer), "{text}");
        }
        let text = refused(&format!("{HEAD}[[cells]]\nname = 'a'\nsocre = 5.0"));
        assert!(text.contains("did you mean `score`?"), "{text}");
        let text = refused(&HEAD.replace("table", "tabel"));
        assert!(text.contains("did you mean `table`?"), "{text}");
    }

    #[test]
    fn whole_numbers_are_numbers() {
        let text = format!("{HEAD}[[cells]]\nname = 'a'\nx = 250\nscore = 50");
        let cell = &parse(&text, "a.toml").expect("it is read").cells[0];
        assert_eq!((cell.x, cell.score), (Some(250.0), Some(50.0)));
    }
}
