//! The change of all weights of a role after a simulation.

use pulp::{Simd, WithSimd};

use super::exponential::exponential_within;

/// Bound on the absolute value of weights, at which a move is practically certain or impossible.
pub(super) const BOUND: f32 = 40.0;

/// No change.
pub(super) const UNCHANGED: f32 = -0.0;

/// The update of all weights: pending changes, minus `rate` times the share times the exponential.
pub(super) struct Change<'a> {
    pub(super) weights: &'a mut [f32],
    pub(super) changes: &'a mut [f32],
    pub(super) exps: &'a mut [f32],
    pub(super) shares: &'a [f32],
    pub(super) rate: f32,
}

impl WithSimd for Change<'_> {
    type Output = ();

    #[expect(clippy::inline_always, reason = "only inlined code is compiled with wide vectors")]
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Change { weights, changes, exps, shares, rate } = self;
        let n_shared = shares.len().min(exps.len());
        let (weights, rest) = weights.split_at_mut(n_shared);
        let (changes, rest_changes) = changes.split_at_mut(n_shared);
        let (shared_exps, rest_exps) = exps.split_at_mut(n_shared);
        for (((weight, change), exp), share) in
            weights.iter_mut().zip(changes).zip(shared_exps).zip(shares)
        {
            let lost = rate * share * *exp;
            *weight = (*weight + (*change - lost)).clamp(-BOUND, BOUND);
            *change = UNCHANGED;
            *exp = exponential_within(*weight);
        }
        for ((weight, change), exp) in rest.iter_mut().zip(rest_changes).zip(rest_exps) {
            *weight = (*weight + *change).clamp(-BOUND, BOUND);
            *change = UNCHANGED;
            *exp = exponential_within(*weight);
        }
    }
}
