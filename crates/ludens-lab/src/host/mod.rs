//! Hosting matches between players over HTTP.

mod named_player;
mod reach;
mod record;
mod roles;
mod series;

use std::path::PathBuf;
use std::time::Duration;

use ludens_arena::schedule::Pairing;
use ludens_catalog::LoadedGame;
use serde::{Deserialize, Serialize};

use crate::as_text;
use crate::contest::{FORMAT, Millis, Settings, fingerprint};
use crate::load::LoadSettings;

pub use named_player::NamedPlayer;
pub use reach::reach;
pub use record::match_json;
pub use series::{Ended, Series};

/// How matches are hosted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HostSettings {
    /// The players.
    #[serde(with = "as_text::list")]
    pub players: Vec<NamedPlayer>,
    /// How long players may prepare.
    pub start_clock: Duration,
    /// How long a move may take.
    pub play_clock: Duration,
    /// How much later an answer may come.
    pub grace: Duration,
    /// After how many steps a match is abandoned; `None` for never.
    pub most_steps: Option<usize>,
    /// Whether players receive scrambled rules.
    pub scramble: bool,
    /// How many matches each group of players has in each game.
    pub matches: usize,
    /// Which players meet.
    pub pairing: Pairing,
    /// How many matches run at the same time.
    pub concurrency: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The file to which matches are written.
    pub journal: PathBuf,
    /// The name of the matches in the journal; `None` for one derived from the settings.
    pub name: Option<String>,
    /// How rules are loaded.
    pub load: LoadSettings,
}

impl HostSettings {
    /// The settings that the matches of a game depend on.
    fn contest(&self, loaded: &LoadedGame, agents: Vec<String>) -> Settings {
        Settings {
            format: FORMAT,
            game: loaded.source.name.clone(),
            rules: fingerprint(&loaded.source.source.text),
            reasoner: self.load.kind().name().to_owned(),
            agents,
            pairing: self.pairing,
            roles: Vec::new(),
            networks: Vec::new(),
            seed: self.seed,
            iterations: None,
            milliseconds: Some(Millis(self.play_clock)),
            start_iterations: None,
            start_milliseconds: Some(Millis(self.start_clock)),
            t_milliseconds: None,
            tolerance: Some(self.grace.as_millis() as u64),
            scrambled: Some(self.scramble),
            players: Vec::new(),
            openings: 0,
            ply_limit: self.most_steps.unwrap_or(usize::MAX),
        }
    }
}
