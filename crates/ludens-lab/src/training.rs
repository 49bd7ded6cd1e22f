//! Training of a network for a game: self-play and training until time is up, with metrics and the network
//! in a folder.

#[cfg(test)]
mod descent_tests;
#[cfg(test)]
mod tests;

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use ludens_catalog::{LoadedGame, new_descent_learner, new_learner};
use ludens_core::Budget;
use ludens_learn::{
    AnyLearner, DescentLearning, Iteration, Learning, NetworkFile, Refusal, write_whole,
};
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
    /// After this many iterations: then the same seed gives the same network.
    Iterations(u64),
    /// After this many games.
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

/// How a network learns.
#[derive(Clone, PartialEq, Debug)]
pub enum Method {
    /// From self-play with tree search.
    SelfPlay(Learning),
    /// By Descent.
    Descent(DescentLearning),
}

impl Method {
    fn seed(&self) -> u64 {
        match self {
            Method::SelfPlay(learning) => learning.seed,
            Method::Descent(learning) => learning.seed,
        }
    }
}

/// Trains a network.
pub struct Training<'a> {
    /// How it learns.
    pub method: Method,
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

/// The file from which an interrupted training continues.
pub const CHECKPOINT_FILE: &str = "checkpoint.safetensors";

/// How often a training that ends by the clock makes a checkpoint.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(30);

/// After how many iterations the others do.
const CHECKPOINT_ITERATIONS: u64 = 50;

/// How often metrics are written.
const METRICS_EVERY: Duration = Duration::from_secs(1);

impl Training<'_> {
    /// Trains, or continues a training that was interrupted; `show` gets the metrics about once a second.
    pub fn run(
        &self,
        game: &LoadedGame,
        show: &mut dyn FnMut(&Metrics),
    ) -> anyhow::Result<Trained> {
        let mut learner = self.learner(game)?;
        let mut metrics_file = self.open_folder(&mut *learner)?;
        let mut log = Log::new(learner.state());
        let budget = match self.until {
            Until::Time(time) => Budget::unlimited().with_time(time.saturating_sub(log.elapsed())),
            _ => Budget::unlimited(),
        };
        let budget = budget.with_stop(self.stop.flag());
        let mut saved = Instant::now();
        while !budget.is_over() && log.progress(self.until) < 1.0 {
            log.add(&learner.iterate(log.progress(self.until), &budget));
            if log.is_due(METRICS_EVERY) {
                let metrics = log.take(self.until);
                write_line(&mut metrics_file, &metrics)?;
                show(&metrics);
            }
            if self.is_checkpoint_due(log.last.n_iterations, saved) && !budget.is_over() {
                self.save(game, &mut *learner)?;
                saved = Instant::now();
            }
        }
        let metrics = log.take(self.until);
        write_line(&mut metrics_file, &metrics)?;
        let file = self.save_network(game, &*learner)?;
        if log.progress(self.until) >= 1.0 {
            // Nothing is left to continue.
            std::fs::remove_file(self.folder.join(CHECKPOINT_FILE)).ok();
        } else if let Until::Time(_) = self.until {
            self.save(game, &mut *learner)?;
        }
        Ok(Trained { file, metrics, layers: learner.weights().shape.to_string() })
    }

    /// A training with a number of iterations or games makes checkpoints after fixed numbers of iterations,
    /// because trees are discarded then, and the network must not depend on the time.
    fn is_checkpoint_due(&self, n_iterations: u64, saved: Instant) -> bool {
        match self.until {
            Until::Time(_) => saved.elapsed() >= CHECKPOINT_EVERY,
            _ => n_iterations.is_multiple_of(CHECKPOINT_ITERATIONS),
        }
    }

    fn learner(&self, game: &LoadedGame) -> anyhow::Result<Box<dyn AnyLearner>> {
        let learner = match &self.method {
            Method::SelfPlay(learning) => {
                new_learner(&game.game, learning.clone()).ok_or(Refusal::UnknownNames)
            }
            Method::Descent(learning) => new_descent_learner(&game.game, learning.clone()),
        };
        learner.map_err(|why| refused(&why, game).into())
    }

    /// Creates the folder, or restores the training from the checkpoint in it. A network without a
    /// checkpoint is finished, and not overwritten. Returns the file for metrics.
    fn open_folder(&self, learner: &mut dyn AnyLearner) -> anyhow::Result<File> {
        let within = || format!("cannot write to {}", self.folder.display());
        std::fs::create_dir_all(self.folder).with_context(within)?;
        let (network, checkpoint) =
            (self.folder.join(NETWORK_FILE), self.folder.join(CHECKPOINT_FILE));
        if checkpoint.exists() {
            let place = || format!("cannot continue from {}", checkpoint.display());
            let bytes = std::fs::read(&checkpoint).with_context(place)?;
            learner.restore(&bytes).map_err(|error| {
                let hint =
                    "continue with the same game, reasoner and seed, or choose another folder";
                Hinted::new(format!("{}: {error}", place()), hint)
            })?;
        } else if network.exists() {
            let message = format!("{} already exists", network.display());
            return Err(Hinted::new(message, "choose another folder, or remove this one").into());
        }
        let metrics = self.folder.join(METRICS_FILE);
        OpenOptions::new().create(true).append(true).open(metrics).with_context(within)
    }

    /// Writes the network and a checkpoint.
    fn save(&self, game: &LoadedGame, learner: &mut dyn AnyLearner) -> anyhow::Result<()> {
        self.save_network(game, learner)?;
        let file = self.folder.join(CHECKPOINT_FILE);
        let checkpoint = learner.checkpoint().map_err(anyhow::Error::from);
        let written = checkpoint.and_then(|bytes| Ok(write_whole(&file, &bytes)?));
        written.with_context(|| format!("cannot write {}", file.display()))
    }

    fn save_network(&self, game: &LoadedGame, learner: &dyn AnyLearner) -> anyhow::Result<PathBuf> {
        let Iteration { played, n_steps, .. } = learner.state();
        let training = format!(
            "seed {}: {} games of self-play, {n_steps} steps",
            self.method.seed(),
            played.games
        );
        let names = learner.encoder().names().clone();
        let weights = (*learner.weights()).clone();
        let network = NetworkFile::new(&game.source.name, &training, names, weights);
        let file = self.folder.join(NETWORK_FILE);
        network.write(&file).with_context(|| format!("cannot write {}", file.display()))?;
        Ok(file)
    }
}

