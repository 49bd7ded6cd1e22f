//! Training of a network for a game: self-play and training until time is up, with metrics and the network
//! in a folder.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use ludens_catalog::{LoadedGame, new_learner};
use ludens_core::Budget;
use ludens_learn::{AnyLearner, Iteration, Learning, NetworkFile};
use serde::Serialize;

use crate::hinted::Hinted;
use crate::stop::Stop;

/// The file of the network in the folder.
pub const NETWORK_FILE: &str = "network.safetensors";

/// The file of the metrics in the folder, one JSON object a line.
pub const METRICS_FILE: &str = "metrics.jsonl";

/// When training ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Until {
    /// After this time.
    Time(Duration),
    /// After so many iterations: then the same seed gives the same network.
    Iterations(u64),
    /// After so many games.
    Games(u64),
}

impl Until {
    /// The share of the training that is over.
    fn progress(self, elapsed: Duration, n_iterations: u64, n_games: u64) -> f64 {
        let share = |part: f64, whole: f64| part / whole.max(1e-9);
        match self {
            Until::Time(whole) => share(elapsed.as_secs_f64(), whole.as_secs_f64()),
            Until::Iterations(whole) => share(n_iterations as f64, whole as f64),
            Until::Games(whole) => share(n_games as f64, whole as f64),
        }
    }
}

/// Trains a network.
pub struct Training<'a> {
    /// How it learns.
    pub learning: Learning,
    /// When it ends.
    pub until: Until,
    /// The folder to which it writes.
    pub folder: &'a Path,
    /// Stops it early; what was learnt is kept.
    pub stop: &'a Stop,
}

/// The state of a training.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Metrics {
    /// Seconds since the beginning.
    pub seconds: f64,
    /// The share of the training that is over.
    pub progress: f64,
    /// Iterations.
    pub iterations: u64,
    /// Games of self-play, and of these those that were cut.
    pub games: u64,
    /// See `games`.
    pub cut: u64,
    /// The mean length of a game in joint moves.
    pub plies: f64,
    /// Positions made.
    pub positions: u64,
    /// Steps of training.
    pub steps: u64,
    /// The mean loss of the policy since the last metrics.
    pub policy_loss: Option<f64>,
    /// The mean loss of the payoffs.
    pub payoff_loss: Option<f64>,
    /// Evaluations of the network a second of self-play, on all threads.
    pub evaluations_per_second: f64,
    /// The share of the time for self-play.
    pub playing: f64,
}

/// What a training has made.
#[derive(Clone, PartialEq, Debug)]
pub struct Trained {
    /// The file of the network.
    pub file: PathBuf,
    /// The last metrics.
    pub metrics: Metrics,
    /// The table of layers.
    pub layers: String,
}

/// How often the network is written during training.
const SAVE_EVERY: Duration = Duration::from_secs(30);

/// How often metrics are written.
const METRICS_EVERY: Duration = Duration::from_secs(1);

impl Training<'_> {
    /// Trains; `show` gets the metrics about once a second.
    pub fn run(
        &self,
        game: &LoadedGame,
        show: &mut dyn FnMut(&Metrics),
    ) -> anyhow::Result<Trained> {
        let mut learner = self.learner(game)?;
        let mut metrics_file = self.create_folder()?;
        let budget = match self.until {
            Until::Time(time) => Budget::unlimited().with_time(time),
            _ => Budget::unlimited(),
        };
        let budget = budget.with_stop(self.stop.flag());
        let (file, mut log) = (self.folder.join(NETWORK_FILE), Log::new());
        let mut saved = Instant::now();
        while !budget.is_over() {
            let progress = log.progress(self.until);
            if progress >= 1.0 {
                break;
            }
            log.add(&learner.iterate(progress, &budget));
            if log.is_due(METRICS_EVERY) {
                let metrics = log.take(self.until);
                write_line(&mut metrics_file, &metrics)?;
                show(&metrics);
            }
            if saved.elapsed() >= SAVE_EVERY {
                self.save(game, &*learner, &file)?;
                saved = Instant::now();
            }
        }
        let metrics = log.take(self.until);
        write_line(&mut metrics_file, &metrics)?;
        self.save(game, &*learner, &file)?;
        Ok(Trained { file, metrics, layers: learner.weights().shape.to_string() })
    }

    fn learner(&self, game: &LoadedGame) -> anyhow::Result<Box<dyn AnyLearner>> {
        new_learner(&game.game, self.learning.clone()).ok_or_else(|| {
            let name = &game.source.name;
            let kind = game.game.kind();
            let message =
                format!("the reasoner `{kind}` does not know all facts and moves of {name}");
            Hinted::new(message, "train with a reasoner that grounds the rules, such as `mixed`")
                .into()
        })
    }

    /// Creates the folder and the metrics. A network that is already there is not overwritten.
    fn create_folder(&self) -> anyhow::Result<File> {
        let file = self.folder.join(NETWORK_FILE);
        if file.exists() {
            let message = format!("{} already exists", file.display());
            return Err(Hinted::new(message, "choose another folder, or remove this one").into());
        }
        let within = || format!("cannot write to {}", self.folder.display());
        std::fs::create_dir_all(self.folder).with_context(within)?;
        let metrics = self.folder.join(METRICS_FILE);
        OpenOptions::new().create(true).append(true).open(metrics).with_context(within)
    }

    fn save(&self, game: &LoadedGame, learner: &dyn AnyLearner, file: &Path) -> anyhow::Result<()> {
        let (played, n_steps) = (learner.played(), learner.n_steps());
        let training = format!(
            "seed {}: {} games of self-play, {n_steps} steps",
            self.learning.seed, played.games
        );
        let names = learner.encoder().names().clone();
        let weights = (*learner.weights()).clone();
        let network = NetworkFile::new(&game.source.name, &training, names, weights);
        network.write(file).with_context(|| format!("cannot write {}", file.display()))
    }
}

