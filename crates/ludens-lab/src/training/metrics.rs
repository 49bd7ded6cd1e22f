//! The state of a training in numbers.

use std::time::{Duration, Instant};

use ludens_learn::{AnyLearner, Gate, Iteration};
use serde::Serialize;

use super::strength::Strength;
use super::until::Until;

/// The state of a training.
#[derive(Clone, PartialEq, Debug, Serialize)]
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
    /// Games of self-play a second of the whole training.
    pub games_per_second: f64,
    /// The mean length of a game in joint moves.
    pub plies: f64,
    /// Positions made.
    pub positions: u64,
    /// Steps of training.
    pub steps: u64,
    /// The mean loss of the policy since the last metrics, or before them if there was no step since.
    pub policy_loss: Option<f64>,
    /// The mean loss of the payoffs.
    pub payoff_loss: Option<f64>,
    /// Evaluations of the network a second of self-play, on all threads.
    pub evaluations_per_second: f64,
    /// The number of threads.
    pub threads: usize,
    /// The share of the time for self-play.
    pub playing: f64,
    /// The weight of random playouts beside the network that results suggest.
    pub playouts: f64,
    /// The bytes of the replay buffer and of the trees of self-play.
    pub bytes: usize,
    /// The strength, if it was measured since the last metrics.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strength: Vec<Strength>,
    /// The last match between a new network and the best so far since the last metrics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateMetrics>,
}

/// A match between a new network and the best so far.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct GateMetrics {
    /// The number of games.
    pub games: u64,
    /// The mean payoff of the new network.
    pub new: f64,
    /// The mean payoff of the best network so far.
    pub best: f64,
    /// Whether the new network has replaced it.
    pub accepted: bool,
}

impl From<Gate> for GateMetrics {
    fn from(Gate { n_games, new, best, accepted }: Gate) -> Self {
        GateMetrics { games: n_games, new, best, accepted }
    }
}

impl Metrics {
    /// Names and values of all numbers, for plots.
    pub(super) fn scalars(&self) -> Vec<(String, f64)> {
        let named = [
            ("loss/policy", self.policy_loss),
            ("loss/payoff", self.payoff_loss),
            ("self_play/games", Some(self.games as f64)),
            ("self_play/games_per_second", Some(self.games_per_second)),
            ("self_play/evaluations_per_second", Some(self.evaluations_per_second)),
            ("self_play/plies", Some(self.plies)),
            ("self_play/share_of_time", Some(self.playing)),
            ("self_play/playouts", Some(self.playouts)),
            ("self_play/bytes", Some(self.bytes as f64)),
            ("gate/new", self.gate.map(|gate| gate.new)),
            ("gate/best", self.gate.map(|gate| gate.best)),
        ];
        let named = named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        let strength = self.strength.iter().flat_map(|strength| {
            let tag = |what: &str| format!("strength/{}{what}", strength.tag());
            let (low, high) = (strength.interval.low, strength.interval.high);
            [(tag(""), strength.score), (tag("_low"), low), (tag("_high"), high)]
        });
        named.chain(strength).collect()
    }
}

/// Sums up iterations.
pub(super) struct Log {
    shown: Instant,
    pub last: Iteration,
    until: Until,
    threads: usize,
    /// The sums of losses since the last metrics, and their number.
    losses: (f64, f64, u32),
    /// The last mean losses.
    means: Option<(f64, f64)>,
    strength: Vec<Strength>,
    gate: Option<Gate>,
}

impl Log {
    pub fn new(last: Iteration, until: Until, threads: usize) -> Self {
        let (losses, means, strength, gate) = ((0.0, 0.0, 0), None, Vec::new(), None);
        Log { shown: Instant::now(), last, until, threads, losses, means, strength, gate }
    }

    /// The time of training so far.
    pub fn elapsed(&self) -> Duration {
        self.last.playing + self.last.training
    }

    /// The share of the training that is over.
    pub fn progress(&self) -> f64 {
        self.until.progress(self.elapsed(), self.last.n_iterations, self.last.played.games)
    }

    pub fn add(&mut self, iteration: &Iteration) {
        self.last = *iteration;
        self.gate = iteration.gate.or(self.gate);
        if let Some(losses) = iteration.losses {
            let (policy, payoff, n) = self.losses;
            self.losses = (policy + losses.policy, payoff + losses.payoff, n + 1);
        }
    }

    pub fn add_strength(&mut self, strength: Vec<Strength>) {
        self.strength = strength;
    }

    pub fn is_due(&self, every: Duration) -> bool {
        self.shown.elapsed() >= every || !self.strength.is_empty()
    }

    pub fn take(&mut self, learner: &dyn AnyLearner) -> Metrics {
        self.shown = Instant::now();
        let (policy, payoff, n) = std::mem::take(&mut self.losses);
        if n > 0 {
            self.means = Some((policy / f64::from(n), payoff / f64::from(n)));
        }
        let (played, elapsed) = (self.last.played, self.elapsed().as_secs_f64());
        let a_second = |n: u64, seconds: f64| n as f64 / seconds.max(1e-9);
        let playing = self.last.playing.as_secs_f64();
        Metrics {
            seconds: elapsed,
            progress: self.progress().min(1.0),
            iterations: self.last.n_iterations,
            games: played.games,
            cut: played.cut,
            games_per_second: a_second(played.games, elapsed),
            plies: played.plies as f64 / played.games.max(1) as f64,
            positions: self.last.n_made,
            steps: self.last.n_steps,
            policy_loss: self.means.map(|(policy, _)| policy),
            payoff_loss: self.means.map(|(_, payoff)| payoff),
            evaluations_per_second: a_second(played.simulations, playing),
            threads: self.threads,
            playing: playing / elapsed.max(1e-9),
            playouts: f64::from(self.last.share),
            bytes: learner.bytes(),
            strength: std::mem::take(&mut self.strength),
            gate: self.gate.take().map(GateMetrics::from),
        }
    }
}
