//! A report of a search as plain data: names instead of numbers, payoffs from 0 to 100.

use std::time::Duration;

use ludens_core::{Move, PerRole, Role};
use ludens_search::{Line, MoveStats, Report};
use serde::Serialize;

/// The result of a search of a position.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Analysis {
    /// The number of playouts, or of other units of work.
    pub iterations: u64,
    /// The number of nodes of the tree.
    pub nodes: u64,
    /// Their size in bytes.
    pub bytes: u64,
    /// The duration of the search.
    pub time: Duration,
    /// The analysis for each role.
    pub roles: Vec<RoleAnalysis>,
    /// What each role gets, if that is proven.
    #[serde(rename = "settled")]
    pub proven: Option<Vec<f64>>,
    /// The principal variation: joint moves as text.
    pub line: Vec<Vec<String>>,
}

/// The analysis of the choice of one role.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct RoleAnalysis {
    /// The role.
    pub name: String,
    /// The number of its legal moves.
    pub n_legal: usize,
    /// Its mean payoff.
    pub value: Option<f64>,
    /// Its moves, the best one first.
    pub moves: Vec<MoveAnalysis>,
}

impl RoleAnalysis {
    /// Its best move.
    pub fn best(&self) -> Option<&str> {
        self.moves.first().map(|best| best.name.as_str())
    }
}

/// The analysis of a move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MoveAnalysis {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// Its rank, from 0 for the best move.
    pub order: usize,
    /// Its visits.
    pub visits: u64,
    /// Its share of all visits.
    pub share: f64,
    /// The mean payoff of its role after it, rounded.
    pub value: Option<f64>,
    /// The mean payoff from 0 to 1, not rounded.
    #[serde(skip)]
    pub mean: f64,
    /// The principal variation that begins with it: joint moves as text.
    pub pv: Vec<Vec<String>>,
}

impl MoveAnalysis {
    /// A move that was not searched, because there was no other.
    pub fn forced(name: String, value: Option<f64>, pv: Vec<Vec<String>>) -> Self {
        MoveAnalysis { name, order: 0, visits: 0, share: 1.0, value, mean: 0.0, pv }
    }
}

/// Names the moves of roles.
pub type Names<'a> = dyn Fn(Role, Move) -> String + 'a;

impl Analysis {
    /// A report with names.
    pub fn new(report: &Report, roles: &[String], names: &Names<'_>) -> Self {
        let role_analysis = |(role, moves): (Role, &Vec<MoveStats>)| {
            let value = worth(report, role);
            RoleAnalysis {
                name: roles[role.index()].clone(),
                n_legal: moves.len(),
                value,
                moves: move_analyses(report, role, value, names),
            }
        };
        let proven =
            report.proven.as_ref().map(|all| all.iter().map(|&x| percent(x.into())).collect());
        Analysis {
            iterations: report.iterations,
            nodes: report.nodes,
            bytes: report.bytes,
            time: Duration::ZERO,
            roles: report.moves.entries().map(role_analysis).collect(),
            proven,
            line: joint_names(&report.variation, names),
        }
    }

    /// The same with the duration of the search.
    #[must_use]
    pub(crate) fn after(self, time: Duration) -> Self {
        Analysis { time, ..self }
    }

    /// The same without a role.
    #[must_use]
    pub fn without(mut self, role: Option<Role>) -> Self {
        if let Some(role) = role {
            self.roles.remove(role.index());
        }
        self
    }

    /// The roles that have a choice.
    pub fn deciders(&self) -> impl Iterator<Item = &RoleAnalysis> {
        self.roles.iter().filter(|role| role.n_legal > 1)
    }

    /// The principal variation of the first role that has a choice.
    pub fn best_line(&self) -> &[Vec<String>] {
        let best = self.deciders().next().and_then(|role| role.moves.first());
        best.map(|best| &best.pv[..]).filter(|pv| !pv.is_empty()).unwrap_or(&self.line)
    }
}

/// Whether the search has evaluated anything.
fn is_founded(report: &Report) -> bool {
    report.iterations > 0 || report.proven.is_some()
}

/// The value of the position for a role: what is proven, or the mean of all playouts, or the mean of its
/// best move.
fn worth(report: &Report, role: Role) -> Option<f64> {
    let proven = report.proven.as_ref().map(|payoffs| f64::from(payoffs[role.index()]));
    let best = || {
        let best = report.moves[role].first().filter(|_| is_founded(report));
        best.filter(|best| best.visits > 0).map(|best| best.mean)
    };
    let seen = || report.worth.get(role.index()).copied().unwrap_or_else(best);
    proven.or_else(seen).map(percent)
}

fn move_analyses(
    report: &Report,
    role: Role,
    worth: Option<f64>,
    names: &Names<'_>,
) -> Vec<MoveAnalysis> {
    let moves = &report.moves[role];
    let total: u64 = moves.iter().map(|stats| stats.visits).sum();
    let analysis = |(order, stats): (usize, &MoveStats)| MoveAnalysis {
        name: names(role, stats.mv),
        order,
        visits: stats.visits,
        share: rounded(stats.visits as f64 / total.max(1) as f64, 1e4),
        // A single move has the value of the position.
        value: match moves.len() {
            1 => worth,
            _ => (stats.visits > 0 && is_founded(report)).then(|| percent(stats.mean)),
        },
        mean: stats.mean,
        pv: joint_names(line_of(report, role, order, stats.mv), names),
    };
    moves.iter().enumerate().map(analysis).collect()
}

/// The principal variation that begins with a move, if the report has one.
fn line_of(report: &Report, role: Role, order: usize, mv: Move) -> &[Vec<Move>] {
    let own = |lines: &PerRole<Vec<Line>>| lines.n_roles() > role.index();
    let line = if own(&report.lines) {
        report.lines[role].get(order).map_or(&[][..], |line| &line[..])
    } else {
        &report.variation
    };
    let begins = line.first().is_some_and(|joint| joint[role.index()] == mv);
    if begins { line } else { &[] }
}

/// Joint moves as text.
pub(crate) fn joint_names(line: &[Vec<Move>], names: &Names<'_>) -> Vec<Vec<String>> {
    let joint = |joint: &Vec<Move>| {
        Role::all(joint.len()).zip(joint).map(|(role, &mv)| names(role, mv)).collect()
    };
    line.iter().map(joint).collect()
}

/// A payoff as goals are written, from 0 to 100, with two digits after the point.
pub fn percent(payoff: f64) -> f64 {
    rounded(payoff * 100.0, 1e2)
}

/// A number with as many digits after the point as the scale has zeros.
pub(super) fn rounded(number: f64, scale: f64) -> f64 {
    (number * scale).round() / scale
}
