//! Backpropagation.
//!
//! The loss of a position is, summed over roles, the cross-entropy of the priors relative to the target
//! policy plus the squared error of the payoff (Gunawan et al. 2020; Goldwaser and Thielscher 2020). It is
//! averaged over the batch.

use crate::batch::{Batch, Lists};
use crate::kernel::{self, DenseErrors, Matrix};
use crate::network::{Estimates, Network};
use crate::weights::{Layer, Weights};

/// What a network is to learn about the positions of a batch.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Targets {
    /// The payoff of each role, position after position.
    pub payoffs: Vec<f32>,
    /// For each role, probabilities of its legal moves, in the order of the batch; all zero in a position that
    /// teaches no policy.
    pub policies: Vec<Vec<f32>>,
}

/// Mean losses of a batch.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Losses {
    /// The cross-entropy of the priors.
    pub policy: f64,
    /// The squared error of the payoffs.
    pub payoff: f64,
}

/// The gradient of the loss, with the memory that computing it needs.
#[derive(Clone, Debug)]
pub struct Backward {
    /// The derivative of the loss with respect to each parameter, in the order of [`Weights::values`].
    pub gradient: Vec<f32>,
    estimates: Estimates,
    /// The error of the layer above, and of the layer at hand.
    above: Vec<f32>,
    errors: Vec<f32>,
    /// The error of the last trunk layer, summed over roles.
    trunk: Vec<f32>,
    /// The derivatives with respect to the scores of legal moves.
    slopes: Vec<f32>,
}

impl Backward {
    /// For networks with these parameters.
    pub fn new(weights: &Weights) -> Self {
        Backward {
            gradient: vec![0.0; weights.values.len()],
            estimates: Estimates::default(),
            above: Vec::new(),
            errors: Vec::new(),
            trunk: Vec::new(),
            slopes: Vec::new(),
        }
    }

    /// Evaluates a batch, and computes the gradient of its loss.
    pub fn run(&mut self, network: &mut Network, batch: &Batch, targets: &Targets) -> Losses {
        self.gradient.fill(0.0);
        network.evaluate(batch, &mut self.estimates);
        let mut losses = Losses::default();
        let stride = network.weights.trunk.last().expect("the trunk has a layer").stride;
        self.trunk.clear();
        self.trunk.resize(batch.len() * stride, 0.0);
        for role in 0..network.weights.roles.len() {
            self.heads(network, role, &batch.legal[role], targets, &mut losses);
            self.branch(network, role);
            self.trunk.iter_mut().zip(&self.errors).for_each(|(sum, error)| *sum += error);
        }
        self.trunk(network, batch);
        losses
    }

    /// The gradients of a role's heads; leaves the error of its last hidden layer in `errors`.
    fn heads(
        &mut self,
        network: &Network,
        role_idx: usize,
        legal: &Lists,
        targets: &Targets,
        losses: &mut Losses,
    ) {
        let (weights, role) = (&network.weights, &network.weights.roles[role_idx]);
        let (n, n_roles, stride) = (legal.len(), weights.roles.len(), role.policy.stride);
        let share = 1.0 / n.max(1) as f32;
        self.errors.clear();
        self.errors.resize(n * stride, 0.0);
        let last = network.hidden.last(role_idx).chunks_exact(stride);
        for (b, (vector, error)) in last.zip(self.errors.chunks_exact_mut(stride)).enumerate() {
            let wanted = targets.payoffs[b * n_roles + role_idx];
            let payoff = self.estimates.payoffs[b * n_roles + role_idx];
            losses.payoff += f64::from((payoff - wanted).powi(2) * share);
            let slope = 2.0 * (payoff - wanted) * payoff * (1.0 - payoff) * share;
            let gradient = &mut self.gradient;
            head(network, &role.payoff, (&[0], &[slope]), (vector, error), gradient);
            let range = legal.range(b);
            let priors = &self.estimates.priors[role_idx][range.clone()];
            let policy = &targets.policies[role_idx][range];
            self.slopes.clear();
            for (&prior, &wanted) in priors.iter().zip(policy) {
                if wanted > 0.0 {
                    losses.policy -= f64::from(wanted * prior.max(1e-30).ln() * share);
                }
                // The derivative of softmax and cross-entropy together.
                self.slopes.push((prior - wanted) * share);
            }
            // A role with one legal move has nothing to learn, nor has one without a target.
            if legal.get(b).len() > 1 && policy.iter().any(|&wanted| wanted > 0.0) {
                let slopes = (legal.get(b), &self.slopes[..]);
                head(network, &role.policy, slopes, (vector, error), gradient);
            }
        }
    }

