//! Training: mini-batches from the replay buffer, gradients by several threads, Adam, and an average of the
//! weights.

use std::sync::Arc;

use ludens_core::{Budget, Rng};
use pulp::Arch;

use crate::adam::Adam;
use crate::augment::Permutation;
use crate::batch::Batch;
use crate::encoder::Encoder;
use crate::gradient::{Backward, Losses, Targets};
use crate::inputs::InputScratch;
use crate::kernel;
use crate::network::Network;
use crate::replay::{Format, Replay};
use crate::weights::Weights;

/// How a network is trained.
#[derive(Clone, PartialEq, Debug)]
pub struct Training {
    /// The number of positions in a mini-batch.
    pub batch: usize,
    /// The learning rate at the beginning, and at the end as a share of it. It follows a cosine (Loshchilov
    /// and Hutter 2017).
    pub rate: f64,
    /// See `rate`.
    pub final_share: f64,
    /// The weight decay.
    pub decay: f32,
    /// How often each new position is used on average.
    pub ratio: f64,
    /// The share of all positions made so far that mini-batches are drawn from, the newest.
    pub window: f64,
    /// The weights of self-play are an average: this share of it is kept in a step.
    pub averaging: f64,
}

impl Default for Training {
    fn default() -> Self {
        Training {
            batch: 512,
            rate: 0.005,
            final_share: 0.05,
            decay: 1e-4,
            ratio: 4.0,
            window: 0.5,
            averaging: 0.999,
        }
    }
}

impl Training {
    /// The learning rate after this share of the training.
    pub fn rate_at(&self, progress: f64) -> f64 {
        let cosine = 0.5 * (1.0 + (std::f64::consts::PI * progress.clamp(0.0, 1.0)).cos());
        self.rate * (self.final_share + (1.0 - self.final_share) * cosine)
    }
}

/// The parts of a mini-batch that threads process independently. Their number is fixed, so that the sums do
/// not depend on the number of threads.
const N_SHARDS: usize = 4;

/// The smallest window, in positions.
const MIN_WINDOW: usize = 20_000;

/// A network in training.
pub struct Trainer {
    settings: Training,
    format: Format,
    encoder: Arc<Encoder>,
    /// The symmetries by which samples are multiplied; the identity is not among them.
    symmetries: Vec<Permutation>,
    pub(crate) weights: Arc<Weights>,
    pub(crate) average: Arc<Weights>,
    pub(crate) adam: Adam,
    shards: Vec<Shard>,
    gradient: Vec<f32>,
    pub(crate) rng: Rng,
    pub(crate) n_steps: u64,
}

/// A part of a mini-batch, with the memory for its gradient.
struct Shard {
    network: Network,
    backward: Backward,
    /// The records in the buffer, each with one of the symmetries.
    drawn: Vec<(usize, Option<usize>)>,
    batch: Batch,
    targets: Targets,
    scratch: InputScratch,
    losses: Losses,
}

impl Shard {
    fn new(weights: &Arc<Weights>) -> Self {
        Shard {
            network: Network::new(Arc::clone(weights)),
            backward: Backward::new(weights),
            drawn: Vec::new(),
            batch: Batch::new(weights.roles.len()),
            targets: Targets {
                policies: vec![Vec::new(); weights.roles.len()],
                payoffs: Vec::new(),
            },
            scratch: InputScratch::default(),
            losses: Losses::default(),
        }
    }

    /// Reads the drawn records and computes the gradient.
    fn run(&mut self, replay: &Replay, format: Format, encoder: &Encoder, all: &[Permutation]) {
        let Shard { network, backward, drawn, batch, targets, scratch, losses } = self;
        batch.clear();
        targets.payoffs.clear();
        targets.policies.iter_mut().for_each(Vec::clear);
        for &(record, symmetry) in &*drawn {
            let symmetry = symmetry.map(|i| &all[i]);
            let inputs = (encoder.inputs(), &mut *scratch);
            format.read(replay.get(record), symmetry, inputs, batch, targets);
        }
        *losses = backward.run(network, batch, targets);
    }
}

impl Trainer {
    /// Training that begins with these weights.
    pub fn new(
        weights: Weights,
        settings: Training,
        (encoder, symmetries): (&Arc<Encoder>, Vec<Permutation>),
        seed: u64,
    ) -> Self {
        let weights = Arc::new(weights);
        Trainer {
            average: Arc::new((*weights).clone()),
            adam: Adam::new(weights.values.len(), settings.decay),
            shards: (0..N_SHARDS).map(|_| Shard::new(&weights)).collect(),
            gradient: vec![0.0; weights.values.len()],
            rng: Rng::new(seed),
            n_steps: 0,
            settings,
            format: Format::of(encoder),
            encoder: Arc::clone(encoder),
            symmetries,
            weights,
        }
    }

