//! The policy of NRPA, and the lines to which it is adapted.

use ludens_core::{Game, Move, Rng, Role};
use rustc_hash::FxHashMap;

/// Dense numbers for the codes of moves, in the order of their first occurrence, so that policies
/// are plain arrays, which are fast to copy.
#[derive(Default)]
pub(super) struct Codes {
    numbers: FxHashMap<u32, u32>,
    scratch: Vec<u32>,
}

impl Codes {
    /// Appends a step to a trace with the legal moves of the role; returns the index of the step.
    pub fn begin_step<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        role: Role,
        legal: &[Move],
        trace: &mut Trace,
    ) -> usize {
        self.scratch.clear();
        game.codes(state, role, legal, &mut self.scratch);
        let from = trace.codes.len();
        for &code in &self.scratch {
            let fresh = self.numbers.len() as u32;
            trace.codes.push(*self.numbers.entry(code).or_insert(fresh));
        }
        trace.steps.push(Step { from, to: trace.codes.len(), chosen: 0 });
        trace.steps.len() - 1
    }
}

/// A line of play with the legal moves at each step.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    /// The payoff of the role.
    pub payoff: f32,
    /// The joint moves.
    pub joints: Vec<Move>,
    codes: Vec<u32>,
    steps: Vec<Step>,
}

/// One decision: the range of its options in `codes`, and the option chosen.
#[derive(Clone, Copy, Debug)]
struct Step {
    from: usize,
    to: usize,
    chosen: usize,
}

impl Trace {
    /// Empties the trace and keeps its buffers.
    pub fn clear(&mut self) {
        self.joints.clear();
        self.codes.clear();
        self.steps.clear();
    }

    /// The number of steps.
    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// The code numbers of the legal moves of the role at a step.
    pub fn options(&self, step: usize) -> &[u32] {
        let Step { from, to, .. } = self.steps[step];
        &self.codes[from..to]
    }

    /// Records the option chosen at a step.
    pub fn choose(&mut self, step: usize, chosen: usize) {
        self.steps[step].chosen = chosen;
    }
}

/// A weight for each code number; missing ones are 0.
#[derive(Debug, Default)]
pub(super) struct Policy {
    weights: Vec<f32>,
    /// The buffer for the adapted weights.
    adapted: Vec<f32>,
}

impl Policy {
    /// Makes all moves equally likely.
    pub fn clear(&mut self) {
        self.weights.clear();
    }

    /// Copies another policy into its own buffer.
    pub fn copy(&mut self, other: &Policy) {
        self.weights.clone_from(&other.weights);
    }

    /// Draws a move with a probability proportional to the exponential of its weight.
    pub fn choose(&self, options: &[u32], rng: &mut Rng) -> usize {
        if options.len() < 2 {
            return 0;
        }
        let highest = self.highest(options);
        let mut left = rng.unit() * self.total(options, highest);
        for (at, &code) in options.iter().enumerate() {
            left -= self.exp_weight(code, highest);
            if left < 0.0 {
                return at;
            }
        }
        // Rounding may leave a little; the last move takes it.
        options.len() - 1
    }

    /// Adapts the policy to a line: a step along the gradient of the line's log probability, with
    /// the old weights for all steps of the line.
    pub fn adapt(&mut self, trace: &Trace, alpha: f32) {
        let needed = trace.codes.iter().max().map_or(0, |&code| code as usize + 1);
        if self.weights.len() < needed {
            self.weights.resize(needed, 0.0);
        }
        let mut adapted = std::mem::take(&mut self.adapted);
        adapted.clone_from(&self.weights);
        for (step, taken) in trace.steps.iter().enumerate() {
            let options = trace.options(step);
            let highest = self.highest(options);
            let total = self.total(options, highest);
            adapted[options[taken.chosen] as usize] += alpha;
            for &code in options {
                adapted[code as usize] -= alpha * (self.exp_weight(code, highest) / total) as f32;
            }
        }
        self.adapted = std::mem::replace(&mut self.weights, adapted);
    }

    fn weight(&self, code: u32) -> f32 {
        self.weights.get(code as usize).copied().unwrap_or(0.0)
    }

    /// The highest weight, which is subtracted from all so that no exponential overflows.
    fn highest(&self, options: &[u32]) -> f32 {
        options.iter().map(|&code| self.weight(code)).fold(f32::NEG_INFINITY, f32::max)
    }

    fn exp_weight(&self, code: u32, highest: f32) -> f64 {
        f64::from(self.weight(code) - highest).exp()
    }

    fn total(&self, options: &[u32], highest: f32) -> f64 {
        options.iter().map(|&code| self.exp_weight(code, highest)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of two steps: the first of the moves 0 and 1, then the second of 1, 2 and 3.
    fn trace() -> Trace {
        let steps = vec![Step { from: 0, to: 2, chosen: 0 }, Step { from: 2, to: 5, chosen: 1 }];
        Trace { payoff: 1.0, joints: Vec::new(), codes: vec![0, 1, 1, 2, 3], steps }
    }

    #[test]
    fn the_gradient_is_that_of_the_paper() {
        let mut policy = Policy::default();
        policy.adapt(&trace(), 1.0);
        let third = 1.0 / 3.0;
        let expected = [0.5, -0.5 - third, 1.0 - third, -third];
        for (weight, expected) in policy.weights.iter().zip(expected) {
            assert!((weight - expected).abs() < 1e-6, "{:?}", policy.weights);
        }
    }

    #[test]
    fn moves_are_drawn_in_proportion() {
        let policy = Policy { weights: vec![0.0, f32::ln(2.0), f32::ln(5.0)], ..Policy::default() };
        let (mut rng, mut counts) = (Rng::new(1), [0u64; 3]);
        (0..80_000).for_each(|_| counts[policy.choose(&[0, 1, 2], &mut rng)] += 1);
        let expected = [1.0 / 8.0, 2.0 / 8.0, 5.0 / 8.0];
        let chi2: f64 = counts
            .iter()
            .zip(expected)
            .map(|(&count, share)| (count as f64 - share * 80_000.0).powi(2) / (share * 80_000.0))
            .sum();
        // With two degrees of freedom, χ² exceeds 27.7 once in 10⁶.
        assert!(chi2 < 27.7, "{counts:?}: {chi2}");
    }

    #[test]
    fn large_weights_do_not_overflow() {
        let policy = Policy { weights: vec![500.0, -500.0], ..Policy::default() };
        assert_eq!(policy.choose(&[0, 1], &mut Rng::new(1)), 0);
    }
}
