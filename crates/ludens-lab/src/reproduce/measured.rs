//! Our result of a cell. Scores and the ends of intervals are in percent, as papers give them.

use std::collections::BTreeMap;

use ludens_arena::standing::{AgentStanding, Standing};
use ludens_arena::stats::Interval;
use serde::{Deserialize, Serialize};

use super::experiment::Results;
use super::trained::TrainingTime;
use super::verdict::{Proportion, percent};
use crate::contest::{Millis, Settings};

/// Our result of a cell.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of valid games.
    pub games: u64,
    /// Games that the first agent won.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Games that it lost.
    pub losses: u64,
    /// Its score in percent, draws counted as half.
    pub score: f64,
    /// The 95 % interval of the score, in percent.
    pub interval: [f64; 2],
    /// Games that repeat another one move by move.
    pub duplicates: u64,
    /// Illegal moves, crashes, late answers and void games.
    pub incidents: u64,
    /// The mean time of a random game in milliseconds, if clocks were multiples of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub t_milliseconds: Option<Millis>,
    /// The mean number of simulations of a decision of each agent, if moves had a time limit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub simulations: Vec<f64>,
    /// How long the networks of the agents were trained.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub training: BTreeMap<String, TrainingTime>,
    /// The version of the program that played them, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

impl Measured {
    /// The result of the first agent.
    pub fn of(standing: &Standing, settings: &Settings, commit: Option<String>) -> Option<Self> {
        let agent = standing.agents.first().filter(|agent| agent.games > 0)?;
        let faults =
            standing.agents.iter().map(|agent| agent.illegal + agent.crashes + agent.timeouts);
        let a_decision = |agent: &AgentStanding| {
            (10.0 * agent.iterations as f64 / agent.decisions.max(1) as f64).round() / 10.0
        };
        let timed = standing.agents.iter().filter(|_| settings.milliseconds.is_some());
        Some(Measured {
            seed: settings.seed,
            games: agent.games,
            wins: agent.wins,
            draws: agent.draws,
            losses: agent.losses,
            score: percent(agent.score),
            interval: [percent(agent.interval.low), percent(agent.interval.high)],
            duplicates: standing.duplicates,
            incidents: faults.sum::<u64>() + standing.void,
            t_milliseconds: settings.t_milliseconds,
            simulations: timed.map(a_decision).collect(),
            training: BTreeMap::new(),
            commit,
        })
    }

    /// The same with a score from wins and draws only, for papers that give wins and losses: payoffs can
    /// have more values, and in some games both agents win or lose.
    #[must_use]
    pub fn by_results(self) -> Self {
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        let share = points / self.games as f64;
        let Interval { low, high } = Proportion { share, games: self.games as f64 }.interval();
        Measured { score: percent(share), interval: [percent(low), percent(high)], ..self }
    }

    /// Its wins and losses in percent.
    pub fn results(&self) -> Results {
        let share = |games: u64| 100.0 * games as f64 / self.games as f64;
        Results { win: share(self.wins), loss: share(self.losses) }
    }

    /// The score as a share of the points.
    pub fn proportion(&self) -> Proportion {
        Proportion { share: self.score / 100.0, games: self.games as f64 }
    }
}