    /// The average of the weights, for self-play and for play.
    pub fn average(&self) -> Arc<Weights> {
        Arc::clone(&self.average)
    }

    /// How many steps were made.
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// How many steps are due after `n_made` positions.
    pub fn n_due(&self, n_made: u64) -> u64 {
        let due = (n_made as f64 * self.settings.ratio / self.settings.batch as f64) as u64;
        due.saturating_sub(self.n_steps)
    }

    /// From how many of the newest positions mini-batches are drawn after `n_made` positions.
    pub fn window(&self, n_made: u64) -> usize {
        ((n_made as f64 * self.settings.window) as usize).max(MIN_WINDOW)
    }

    /// Continues with other weights, without a memory of earlier steps.
    pub(crate) fn restart(&mut self, weights: &Arc<Weights>) {
        self.weights = Arc::clone(weights);
        Arc::make_mut(&mut self.average).values.clone_from(&weights.values);
        self.adam = Adam::new(weights.values.len(), self.settings.decay);
    }

    /// Makes steps until the budget is over; their mean losses, or `None` if there was none.
    pub fn steps(
        &mut self,
        n_steps: u64,
        (replay, window): (&Replay, usize),
        progress: f64,
        n_threads: usize,
        budget: &Budget,
    ) -> Option<Losses> {
        if replay.is_empty() {
            return None;
        }
        let (mut sum, mut n_done) = (Losses::default(), 0);
        while n_done < n_steps && !budget.is_over() {
            let losses = self.step(replay, window, progress, n_threads);
            sum.policy += losses.policy;
            sum.payoff += losses.payoff;
            n_done += 1;
        }
        let n = n_done as f64;
        (n_done > 0).then(|| Losses { policy: sum.policy / n, payoff: sum.payoff / n })
    }

    /// Makes a step with a mini-batch from the newest positions of the buffer.
    pub fn step(
        &mut self,
        replay: &Replay,
        window: usize,
        progress: f64,
        n_threads: usize,
    ) -> Losses {
        let size = self.settings.batch.div_ceil(N_SHARDS);
        for shard in &mut self.shards {
            shard.network.weights = Arc::clone(&self.weights);
            shard.drawn.clear();
            for _ in 0..size {
                let record = replay.sample(window, &mut self.rng);
                let symmetry = self.rng.below(self.symmetries.len() + 1).checked_sub(1);
                shard.drawn.push((record, symmetry));
            }
        }
        let (format, encoder, all) = (self.format, &*self.encoder, &self.symmetries[..]);
        let run = |shard: &mut Shard| shard.run(replay, format, encoder, all);
        let per_thread = N_SHARDS.div_ceil(n_threads.clamp(1, N_SHARDS));
        let (own, others) = self.shards.split_at_mut(per_thread);
        std::thread::scope(|scope| {
            for shards in others.chunks_mut(per_thread) {
                scope.spawn(|| shards.iter_mut().for_each(run));
            }
            own.iter_mut().for_each(run);
        });
        self.update(progress)
    }

    fn update(&mut self, progress: f64) -> Losses {
        let share = 1.0 / N_SHARDS as f32;
        let mut losses = Losses::default();
        for shard in &self.shards {
            losses.policy += shard.losses.policy * f64::from(share);
            losses.payoff += shard.losses.payoff * f64::from(share);
        }
        let arch = Arch::new();
        self.gradient.fill(0.0);
        for shard in &self.shards {
            kernel::add_share(arch, share, &shard.backward.gradient, &mut self.gradient);
        }
        self.n_steps += 1;
        // Values may overflow in very deep networks; such a mini-batch must not spoil the weights.
        if !self.gradient.iter().fold(true, |finite, slope| finite & slope.is_finite()) {
            return losses;
        }
        let rate = self.settings.rate_at(progress) as f32;
        let weights = Arc::make_mut(&mut self.weights);
        self.adam.step(&mut weights.values, &self.gradient, rate);
        // The first steps would otherwise be remembered for long.
        let warm = (1.0 + self.n_steps as f64) / (10.0 + self.n_steps as f64);
        let kept = self.settings.averaging.min(warm) as f32;
        // Copied if self-play still uses the last average.
        let average = Arc::make_mut(&mut self.average);
        kernel::approach(arch, 1.0 - kept, &weights.values, &mut average.values);
        losses
    }
}
