//! Training of a network for a game: self-play and training until time is up, with metrics and the network
//! in a folder.
//!
//! A new training begins with a self-test of the network. During training its strength is measured now and
//! then; the time for that is not training time, and what is learnt does not depend on it.

mod copies;
mod crc32c;
mod folder;
mod games;
mod memory;
mod metrics;
mod milestones;
mod strength;
mod tensorboard;
mod timer;
mod trial;
mod until;

#[cfg(test)]
mod descent_tests;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ludens_catalog::{LoadedGame, WithGame, new_learner};
use ludens_core::{Budget, Game, Rng};
use ludens_learn::{
    AnyLearner, Iteration, Learning, Method, NetworkFile, Refusal, SelfTest, SelfTestError,
    SelfTested, Trials,
};
use serde::Serialize;

use crate::hinted::Hinted;
use crate::stop::Stop;

pub use copies::copy_file;
pub use folder::{CHECKPOINT_FILE, METRICS_FILE, NETWORK_FILE};
pub use memory::limit_memory;
pub use metrics::{GateMetrics, Metrics};
pub use strength::{Evaluation, Strength};
pub use until::Until;

use copies::Copies;
use folder::Folder;
use games::Games;
use metrics::Log;
use milestones::Milestones;
use strength::Matches;

/// Trains a network.
pub struct Training<'a> {
    /// How it learns.
    pub learning: Learning,
    /// When it ends.
    pub until: Until,
    /// The folder to which it writes.
    pub folder: &'a Path,
    /// Whether a new network is tested before it learns.
    pub self_test: bool,
    /// How its strength is measured.
    pub evaluation: Evaluation,
    /// Whether it ends with trial games, by which `zero` decides between the network and playouts.
    pub trial: bool,
    /// The times of training after which a copy of the network is kept ([`copy_file`]).
    pub keep: &'a [Duration],
    /// Whether a finished training keeps its checkpoint, so that it can be continued to be a longer one.
    pub keep_checkpoint: bool,
    /// The journal in which some games of self-play are recorded, if there is one.
    pub journal: Option<&'a Path>,
    /// Stops it early; what was learnt is kept.
    pub stop: &'a Stop,
}

/// What a training has made.
#[derive(Clone, PartialEq, Debug)]
pub struct Trained {
    /// The file of the network.
    pub file: PathBuf,
    /// The last metrics.
    pub metrics: Metrics,
    /// The strength after parts of the training, the earliest first.
    pub measured: Vec<Measured>,
    /// Trial games against a search with playouts, if there were any.
    pub trials: Trials,
    /// The table of layers.
    pub layers: String,
}

/// The strength at one time of a training.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Measured {
    /// Seconds of training.
    pub seconds: f64,
    /// Games of self-play.
    pub games: u64,
    /// The score against each opponent.
    pub strength: Vec<Strength>,
}

/// How often a training that ends by the clock makes a checkpoint.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(30);

/// After how many iterations the others do.
const CHECKPOINT_ITERATIONS: u64 = 50;

/// How often metrics are written.
const METRICS_EVERY: Duration = Duration::from_secs(1);

/// The longest time of the self-test: in a very large game the rest of it is left out.
const SELF_TEST_TIME: Duration = Duration::from_secs(10);

/// The streams of random numbers for everything but learning.
mod stream {
    pub(super) const SELF_TEST: u64 = 100;
    pub(super) const MATCHES: u64 = 101;
    pub(super) const TRIAL: u64 = 102;
}

