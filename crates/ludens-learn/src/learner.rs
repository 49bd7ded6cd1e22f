//! Learning from self-play: play and training in turn, on all threads.
//!
//! Groups of games and parts of mini-batches are the units of work that threads share. Neither depends on
//! the thread that does it, so that the same seed gives the same network on any number of threads.

mod train;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ludens_core::{Budget, Game, Rng};

use crate::architecture::Architecture;
use crate::augment::permutations;
use crate::batch::{Batch, Lists};
use crate::checkpoint;
use crate::convolution::Windows;
use crate::encoder::Encoder;
use crate::evidence::Weighing;
use crate::file::FileError;
use crate::gate::Gate;
use crate::gradient::Losses;
use crate::inputs::InputScratch;
use crate::method::Method;
use crate::random_games::visit_positions;
use crate::replay::Replay;
use crate::schedule::Schedule;
use crate::self_play::{FinishedGame, Group, Played, SelfPlay};
use crate::shape::Shape;
use crate::threads;
use crate::trainer::{Trainer, Training};
use crate::weights::Weights;

/// How a network learns a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Learning {
    /// The method that these are settings of.
    pub method: Method,
    /// How games are played.
    pub self_play: SelfPlay,
    /// How the network is trained.
    pub training: Training,
    /// The layers of the network.
    pub architecture: Architecture,
    /// Whether samples are multiplied by the symmetries of the game.
    pub symmetries: bool,
    /// How play and training alternate.
    pub schedule: Schedule,
    /// The number of groups of games, each played by one thread at a time, and of games in a group.
    pub n_groups: usize,
    /// See `n_groups`.
    pub games_per_group: usize,
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
            method: Method::Fast,
            self_play: SelfPlay::default(),
            training: Training::default(),
            architecture: Architecture::default(),
            symmetries: true,
            schedule: Schedule::Rounds(16),
            n_groups: 4,
            games_per_group: 32,
            replay_bytes: 256 << 20,
            n_threads: std::thread::available_parallelism().map_or(1, usize::from),
            seed: 1,
        }
    }
}

impl Learning {
    /// The settings for a training by the clock: a group of games for each thread at least. Others keep their
    /// number of groups, so that their network does not depend on the number of threads.
    #[must_use]
    pub fn by_the_clock(mut self) -> Self {
        if let Schedule::Rounds(_) = self.schedule {
            self.n_groups = self.n_groups.max(self.n_threads);
        }
        self
    }
}

/// What distinguishes one training from another, in one line for files.
impl fmt::Display for Learning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "method {}, network {}", self.method, self.architecture)?;
        // Always named, since results are compared by them.
        let SelfPlay { simulations, result, .. } = self.self_play;
        write!(f, ", {simulations} simulations, result {result}")?;
        let others = self.changed().into_iter();
        for (name, value) in others.filter(|(name, _)| !["simulations", "result"].contains(name)) {
            write!(f, ", {name} {value}")?;
        }
        write!(f, ", seed {}", self.seed)
    }
}

/// What every method begins with: an encoder, and a trainer with a new network.
pub(crate) struct Beginning<'a> {
    pub architecture: &'a Architecture,
    pub symmetries: bool,
    pub training: &'a Training,
    pub seed: u64,
}

impl Beginning<'_> {
    /// `None` if the facts or moves of the game are not known in advance.
    pub(crate) fn of_game<G: Game>(&self, game: &G) -> Option<(Arc<Encoder>, Trainer)> {
        let rng = |stream| Rng::stream(self.seed, &[stream]);
        let (encoder, shape) = self.architecture.of_game(game, self.seed)?;
        let encoder = Arc::new(encoder);
        let n_true = mean_true_inputs(game, &encoder, &shape, &mut rng(5));
        let weights = Weights::random(&shape, n_true, &mut rng(0));
        let symmetries = if self.symmetries { permutations(game, &encoder) } else { Vec::new() };
        let (training, seed) = (self.training.clone(), rng(1).next_u64());
        let trainer = Trainer::new(weights, training, (&encoder, symmetries), seed);
        Some((encoder, trainer))
    }
}

/// A network that learns a game.
pub struct Learner<G: Game> {
    pub(crate) settings: Learning,
    game: Arc<G>,
    encoder: Arc<Encoder>,
    pub(crate) groups: Vec<Group<G>>,
    pub(crate) trainer: Trainer,
    pub(crate) replay: Replay,
    pub(crate) n_made: u64,
    /// How far playouts are trusted beside the network, if evidence decides.
    pub(crate) weighing: Option<Weighing<G>>,
    /// How many positions were made before games began in another state; networks are trained on those made
    /// since then.
    pub(crate) n_elsewhere: u64,
    /// The positions made in each of the recent iterations, for networks that are trained on them.
    pub(crate) recent: Vec<u64>,
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
    /// The weight of random playouts beside the network.
    pub share: f32,
    /// The mean losses of this iteration's steps; `None` if there was none.
    pub losses: Option<Losses>,
    /// The match between the new and the best network in this iteration, if there was one.
    pub gate: Option<Gate>,
}

