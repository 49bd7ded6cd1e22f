//! Evaluation of a batch.

use std::sync::Arc;

use pulp::Arch;

use crate::batch::{Batch, Lists};
use crate::convolution::Convolver;
use crate::kernel::{self, Matrix};
use crate::shape::Shape;
use crate::weights::{Layer, Weights};

/// What a network says about the positions of a batch.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Estimates {
    /// The payoff of each role, position after position.
    pub payoffs: Vec<f32>,
    /// For each role, the probabilities of its legal moves, in the order of the batch.
    pub priors: Vec<Vec<f32>>,
}

/// A network with the memory that evaluation needs.
#[derive(Clone, Debug)]
pub struct Network {
    /// Its parameters, which many networks may share.
    pub weights: Arc<Weights>,
    pub(crate) arch: Arch,
    pub(crate) hidden: Hidden,
    /// What is below the trunk, if there is something.
    pub(crate) convolver: Option<Convolver>,
}

/// The values of hidden units for each position of the last batch.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Hidden {
    pub trunk: Vec<Vec<f32>>,
    pub roles: Vec<Vec<Vec<f32>>>,
}

impl Hidden {
    fn new(shape: &Shape) -> Self {
        let branch = |branch: &crate::Branch| vec![Vec::new(); branch.hidden.len()];
        Hidden {
            trunk: vec![Vec::new(); shape.trunk.len()],
            roles: shape.branches.iter().map(branch).collect(),
        }
    }

    /// The last hidden layer of a role.
    pub fn last(&self, role_idx: usize) -> &[f32] {
        let trunk = self.trunk.last().expect("the trunk has a layer");
        self.roles[role_idx].last().unwrap_or(trunk)
    }
}

impl Network {
    /// A network with these parameters.
    pub fn new(weights: impl Into<Arc<Weights>>) -> Self {
        let weights = weights.into();
        let convolver = weights.shape.front.convolutions().map(Convolver::new);
        Network { hidden: Hidden::new(&weights.shape), convolver, weights, arch: Arch::new() }
    }

    /// Evaluates a batch.
    pub fn evaluate(&mut self, batch: &Batch, out: &mut Estimates) {
        self.evaluate_inputs(&batch.inputs, &batch.legal, out);
    }

    /// Evaluates positions with these true inputs and these legal moves of each role.
    pub(crate) fn evaluate_inputs(&mut self, inputs: &Lists, legal: &[Lists], out: &mut Estimates) {
        let Network { weights, arch, hidden, convolver } = self;
        let (layer, first) = (&weights.trunk[0], &mut hidden.trunk[0]);
        if let Some(convolver) = convolver {
            convolver.evaluate(*arch, weights, inputs);
            evaluate_dense(*arch, weights, layer, convolver.flat(), inputs.len(), first);
        } else {
            first.resize(inputs.len() * layer.stride, 0.0);
            let rows = Matrix { values: weights.rows(layer), stride: layer.stride };
            kernel::sparse(*arch, inputs, rows, weights.biases(layer), first);
            kernel::rectify(*arch, first);
        }
        self.evaluate_above(inputs.len(), legal, out);
    }

    /// Evaluates `n` positions with these units of the first layer and these legal moves of each role.
    pub(crate) fn evaluate_from(
        &mut self,
        first: &mut Vec<f32>,
        (n, legal): (usize, &[Lists]),
        out: &mut Estimates,
    ) {
        std::mem::swap(first, &mut self.hidden.trunk[0]);
        self.evaluate_above(n, legal, out);
        std::mem::swap(first, &mut self.hidden.trunk[0]);
    }

    /// Evaluates what is above the first layer.
    fn evaluate_above(&mut self, n: usize, legal: &[Lists], out: &mut Estimates) {
        self.evaluate_hidden(n);
        let n_roles = self.weights.roles.len();
        out.payoffs.resize(n * n_roles, 0.0);
        out.priors.resize_with(n_roles, Vec::new);
        for (role, legal) in legal.iter().enumerate() {
            self.evaluate_role(role, legal, out);
        }
    }

    fn evaluate_hidden(&mut self, n: usize) {
        let Network { weights, arch, hidden, .. } = self;
        let (first, others) = hidden.trunk.split_first_mut().expect("the trunk has a layer");
        let mut below: &[f32] = first;
        for (layer, out) in weights.trunk[1..].iter().zip(others) {
            evaluate_dense(*arch, weights, layer, below, n, out);
            below = out;
        }
        for (role, outs) in weights.roles.iter().zip(&mut hidden.roles) {
            let mut below = below;
            for (layer, out) in role.hidden.iter().zip(outs) {
                evaluate_dense(*arch, weights, layer, below, n, out);
                below = out;
            }
        }
    }

    fn evaluate_role(&self, role_idx: usize, legal: &Lists, out: &mut Estimates) {
        let (weights, role) = (&self.weights, &self.weights.roles[role_idx]);
        let n_roles = weights.roles.len();
        let priors = &mut out.priors[role_idx];
        priors.resize(legal.n_items(), 0.0);
        let policy = Matrix { values: weights.rows(&role.policy), stride: role.policy.stride };
        let payoff = Matrix { values: weights.rows(&role.payoff), stride: role.payoff.stride };
        let last = self.hidden.last(role_idx).chunks_exact(role.policy.stride);
        for (b, vector) in last.enumerate() {
            let moves = legal.get(b);
            let priors = &mut priors[legal.range(b)];
            let biases = weights.biases(&role.policy);
            kernel::scores(self.arch, vector, policy, biases, moves, priors);
            softmax(priors);
            let mut value = [0.0];
            let biases = weights.biases(&role.payoff);
            kernel::scores(self.arch, vector, payoff, biases, &[0], &mut value);
            out.payoffs[b * n_roles + role_idx] = 1.0 / (1.0 + (-value[0]).exp());
        }
    }
}

fn evaluate_dense(
    arch: Arch,
    weights: &Weights,
    layer: &Layer,
    below: &[f32],
    n: usize,
    out: &mut Vec<f32>,
) {
    out.resize(n * layer.stride, 0.0);
    let x = Matrix { values: below, stride: below.len() / n.max(1) };
    let rows = Matrix { values: weights.rows(layer), stride: layer.stride };
    kernel::dense(arch, (x, layer.n_rows), rows, weights.biases(layer), out);
    kernel::rectify(arch, out);
}

/// Probabilities from scores.
fn softmax(scores: &mut [f32]) {
    let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for score in scores.iter_mut() {
        *score = (*score - max).exp();
        sum += *score;
    }
    for score in scores {
        *score /= sum;
    }
}
