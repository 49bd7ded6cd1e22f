//! The parameters of a network, in one flat list.
//!
//! Rows are padded to a multiple of [`PAD`] numbers, so that kernels have no remainders. Padding is zero and
//! stays zero: its gradients are zero.

use std::fmt;

use ludens_core::Rng;

use crate::convolution::Convolutions;
use crate::shape::Shape;

/// The length of a row is a multiple of this: one vector of the widest machine.
pub const PAD: usize = 16;

/// The length of a row with this many numbers.
pub fn padded(width: usize) -> usize {
    width.next_multiple_of(PAD)
}

/// Where a layer is in the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layer {
    /// The position of its weights: one row of `stride` numbers for each of `n_rows`.
    pub weights: usize,
    /// The position of its biases.
    pub biases: usize,
    /// The number of rows: inputs of a hidden layer, moves or payoffs of a head.
    pub n_rows: usize,
    /// The number of weights in a row.
    pub width: usize,
    /// The distance between rows.
    pub stride: usize,
}

/// The layers of a role.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoleLayers {
    /// Its hidden layers.
    pub hidden: Vec<Layer>,
    /// A row for each move, as wide as the last hidden layer.
    pub policy: Layer,
    /// One row, as wide as the last hidden layer.
    pub payoff: Layer,
}

/// The parameters of a network, and where its layers are. Hidden layers have a row for each input, heads have
/// a row for each output: so a first layer adds rows of true inputs, and a policy reads rows of legal moves.
#[derive(Clone, PartialEq)]
pub struct Weights {
    /// The architecture.
    pub shape: Shape,
    /// The convolutions. Their rows are the planes or filters below in the first cell of a window, then those in
    /// the second one, and so on.
    pub board: Vec<Layer>,
    /// The layers of the trunk.
    pub trunk: Vec<Layer>,
    /// The layers of each role.
    pub roles: Vec<RoleLayers>,
    /// All numbers.
    pub values: Vec<f32>,
}

/// Numbers of which nobody wants to read thousands are left out.
impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Weights").field("shape", &self.shape).finish_non_exhaustive()
    }
}

impl Weights {
    /// All zero.
    pub fn zeros(shape: &Shape) -> Self {
        let mut len = 0;
        let sizes = shape.front.convolutions().map_or(Vec::new(), Convolutions::sizes);
        let board = sizes.into_iter().map(|(from, to)| hidden(from, to, &mut len)).collect();
        let mut trunk = Vec::new();
        let mut width = shape.trunk_inputs();
        for &next in &shape.trunk {
            trunk.push(hidden(width, next, &mut len));
            width = next;
        }
        let mut roles = Vec::new();
        for branch in &shape.branches {
            let (mut layers, mut width) = (Vec::new(), shape.trunk_width());
            for &next in &branch.hidden {
                layers.push(hidden(width, next, &mut len));
                width = next;
            }
            let policy = head(branch.n_moves, width, &mut len);
            let payoff = head(1, width, &mut len);
            roles.push(RoleLayers { hidden: layers, policy, payoff });
        }
        Weights { shape: shape.clone(), board, trunk, roles, values: vec![0.0; len] }
    }

    /// Random weights for layers of rectified units (He et al. 2015): the variance is two over the number of
    /// inputs. `n_true` is how many inputs of a unit of the first layer are true on average, which is what it adds up. Heads
    /// begin near zero, so that priors are nearly uniform and payoffs nearly even.
    pub fn random(shape: &Shape, n_true: f64, rng: &mut Rng) -> Self {
        const HEAD_SCALE: f64 = 0.01;
        let mut weights = Weights::zeros(shape);
        let layers: Vec<(Layer, f64)> = {
            let branches = weights.roles.iter().flat_map(|role| &role.hidden);
            let mut hidden = weights.board.iter().chain(&weights.trunk).chain(branches);
            let first = *hidden.next().expect("the trunk has a layer");
            let first = (first, (2.0 / n_true.max(1.0)).sqrt());
            let dense = hidden.map(|&layer| (layer, (2.0 / layer.n_rows as f64).sqrt()));
            let heads = weights.roles.iter().flat_map(|role| [role.policy, role.payoff]);
            let heads = heads.map(|layer| (layer, HEAD_SCALE));
            std::iter::once(first).chain(dense).chain(heads).collect()
        };
        for (layer, deviation) in layers {
            for row in 0..layer.n_rows {
                let row = &mut weights.values[layer.weights + row * layer.stride..][..layer.width];
                for weight in row {
                    *weight = (normal(rng) * deviation) as f32;
                }
            }
        }
        weights
    }

    /// Whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.values.iter().all(|value| value.is_finite())
    }

    /// The rows of a layer.
    #[inline]
    pub fn rows(&self, layer: &Layer) -> &[f32] {
        &self.values[layer.weights..][..layer.n_rows * layer.stride]
    }

    /// The row of a layer with an index.
    #[inline]
    pub fn row(&self, layer: &Layer, row: usize) -> &[f32] {
        &self.values[layer.weights + row * layer.stride..][..layer.stride]
    }

    /// The biases of a layer.
    #[inline]
    pub fn biases(&self, layer: &Layer) -> &[f32] {
        &self.values[layer.biases..]
    }
}

fn hidden(n_inputs: usize, width: usize, len: &mut usize) -> Layer {
    let stride = padded(width);
    let weights = *len;
    let biases = weights + n_inputs * stride;
    *len = biases + stride;
    Layer { weights, biases, n_rows: n_inputs, width, stride }
}

fn head(n_outputs: usize, width: usize, len: &mut usize) -> Layer {
    let stride = padded(width);
    let weights = *len;
    let biases = weights + n_outputs * stride;
    *len = biases + padded(n_outputs);
    Layer { weights, biases, n_rows: n_outputs, width, stride }
}

/// A standard normal random number (Box and Muller 1958).
fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.unit()).cos()
}
