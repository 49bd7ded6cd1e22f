//! A contest as the journal knows it: all that its games depend on, and nothing else.

use std::time::Duration;

use ludens_arena::export::About;
use ludens_arena::journal::JournalError;
use ludens_arena::schedule::Pairing;
use ludens_catalog::{LoadedGame, ReasonerKind};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Contest;
use super::naming::{distinct, fingerprint, plain};
use crate::failure::Hinted;

/// What the games of a contest depend on. How many games there are, on how many threads they are
/// played and when a sequential test ends them does not belong to it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// The version of this format.
    pub format: u32,
    /// The game, as the catalog names it.
    pub game: String,
    /// Tells the text of its rules apart from others.
    pub rules: String,
    /// How the rules are run, as it was asked for.
    pub reasoner: String,
    /// The agents, in canonical spelling.
    pub agents: Vec<String>,
    /// Who meets whom.
    pub pairing: Pairing,
    /// What all random numbers are derived from.
    pub seed: u64,
    /// Units of work a move, if they are limited.
    pub iterations: Option<u64>,
    /// Milliseconds a move, if time is limited.
    pub milliseconds: Option<u64>,
    /// How many milliseconds later an answer may come, if time is limited.
    pub tolerance: Option<u64>,
    /// How many joint moves at the beginning are drawn at random.
    pub openings: usize,
    /// Games that are longer than this count as drawn.
    pub ply_limit: usize,
}

/// The version of this format.
const FORMAT: u32 = 1;

impl Settings {
    /// The settings of a contest whose game is loaded.
    pub(super) fn of(contest: &Contest, loaded: &LoadedGame) -> Self {
        let millis = |time: Duration| time.as_millis() as u64;
        let terms = &contest.terms;
        Settings {
            format: FORMAT,
            game: loaded.source.name.clone(),
            rules: fingerprint(&loaded.source.source.text),
            reasoner: contest.reasoner.kind(ReasonerKind::Auto).name().to_owned(),
            agents: contest.agents.iter().map(ToString::to_string).collect(),
            pairing: contest.pairing,
            seed: contest.seed,
            iterations: terms.allowance.iterations,
            milliseconds: terms.allowance.time.map(millis),
            tolerance: terms.allowance.time.map(|_| millis(terms.tolerance)),
            openings: terms.opening,
            ply_limit: terms.ply_limit,
        }
    }

    /// Names of the agents, in which equal agents are told apart.
    pub fn names(&self) -> Vec<String> {
        distinct(&self.agents)
    }

    /// The name of a contest that the user has not named: the same for the same settings.
    pub(super) fn usual_name(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        let short = &fingerprint(&text)[..8];
        format!("{}-{short}", plain(&self.game))
    }

    /// What exports say about a contest of this name, besides its games.
    pub fn about<'a>(&'a self, experiment: &'a str, names: &'a [String]) -> About<'a> {
        let seconds = |ms: u64| ms.div_ceil(1000);
        About {
            experiment,
            game: &self.game,
            agents: names,
            rulesheet: None,
            play_clock: self.milliseconds.map(seconds),
        }
    }

    /// What a move may cost, in words.
    pub fn allowance(&self) -> String {
        let iterations = self.iterations.map(|n| format!("{n} iterations a move"));
        let time = self.milliseconds.map(|ms| {
            let time = crate::units::shown_duration(Duration::from_millis(ms));
            format!("{time} a move")
        });
        let both: Vec<String> = iterations.into_iter().chain(time).collect();
        if both.is_empty() { "no limit".to_owned() } else { both.join(", ") }
    }
}

/// An error of the journal; of a name that is taken, it says which settings differ.
pub(super) fn explained(error: JournalError) -> anyhow::Error {
    let JournalError::OtherSpec { name, earlier, now } = &error else { return error.into() };
    let object = |text: &str| serde_json::from_str::<Map<String, Value>>(text).unwrap_or_default();
    let (earlier, now) = (object(earlier), object(now));
    let keys = now.keys().chain(earlier.keys().filter(|key| !now.contains_key(*key)));
    let shown = |value: Option<&Value>| value.map_or("absent".to_owned(), Value::to_string);
    let differing = keys.filter(|key| earlier.get(*key) != now.get(*key)).map(|key| {
        format!("{key} was {} and is {} now", shown(earlier.get(key)), shown(now.get(key)))
    });
    let differing = differing.collect::<Vec<_>>().join("; ");
    let message = format!("`{name}` was begun with other settings: {differing}");
    Hinted::new(message, "give this one another name, or use the settings of then to go on").into()
}
