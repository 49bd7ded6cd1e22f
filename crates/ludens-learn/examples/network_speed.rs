//! Evaluations and training samples a second of a network with two hidden layers, on one thread.
//!
//! `cargo run --release -p ludens-learn --example network_speed [-- INPUTS TRUE MOVES LEGAL BATCH]`

use std::sync::Arc;
use std::time::Instant;

use ludens_core::Rng;
use ludens_learn::{Adam, Backward, Batch, Estimates, Network, Shape, Targets, Weights};

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse().expect("a number"));
    let mut argument = |default: usize| arguments.next().unwrap_or(default);
    let (n_inputs, n_true) = (argument(74), argument(25));
    let (n_moves, n_legal, n) = (argument(81), argument(15), argument(64));
    let mut rng = Rng::new(1);
    let shape = Shape::shared(n_inputs, &[256, 128], &[n_moves, n_moves]);
    let mut network = Network::new(Weights::random(&shape, n_true as f64, &mut rng));
    let mut batch = Batch::new(2);
    for _ in 0..n {
        let mut draw = |n: usize, below: usize| -> Vec<u32> {
            (0..n).map(|_| rng.below(below) as u32).collect()
        };
        batch.inputs.push(draw(n_true, n_inputs));
        batch.legal[0].push(draw(n_legal, n_moves));
        batch.legal[1].push(draw(1, n_moves));
    }
    let mut estimates = Estimates::default();
    let per_second = |run: &mut dyn FnMut()| {
        let (start, mut n_runs) = (Instant::now(), 0);
        while start.elapsed().as_secs_f64() < 1.0 {
            run();
            n_runs += 1;
        }
        f64::from(n_runs) * n as f64 / start.elapsed().as_secs_f64()
    };
    let evaluations = per_second(&mut || network.evaluate(&batch, &mut estimates));
    let policies = vec![vec![1.0 / n_legal as f32; n * n_legal], vec![1.0; n]];
    let targets = Targets { payoffs: vec![0.5; 2 * n], policies };
    let mut backward = Backward::new(&network.weights);
    let mut adam = Adam::new(network.weights.values.len(), 1e-4);
    let samples = per_second(&mut || {
        backward.run(&mut network, &batch, &targets);
        adam.step(&mut Arc::make_mut(&mut network.weights).values, &backward.gradient, 1e-3);
    });
    println!("{evaluations:.0} evaluations/s, {samples:.0} training samples/s, batches of {n}");
}
