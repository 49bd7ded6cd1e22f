//! Learning from self-play: rounds of play and steps of training in turn, on all threads.
//!
//! Groups of games and parts of mini-batches are the units of work that threads share. Neither depends on
//! the thread that does it, so that the same seed gives the same network on any number of threads.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ludens_core::{Budget, Game, Rng};

use crate::checkpoint;
use crate::encoder::Encoder;
use crate::file::FileError;
use crate::gradient::Losses;
use crate::replay::{Format, Replay};
use crate::self_play::{Group, Played, SelfPlay};
use crate::shape::Shape;
use crate::threads;
use crate::trainer::{Trainer, Training};
use crate::weights::Weights;

/// How a network learns a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Learning {
    /// How games are played.
    pub self_play: SelfPlay,
    /// How the network is trained.
    pub training: Training,
    /// The widths of the hidden layers.
    pub trunk: Vec<usize>,
    /// The number of groups of games, and of games in a group.
    pub n_groups: usize,
    /// See `n_groups`.
    pub games_per_group: usize,
    /// The rounds of self-play between two phases of training.
    pub rounds: usize,
    /// The maximum number of bytes of the replay buffer.
    pub replay_bytes: usize,
    /// The number of threads.
    pub n_threads: usize,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl Default for Learning {
    fn default() -> Self {
        Learning {
            self_play: SelfPlay::default(),
            training: Training::default(),
            trunk: vec![256, 128],
            n_groups: 4,
            games_per_group: 32,
            rounds: 16,
            replay_bytes: 256 << 20,
            n_threads: std::thread::available_parallelism().map_or(1, usize::from),
            seed: 1,
        }
    }
}

/// A network that learns a game.
pub struct Learner<G: Game> {
    pub(crate) settings: Learning,
    encoder: Arc<Encoder>,
    pub(crate) groups: Vec<Group<G>>,
    pub(crate) trainer: Trainer,
    pub(crate) replay: Replay,
    pub(crate) n_made: u64,
    pub(crate) played: Played,
    pub(crate) n_iterations: u64,
    pub(crate) playing: Duration,
    pub(crate) training: Duration,
}

/// The state of a training after an iteration. All numbers but the losses are since the beginning.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Iteration {
    /// The number of iterations.
    pub n_iterations: u64,
    /// Self-play.
    pub played: Played,
    /// Positions made.
    pub n_made: u64,
    /// Steps of training.
    pub n_steps: u64,
    /// The time of self-play.
    pub playing: Duration,
    /// The time of training.
    pub training: Duration,
    /// The mean losses of this iteration's steps; `None` if there was none.
    pub losses: Option<Losses>,
}

impl<G: Game> Learner<G> {
    /// A learner with a new network; `None` if the facts or moves of the game are not known in advance.
    pub fn new(game: &Arc<G>, settings: Learning) -> Option<Self> {
        let encoder = Arc::new(Encoder::new(&**game)?);
        let shape = Shape::shared(encoder.n_inputs(), &settings.trunk, &encoder.n_moves());
        let mut rng = Rng::stream(settings.seed, &[0]);
        let mut facts = Vec::new();
        if let Some(vocabulary) = game.vocabulary() {
            vocabulary.fact_ids(&game.initial(), &mut facts);
        }
        let weights = Weights::random(&shape, facts.len() as f64, &mut rng);
        let format = Format::new(shape.n_inputs, &encoder.n_moves());
        let seed = Rng::stream(settings.seed, &[1]).next_u64();
        let trainer = Trainer::new(weights, settings.training.clone(), format, seed);
        let average = trainer.average();
        let group = |i: usize| {
            let seed = Rng::stream(settings.seed, &[2, i as u64]).next_u64();
            let n_games = settings.games_per_group;
            Group::new(game, &encoder, &average, &settings.self_play, n_games, seed)
        };
        Some(Learner {
            groups: (0..settings.n_groups).map(group).collect(),
            trainer,
            replay: Replay::new(settings.replay_bytes),
            n_made: 0,
            played: Played::default(),
            n_iterations: 0,
            playing: Duration::ZERO,
            training: Duration::ZERO,
            encoder,
            settings,
        })
    }

    fn play(&mut self, budget: &Budget) {
        let (rounds, n_threads) = (self.settings.rounds, self.settings.n_threads);
        threads::share(&mut self.groups, n_threads, |group| {
            (0..rounds).take_while(|_| !budget.is_over()).for_each(|_| group.play_round(budget));
        });
        for group in &mut self.groups {
            let (records, played) = group.take();
            self.played += played;
            self.n_made += records.len() as u64;
            for record in &records {
                self.replay.push(record);
            }
        }
    }

    /// Self-play continues with the weights of the trainer.
    pub(crate) fn publish(&mut self) {
        let average = self.trainer.average();
        self.groups.iter_mut().for_each(|group| group.set_weights(&average));
    }

    fn train(&mut self, progress: f64, budget: &Budget) -> Option<Losses> {
        let n_due = self.trainer.n_due(self.n_made);
        if n_due == 0 || self.replay.is_empty() {
            return None;
        }
        let (mut sum, mut n_steps) = (Losses::default(), 0);
        while n_steps < n_due && !budget.is_over() {
            let losses =
                self.trainer.step(&self.replay, self.n_made, progress, self.settings.n_threads);
            sum.policy += losses.policy;
            sum.payoff += losses.payoff;
            n_steps += 1;
        }
        self.publish();
        let n = n_steps as f64;
        (n_steps > 0).then(|| Losses { policy: sum.policy / n, payoff: sum.payoff / n })
    }
}

/// A learner of a game of any type.
pub trait AnyLearner: Send {
    /// The facts and moves of the inputs and outputs.
    fn encoder(&self) -> &Arc<Encoder>;

    /// The state of the training.
    fn state(&self) -> Iteration;

    /// The weights learnt so far.
    fn weights(&self) -> Arc<Weights>;

    /// A file from which the training can be continued. Trees are discarded, whether it is continued from
    /// the file or not.
    fn checkpoint(&mut self) -> Result<Vec<u8>, FileError>;

    /// Continues from a checkpoint.
    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), FileError>;

    /// Plays some rounds and makes the steps of training that are due then. `progress` is the share of the
    /// training that is over. The iteration is cut short when the budget is over.
    fn iterate(&mut self, progress: f64, budget: &Budget) -> Iteration;
}

impl<G: Game> AnyLearner for Learner<G> {
    fn encoder(&self) -> &Arc<Encoder> {
        &self.encoder
    }

    fn weights(&self) -> Arc<Weights> {
        self.trainer.average()
    }

    fn checkpoint(&mut self) -> Result<Vec<u8>, FileError> {
        checkpoint::save(self)
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        checkpoint::restore(self, bytes)
    }

    fn iterate(&mut self, progress: f64, budget: &Budget) -> Iteration {
        let began = Instant::now();
        self.play(budget);
        self.playing += began.elapsed();
        let began = Instant::now();
        let losses = self.train(progress, budget);
        self.training += began.elapsed();
        self.n_iterations += 1;
        Iteration { losses, ..self.state() }
    }

    fn state(&self) -> Iteration {
        Iteration {
            n_iterations: self.n_iterations,
            played: self.played,
            n_made: self.n_made,
            n_steps: self.trainer.n_steps(),
            playing: self.playing,
            training: self.training,
            losses: None,
        }
    }
}
