//! A report of a search in words: names instead of numbers, payoffs from 0 to 100.

use ludens_core::{Move, PerRole, Role};
use ludens_search::{Line, MoveStats, Report};
use serde::Serialize;

/// What a search thinks of a position.
#[derive(Clone, Debug, Default)]
pub struct Insight {
    /// How many playouts were made, or units of work of another kind.
    pub iterations: u64,
    /// Positions that are remembered.
    pub nodes: u64,
    /// What they take.
    pub bytes: u64,
    /// Role by role.
    pub roles: Vec<RoleInsight>,
    /// What each role gets, if that is proven.
    pub settled: Option<Vec<f64>>,
    /// The line of play that is expected, joint moves as text.
    pub line: Vec<Vec<String>>,
}

/// What a search thinks of one role's choice.
#[derive(Clone, Debug, Default)]
pub struct RoleInsight {
    /// The role.
    pub name: String,
    /// How many legal moves it has.
    pub n_legal: usize,
    /// What it gets in the mean.
    pub value: Option<f64>,
    /// Its moves, the best one first.
    pub moves: Vec<MoveInsight>,
}

/// What a search thinks of a move.
#[derive(Clone, Debug, Serialize)]
pub struct MoveInsight {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// Its place in the order of preference, from 0.
    pub order: usize,
    /// How often it was tried.
    pub visits: u64,
    /// Its part of all visits.
    pub share: f64,
    /// What its role gets after it, in the mean.
    pub value: Option<f64>,
    /// The joint moves that are expected, itself in the first of them.
    pub pv: Vec<Vec<String>>,
}

impl MoveInsight {
    /// A move that nobody tried, because there was no other.
    pub fn forced(name: String, value: Option<f64>, pv: Vec<Vec<String>>) -> Self {
        MoveInsight { name, order: 0, visits: 0, share: 1.0, value, pv }
    }
}

/// How a role's move is called.
pub type Names<'a> = dyn Fn(Role, Move) -> String + 'a;

impl Insight {
    /// Puts a report into words.
    pub fn new(report: &Report, roles: &[String], names: &Names<'_>) -> Self {
        let role_insight = |(role, moves): (Role, &Vec<MoveStats>)| {
            let value = worth(report, role);
            RoleInsight {
                name: roles[role.index()].clone(),
                n_legal: moves.len(),
                value,
                moves: move_insights(report, role, value, names),
            }
        };
        let settled =
            report.settled.as_ref().map(|all| all.iter().map(|&x| percent(x.into())).collect());
        Insight {
            iterations: report.iterations,
            nodes: report.nodes,
            bytes: report.bytes,
            roles: report.moves.entries().map(role_insight).collect(),
            settled,
            line: in_words(&report.variation, names),
        }
    }

    /// The same without what concerns a role: whoever plays it need not be told.
    #[must_use]
    pub fn without(mut self, role: Option<Role>) -> Self {
        if let Some(role) = role {
            self.roles.remove(role.index());
        }
        self
    }

    /// The roles that have a choice.
    pub fn deciders(&self) -> impl Iterator<Item = &RoleInsight> {
        self.roles.iter().filter(|role| role.n_legal > 1)
    }

    /// The line that is expected after the best move of the first role that decides.
    pub fn best_line(&self) -> &[Vec<String>] {
        let best = self.deciders().next().and_then(|role| role.moves.first());
        best.map(|best| &best.pv[..]).filter(|pv| !pv.is_empty()).unwrap_or(&self.line)
    }
}

/// Whether the numbers of a report come from anything but the legal moves.
fn is_founded(report: &Report) -> bool {
    report.iterations > 0 || report.settled.is_some()
}

/// What a role gets: what is proven, or the mean of all playouts, or what its best move is worth.
fn worth(report: &Report, role: Role) -> Option<f64> {
    let proven = report.settled.as_ref().map(|payoffs| f64::from(payoffs[role.index()]));
    let best = || {
        let best = report.moves[role].first().filter(|_| is_founded(report));
        best.filter(|best| best.visits > 0).map(|best| best.mean)
    };
    let seen = || report.worth.get(role.index()).copied().unwrap_or_else(best);
    proven.or_else(seen).map(percent)
}

fn move_insights(
    report: &Report,
    role: Role,
    worth: Option<f64>,
    names: &Names<'_>,
) -> Vec<MoveInsight> {
    let moves = &report.moves[role];
    let total: u64 = moves.iter().map(|stats| stats.visits).sum();
    let insight = |(order, stats): (usize, &MoveStats)| MoveInsight {
        name: names(role, stats.mv),
        order,
        visits: stats.visits,
        share: rounded(stats.visits as f64 / total.max(1) as f64, 1e4),
        // Whoever has one move gets what the position is worth.
        value: match moves.len() {
            1 => worth,
            _ => (stats.visits > 0 && is_founded(report)).then(|| percent(stats.mean)),
        },
        pv: in_words(line_of(report, role, order, stats.mv), names),
    };
    moves.iter().enumerate().map(insight).collect()
}

/// The line that a move begins, as far as the report tells.
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
pub fn in_words(line: &[Vec<Move>], names: &Names<'_>) -> Vec<Vec<String>> {
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
pub fn rounded(number: f64, scale: f64) -> f64 {
    (number * scale).round() / scale
}
