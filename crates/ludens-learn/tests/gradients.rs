//! Evaluation equals a naive implementation, gradients equal finite differences, and a batch can be learnt
//! by heart.

use std::sync::Arc;

use ludens_core::Rng;
use ludens_learn::{
    Adam, Backward, Batch, Board, Branch, Convolutions, Estimates, Front, Layer, Network, Plane,
    Shape, Targets, Weights,
};

/// Convolutions over a board, with one layer above.
fn on_board(board: Board, filters: &[usize], width: usize, n_moves: &[usize]) -> Shape {
    let shown = |plane: &Plane| match plane {
        Plane::Cells(inputs) => inputs.iter().flatten().count(),
        Plane::Everywhere(_) => 1,
    };
    let n_inputs = board.planes.iter().map(shown).sum();
    assert_eq!(board.check(n_inputs), Ok(()));
    let convolutions = Convolutions { board, filters: filters.to_vec() };
    let front = Front::Convolutions(convolutions);
    Shape { front, ..Shape::shared(n_inputs, &[width], n_moves) }
}

/// A cell; a board with two holes, a plane that lacks a cell, and inputs out of order; a row; a plane of a hole.
fn boards() -> Vec<Shape> {
    let single = Board { columns: 1, rows: 1, planes: vec![Plane::Cells(vec![Some(0)])] };
    let holes = vec![
        Plane::Cells(vec![Some(11), Some(1), None, Some(3), Some(4), Some(5)]),
        Plane::Everywhere(0),
        Plane::Cells(vec![Some(6), None, None, Some(8), Some(9), Some(10)]),
        Plane::Everywhere(7),
        Plane::Everywhere(2),
    ];
    let row = (0..2).map(|plane| Plane::Cells((0..5).map(|cell| Some(2 * cell + plane)).collect()));
    vec![
        on_board(single, &[2, 3], 4, &[2]),
        on_board(Board { columns: 3, rows: 2, planes: holes }, &[5, 17, 3], 6, &[4, 1]),
        on_board(Board { columns: 1, rows: 5, planes: row.collect() }, &[18], 5, &[3, 2, 1]),
    ]
}

/// Shapes with odd widths, one input, one move, deep and shallow branches, and boards.
fn shapes() -> Vec<Shape> {
    let branch = |hidden: &[usize], n_moves| Branch { hidden: hidden.to_vec(), n_moves };
    let mut shapes = vec![
        Shape::shared(1, &[1], &[1]),
        Shape::shared(20, &[32, 16], &[9, 9]),
        Shape::shared(7, &[5, 3, 4], &[3, 1, 6]),
        Shape {
            n_inputs: 33,
            front: Front::Inputs,
            trunk: vec![40, 19],
            branches: vec![branch(&[10, 21], 25), branch(&[], 2), branch(&[17], 1)],
        },
    ];
    shapes.extend(boards());
    shapes
}

fn subset(n: usize, share: f64, rng: &mut Rng) -> Vec<u32> {
    (0..n as u32).filter(|_| rng.unit() < share).collect()
}

fn random_batch(shape: &Shape, n: usize, rng: &mut Rng) -> (Batch, Targets) {
    let n_roles = shape.branches.len();
    let mut batch = Batch::new(n_roles);
    let mut targets = Targets { payoffs: Vec::new(), policies: vec![Vec::new(); n_roles] };
    for _ in 0..n {
        batch.inputs.push(subset(shape.n_inputs, 0.4, rng));
        for (role, branch) in shape.branches.iter().enumerate() {
            let mut legal = subset(branch.n_moves, 0.5, rng);
            if legal.is_empty() {
                legal.push(rng.below(branch.n_moves) as u32);
            }
            let weights: Vec<f64> = legal.iter().map(|_| rng.unit().powi(2)).collect();
            // Some positions teach no policy.
            let sum = if rng.below(5) == 0 { f64::INFINITY } else { weights.iter().sum() };
            targets.policies[role].extend(weights.iter().map(|weight| (weight / sum) as f32));
            targets.payoffs.push(rng.unit() as f32);
            batch.legal[role].push(legal);
        }
    }
    (batch, targets)
}

