//! How many more gates, and how much more time, playouts with decisive moves take.
//!
//! `cargo run --release -p ludens-propnet --example decisive -- games/*.kif`

use std::sync::Arc;
use std::time::{Duration, Instant};

use ludens_core::{Budget, Game, Rng, Tally};
use ludens_propnet::{Network, PropGame};

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let rules = ludens_gdl::load(&text).0.expect("the rules are valid");
        let Ok(network) =
            Network::load(&rules, &Budget::unlimited().with_time(Duration::from_mins(1)))
        else {
            println!("{path}: not grounded");
            continue;
        };
        let game = Arc::new(PropGame::jit(Arc::new(network)));
        let began = Instant::now();
        let Some(decisive) = game.decisive() else {
            println!("{path}: no decisive moves known ({:.0?})", began.elapsed());
            continue;
        };
        let took = began.elapsed();
        let gates = |game: &PropGame| game.network.net.gates.len();
        let [(plain, length, score), (restricted, shorter, wins)] = [&game, decisive].map(rate);
        println!(
            "{path}: {} gates, {} with decisive moves ({took:.0?}); {plain:.0} playouts/s of {length:.1} plies, first \
             role {score:.3}; {restricted:.0} of {shorter:.1}, {wins:.3}; per ply {:.2} times as long",
            gates(&game),
            gates(decisive),
            plain * length / (restricted * shorter),
        );
    }
}

/// Playouts a second, their length, and the mean payoff of the first role.
fn rate(game: &Arc<PropGame>) -> (f64, f64, f64) {
    let (initial, mut rng) = (game.initial(), Rng::new(1));
    let mut simulator = Arc::clone(game).simulator();
    simulator.tally(&[&initial], 1000, &mut rng, &mut [Tally::default()]);
    let (mut tally, began) = ([Tally::default()], Instant::now());
    while began.elapsed() < Duration::from_millis(500) {
        simulator.tally(&[&initial], 1000, &mut rng, &mut tally);
    }
    let [tally] = tally;
    let n = tally.playouts as f64;
    (n / began.elapsed().as_secs_f64(), tally.plies as f64 / n, tally.payoffs.as_slice()[0] / n)
}
