//! Our result of a cell. Scores and the ends of intervals are in percent, as papers give them.

use std::collections::BTreeMap;

use ludens_arena::standing::{AgentStanding, Scoreboard, Stage, Stages, Standing};
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
    /// The simulations of each agent by the stage of the game, if the experiment asks for them and moves
    /// had a time limit. Games of earlier versions, whose records lack plies, do not count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_ply: Vec<Vec<StageMean>>,
    /// How long the networks of the agents were trained.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub training: BTreeMap<String, TrainingTime>,
    /// The version of the program that played them, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

/// The decisions of an agent in a stage of the game, which is
/// [`STAGE_PLIES`](ludens_arena::standing::STAGE_PLIES) plies long.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct StageMean {
    /// The first ply of the stage.
    pub ply: usize,
    /// How many decisions it has, over all games.
    pub decisions: u64,
    /// Their mean number of simulations.
    pub simulations: f64,
}

impl Measured {
    /// The result of the first agent.
    pub fn of(standing: &Standing, settings: &Settings, commit: Option<String>) -> Option<Self> {
        let agent = standing.agents.first().filter(|agent| agent.games > 0)?;
        let faults =
            standing.agents.iter().map(|agent| agent.illegal + agent.crashes + agent.timeouts);
        let a_decision = |agent: &AgentStanding| mean(agent.iterations, agent.decisions);
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
            by_ply: Vec::new(),
            training: BTreeMap::new(),
            commit,
        })
    }

    /// The same with simulations by the stage of the game.
    #[must_use]
    pub fn with_stages(self, board: &Scoreboard) -> Self {
        let agents = 0..self.simulations.len();
        let by_ply: Vec<_> = agents.map(|agent| stage_means(board.stages(agent))).collect();
        let is_known = by_ply.iter().any(|stages| !stages.is_empty());
        Measured { by_ply: if is_known { by_ply } else { Vec::new() }, ..self }
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

/// A mean number of simulations, to one decimal.
fn mean(iterations: u64, decisions: u64) -> f64 {
    (10.0 * iterations as f64 / decisions.max(1) as f64).round() / 10.0
}

fn stage_means(stages: &Stages) -> Vec<StageMean> {
    let of = |(&ply, stage): (&usize, &Stage)| {
        let &Stage { decisions, iterations } = stage;
        StageMean { ply, decisions, simulations: mean(iterations, decisions) }
    };
    stages.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use ludens_arena::record::{Effort, GameRecord};
    use ludens_arena::schedule::Slot;

    use super::*;
    use crate::reproduce::findings::tests::measured;

    /// A game of the first agent in the first seat.
    fn game(by_ply: [&[(usize, u64)]; 2]) -> GameRecord {
        let (index, game, meeting, round, round_games) = (0, 0, 0, 0, 2);
        let slot = Slot { index, game, meeting, round, round_games, seats: vec![0, 1], seed: 1 };
        let effort =
            |by_ply: &[(usize, u64)]| Effort { by_ply: by_ply.to_vec(), ..Effort::default() };
        let (payoffs, efforts) = (vec![1.0, 0.0], by_ply.map(effort).into());
        GameRecord { payoffs, efforts, ..GameRecord::new(slot) }
    }

    #[test]
    fn simulations_are_means_over_stages() {
        let agents = ["a".to_owned(), "b".to_owned()];
        let games = [game([&[(0, 10), (2, 11), (6, 5)], &[(1, 900)]]), game([&[(4, 12)], &[]])];
        let timed = Measured { simulations: vec![9.5, 900.0], ..measured(1, 2) };
        let ours = timed.clone().with_stages(&Scoreboard::of(&agents, &games));
        let stage = |ply, decisions, simulations| StageMean { ply, decisions, simulations };
        let expected = [vec![stage(0, 3, 11.0), stage(5, 1, 5.0)], vec![stage(0, 1, 900.0)]];
        assert_eq!(ours.by_ply, expected);
        let json = serde_json::to_string(&ours).unwrap();
        assert!(
            json.contains(r#""by_ply":[[{"ply":0,"decisions":3,"simulations":11.0},"#),
            "{json}"
        );
        assert_eq!(serde_json::from_str::<Measured>(&json).unwrap(), ours);

        let earlier = Scoreboard::of(&agents, &[game([&[], &[]])]);
        assert_eq!(timed.clone().with_stages(&earlier), timed, "records without plies");
        assert!(!serde_json::to_string(&timed).unwrap().contains("by_ply"));
    }
}
