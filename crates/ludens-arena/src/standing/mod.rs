//! Who is how strong, as far as the games say.

mod account;
mod scoreboard;

use serde::Serialize;

use crate::stats::Interval;

pub use scoreboard::Scoreboard;

/// The table of a match or tournament.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standing {
    /// All agents, in the order they were named in.
    pub agents: Vec<AgentStanding>,
    /// How many games count.
    pub games: u64,
    /// How many games do not count, because their rules could not be evaluated.
    pub void: u64,
    /// How many games repeat an earlier one move by move; such games prove less than they seem to.
    pub duplicates: u64,
    /// Whom differences of strength are measured against.
    pub elo_against: EloAgainst,
}

/// Whom `elo` compares an agent with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EloAgainst {
    /// There is nobody to compare with.
    Nobody,
    /// The only other agent.
    Opponent,
    /// The mean of all agents, from ranks ([`crate::stats::Ranking`]).
    Mean,
}

/// How one agent stands.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AgentStanding {
    /// Its name.
    pub name: String,
    /// How many games that count it has played.
    pub games: u64,
    /// Mean payoff in `0.0..=1.0`; 0 before the first game.
    pub score: f64,
    /// 95 % interval of the score: Wilson's, with payoffs as fractions of wins.
    pub interval: Interval,
    /// Games in which it alone had the highest payoff; alone at the table: full payoff.
    pub wins: u64,
    /// Games in which it shared the highest payoff; alone at the table: some payoff.
    pub draws: u64,
    /// All others.
    pub losses: u64,
    /// Difference of strength; absent if unknown or not finite.
    pub elo: Option<f64>,
    /// Its 95 % interval; ends that are not finite are absent.
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
    /// How often it thought.
    pub decisions: u64,
    /// Units of work in all.
    pub iterations: u64,
    /// Time it thought in all.
    pub seconds: f64,
}

/// How an agent did in one seat.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SeatScore {
    /// How many games.
    pub games: u64,
    /// Mean payoff.
    pub score: f64,
}