fn write_line(file: &mut File, metrics: &Metrics) -> anyhow::Result<()> {
    let line = serde_json::to_string(metrics).context("metrics are valid JSON")?;
    writeln!(file, "{line}").context("cannot write metrics")
}

/// Sums up iterations.
struct Log {
    began: Instant,
    shown: Instant,
    n_iterations: u64,
    last: Iteration,
    playing: Duration,
    /// The sums of losses since the last metrics, and their number.
    losses: (f64, f64, u32),
}

impl Log {
    fn new() -> Self {
        let now = Instant::now();
        Log {
            began: now,
            shown: now,
            n_iterations: 0,
            last: Iteration::default(),
            playing: Duration::ZERO,
            losses: (0.0, 0.0, 0),
        }
    }

    fn progress(&self, until: Until) -> f64 {
        until.progress(self.began.elapsed(), self.n_iterations, self.last.played.games)
    }

    fn add(&mut self, iteration: &Iteration) {
        self.last = *iteration;
        self.n_iterations += 1;
        self.playing += iteration.playing;
        if let Some(losses) = iteration.losses {
            let (policy, payoff, n) = self.losses;
            self.losses = (policy + losses.policy, payoff + losses.payoff, n + 1);
        }
    }

    fn is_due(&self, every: Duration) -> bool {
        self.shown.elapsed() >= every
    }

    fn take(&mut self, until: Until) -> Metrics {
        self.shown = Instant::now();
        let (policy, payoff, n) = std::mem::take(&mut self.losses);
        let mean = |sum: f64| (n > 0).then(|| sum / f64::from(n));
        let (played, elapsed) = (self.last.played, self.began.elapsed());
        Metrics {
            seconds: elapsed.as_secs_f64(),
            progress: self.progress(until).min(1.0),
            iterations: self.n_iterations,
            games: played.games,
            cut: played.cut,
            plies: played.plies as f64 / played.games.max(1) as f64,
            positions: self.last.n_made,
            steps: self.last.n_steps,
            policy_loss: mean(policy),
            payoff_loss: mean(payoff),
            evaluations_per_second: played.simulations as f64
                / self.playing.as_secs_f64().max(1e-9),
            playing: self.playing.as_secs_f64() / elapsed.as_secs_f64().max(1e-9),
        }
    }
}

#[cfg(test)]
mod tests {
    use ludens_catalog::{ReasonerKind, load_game};

    use super::*;

    fn train(folder: &Path, n_threads: usize) -> anyhow::Result<Trained> {
        let game = load_game("tictactoe", ReasonerKind::Mixed, &Budget::unlimited())?;
        let mut learning =
            Learning { n_threads, n_groups: 2, games_per_group: 8, ..Learning::default() };
        learning.training.batch = 64;
        let (until, stop) = (Until::Iterations(4), &Stop::new());
        Training { learning, until, folder, stop }.run(&game, &mut |_| {})
    }

    #[test]
    fn the_same_seed_gives_the_same_network_on_any_number_of_threads() {
        let folder = tempfile::tempdir().unwrap();
        let [one, two] = [1, 2].map(|n| {
            let trained = train(&folder.path().join(n.to_string()), n).unwrap();
            assert!(trained.metrics.games > 0 && trained.metrics.steps > 0, "{trained:?}");
            NetworkFile::read(&trained.file).unwrap()
        });
        assert_eq!(one, two);
        assert_eq!(one.header.game, "tictactoe");
    }

    #[test]
    fn a_network_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        train(folder.path(), 1).unwrap();
        let error = train(folder.path(), 1).unwrap_err().to_string();
        assert!(error.contains("already exists"), "{error}");
    }
}
