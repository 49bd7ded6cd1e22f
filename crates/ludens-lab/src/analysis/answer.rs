//! An analysis as a line of JSON.

use std::time::Duration;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::report::{Analysis, MoveAnalysis, rounded};
use crate::session::Position;

/// The contents of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnswerOptions {
    /// How many moves of each role are listed.
    pub top: usize,
    /// Whether it has the shares of all moves.
    pub policy: bool,
    /// Whether it has a drawing of the board.
    pub board: bool,
    /// Whether it has the facts.
    pub state: bool,
}

impl AnswerOptions {
    /// The default number of listed moves.
    pub const DEFAULT_TOP: usize = 10;
}

/// One value for each role, written as an object in role order.
struct ByRole<'a, T>(&'a [String], Vec<T>);

impl<T: Serialize> Serialize for ByRole<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (role, value) in self.0.iter().zip(&self.1) {
            map.serialize_entry(role, value)?;
        }
        map.end()
    }
}

/// The shares of all moves of a role, written as an object in their order.
struct Policy<'a>(&'a [MoveAnalysis]);

impl Serialize for Policy<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|analysis| (&analysis.name, analysis.share)))
    }
}

/// An analysis of one position.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Value>,
    turn_number: usize,
    is_during_search: bool,
    roles: &'a [String],
    to_move: Vec<&'a str>,
    terminal: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    goals: Option<ByRole<'a, i64>>,
    legal: ByRole<'a, usize>,
    root_info: RootInfo<'a>,
    move_infos: ByRole<'a, &'a [MoveAnalysis]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<ByRole<'a, Policy<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RootInfo<'a> {
    visits: u64,
    value: ByRole<'a, Option<f64>>,
    #[serde(rename = "settled")]
    proven: Option<ByRole<'a, f64>>,
    nodes: u64,
    bytes: u64,
    seconds: f64,
    simulations_per_second: u64,
}

impl<'a> Answer<'a> {
    /// The analysis of a position.
    pub fn new(position: &'a Position, analysis: &'a Analysis, options: &AnswerOptions) -> Self {
        let time = analysis.time;
        let names = &position.roles[..];
        let roles = &analysis.roles;
        let goals =
            |goals: &Vec<f64>| ByRole(names, goals.iter().map(|&goal| goal as i64).collect());
        let listed = |moves: &'a [MoveAnalysis]| &moves[..moves.len().min(options.top)];
        let deciders = names.iter().zip(&position.legal).filter(|(_, legal)| **legal > 1);
        Answer {
            id: None,
            turn_number: position.turn,
            is_during_search: false,
            roles: names,
            to_move: deciders.map(|(name, _)| name.as_str()).collect(),
            terminal: position.goals.is_some(),
            goals: position.goals.as_ref().map(goals),
            legal: ByRole(names, position.legal.clone()),
            root_info: RootInfo {
                visits: analysis.iterations,
                value: ByRole(names, roles.iter().map(|role| role.value).collect()),
                proven: analysis.proven.clone().map(|proven| ByRole(names, proven)),
                nodes: analysis.nodes,
                bytes: analysis.bytes,
                seconds: rounded(time.as_secs_f64(), 1e3),
                simulations_per_second: per_second(analysis.iterations, time),
            },
            move_infos: ByRole(names, roles.iter().map(|role| listed(&role.moves)).collect()),
            policy: options
                .policy
                .then(|| ByRole(names, roles.iter().map(|role| Policy(&role.moves)).collect())),
            state: options.state.then_some(&position.facts),
            board: None,
        }
    }

    /// The same with the id of the query.
    #[must_use]
    pub fn with_id(self, id: &'a Value) -> Self {
        Answer { id: Some(id), ..self }
    }

    /// The same, before the search has ended.
    #[must_use]
    pub fn during_search(self) -> Self {
        Answer { is_during_search: true, ..self }
    }

    /// The same with a drawing of the board.
    #[must_use]
    pub fn with_board(self, board: Option<String>) -> Self {
        Answer { board, ..self }
    }
}

/// Iterations per second.
pub fn per_second(iterations: u64, time: Duration) -> u64 {
    (iterations as f64 / time.as_secs_f64().max(1e-9)).round() as u64
}