/// Random weights that are large in heads too, so that all gradients are, and random biases, so that no
/// rectified unit is exactly zero.
fn random_weights(shape: &Shape, rng: &mut Rng) -> Weights {
    let mut weights = Weights::random(shape, 3.0, rng);
    let branches = weights.roles.iter().flat_map(|role| &role.hidden);
    let hidden: Vec<Layer> =
        weights.board.iter().chain(&weights.trunk).chain(branches).copied().collect();
    for layer in hidden {
        let biases = &mut weights.values[layer.biases..][..layer.width];
        for bias in biases {
            *bias = 0.4 * (rng.unit() as f32 - 0.3);
        }
    }
    let heads: Vec<Layer> =
        weights.roles.iter().flat_map(|role| [role.policy, role.payoff]).collect();
    for layer in heads {
        for row in 0..layer.n_rows {
            let row = &mut weights.values[layer.weights + row * layer.stride..][..layer.width];
            for weight in row {
                *weight = rng.unit() as f32 - 0.5;
            }
        }
    }
    weights
}

/// Plain sums in `f64`, without padding or vectors.
struct Naive<'a>(&'a Weights);

impl Naive<'_> {
    fn number(&self, at: usize) -> f64 {
        f64::from(self.0.values[at])
    }

    fn hidden(&self, layer: &Layer, x: &[f64]) -> Vec<f64> {
        let unit = |j: usize| {
            let terms = x.iter().enumerate();
            let terms = terms.map(|(k, x)| x * self.number(layer.weights + k * layer.stride + j));
            (self.number(layer.biases + j) + terms.sum::<f64>()).max(0.0)
        };
        (0..layer.width).map(unit).collect()
    }

    fn score(&self, layer: &Layer, row: usize, x: &[f64]) -> f64 {
        let terms = x.iter().enumerate();
        let terms = terms.map(|(j, x)| x * self.number(layer.weights + row * layer.stride + j));
        self.number(layer.biases + row) + terms.sum::<f64>()
    }

    /// The planes of a board, as numbers by plane and cell.
    fn planes(board: &Board, inputs: &[f64]) -> Vec<Vec<f64>> {
        let existing: Vec<f64> =
            board.existing().into_iter().map(|exists| f64::from(u8::from(exists))).collect();
        let plane = |plane: &Plane| -> Vec<f64> {
            match plane {
                Plane::Cells(of) => {
                    of.iter().map(|input| input.map_or(0.0, |i| inputs[i as usize])).collect()
                }
                Plane::Everywhere(input) => {
                    existing.iter().map(|one| one * inputs[*input as usize]).collect()
                }
            }
        };
        board.planes.iter().map(plane).chain([existing.clone()]).collect()
    }

    /// A convolution of planes, with zeros around the board.
    fn convolve(&self, layer: &Layer, board: &Board, planes: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let (columns, rows) = (board.columns.cast_signed(), board.rows.cast_signed());
        let unit = |filter: usize, x: isize, y: isize| {
            let mut sum = self.number(layer.biases + filter);
            for (place, (dy, dx)) in
                (-1..=1).flat_map(|y| (-1..=1).map(move |x| (y, x))).enumerate()
            {
                let (x, y) = (x + dx, y + dy);
                if x < 0 || y < 0 || x >= columns || y >= rows {
                    continue;
                }
                for (plane, cells) in planes.iter().enumerate() {
                    let row = place * planes.len() + plane;
                    let weight = self.number(layer.weights + row * layer.stride + filter);
                    sum += weight * cells[(y * columns + x) as usize];
                }
            }
            sum.max(0.0)
        };
        let filter = |filter| {
            let cells = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
            cells.map(|(x, y)| unit(filter, x, y)).collect()
        };
        (0..layer.width).map(filter).collect()
    }

    /// The payoff and the priors of a role.
    fn evaluate(&self, active: &[u32], role: usize, legal: &[u32]) -> (f64, Vec<f64>) {
        let mut x = vec![0.0; self.0.shape.n_inputs];
        for &i in active {
            x[i as usize] = 1.0;
        }
        if let Front::Convolutions(Convolutions { board, .. }) = &self.0.shape.front {
            let mut planes = Self::planes(board, &x);
            for layer in &self.0.board {
                planes = self.convolve(layer, board, &planes);
            }
            x = planes.concat();
        }
        let layers = &self.0.roles[role];
        for layer in self.0.trunk.iter().chain(&layers.hidden) {
            x = self.hidden(layer, &x);
        }
        let payoff = 1.0 / (1.0 + (-self.score(&layers.payoff, 0, &x)).exp());
        let scores: Vec<f64> =
            legal.iter().map(|&m| self.score(&layers.policy, m as usize, &x).exp()).collect();
        let sum: f64 = scores.iter().sum();
        (payoff, scores.iter().map(|score| score / sum).collect())
    }

    fn loss(&self, batch: &Batch, targets: &Targets) -> f64 {
        let (n, n_roles) = (batch.len(), self.0.roles.len());
        let mut loss = 0.0;
        for b in 0..n {
            for role in 0..n_roles {
                let legal = &batch.legal[role];
                let (payoff, priors) = self.evaluate(batch.inputs.get(b), role, legal.get(b));
                loss += (payoff - f64::from(targets.payoffs[b * n_roles + role])).powi(2);
                let policy = &targets.policies[role][legal.range(b)];
                let terms = priors.iter().zip(policy);
                loss -= terms.map(|(prior, &wanted)| f64::from(wanted) * prior.ln()).sum::<f64>();
            }
        }
        loss / n as f64
    }
}