impl<G: Game> Learner<G> {
    /// A learner with a new network; `None` if the facts or moves of the game are not known in advance.
    pub fn new(game: &Arc<G>, settings: Learning) -> Option<Self> {
        let beginning = Beginning {
            architecture: &settings.architecture,
            symmetries: settings.symmetries,
            training: &settings.training,
            seed: settings.seed,
        };
        let (encoder, trainer) = beginning.of_game(&**game)?;
        let average = trainer.average();
        let mut rng = Rng::stream(settings.seed, &[7]);
        let mut self_play = settings.self_play.clone();
        let weighs = self_play.weighs_playouts || self_play.mix.is_none();
        let weighing =
            if weighs { Weighing::new(game, &encoder, &average, &mut rng) } else { None };
        self_play.weighs_playouts = weighing.is_some();
        let group = |i: usize| {
            let seed = Rng::stream(settings.seed, &[2, i as u64]).next_u64();
            let n_games = settings.games_per_group;
            Group::new(game, &encoder, &average, &self_play, n_games, seed)
        };
        let mut learner = Learner {
            groups: (0..settings.n_groups).map(group).collect(),
            trainer,
            replay: Replay::new(settings.replay_bytes),
            n_made: 0,
            weighing,
            n_elsewhere: 0,
            recent: Vec::new(),
            played: Played::default(),
            n_iterations: 0,
            playing: Duration::ZERO,
            training: Duration::ZERO,
            game: Arc::clone(game),
            encoder,
            settings,
        };
        learner.set_shares();
        Some(learner)
    }

    /// Plays the games of an iteration. Returns whether they are complete.
    fn play(&mut self, budget: &Budget) -> bool {
        match self.settings.schedule {
            Schedule::Rounds(rounds) => self.each_group(|group| {
                (0..rounds)
                    .take_while(|_| !budget.is_over())
                    .for_each(|_| group.play_round(budget));
            }),
            Schedule::PerGame { .. } | Schedule::Gated(_) => {
                if self.groups.iter().all(Group::is_over) {
                    let seeds = self.group_seeds();
                    let groups = self.groups.iter_mut().zip(seeds);
                    groups.for_each(|(group, seed)| group.begin_games(seed));
                    // The positions of this iteration are counted from here.
                    self.recent.push(0);
                }
                self.each_group(|group| group.finish_games(budget));
            }
        }
        self.collect();
        self.weigh();
        !self.settings.schedule.plays_whole_games() || self.groups.iter().all(Group::is_over)
    }

    /// Works on all groups with all threads.
    fn each_group(&mut self, work: impl Fn(&mut Group<G>) + Sync) {
        threads::share(&mut self.groups, self.settings.n_threads, work);
    }

    /// Moves the records of all groups to the replay buffer.
    fn collect(&mut self) {
        let n_before = self.n_made;
        for group in &mut self.groups {
            let (records, played) = group.take();
            self.played += played;
            self.n_made += records.len() as u64;
            for record in &records {
                self.replay.push(record);
            }
        }
        let n_new = self.n_made - n_before;
        match self.recent.last_mut() {
            Some(last) => *last += n_new,
            None => self.recent.push(n_new),
        }
        let n_kept = match self.settings.schedule {
            Schedule::Gated(gating) => gating.n_recent.max(1),
            Schedule::Rounds(_) | Schedule::PerGame { .. } => 0,
        };
        self.recent.drain(..self.recent.len().saturating_sub(n_kept));
    }

    /// Weighs network and playouts by the games that have ended, before the network learns from them.
    fn weigh(&mut self) {
        let Some(weighing) = &mut self.weighing else { return };
        let outcomes: Vec<_> = self.groups.iter_mut().flat_map(Group::take_outcomes).collect();
        if outcomes.is_empty() {
            return;
        }
        let mut rng = Rng::stream(self.settings.seed, &[6, self.n_made]);
        weighing.weigh(&self.trainer.average(), &outcomes, &mut rng);
        self.set_shares();
    }

    /// The weight of playouts beside the network that the evidence suggests.
    fn share(&self) -> f32 {
        self.weighing.as_ref().map_or(0.0, |weighing| weighing.evidence.share())
    }

    /// Self-play continues with the weight of playouts that is set, or that the evidence suggests.
    pub(crate) fn set_shares(&mut self) {
        let share = self.settings.self_play.mix.unwrap_or_else(|| self.share());
        self.groups.iter_mut().for_each(|group| group.set_share(share));
    }

    /// The seeds with which the searches of all groups begin again.
    pub(crate) fn group_seeds(&self) -> Vec<u64> {
        let (seed, n_made) = (self.settings.seed, self.n_made);
        let seed = |i| Rng::stream(seed, &[3, n_made, i]).next_u64();
        (0..self.groups.len() as u64).map(seed).collect()
    }

    /// Self-play continues with the weights of the trainer.
    pub(crate) fn publish(&mut self) {
        let average = self.trainer.average();
        self.groups.iter_mut().for_each(|group| group.set_weights(&average));
    }
}

/// The positions of random games in which true inputs are counted.
const N_COUNTED: usize = 500;

