//! How much random playouts tell beyond a network: the evidence by which both are weighed.
//!
//! In finished games, results are compared with what the network and playouts said about earlier positions. The
//! weight of playouts with the least squared error is a regression through the origin: with network v,
//! playouts p and result z it is Σ (z − v)(p − v) / Σ (p − v)². A network without training is corrected by
//! playouts entirely; where playouts add nothing, they are not run at all. The weight is for agents that play with
//! the network: self-play is several times as fast without playouts where they take long.

use std::sync::Arc;

use ludens_core::{Game, Rng, Tally};
use serde::{Deserialize, Serialize};

use crate::descent::{NetworkValues, StateValues};
use crate::encoder::Encoder;
use crate::playout_mix::{PlayoutMeans, means};
use crate::weights::Weights;

/// Sums over positions with a result.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// The number of comparisons.
    n: f64,
    /// Σ (p − v)².
    squares: f64,
    /// Σ (z − v)(p − v).
    products: f64,
}

/// With fewer comparisons, the network counts as untrained.
const MIN_COMPARISONS: f64 = 100.0;

/// A lower weight of playouts is not worth their time.
const MIN_SHARE: f64 = 0.1;

/// How much of the evidence is kept with every comparison, since the network changes: about 2,500 comparisons count.
/// It does not fade with time, so that long games, of which few end, are weighed too.
const KEPT: f64 = 1.0 - 1.0 / 2500.0;

impl Evidence {
    /// Adds a position: what the network and playouts say about the payoff of a role, and the result.
    pub fn add(&mut self, network: f32, playouts: f32, result: f32) {
        let difference = f64::from(playouts - network);
        let add = |sum: &mut f64, term: f64| *sum = *sum * KEPT + term;
        add(&mut self.n, 1.0);
        add(&mut self.squares, difference * difference);
        add(&mut self.products, f64::from(result - network) * difference);
    }

    /// The weight of playouts, from 0 to 1.
    pub fn share(&self) -> f32 {
        if self.n < MIN_COMPARISONS {
            return 1.0;
        }
        // Playouts that always agree with the network add nothing.
        let share = self.products / self.squares.max(f64::MIN_POSITIVE);
        if share < MIN_SHARE { 0.0 } else { share.min(1.0) as f32 }
    }
}

/// A position of a finished game, and the payoffs at its end.
pub(crate) type Outcome<G> = (<G as Game>::State, Vec<f32>);

/// Playouts from each position: their noise, which a search averages out, would make them look worse.
const N_PLAYOUTS: u64 = 32;

/// Playouts from the initial state, which show whether playouts end at all.
const N_FIRST: u64 = 64;

/// Gathers evidence about a network.
pub(crate) struct Weighing<G: Game> {
    pub evidence: Evidence,
    values: NetworkValues<G>,
    playouts: PlayoutMeans<G>,
    estimates: Vec<f32>,
}

impl<G: Game> Weighing<G> {
    /// `None` if most random games do not end: playouts take long and say nothing then.
    pub(crate) fn new(
        game: &Arc<G>,
        encoder: &Arc<Encoder>,
        weights: &Arc<Weights>,
        rng: &mut Rng,
    ) -> Option<Self> {
        let mut playouts = PlayoutMeans::new(game);
        let mut n_finished = 0;
        let count = |tally: &Tally| n_finished += tally.finished;
        playouts.each(std::iter::once(&game.initial()), N_FIRST, rng, count);
        let (own, encoder) = (Arc::clone(game), Arc::clone(encoder));
        (2 * n_finished >= N_FIRST).then(|| Weighing {
            evidence: Evidence::default(),
            values: NetworkValues::new(own, encoder, Arc::clone(weights)),
            playouts,
            estimates: Vec::new(),
        })
    }

    /// Weighs a network with these weights by positions that it has not learnt yet.
    pub(crate) fn weigh(&mut self, weights: &Arc<Weights>, outcomes: &[Outcome<G>], rng: &mut Rng) {
        let Weighing { evidence, values, playouts, estimates } = self;
        values.set_weights(weights);
        let states: Vec<&G::State> = outcomes.iter().map(|(state, _)| state).collect();
        values.evaluate(&states, estimates);
        let mut compared = estimates.iter().zip(outcomes.iter().flat_map(|(_, result)| result));
        playouts.each(states.into_iter(), N_PLAYOUTS, rng, |tally| {
            for (playouts, (&network, &result)) in means(tally).zip(&mut compared) {
                evidence.add(network, playouts, result);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evidence from a network whose errors and those of playouts have these deviations.
    fn evidence(network: f32, playouts: f32) -> Evidence {
        let (mut rng, mut evidence) = (Rng::new(7), Evidence::default());
        let mut noise = |deviation: f32| (rng.unit() as f32 - 0.5) * deviation;
        for i in 0..20_000 {
            let result = if i % 3 == 0 { 1.0 } else { 0.2 };
            evidence.add(result + noise(network), result + noise(playouts), result);
        }
        evidence
    }

    #[test]
    fn who_errs_less_has_more_weight() {
        // Independent errors are weighed by the inverses of their variances.
        for (network, playouts, expected) in
            [(0.4, 0.4, 0.5), (0.2, 0.4, 0.2), (0.4, 0.2, 0.8), (0.1, 0.4, 0.0), (0.4, 0.0, 1.0)]
        {
            let share = evidence(network, playouts).share();
            assert!((share - expected).abs() < 0.05, "{network} {playouts}: {share}");
        }
    }

    #[test]
    fn newer_evidence_counts_more() {
        let mut evidence = evidence(0.1, 0.4);
        assert!(evidence.share() < 0.1);
        // Then the network is wrong, and playouts are right.
        (0..10_000).for_each(|_| evidence.add(0.2, 0.9, 0.9));
        assert!(evidence.share() > 0.95, "{}", evidence.share());
    }

    #[test]
    fn without_evidence_playouts_decide_alone() {
        assert!((Evidence::default().share() - 1.0).abs() < f32::EPSILON);
        let mut agreeing = Evidence::default();
        (0..200).for_each(|_| agreeing.add(0.5, 0.5, 1.0));
        assert!(agreeing.share().abs() < f32::EPSILON);
    }
}
