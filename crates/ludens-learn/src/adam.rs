//! The optimiser Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019).

use pulp::Arch;

use crate::kernel::{self, AdamRates};

/// The state of the optimiser.
#[derive(Clone, PartialEq, Debug)]
pub struct Adam {
    /// The weight decay of a step, relative to the learning rate.
    pub decay: f32,
    pub(crate) means: Vec<f32>,
    pub(crate) squares: Vec<f32>,
    pub(crate) n_steps: u64,
}

/// The decay rates of the two moments, and the number that keeps divisions finite (the paper's β₁, β₂, ε).
const MEAN_RATE: f64 = 0.9;
const SQUARE_RATE: f64 = 0.999;
const EPSILON: f32 = 1e-8;

impl Adam {
    /// Before the first step.
    pub fn new(n_parameters: usize, decay: f32) -> Self {
        let zeros = vec![0.0; n_parameters];
        Adam { decay, means: zeros.clone(), squares: zeros, n_steps: 0 }
    }

    /// Changes the parameters against the gradient.
    pub fn step(&mut self, parameters: &mut [f32], gradient: &[f32], rate: f32) {
        self.n_steps += 1;
        let steps = i32::try_from(self.n_steps).unwrap_or(i32::MAX);
        let square_bias = (1.0 - SQUARE_RATE.powi(steps)).sqrt();
        let scaled = (f64::from(rate) * square_bias / (1.0 - MEAN_RATE.powi(steps))) as f32;
        let rates = AdamRates {
            mean: [MEAN_RATE as f32, (1.0 - MEAN_RATE) as f32],
            square: [SQUARE_RATE as f32, (1.0 - SQUARE_RATE) as f32],
            step: scaled,
            epsilon: EPSILON * square_bias as f32,
            kept: 1.0 - rate * self.decay,
        };
        let moments = (&mut self.means[..], &mut self.squares[..]);
        kernel::adam(Arch::new(), rates, gradient, moments, parameters);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_steps_are_those_of_the_paper() {
        let (mut adam, mut x) = (Adam::new(2, 0.0), [1.0, -1.0]);
        adam.step(&mut x, &[0.5, -2.0], 0.1);
        // The first step is the rate, whatever the size of the gradient.
        assert!((x[0] - 0.9).abs() < 1e-6 && (x[1] + 0.9).abs() < 1e-6, "{x:?}");
        adam.step(&mut x, &[-0.5, -2.0], 0.1);
        // Moments after (0.5, −0.5): mean (0.09 − 0.1) · 0.5 / 0.19, square 0.25.
        let step = 0.1 * (0.9 * 0.05 - 0.05) / 0.19 / 0.5;
        assert!((x[0] - (0.9 - step)).abs() < 1e-6, "{x:?}");
        assert!((x[1] + 0.8).abs() < 1e-6, "{x:?}");
    }

    #[test]
    fn decay_shrinks_parameters_without_a_gradient() {
        let (mut adam, mut x) = (Adam::new(1, 0.5), [2.0]);
        adam.step(&mut x, &[0.0], 0.1);
        assert!((x[0] - 1.9).abs() < 1e-6, "{x:?}");
    }
}