/// Why a game cannot be trained, and what to do.
fn refused(why: &Refusal, game: &LoadedGame) -> Hinted {
    let name = &game.source.name;
    if *why == Refusal::UnknownNames {
        let kind = game.game.kind();
        let message = format!("the reasoner `{kind}` does not know all facts and moves of {name}");
        return Hinted::new(
            message,
            "train with a reasoner that grounds the rules, such as `mixed`",
        );
    }
    Hinted::new(
        format!("{name} cannot be learnt by Descent: {why}"),
        "train without `--descent`: self-play with tree search has no such limit",
    )
}

fn write_line(file: &mut File, metrics: &Metrics) -> anyhow::Result<()> {
    let line = serde_json::to_string(metrics).context("metrics are valid JSON")?;
    writeln!(file, "{line}").context("cannot write metrics")
}

/// Sums up iterations.
struct Log {
    shown: Instant,
    last: Iteration,
    /// The sums of losses since the last metrics, and their number.
    losses: (f64, f64, u32),
}

impl Log {
    fn new(last: Iteration) -> Self {
        Log { shown: Instant::now(), last, losses: (0.0, 0.0, 0) }
    }

    fn elapsed(&self) -> Duration {
        self.last.playing + self.last.training
    }

    fn progress(&self, until: Until) -> f64 {
        until.progress(self.elapsed(), self.last.n_iterations, self.last.played.games)
    }

    fn add(&mut self, iteration: &Iteration) {
        self.last = *iteration;
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
        let (played, elapsed) = (self.last.played, self.elapsed());
        Metrics {
            seconds: elapsed.as_secs_f64(),
            progress: self.progress(until).min(1.0),
            iterations: self.last.n_iterations,
            games: played.games,
            cut: played.cut,
            plies: played.plies as f64 / played.games.max(1) as f64,
            positions: self.last.n_made,
            steps: self.last.n_steps,
            policy_loss: mean(policy),
            payoff_loss: mean(payoff),
            evaluations_per_second: played.simulations as f64
                / self.last.playing.as_secs_f64().max(1e-9),
            playing: self.last.playing.as_secs_f64() / elapsed.as_secs_f64().max(1e-9),
        }
    }
}
