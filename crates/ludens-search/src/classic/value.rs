//! What a state is worth where a search may not look deeper.

use std::sync::Arc;

use ludens_core::{Game, Payoffs, Rng, Simulator, Tally};

use super::fingerprint::Fingerprint;

/// Estimates what a state that is not terminal is worth to each role.
///
/// The estimate should depend on the state alone, since searches meet a state several times and
/// keep what they were told.
pub trait StateValue<G: Game>: Send {
    /// Writes an estimate in `0.0..=1.0` for each role; `out` already has a place for each.
    fn value(&mut self, state: &G::State, out: &mut Payoffs);

    /// A new game begins, with a new seed.
    fn begin(&mut self, seed: u64) {
        let _ = seed;
    }
}

/// Knows nothing: one half for everyone.
pub struct EvenValue;

impl<G: Game> StateValue<G> for EvenValue {
    fn value(&mut self, _state: &G::State, out: &mut Payoffs) {
        out.iter_mut().for_each(|value| *value = 0.5);
    }
}

/// The mean payoffs of some uniformly random playouts. Their random numbers belong to the state,
/// so the same state always gets the same estimate.
pub struct PlayoutValue<G: Game> {
    simulator: Box<dyn Simulator<G>>,
    playouts: u64,
    seed: u64,
    tally: Tally,
}

impl<G: Game> PlayoutValue<G> {
    /// As many playouts as tell a good state from a bad one, and few enough to see some plies.
    pub const PLAYOUTS: u64 = 8;

    /// An estimate from so many playouts, at least one.
    pub fn new(game: Arc<G>, playouts: u64, seed: u64) -> Self {
        let simulator = game.simulator();
        PlayoutValue { simulator, playouts: playouts.max(1), seed, tally: Tally::default() }
    }
}

impl<G: Game> StateValue<G> for PlayoutValue<G> {
    fn value(&mut self, state: &G::State, out: &mut Payoffs) {
        let mark = Fingerprint::of(state);
        let mut rng = Rng::stream(self.seed, &[mark.low, mark.high]);
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

/// Asks for an estimate and draws it in a little from 0 and 1, so that what is proven always
/// counts for more than what is only likely. An estimate that is no number counts as one half.
pub(super) fn estimate<G: Game>(hook: &mut dyn StateValue<G>, state: &G::State, out: &mut Payoffs) {
    const MARGIN: f32 = 0.001;
    hook.value(state, out);
    for value in out {
        let likely = if value.is_nan() { 0.5 } else { value.clamp(0.0, 1.0) };
        *value = MARGIN + (1.0 - 2.0 * MARGIN) * likely;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::Nim;

    #[test]
    fn a_state_has_one_estimate_whatever_was_asked_before() {
        let mut value = PlayoutValue::new(Arc::new(Nim(20)), 10, 7);
        let mut ask = |heap| {
            let mut out = Payoffs::filled(2, 0.0);
            value.value(&(heap, 0), &mut out);
            out
        };
        let first = ask(20);
        let others: Vec<_> = (3..20).map(&mut ask).collect();
        assert_eq!(first, ask(20));
        assert!(others.iter().any(|other| *other != first));
        assert!((first.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn estimates_stay_between_the_proven_values() {
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
