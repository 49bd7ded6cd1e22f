//! Random playouts blended into the values of a network.
//!
//! A network that has learnt little is worse than playouts, and one that has learnt much is still wrong about
//! some positions. `AlphaGo` (Silver et al. 2016) took the mean of both. Here all leaves of a batch are played
//! out together.

use ludens_core::{Game, Rng, Simulator, Tally};

/// How playouts and a network are weighted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mix {
    /// The weight of the playouts, from 0 to 1; that of the network is the rest.
    pub share: f32,
    /// The number of playouts from each leaf.
    pub n_playouts: u64,
}

/// Plays out the leaves of a batch.
pub(crate) struct PlayoutMix<G: Game> {
    mix: Mix,
    simulator: Box<dyn Simulator<G>>,
    leaves: Vec<G::State>,
    tallies: Vec<Tally>,
}

impl<G: Game> PlayoutMix<G> {
    /// Plays out with a simulator.
    pub(crate) fn new(mix: Mix, simulator: Box<dyn Simulator<G>>) -> Self {
        PlayoutMix { mix, simulator, leaves: Vec::new(), tallies: Vec::new() }
    }

    /// Adds a leaf.
    pub(crate) fn offer(&mut self, state: &G::State) {
        self.leaves.push(state.clone());
    }

    /// Blends the mean payoffs of playouts into those of a network, which are in the order of the leaves.
    pub(crate) fn blend(&mut self, payoffs: &mut [f32], rng: &mut Rng) {
        let n_leaves = self.leaves.len();
        self.tallies.clear();
        self.tallies.resize(n_leaves, Tally::default());
        let lanes = self.simulator.lanes().max(1);
        let parts = self.leaves.chunks(lanes).zip(self.tallies.chunks_mut(lanes));
        for (leaves, tallies) in parts {
            let starts: Vec<&G::State> = leaves.iter().collect();
            self.simulator.tally(&starts, self.mix.n_playouts, rng, tallies);
        }
        let n_roles = payoffs.len() / n_leaves.max(1);
        for (own, tally) in payoffs.chunks_exact_mut(n_roles.max(1)).zip(&self.tallies) {
            for (payoff, &sum) in own.iter_mut().zip(&tally.payoffs) {
                let mean = (sum / tally.playouts.max(1) as f64) as f32;
                *payoff += self.mix.share * (mean - *payoff);
            }
        }
    }

    /// Removes all leaves.
    pub(crate) fn clear(&mut self) {
        self.leaves.clear();
    }
}