/// How many inputs of a unit of the first layer are true on average in random games. The initial state would
/// mislead: many boards are empty then.
fn mean_true_inputs<G: Game>(game: &G, encoder: &Encoder, shape: &Shape, rng: &mut Rng) -> f64 {
    let Some(vocabulary) = game.vocabulary() else { return 1.0 };
    let (mut batch, mut scratch) = (Batch::new(game.roles().len()), InputScratch::default());
    visit_positions(game, N_COUNTED, rng, |state, view| {
        encoder.encode(vocabulary, (state, &view.legal), &mut scratch, &mut batch);
    });
    let mean = |lists: &Lists| lists.n_items() as f64 / lists.len() as f64;
    let Some(convolutions) = shape.front.convolutions() else { return mean(&batch.inputs) };
    let mut windows = Lists::default();
    Windows::new(&convolutions.board).read(&batch.inputs, &mut windows);
    mean(&windows)
}

/// A learner of a game of any type.
pub trait AnyLearner: Send {
    /// The facts and moves of the inputs and outputs.
    fn encoder(&self) -> &Arc<Encoder>;

    /// The state of the training.
    fn state(&self) -> Iteration;

    /// The weights learnt so far.
    fn weights(&self) -> Arc<Weights>;

    /// How many bytes the replay buffer and the trees of self-play hold.
    fn bytes(&self) -> usize;

    /// A game of self-play that was finished since the last time, if there is one.
    fn take_game(&mut self) -> Option<FinishedGame>;

    /// A file from which the training can be continued. Trees are discarded, whether it is continued from
    /// the file or not.
    fn checkpoint(&mut self) -> Result<Vec<u8>, FileError>;

    /// Continues from a checkpoint.
    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), FileError>;

    /// Plays and trains as the schedule says. `progress` is the share of the
    /// training that is over. The iteration is cut short when the budget is over.
    fn iterate(&mut self, progress: f64, budget: &Budget) -> Iteration;
}

/// A learner of one game.
pub trait GameLearner<G: Game>: AnyLearner {
    /// Games begin in this state from now on, as far as the method allows it.
    fn begin_in(&mut self, state: &G::State) {
        let _ = state;
    }
}

impl<G: Game> GameLearner<G> for Learner<G> {
    fn begin_in(&mut self, state: &G::State) {
        if self.n_elsewhere == 0 {
            self.n_elsewhere = self.n_made;
        }
        let seeds = self.group_seeds();
        let groups = self.groups.iter_mut().zip(seeds);
        groups.for_each(|(group, seed)| group.begin_in(state, seed));
    }
}

impl<G: Game> AnyLearner for Learner<G> {
    fn encoder(&self) -> &Arc<Encoder> {
        &self.encoder
    }

    fn weights(&self) -> Arc<Weights> {
        self.trainer.average()
    }

    fn bytes(&self) -> usize {
        self.replay.bytes() + self.groups.iter().map(Group::tree_bytes).sum::<usize>()
    }

    fn take_game(&mut self) -> Option<FinishedGame> {
        self.groups.iter_mut().find_map(Group::take_game)
    }

    fn checkpoint(&mut self) -> Result<Vec<u8>, FileError> {
        checkpoint::save(self)
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        checkpoint::restore(self, bytes)
    }

    fn iterate(&mut self, progress: f64, budget: &Budget) -> Iteration {
        let began = Instant::now();
        let complete = self.play(budget);
        self.playing += began.elapsed();
        let began = Instant::now();
        let (losses, gate) = if complete { self.learn(progress, budget) } else { (None, None) };
        self.training += began.elapsed();
        self.n_iterations += u64::from(complete);
        Iteration { losses, gate, ..self.state() }
    }

    fn state(&self) -> Iteration {
        Iteration {
            n_iterations: self.n_iterations,
            played: self.played,
            n_made: self.n_made,
            n_steps: self.trainer.n_steps(),
            playing: self.playing,
            training: self.training,
            share: self.share(),
            losses: None,
            gate: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_games::havannah;

    #[test]
    fn trainings_by_the_clock_have_a_group_for_each_thread() {
        let groups = |n_threads, method: Method| {
            let learning = Learning { n_threads, ..method.settings() };
            (learning.n_groups, learning.by_the_clock().n_groups)
        };
        assert_eq!((groups(2, Method::Fast), groups(16, Method::Fast)), ((4, 4), (4, 16)));
        let (before, after) = groups(16, Method::Gaz);
        assert_eq!(before, after, "the games of an iteration are those of the paper");
    }

    /// Weights that suit the empty board were far too large for all others, and connect four was hardly learnt.
    #[test]
    fn first_weights_suit_positions_in_the_middle_of_a_game() {
        let game = havannah::game(4);
        let encoder = Encoder::new(&game).unwrap();
        let shape = Shape::shared(encoder.n_inputs(), &[1], &encoder.n_moves());
        let mean = mean_true_inputs(&game, &encoder, &shape, &mut Rng::new(1));
        let mut facts = Vec::new();
        game.vocabulary().unwrap().fact_ids(&game.initial(), &mut facts);
        assert!(mean > 5.0 + 2.0 * facts.len() as f64, "{mean} and {} at first", facts.len());
    }
}
