//! Learning by Descent: games and steps of training in turn, on all threads.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ludens_core::{Budget, Game, Rng};

use super::Descent;
use super::group::Group;
use super::turns::{self, Refusal};
use crate::architecture::Architecture;
use crate::checkpoint::{self, Saved};
use crate::encoder::Encoder;
use crate::evidence::Evidence;
use crate::file::FileError;
use crate::gradient::Losses;
use crate::learner::{AnyLearner, Beginning, GameLearner, Iteration, Learning};
use crate::method::Method;
use crate::replay::Replay;
use crate::self_play::{FinishedGame, Played};
use crate::threads;
use crate::trainer::{Trainer, Training};
use crate::weights::Weights;

/// How a network learns a game by Descent.
#[derive(Clone, PartialEq, Debug)]
pub struct DescentLearning {
    /// How games are played.
    pub descent: Descent,
    /// How the network is trained.
    pub training: Training,
    /// The layers of the network.
    pub architecture: Architecture,
    /// Whether samples are multiplied by the symmetries of the game.
    pub symmetries: bool,
    /// The number of groups of games, and of games in a group.
    pub n_groups: usize,
    /// See `n_groups`.
    pub games_per_group: usize,
    /// The states that each game expands between two phases of training.
    pub steps: usize,
    /// The maximum number of bytes of the replay buffer.
    pub replay_bytes: usize,
    /// The number of threads.
    pub n_threads: usize,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl DescentLearning {
    /// What all methods have in common, with the rest of this one.
    pub fn of(learning: &Learning) -> Self {
        DescentLearning {
            descent: Descent::default(),
            training: learning.training.clone(),
            architecture: learning.architecture.clone(),
            symmetries: learning.symmetries,
            n_groups: learning.n_groups,
            games_per_group: learning.games_per_group,
            steps: 64,
            replay_bytes: learning.replay_bytes,
            n_threads: learning.n_threads,
            seed: learning.seed,
        }
    }
}

impl Default for DescentLearning {
    fn default() -> Self {
        DescentLearning::of(&Method::Descent.settings())
    }
}

/// A network that learns a game by Descent.
pub struct DescentLearner<G: Game> {
    settings: DescentLearning,
    encoder: Arc<Encoder>,
    groups: Vec<Group<G>>,
    trainer: Trainer,
    replay: Replay,
    n_made: u64,
    played: Played,
    n_iterations: u64,
    playing: Duration,
    training: Duration,
}

impl<G: Game> DescentLearner<G> {
    /// A learner with a new network, or why the game cannot be learnt.
    pub fn new(game: &Arc<G>, settings: DescentLearning) -> Result<Self, Refusal> {
        let mut rng = Rng::stream(settings.seed, &[4]);
        turns::check(&**game, settings.descent.max_plies, &mut rng)?;
        let beginning = Beginning {
            architecture: &settings.architecture,
            symmetries: settings.symmetries,
            training: &settings.training,
            seed: settings.seed,
        };
        let (encoder, trainer) = beginning.of_game(&**game).ok_or(Refusal::UnknownNames)?;
        let average = trainer.average();
        let group = |i: usize| {
            let seed = Rng::stream(settings.seed, &[2, i as u64]).next_u64();
            let n_games = settings.games_per_group;
            Group::new(game, &encoder, &average, &settings.descent, n_games, seed)
        };
        Ok(DescentLearner {
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

    fn play(&mut self, progress: f64, budget: &Budget) {
        let n_steps = self.settings.steps;
        threads::share(&mut self.groups, self.settings.n_threads, |group| {
            group.set_progress(progress);
            (0..n_steps).take_while(|_| !budget.is_over()).for_each(|_| group.step());
        });
        self.collect();
    }

    /// Takes the records of all groups.
    fn collect(&mut self) {
        for group in &mut self.groups {
            let (records, played) = group.take();
            self.played += played;
            self.n_made += records.len() as u64;
            for record in &records {
                self.replay.push(record);
            }
        }
    }

    fn train(&mut self, progress: f64, budget: &Budget) -> Option<Losses> {
        let (n_due, window) = (self.trainer.n_due(self.n_made), self.trainer.window(self.n_made));
        let (positions, n_threads) = ((&self.replay, window), self.settings.n_threads);
        let losses = self.trainer.steps(n_due, positions, progress, n_threads, budget);
        self.publish();
        losses
    }

    /// Games continue with the weights of the trainer.
    fn publish(&mut self) {
        let average = self.trainer.average();
        self.groups.iter_mut().for_each(|group| group.set_weights(&average));
    }

    /// Games begin again after a checkpoint.
    fn restart(&mut self) {
        for (i, group) in self.groups.iter_mut().enumerate() {
            group.restart(Rng::stream(self.settings.seed, &[3, self.n_made, i as u64]).next_u64());
        }
    }

    /// Everything that a checkpoint depends on, as text. The number of threads does not matter.
    fn describe_settings(&self) -> String {
        let settings = DescentLearning { n_threads: 1, ..self.settings.clone() };
        format!("{settings:?} {:?}", self.trainer.weights.shape)
    }
}

impl<G: Game> AnyLearner for DescentLearner<G> {
    fn encoder(&self) -> &Arc<Encoder> {
        &self.encoder
    }

    fn weights(&self) -> Arc<Weights> {
        self.trainer.average()
    }

    /// Games in progress end here, whether the training is continued from the file or not.
    fn checkpoint(&mut self) -> Result<Vec<u8>, FileError> {
        self.groups.iter_mut().for_each(Group::end_games);
        self.collect();
        self.restart();
        let saved = Saved {
            state: self.state(),
            recent: Vec::new(),
            evidence: Evidence::default(),
            groups: Vec::new(),
        };
        checkpoint::pack(self.describe_settings(), saved, &self.trainer, &self.replay)
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        let (settings, replay_bytes) = (self.describe_settings(), self.settings.replay_bytes);
        let (saved, replay) =
            checkpoint::unpack(bytes, &settings, &mut self.trainer, replay_bytes)?;
        let Iteration { n_iterations, played, n_made, playing, training, .. } = saved.state;
        (self.n_iterations, self.played, self.n_made) = (n_iterations, played, n_made);
        (self.playing, self.training, self.replay) = (playing, training, replay);
        self.restart();
        self.publish();
        Ok(())
    }

    fn iterate(&mut self, progress: f64, budget: &Budget) -> Iteration {
        let began = Instant::now();
        self.play(progress, budget);
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
            share: 0.0,
            losses: None,
            gate: None,
        }
    }

    fn bytes(&self) -> usize {
        self.replay.bytes() + self.groups.iter().map(Group::bytes).sum::<usize>()
    }

    fn take_game(&mut self) -> Option<FinishedGame> {
        None
    }
}

impl<G: Game> GameLearner<G> for DescentLearner<G> {}