impl Training<'_> {
    /// Trains, or continues a training that was interrupted; `show` gets the metrics about once a second.
    pub fn run(
        &self,
        game: &LoadedGame,
        show: &mut dyn FnMut(&Metrics),
    ) -> anyhow::Result<Trained> {
        copies::check(self.keep, self.until)?;
        let mut learner = self.learner(game)?;
        let mut folder = Folder::open(self.folder, &mut *learner)?;
        let games = self.journal.map(|path| Games::open(path, self.folder, game, &self.learning));
        let games = games.transpose()?;
        if self.self_test && folder.is_new {
            self.test(game, &*learner)?;
        }
        let mut log = Log::new(learner.state(), self.until, self.learning.n_threads);
        let continued = (!folder.is_new).then(|| log.elapsed());
        let mut copies = Copies::new(self.keep, self.folder, continued);
        let mut matches = self.matches(&log);
        let mut budget = self.budget(log.elapsed());
        let mut saved = Instant::now();
        while !budget.is_over() && log.progress() < 1.0 {
            log.add(&learner.iterate(log.progress(), &budget));
            let n_iterations = log.last.n_iterations;
            if let Some(games) = &games {
                games.sample(n_iterations, &mut *learner)?;
            }
            copies.write(log.elapsed(), self.folder, || self.network(game, &*learner))?;
            if matches.milestones.is_due(log.progress(), log.elapsed()) && !budget.is_over() {
                let took = matches.measure(game, &*learner, &mut log)?;
                budget.deadline = budget.deadline.map(|deadline| deadline + took);
            }
            if log.is_due(METRICS_EVERY) {
                let metrics = log.take(&*learner);
                folder.write_metrics(&metrics)?;
                show(&metrics);
            }
            if self.is_checkpoint_due(n_iterations, saved) && !budget.is_over() {
                folder.save_network(&self.network(game, &*learner))?;
                folder.save_checkpoint(&mut *learner)?;
                saved = Instant::now();
            }
        }
        let file = folder.save_network(&self.network(game, &*learner))?;
        if self.is_complete(&log, &budget) {
            copies.write(self.at_end(&log), self.folder, || self.network(game, &*learner))?;
            if self.keep_checkpoint {
                folder.save_checkpoint(&mut *learner)?;
            } else {
                folder.remove_checkpoint();
            }
        } else if let Until::Time(_) = self.until {
            folder.save_checkpoint(&mut *learner)?;
        }
        let mut trials = Trials::default();
        if self.evaluation.games > 0 && !self.stop.is_raised() {
            matches.measure(game, &*learner, &mut log)?;
        }
        if self.trial && !self.stop.is_raised() {
            let tried = self.tried(game, &*learner, log.elapsed());
            folder.save_network(&tried)?;
            trials = tried.header.trials;
        }
        let metrics = log.take(&*learner);
        folder.write_metrics(&metrics)?;
        let (measured, layers) = (matches.measured, learner.weights().shape.to_string());
        Ok(Trained { file, metrics, measured, trials, layers })
    }

    /// Whether a training that has ended has done all it should, and was not stopped. Its measured time is
    /// only that of play and of steps, so that one that ended by the clock may have less than all of it.
    fn is_complete(&self, log: &Log, budget: &Budget) -> bool {
        let by_the_clock = matches!(self.until, Until::Time(_));
        log.progress() >= 1.0 || by_the_clock && budget.is_over() && !self.stop.is_raised()
    }

    /// The time of a training that is complete; one that ends by the clock has all of its time.
    fn at_end(&self, log: &Log) -> Duration {
        match self.until {
            Until::Time(time) => time.max(log.elapsed()),
            _ => log.elapsed(),
        }
    }

    /// The budget of a training of which this time is over.
    fn budget(&self, elapsed: Duration) -> Budget {
        let budget = match self.until {
            Until::Time(time) => Budget::unlimited().with_time(time.saturating_sub(elapsed)),
            _ => Budget::unlimited(),
        };
        budget.with_stop(self.stop.flag())
    }

    /// A training with a number of iterations or games makes checkpoints after fixed numbers of iterations,
    /// because trees are discarded then, and the network must not depend on the time. Where no game is in
    /// progress between iterations, there is no tree to discard.
    fn is_checkpoint_due(&self, n_iterations: u64, saved: Instant) -> bool {
        match self.until {
            Until::Time(_) => saved.elapsed() >= CHECKPOINT_EVERY,
            _ if self.learning.schedule.plays_whole_games() => saved.elapsed() >= CHECKPOINT_EVERY,
            _ => n_iterations.is_multiple_of(CHECKPOINT_ITERATIONS),
        }
    }

    fn learner(&self, game: &LoadedGame) -> anyhow::Result<Box<dyn AnyLearner>> {
        let learner = new_learner(&game.game, self.learning.clone());
        learner.map_err(|why| refused(&why, game).into())
    }

    /// Tests the network before it learns.
    fn test(&self, game: &LoadedGame, learner: &dyn AnyLearner) -> anyhow::Result<SelfTested> {
        let budget = Budget::unlimited().with_time(SELF_TEST_TIME).with_stop(self.stop.flag());
        let seed = Rng::stream(self.learning.seed, &[stream::SELF_TEST]).next_u64();
        let tested = game.game.with(Testing { learner, seed, budget });
        tested.map_err(|error| Hinted::new(error.to_string(), error.hint).into())
    }

    /// The network learnt so far, as a file.
    fn network(&self, game: &LoadedGame, learner: &dyn AnyLearner) -> NetworkFile {
        let Iteration { played, n_steps, .. } = learner.state();
        let training =
            format!("{}: {} games of self-play, {n_steps} steps", self.learning, played.games);
        NetworkFile::of(&game.source.name, &training, learner)
    }

    /// The network learnt so far, after trial games; agents of Descent do not choose by them.
    fn tried(&self, game: &LoadedGame, learner: &dyn AnyLearner, time: Duration) -> NetworkFile {
        let network = Arc::new(self.network(game, learner));
        let Learning { method, seed, n_threads, .. } = self.learning;
        let seed = Rng::stream(seed, &[stream::TRIAL]).next_u64();
        let mut trials = Trials::default();
        if method != Method::Descent {
            trials = trial::try_out(game, &network, time, seed, n_threads, self.stop);
        }
        let mut network = Arc::unwrap_or_clone(network);
        network.header.trials = trials;
        network
    }

    fn matches(&self, log: &Log) -> Measuring<'_> {
        let milestones = Milestones::new(&self.evaluation, log.progress(), log.elapsed());
        Measuring { training: self, milestones, measured: Vec::new() }
    }
}

