//! One match between agents, without a journal.

use std::fmt;
use std::sync::Arc;

use ludens_arena::clock::{Allowance, SystemClock};
use ludens_arena::play::{Terms, play_game};
use ludens_arena::record::{Ending, GameRecord, Incident};
use ludens_arena::schedule::Slot;
use ludens_catalog::{AgentSpec, WithGame};
use ludens_core::Game;
use serde::{Deserialize, Serialize};

use crate::prepared_game::PreparedGame;
use crate::session::InputError;

/// The settings of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchSettings {
    /// One agent for each role, in the order of the rules.
    pub agents: Vec<AgentSpec>,
    /// The limits of preparation and moves.
    pub terms: Terms,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl MatchSettings {
    /// A match with default terms and seed 1.
    pub fn new(agents: Vec<AgentSpec>, allowance: Allowance) -> Self {
        MatchSettings { agents, terms: Terms::new(allowance), seed: 1 }
    }
}

/// The result of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchResult {
    /// The roles in the order of the rules.
    pub roles: Vec<String>,
    /// The agent of each role.
    pub agents: Vec<String>,
    /// How the match ended.
    pub ending: Ending,
    /// The goal value of each role; empty if the match has no result.
    pub goals: Vec<f64>,
    /// The joint moves.
    pub moves: Vec<Vec<String>>,
    /// Faults, such as a panic of an agent.
    pub incidents: Vec<Incident>,
}

impl fmt::Display for MatchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Ending::Void(why) = &self.ending {
            return write!(f, "no result: {why}");
        }
        let players = self.roles.iter().zip(&self.agents).zip(&self.goals);
        let players = players.map(|((role, agent), goal)| format!("{role} ({agent}) {goal}"));
        let players = players.collect::<Vec<_>>().join(", ");
        write!(f, "{players} after {} moves", self.moves.len())
    }
}

impl PreparedGame {
    /// Plays one match. A panic of an agent is an incident of the match.
    pub fn play_match(&self, settings: &MatchSettings) -> Result<MatchResult, InputError> {
        let (roles, agents) = (self.roles(), &settings.agents);
        if roles.len() != agents.len() {
            let (n_roles, n_agents) = (roles.len(), agents.len());
            let error = format!("{} has {n_roles} roles, not {n_agents}", self.title());
            let hint = format!("name one agent for each of: {}", roles.join(", "));
            return Err(InputError::of("agents", error).with_hint(Some(hint)));
        }
        for agent in agents {
            let fits = agent.check_game(&self.loaded.game);
            fits.map_err(|error| InputError::from_catalog("agents", &error))?;
        }
        let record = self.loaded.game.with(Playing { settings });
        Ok(MatchResult {
            roles: roles.to_vec(),
            agents: agents.iter().map(ToString::to_string).collect(),
            ending: record.ending,
            goals: record.payoffs.iter().map(|payoff| payoff * 100.0).collect(),
            moves: record.moves,
            incidents: record.incidents,
        })
    }
}

/// Plays with the game in its concrete type.
struct Playing<'a> {
    settings: &'a MatchSettings,
}

impl WithGame for Playing<'_> {
    type Out = GameRecord;

    fn call<G: Game>(self, game: Arc<G>) -> GameRecord {
        let MatchSettings { agents, terms, seed } = self.settings;
        let seats = (0..agents.len()).collect();
        let slot =
            Slot { index: 0, game: 0, meeting: 0, round: 0, round_games: 1, seats, seed: *seed };
        let make = |number: usize| agents[number].build(Arc::clone(&game), 0);
        play_game(&game, &slot, terms, &make, &SystemClock)
    }
}

#[cfg(test)]
mod tests {
    use ludens_catalog::{Cache, load_agent};

    use super::*;
    use crate::load::LoadSettings;

    fn result(agents: &[&str]) -> Result<MatchResult, InputError> {
        let load = LoadSettings::default();
        let game = PreparedGame::load("tictactoe", &load, &Cache::off(), &mut |_| {}).unwrap();
        let agents = agents.iter().map(|text| load_agent(text).unwrap()).collect();
        game.play_match(&MatchSettings::new(agents, Allowance::of_iterations(50)))
    }

    #[test]
    fn a_match_has_a_result() {
        let found = result(&["uct", "random"]).unwrap();
        assert_eq!((found.goals.iter().sum::<f64>(), &found.ending), (100.0, &Ending::Terminal));
        assert!((5..=9).contains(&found.moves.len()) && found.incidents.is_empty());
        let text = found.to_string();
        assert!(text.starts_with("xplayer (uct) ") && text.ends_with(" moves"), "{text}");
        assert_eq!(result(&["uct", "random"]).unwrap(), found, "the same seed, the same match");
    }

    #[test]
    fn every_role_needs_an_agent() {
        let error = result(&["uct"]).unwrap_err();
        assert_eq!(error.error, "Tic-tac-toe has 2 roles, not 1");
        assert_eq!(error.hint.unwrap(), "name one agent for each of: xplayer, oplayer");
    }
}
