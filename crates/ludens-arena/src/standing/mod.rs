//! Standings: the strength of each agent, estimated from its games.

mod scoreboard;
mod stages;
mod totals;

use serde::Serialize;

use crate::stats::Interval;

pub use scoreboard::Scoreboard;
pub use stages::{STAGE_PLIES, Stage, Stages};

/// The standings of a match or tournament.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standing {
    /// All agents, in the order of their names in the schedule.
    pub agents: Vec<AgentStanding>,
    /// The number of games with a result.
    pub games: u64,
    /// The number of void games.
    pub void: u64,
    /// The number of games that repeat an earlier one move by move, and so add no evidence.
    pub duplicates: u64,
    /// What Elo differences are relative to.
    pub elo_against: EloAgainst,
}

/// What the Elo of an agent is relative to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EloAgainst {
    /// Nothing: the agents never met.
    Nobody,
    /// The only other agent.
    Opponent,
    /// The mean of all agents, rated by ranks ([`crate::stats::Ranking`]).
    Mean,
}

/// The standing of one agent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AgentStanding {
    /// Its name.
    pub name: String,
    /// Its number of games with a result.
    pub games: u64,
    /// Mean payoff in `0.0..=1.0`; 0 before the first game.
    pub score: f64,
    /// Wilson's 95 % interval of the score, with payoffs as fractions of wins.
    pub interval: Interval,
    /// Games in which it alone had the highest payoff; in one-player games, the full payoff.
    pub wins: u64,
    /// Games in which it shared the highest payoff; in one-player games, some payoff.
    pub draws: u64,
    /// All other games.
    pub losses: u64,
    /// Elo difference; absent if unknown or not finite.
    pub elo: Option<f64>,
    /// Its 95 % interval; endpoints that are not finite are absent.
    pub elo_interval: [Option<f64>; 2],
    /// The probability that it is stronger than the other of two agents.
    pub superiority: Option<f64>,
    /// Its score in each seat.
    pub seats: Vec<SeatScore>,
    /// Illegal moves.
    pub illegal: u64,
    /// Panics.
    pub crashes: u64,
    /// Late answers.
    pub timeouts: u64,
    /// How many moves it chose.
    pub decisions: u64,
    /// Total units of work.
    pub iterations: u64,
    /// Total thinking time.
    pub seconds: f64,
}

/// The score of an agent in one seat.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SeatScore {
    /// The number of games.
    pub games: u64,
    /// Mean payoff.
    pub score: f64,
}
