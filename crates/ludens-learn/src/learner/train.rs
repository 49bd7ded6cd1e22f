//! The training of an iteration: steps for the positions that are new, or a new network that must win a match.

use std::sync::Arc;

use ludens_core::{Budget, Game, Rng};

use super::Learner;
use crate::gate::{Contest, Gate};
use crate::gradient::Losses;
use crate::schedule::{Gating, Schedule};

impl<G: Game> Learner<G> {
    /// Trains after the games of an iteration.
    pub(super) fn learn(
        &mut self,
        progress: f64,
        budget: &Budget,
    ) -> (Option<Losses>, Option<Gate>) {
        let (n_steps, window) = match self.settings.schedule {
            Schedule::Rounds(_) => {
                let n_here = self.n_made - self.n_elsewhere;
                (self.trainer.n_due(self.n_made), self.trainer.window(n_here))
            }
            Schedule::PerGame { steps, buffer } => {
                let n_games = self.settings.n_groups * self.settings.games_per_group;
                (steps * n_games as u64, buffer)
            }
            Schedule::Gated(gating) => return self.learn_gated(gating, progress, budget),
        };
        let losses = self.train(n_steps, window, progress, budget);
        if losses.is_some() {
            self.publish();
        }
        (losses, None)
    }

    /// Trains a new network, and replaces the best one if it is better.
    fn learn_gated(
        &mut self,
        gating: Gating,
        progress: f64,
        budget: &Budget,
    ) -> (Option<Losses>, Option<Gate>) {
        let best = Arc::clone(&self.trainer.weights);
        let window = self.recent.iter().sum::<u64>() as usize;
        let n_steps = (gating.epochs * window as f64 / self.settings.training.batch as f64).ceil();
        self.trainer.restart(&best);
        let losses = self.train(n_steps as u64, window, progress, budget);
        let gate = losses.and_then(|_| {
            let new = Arc::clone(&self.trainer.weights);
            let seed = Rng::stream(self.settings.seed, &[4, self.n_iterations]).next_u64();
            let contest = Contest {
                game: &self.game,
                encoder: &self.encoder,
                networks: [&new, &best],
                self_play: &self.settings.self_play,
                gating,
                n_threads: self.settings.n_threads,
                seed,
            };
            contest.play(budget)
        });
        if !gate.is_some_and(|gate| gate.accepted) {
            self.trainer.restart(&best);
        }
        self.publish();
        (losses, gate)
    }

    /// Makes steps with mini-batches from the newest positions.
    fn train(
        &mut self,
        n_steps: u64,
        window: usize,
        progress: f64,
        budget: &Budget,
    ) -> Option<Losses> {
        let positions = (&self.replay, window);
        self.trainer.steps(n_steps, positions, progress, self.settings.n_threads, budget)
    }
}
