//! The weights of one role, with their exponentials at hand.

use std::collections::BTreeMap;

use crate::playout_policy::sample::sum;

/// Weights learnt beforehand: for positions, as text, the weights of each role by code.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct InitialPolicy {
    /// By position.
    pub positions: BTreeMap<String, Vec<Vec<(u32, f32)>>>,
}

impl InitialPolicy {
    /// The weights of each role for a position.
    pub fn of(&self, position: &str) -> Option<&[Vec<(u32, f32)>]> {
        self.positions.get(position).map(Vec::as_slice)
    }
}

/// Weights stay within these bounds, far beyond which a move is as good as certain or impossible;
/// their exponentials stay finite.
const BOUND: f32 = 40.0;

/// The weights of one role by code.
#[derive(Clone, Debug)]
pub(super) struct Table {
    sharpness: f32,
    weights: Vec<f32>,
    /// exp(k·weight).
    exps: Vec<f32>,
    /// Changes that are not applied yet, and the codes that have one.
    changes: Vec<f32>,
    changed: Vec<u32>,
    scratch: Vec<f32>,
}

impl Table {
    pub(super) fn new(sharpness: f32) -> Self {
        let (weights, exps, changes) = (Vec::new(), Vec::new(), Vec::new());
        Table { sharpness, weights, exps, changes, changed: Vec::new(), scratch: Vec::new() }
    }

    pub(super) fn weight(&self, code: u32) -> f32 {
        self.weights.get(code as usize).copied().unwrap_or(0.0)
    }

    pub(super) fn learnt(&self) -> Vec<(u32, f32)> {
        let weights = self.weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
        weights.map(|(code, &weight)| (code as u32, weight)).collect()
    }

    fn grow(&mut self, code: u32) {
        let n = code as usize + 1;
        if n > self.weights.len() {
            self.weights.resize(n, 0.0);
            self.exps.resize(n, 1.0);
            self.changes.resize(n, 0.0);
        }
    }

    /// The exponentials of the weights of some codes.
    #[inline]
    pub(super) fn exps(&self, codes: &[u32], out: &mut Vec<f32>) {
        out.clear();
        out.extend(codes.iter().map(|&code| self.exp(code)));
    }

    /// The weight of a code that was never met is 0.
    #[inline]
    fn exp(&self, code: u32) -> f32 {
        self.exps.get(code as usize).copied().unwrap_or(1.0)
    }

    /// Collects the changes for one decision (algorithm 2): the code chosen gains, all lose in
    /// proportion to their probabilities.
    pub(super) fn adapt(&mut self, codes: &[u32], chosen: usize, rate: f32) {
        let mut scratch = std::mem::take(&mut self.scratch);
        // The probabilities of the adaptation have k = 1, unlike those of the playout.
        if (self.sharpness - 1.0).abs() < f32::EPSILON {
            self.exps(codes, &mut scratch);
        } else {
            scratch.clear();
            scratch.extend(codes.iter().map(|&code| self.weight(code).exp()));
        }
        let scale = -rate / sum(&scratch);
        for (&code, exp) in codes.iter().zip(&scratch) {
            self.change(code, scale * exp);
        }
        self.change(codes[chosen], rate);
        self.scratch = scratch;
    }

    #[inline]
    fn change(&mut self, code: u32, by: f32) {
        if code as usize >= self.changes.len() {
            self.grow(code);
        }
        let change = &mut self.changes[code as usize];
        if *change == 0.0 {
            self.changed.push(code);
        }
        *change += by;
    }

    /// Applies the changes that were collected.
    pub(super) fn apply(&mut self) {
        for &code in &self.changed {
            let code = code as usize;
            let change = std::mem::take(&mut self.changes[code]);
            self.weights[code] = (self.weights[code] + change).clamp(-BOUND, BOUND);
            self.exps[code] = (self.sharpness * self.weights[code]).exp();
        }
        self.changed.clear();
    }

    /// All weights are 0 again.
    pub(super) fn clear(&mut self) {
        self.weights.fill(0.0);
        self.exps.fill(1.0);
    }

    pub(super) fn load(&mut self, weights: &[(u32, f32)]) {
        for &(code, weight) in weights {
            self.grow(code);
            self.weights[code as usize] = weight;
            self.exps[code as usize] = (self.sharpness * weight).exp();
        }
    }

    pub(super) fn bytes(&self) -> usize {
        (self.weights.capacity() + self.exps.capacity() + self.changes.capacity()) * 4
    }
}
