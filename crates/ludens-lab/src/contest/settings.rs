//! The settings that identify a contest in the journal: everything that its games depend on, and
//! nothing else.

use ludens_arena::export::About;
use ludens_arena::journal::JournalError;
use ludens_arena::schedule::Pairing;
use ludens_catalog::{AgentSpec, LoadedGame};
use ludens_protocol::RANDOM_ROLE;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Contest;
use super::millis::Millis;
use super::naming::{distinct, fingerprint, plain};
use crate::hinted::Hinted;

/// What the games of a contest depend on. The number of games and of threads and the sequential test are
/// not part of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// The version of this format.
    pub format: u32,
    /// The game, as the catalog names it.
    pub game: String,
    /// The fingerprint of the text of its rules.
    pub rules: String,
    /// The requested reasoner.
    pub reasoner: String,
    /// The agents, in canonical spelling.
    pub agents: Vec<String>,
    /// The fingerprints of the networks that agents read from files; a file may be replaced by another one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<String>,
    /// Which agents meet.
    pub pairing: Pairing,
    /// The roles that the first agent has in every game; empty if agents take all seats in turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Iterations per move, if they are limited.
    pub iterations: Option<u64>,
    /// Milliseconds per move, if time is limited.
    pub milliseconds: Option<Millis>,
    /// Iterations of preparation, if it is allowed and they are limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_iterations: Option<u64>,
    /// Milliseconds of preparation, if it is allowed and time is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_milliseconds: Option<Millis>,
    /// The mean time of a random game, if the clocks are multiples of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub t_milliseconds: Option<Millis>,
    /// How many milliseconds late an answer may be, if time is limited.
    pub tolerance: Option<u64>,
    /// Whether players over HTTP receive scrambled rules; absent for agents of this process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scrambled: Option<bool>,
    /// The names of the players over HTTP in the order of their addresses, `agents`; a contest is the same
    /// under other names. Absent for agents of this process.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<String>,
    /// How many joint moves at the beginning are random.
    pub openings: usize,
    /// Longer games count as draws.
    pub ply_limit: usize,
}

/// The version of this format.
pub const FORMAT: u32 = 1;

impl Settings {
    /// The settings of a contest whose game is loaded.
    pub(super) fn of(contest: &Contest, loaded: &LoadedGame) -> Self {
        let terms = &contest.terms;
        let start = terms.start.unwrap_or_default();
        let timed = terms.allowance.time.or(start.time).is_some();
        Settings {
            format: FORMAT,
            game: loaded.source.name.clone(),
            rules: fingerprint(&loaded.source.source.text),
            reasoner: contest.load.kind().name().to_owned(),
            agents: contest.agents.iter().map(ToString::to_string).collect(),
            networks: contest.agents.iter().filter_map(network_fingerprint).collect(),
            pairing: contest.pairing,
            roles: contest.roles.clone(),
            seed: contest.seed,
            iterations: terms.allowance.iterations,
            milliseconds: terms.allowance.time.map(Millis),
            start_iterations: start.iterations,
            start_milliseconds: start.time.map(Millis),
            t_milliseconds: contest.t.map(Millis),
            tolerance: timed.then_some(terms.tolerance.as_millis() as u64),
            scrambled: None,
            players: Vec::new(),
            openings: terms.opening,
            ply_limit: terms.ply_limit,
        }
    }

    /// Names of the agents; repeated agents are numbered. The role that a host plays at random is none of
    /// them.
    pub fn names(&self) -> Vec<String> {
        if !self.players.is_empty() {
            return distinct(&self.players);
        }
        let is_hosted = self.scrambled.is_some();
        let is_agent = |name: &&String| !is_hosted || *name != RANDOM_ROLE;
        distinct(&self.agents.iter().filter(is_agent).cloned().collect::<Vec<_>>())
    }

    /// The names of the agents in some seats.
    pub fn seated(&self, seats: &[usize]) -> Vec<String> {
        let names = self.names();
        let name = |&agent: &usize| names.get(agent).cloned();
        seats.iter().map(|seat| name(seat).unwrap_or_else(|| RANDOM_ROLE.to_owned())).collect()
    }

    /// The default name of the contest in the journal: the same for the same settings.
    pub fn default_name(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        let short = &fingerprint(&text)[..8];
        format!("{}-{short}", plain(&self.game))
    }