/// Why a game cannot be trained, and what to do.
fn refused(why: &Refusal, game: &LoadedGame) -> Hinted {
    let name = &game.source.name;
    if *why == Refusal::UnknownNames {
        let kind = game.game.kind();
        let message = format!("the reasoner `{kind}` does not know all facts and moves of {name}");
        let hint = "train with a reasoner that grounds the rules, such as `mixed`";
        return Hinted::new(message, hint);
    }
    let message = format!("{name} cannot be learnt by Descent: {why}");
    Hinted::new(message, "train with `--method fast`, which has no such limit")
}

/// Runs the self-test with the game in its concrete type.
struct Testing<'a> {
    learner: &'a dyn AnyLearner,
    seed: u64,
    budget: Budget,
}

impl WithGame for Testing<'_> {
    type Out = Result<SelfTested, SelfTestError>;

    fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
        let (encoder, weights) = (self.learner.encoder(), &*self.learner.weights());
        SelfTest { game: &game, encoder, weights, seed: self.seed }.run(&self.budget)
    }
}

/// Measures the strength now and then.
struct Measuring<'a> {
    training: &'a Training<'a>,
    milestones: Milestones,
    measured: Vec<Measured>,
}

impl Measuring<'_> {
    /// Measures the strength of what is learnt; returns the time that it took.
    fn measure(
        &mut self,
        game: &LoadedGame,
        learner: &dyn AnyLearner,
        log: &mut Log,
    ) -> anyhow::Result<Duration> {
        let (began, training) = (Instant::now(), self.training);
        let matches = Matches {
            method: training.learning.method,
            network: training.network(game, learner),
            games: training.evaluation.games,
            seed: Rng::stream(training.learning.seed, &[stream::MATCHES]).next_u64(),
            n_workers: training.learning.n_threads,
            time: self.milestones.time(log.elapsed()),
            stop: training.stop,
        };
        let strength = matches.play(game)?;
        let (seconds, games) = (log.elapsed().as_secs_f64(), log.last.played.games);
        if !strength.is_empty() {
            self.measured.push(Measured { seconds, games, strength: strength.clone() });
        }
        log.add_strength(strength);
        self.milestones.spend(began.elapsed());
        Ok(began.elapsed())
    }
}
