//! Games of self-play in a journal, so that people can look at them.

use std::path::Path;

use ludens_arena::journal::{Experiment, Journal};
use ludens_arena::record::{Ending, GameRecord};
use ludens_arena::schedule::{Pairing, Slot};
use ludens_catalog::LoadedGame;
use ludens_learn::{AnyLearner, FinishedGame, Learning};
use serde_json::Value;

use crate::contest::{FORMAT, Settings, fingerprint, plain};

/// A game is recorded after this many iterations.
const EVERY: u64 = 10;

/// The journal of a training.
pub(super) struct Games {
    journal: Journal,
    name: String,
    spec: Value,
    n_roles: usize,
    seed: u64,
}

impl Games {
    /// Opens a journal for a training in a folder.
    pub fn open(
        path: &Path,
        folder: &Path,
        game: &LoadedGame,
        learning: &Learning,
    ) -> anyhow::Result<Self> {
        let settings = Settings {
            format: FORMAT,
            game: game.source.name.clone(),
            rules: fingerprint(&game.source.source.text),
            reasoner: game.game.kind().name().to_owned(),
            agents: vec!["self-play".to_owned()],
            pairing: Pairing::RoundRobin,
            roles: Vec::new(),
            networks: Vec::new(),
            seed: learning.seed,
            iterations: Some(learning.self_play.simulations),
            milliseconds: None,
            start_iterations: None,
            start_milliseconds: None,
            t_milliseconds: None,
            tolerance: None,
            scrambled: None,
            players: Vec::new(),
            openings: 0,
            ply_limit: learning.self_play.max_plies,
        };
        let folder = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy();
        let games = Games {
            journal: Journal::open(path)?,
            name: format!("{}/{}", plain(&folder), settings.default_name()),
            spec: serde_json::to_value(&settings)?,
            n_roles: game.game.roles().len(),
            seed: learning.seed,
        };
        // Fails before anything is learnt if the journal has other games under this name.
        games.experiment()?;
        Ok(games)
    }

    fn experiment(&self) -> anyhow::Result<Experiment<'_>> {
        Ok(self.journal.experiment(&self.name, &self.spec)?)
    }

    /// Records a game if one is due after this many iterations.
    pub fn sample(&self, n_iterations: u64, learner: &mut dyn AnyLearner) -> anyhow::Result<()> {
        let is_due = n_iterations.is_multiple_of(EVERY);
        match is_due.then(|| learner.take_game()).flatten() {
            Some(game) => self.record(n_iterations, game),
            None => Ok(()),
        }
    }

    /// Records a game. One that ended with a proof has no result by the rules: what was proven is its reason.
    fn record(&self, n_iterations: u64, game: FinishedGame) -> anyhow::Result<()> {
        let index = (n_iterations / EVERY) as usize;
        let seats = vec![0; self.n_roles];
        let (round, round_games, seed) = (index, 1, self.seed);
        let slot = Slot { index, game: 0, meeting: 0, round, round_games, seats, seed };
        let payoffs = game.payoffs.iter().flatten().map(|&payoff| f64::from(payoff));
        let payoffs: Vec<f64> = payoffs.collect();
        let (ending, payoffs) = match &game.payoffs {
            Some(_) if game.is_terminal => (Ending::Terminal, payoffs),
            Some(_) => {
                let proven = payoffs.iter().map(|payoff| (payoff * 100.0).round().to_string());
                let proven = proven.collect::<Vec<_>>().join(" ");
                (Ending::Void(format!("ended by a proof: {proven}")), Vec::new())
            }
            None => (Ending::PlyLimit, vec![0.5; self.n_roles]),
        };
        let record = GameRecord { ending, payoffs, moves: game.moves, ..GameRecord::new(slot) };
        self.experiment()?.record(&[record])?;
        Ok(())
    }
}