    /// The metadata of a contest for exports.
    pub fn about<'a>(&'a self, experiment: &'a str, names: &'a [String]) -> About<'a> {
        About {
            experiment,
            game: &self.game,
            agents: names,
            rulesheet: None,
            start_clock: self.start_milliseconds.map(Millis::seconds),
            play_clock: self.milliseconds.map(Millis::seconds),
        }
    }

    /// The limits of preparation and of a move, as text.
    pub fn allowance(&self) -> String {
        let limits = |iterations: Option<u64>, time: Option<Millis>, what: &str| {
            let iterations = iterations.map(|n| format!("{n} iterations {what}"));
            let time = time.map(|time| format!("{} {what}", time.shown()));
            iterations.into_iter().chain(time).collect::<Vec<_>>()
        };
        let start = limits(self.start_iterations, self.start_milliseconds, "to prepare");
        let mut moves = limits(self.iterations, self.milliseconds, "a move");
        if moves.is_empty() {
            moves.push("no limit".to_owned());
        }
        let unit = self.t_milliseconds.map(|t| format!("T = {}", t.shown()));
        start.into_iter().chain(moves).chain(unit).collect::<Vec<_>>().join(", ")
    }
}

/// The fingerprint of the network that an agent reads from a file, if it reads one.
fn network_fingerprint(agent: &AgentSpec) -> Option<String> {
    let bytes = agent.network_file()?.to_bytes().unwrap_or_default();
    Some(fingerprint(&bytes))
}

/// An error of the journal; for a name that is taken it lists the settings that differ.
pub fn explained(error: JournalError) -> anyhow::Error {
    let JournalError::OtherSpec { name, earlier, now } = &error else { return error.into() };
    let object = |text: &str| serde_json::from_str::<Map<String, Value>>(text).unwrap_or_default();
    let (earlier, now) = (object(earlier), object(now));
    let keys = now.keys().chain(earlier.keys().filter(|key| !now.contains_key(*key)));
    let shown = |value: Option<&Value>| value.map_or("absent".to_owned(), Value::to_string);
    let differing = keys.filter(|key| earlier.get(*key) != now.get(*key)).map(|key| {
        format!("{key} was {} and is {} now", shown(earlier.get(key)), shown(now.get(key)))
    });
    let differing = differing.collect::<Vec<_>>().join("; ");
    let message = format!("`{name}` was started with other settings: {differing}");
    Hinted::new(message, "choose another name, or resume with the earlier settings").into()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;

    fn earlier_settings() -> Value {
        json!({"format": 1, "game": "nim", "rules": "ab", "reasoner": "auto", "agents": ["uct", "flat"],
            "pairing": "round_robin", "seed": 1, "iterations": null, "milliseconds": 250,
            "tolerance": 100, "openings": 0, "ply_limit": 10000})
    }

    #[test]
    fn earlier_settings_are_read_as_they_were_written() {
        let settings: Settings = serde_json::from_value(earlier_settings()).unwrap();
        assert_eq!(settings.milliseconds, Some(Millis(Duration::from_millis(250))));
        assert_eq!(settings.start_milliseconds, None);
        assert_eq!(serde_json::to_value(&settings).unwrap(), earlier_settings());
        assert_eq!(settings.allowance(), "250 ms a move");
    }

    #[test]
    fn the_random_role_of_a_host_has_no_name_among_the_players() {
        let mut settings: Settings = serde_json::from_value(earlier_settings()).unwrap();
        settings.agents = ["http://a:1", "http://b:2", "random"].map(str::to_owned).to_vec();
        assert_eq!(settings.names().len(), 3, "it may be an agent of a match");
        settings.scrambled = Some(false);
        assert_eq!(settings.names(), ["http://a:1", "http://b:2"]);
        settings.players = ["Ann", "random"].map(str::to_owned).to_vec();
        assert_eq!(settings.names(), ["Ann", "random"], "players may have any name");
        assert_eq!(settings.seated(&[1, 2, 0]), ["random", "random", "Ann"]);
    }

    #[test]
    fn the_start_clock_is_named() {
        let mut settings: Settings = serde_json::from_value(earlier_settings()).unwrap();
        settings.start_milliseconds = Some(Millis(Duration::from_millis(1500)));
        assert_eq!(settings.allowance(), "1.5 s to prepare, 250 ms a move");
        let about = settings.about("e", &[]);
        assert_eq!((about.start_clock, about.play_clock), (Some(2), Some(1)));
        settings.start_iterations = Some(16);
        (settings.start_milliseconds, settings.milliseconds) = (None, None);
        assert_eq!(settings.allowance(), "16 iterations to prepare, no limit");
        settings.t_milliseconds = Some(Millis(Duration::from_micros(310)));
        settings.iterations = Some(2);
        let shown = "16 iterations to prepare, 2 iterations a move, T = 0.31 ms";
        assert_eq!(settings.allowance(), shown);
        let json = serde_json::to_value(&settings).unwrap();
        assert_eq!(serde_json::from_value::<Settings>(json).unwrap(), settings);
    }
}