#[test]
fn evaluation_equals_a_naive_implementation() {
    let mut rng = Rng::new(1);
    for shape in shapes() {
        let weights = random_weights(&shape, &mut rng);
        let mut network = Network::new(weights.clone());
        // Batches that are no multiple of a register block, one after the other in the same buffers.
        for n in [1, 9, 4, 2] {
            let (batch, _) = random_batch(&shape, n, &mut rng);
            let mut estimates = Estimates::default();
            network.evaluate(&batch, &mut estimates);
            let n_roles = shape.branches.len();
            for (b, role) in (0..n).flat_map(|b| (0..n_roles).map(move |role| (b, role))) {
                let legal = &batch.legal[role];
                let naive = Naive(&weights).evaluate(batch.inputs.get(b), role, legal.get(b));
                let payoff = f64::from(estimates.payoffs[b * n_roles + role]);
                assert!((payoff - naive.0).abs() < 1e-5, "{shape:?}: {payoff} {}", naive.0);
                let priors = &estimates.priors[role][legal.range(b)];
                for (&prior, expected) in priors.iter().zip(&naive.1) {
                    assert!((f64::from(prior) - expected).abs() < 1e-5, "{shape:?}");
                }
            }
        }
    }
}

#[test]
fn gradients_equal_finite_differences() {
    let mut rng = Rng::new(2);
    for shape in shapes() {
        let mut weights = random_weights(&shape, &mut rng);
        let (batch, targets) = random_batch(&shape, 6, &mut rng);
        let mut network = Network::new(weights.clone());
        let mut backward = Backward::new(&weights);
        let losses = backward.run(&mut network, &batch, &targets);
        let naive = Naive(&weights).loss(&batch, &targets);
        assert!((losses.policy + losses.payoff - naive).abs() < 1e-4, "{losses:?} {naive}");
        let (mut n_large, mut n_kinks) = (0, 0);
        for at in 0..weights.values.len() {
            let value = weights.values[at];
            let mut loss_at = |delta: f32| {
                weights.values[at] = value + delta;
                (Naive(&weights).loss(&batch, &targets), f64::from(weights.values[at]))
            };
            let [low, middle, high] = [-2e-4, 0.0, 2e-4].map(&mut loss_at);
            weights.values[at] = value;
            let slope = |a: (f64, f64), b: (f64, f64)| (b.0 - a.0) / (b.1 - a.1);
            let (left, right) = (slope(low, middle), slope(middle, high));
            let found = f64::from(backward.gradient[at]);
            // At a kink of a rectified unit the gradient is between those of both sides.
            let (min, max) = (left.min(right) - 1e-4, left.max(right) + 1e-4);
            assert!(min < found && found < max, "{shape:?}, {at}: {found}, not {left} to {right}");
            n_large += usize::from(left.abs() > 1e-2);
            n_kinks += usize::from((left - right).abs() > 1e-3);
        }
        assert!(n_kinks * 20 < weights.values.len(), "{n_kinks} kinks hide errors");
        assert!(n_large > 0, "a test of zeros proves nothing");
    }
}