    /// The gradients of a role's hidden layers; leaves the error of the trunk in `errors`.
    fn branch(&mut self, network: &Network, role_idx: usize) {
        let (weights, hidden) = (&network.weights, &network.hidden);
        let trunk = hidden.trunk.last().expect("the trunk has a layer");
        for (i, layer) in weights.roles[role_idx].hidden.iter().enumerate().rev() {
            let values = &hidden.roles[role_idx];
            let below = if i == 0 { trunk } else { &values[i - 1] };
            self.dense(network, layer, &values[i], below);
        }
    }

    fn trunk(&mut self, network: &mut Network, batch: &Batch) {
        let (weights, hidden) = (&network.weights, &network.hidden);
        std::mem::swap(&mut self.errors, &mut self.trunk);
        for (i, layer) in weights.trunk.iter().enumerate().skip(1).rev() {
            self.dense(network, layer, &hidden.trunk[i], &hidden.trunk[i - 1]);
        }
        let (layer, arch) = (&weights.trunk[0], network.arch);
        if let Some(mut convolver) = network.convolver.take() {
            self.dense(network, layer, &hidden.trunk[0], convolver.flat());
            convolver.backpropagate(arch, weights, &self.errors, &mut self.gradient);
            network.convolver = Some(convolver);
            return;
        }
        kernel::rectify_gradient(arch, &hidden.trunk[0], &mut self.errors);
        let errors = Matrix { values: &self.errors, stride: layer.stride };
        kernel::add_up(arch, errors, &mut self.gradient[layer.biases..][..layer.stride]);
        kernel::sparse_gradient(arch, &batch.inputs, errors, &mut self.gradient[layer.weights..]);
    }

    /// The gradient of a hidden layer with these values above others. `errors` are those of its values
    /// before, and of the values below after.
    fn dense(&mut self, network: &Network, layer: &Layer, values: &[f32], below: &[f32]) {
        let (weights, arch) = (&network.weights, network.arch);
        std::mem::swap(&mut self.errors, &mut self.above);
        kernel::rectify_gradient(arch, values, &mut self.above);
        let n = values.len() / layer.stride;
        let x = Matrix { values: below, stride: below.len() / n.max(1) };
        let above = Matrix { values: &self.above, stride: layer.stride };
        kernel::add_up(arch, above, &mut self.gradient[layer.biases..][..layer.stride]);
        let gradients = &mut self.gradient[layer.weights..][..layer.n_rows * layer.stride];
        self.errors.resize(below.len(), 0.0);
        let rows = Matrix { values: weights.rows(layer), stride: layer.stride };
        let errors = DenseErrors { x, n: layer.n_rows, above };
        kernel::dense_gradient(arch, errors, rows, gradients, &mut self.errors);
    }
}

/// The gradient of some outputs of a head with these slopes, and what they add to the error of the values
/// below.
fn head(
    network: &Network,
    layer: &Layer,
    (outputs, slopes): (&[u32], &[f32]),
    values: (&[f32], &mut [f32]),
    gradient: &mut [f32],
) {
    for (&output, &slope) in outputs.iter().zip(slopes) {
        gradient[layer.biases + output as usize] += slope;
    }
    let rows = Matrix { values: network.weights.rows(layer), stride: layer.stride };
    let gradients = &mut gradient[layer.weights..];
    kernel::head_gradient(network.arch, (outputs, slopes), rows, gradients, values);
}
