//! The evaluation of states at the depth limit.

use std::sync::Arc;

use ludens_core::{Game, Payoffs, Rng, Simulator, Tally};

use super::fingerprint::Fingerprint;

/// Estimates the payoffs of a state that is not terminal.
///
/// The estimate should depend on the state alone, since searches reach a state several times and
/// cache its value.
pub trait StateValue<G: Game>: Send {
    /// Writes an estimate in `0.0..=1.0` for each role; `out` already has one element for each.
    fn value(&mut self, state: &G::State, out: &mut Payoffs);

    /// Starts a new match with a new seed.
    fn begin(&mut self, seed: u64) {
        let _ = seed;
    }
}

/// The constant estimate: one half for every role.
pub struct EvenValue;

impl<G: Game> StateValue<G> for EvenValue {
    fn value(&mut self, _state: &G::State, out: &mut Payoffs) {
        out.iter_mut().for_each(|value| *value = 0.5);
    }
}

/// The mean payoffs of some uniformly random playouts. They are seeded by the state, so the same
/// state always gets the same estimate.
pub struct PlayoutValue<G: Game> {
    simulator: Box<dyn Simulator<G>>,
    playouts: u64,
    seed: u64,
    tally: Tally,
}

impl<G: Game> PlayoutValue<G> {
    /// Enough playouts to distinguish good states from bad ones, and few enough to search some plies.
    pub const PLAYOUTS: u64 = 8;

    /// An estimate from `playouts` playouts, but at least one.
    pub fn new(game: Arc<G>, playouts: u64, seed: u64) -> Self {
        let simulator = game.simulator();
        PlayoutValue { simulator, playouts: playouts.max(1), seed, tally: Tally::default() }
    }
}

impl<G: Game> StateValue<G> for PlayoutValue<G> {
    fn value(&mut self, state: &G::State, out: &mut Payoffs) {
        let fingerprint = Fingerprint::of(state);
        let mut rng = Rng::stream(self.seed, &[fingerprint.low, fingerprint.high]);
        self.tally.payoffs.iter_mut().for_each(|sum| *sum = 0.0);
        let tallies = std::slice::from_mut(&mut self.tally);
        self.simulator.tally(&[state], self.playouts, &mut rng, tallies);
        for (value, sum) in out.iter_mut().zip(&self.tally.payoffs) {
            *value = (sum / self.playouts as f64) as f32;
        }
    }

    fn begin(&mut self, seed: u64) {
        self.seed = seed;
    }
}

/// Shrinks an estimate to slightly more than 0 and less than 1, so that proven wins and losses
/// always outweigh estimated ones. NaN becomes one half.
pub(super) fn estimate<G: Game>(
    evaluation: &mut dyn StateValue<G>,
    state: &G::State,
    out: &mut Payoffs,
) {
    const MARGIN: f32 = 0.001;
    evaluation.value(state, out);
    for value in out {
        let clamped = if value.is_nan() { 0.5 } else { value.clamp(0.0, 1.0) };
        *value = MARGIN + (1.0 - 2.0 * MARGIN) * clamped;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::Nim;

    #[test]
    fn the_estimate_of_a_state_does_not_depend_on_earlier_ones() {
        let mut value = PlayoutValue::new(Arc::new(Nim(20)), 10, 7);
        let mut estimate_of = |heap| {
            let mut out = Payoffs::filled(2, 0.0);
            value.value(&(heap, 0), &mut out);
            out
        };
        let first = estimate_of(20);
        let others: Vec<_> = (3..20).map(&mut estimate_of).collect();
        assert_eq!(first, estimate_of(20));
        assert!(others.iter().any(|other| *other != first));
        assert!((first.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn estimates_stay_between_proven_values() {
        struct Wild(f32);
        impl StateValue<Nim> for Wild {
            fn value(&mut self, _state: &(u32, usize), out: &mut Payoffs) {
                out.iter_mut().for_each(|value| *value = self.0);
            }
        }
        for wild in [f32::NAN, f32::INFINITY, -3.0, 0.0, 1.0] {
            let mut out = Payoffs::filled(2, 0.0);
            estimate(&mut Wild(wild), &(5, 0), &mut out);
            assert!(out.iter().all(|&value| value > 0.0 && value < 1.0), "{wild}");
        }
    }
}