#[test]
fn padding_stays_zero_and_a_batch_is_learnt_by_heart() {
    let planes =
        (0..3).map(|plane| Plane::Cells((0..9).map(|cell| Some(9 * plane + cell)).collect()));
    let planes = planes.chain((27..30).map(Plane::Everywhere)).collect();
    let board = Board { columns: 3, rows: 3, planes };
    check_learning(&Shape::shared(30, &[21, 19], &[6, 11]));
    check_learning(&on_board(board, &[21, 19], 23, &[6, 11]));
}

fn check_learning(shape: &Shape) {
    let mut rng = Rng::new(3);
    let (batch, targets) = random_batch(shape, 12, &mut rng);
    let mut network = Network::new(Weights::random(shape, 10.0, &mut rng));
    let zeros = Weights::zeros(shape);
    let mut is_used = vec![false; zeros.values.len()];
    let heads = zeros.roles.iter().flat_map(|role| [role.policy, role.payoff]);
    let hidden = zeros.board.iter().chain(&zeros.trunk);
    for layer in hidden.clone().copied().chain(heads) {
        for row in 0..layer.n_rows {
            is_used[layer.weights + row * layer.stride..][..layer.width].fill(true);
        }
    }
    for layer in hidden {
        is_used[layer.biases..][..layer.width].fill(true);
    }
    for role in &zeros.roles {
        is_used[role.policy.biases..][..role.policy.n_rows].fill(true);
        is_used[role.payoff.biases] = true;
    }
    assert_eq!(is_used.iter().filter(|used| **used).count(), shape.n_parameters());
    let mut backward = Backward::new(&network.weights);
    let mut adam = Adam::new(network.weights.values.len(), 0.0);
    let first = backward.run(&mut network, &batch, &targets);
    let mut last = first;
    for _ in 0..600 {
        last = backward.run(&mut network, &batch, &targets);
        adam.step(&mut Arc::make_mut(&mut network.weights).values, &backward.gradient, 0.01);
    }
    // The cross-entropy cannot fall below the entropy of the targets.
    let entropy = |policy: &Vec<f32>| -> f32 {
        policy.iter().filter(|p| **p > 0.0).map(|p| -p * p.ln()).sum()
    };
    let least = f64::from(targets.policies.iter().map(entropy).sum::<f32>()) / 12.0;
    assert!(last.payoff < 1e-3 && first.payoff > 0.05, "{first:?} {last:?}");
    assert!(last.policy - least < 0.02 && first.policy - least > 0.2, "{first:?} {last:?}");
    let padding = network.weights.values.iter().zip(&is_used).filter(|(_, used)| !**used);
    assert!(padding.into_iter().all(|(value, _)| *value == 0.0));
}
