//! The speed of the games, in nanoseconds per ply of uniformly random games and in playouts per
//! second, measured in CPU time of this thread:
//!
//! - `tally`: results only;
//! - `record`: with moves;
//! - `run`: moves chosen by a policy, here the uniform one, from lists;
//! - `plain`: the same with `look` and `play`, which works for any game.
//!
//! `cargo run --release -p ludens-games --example speed [GAME [SIZE]]`

use std::sync::Arc;

use cpu_time::ThreadTime;
use ludens_core::{Game, Rng, ScalarSimulator, Simulator, Tally, Uniform, WithGame};
use ludens_games::{
    Duel, GAMES, NativeGame, NativeSimulator, Rules, breakthrough, havannah, with_game,
};

/// Seconds per measurement.
const SECONDS: f64 = 1.0;

/// Measures a game.
struct Measure(&'static NativeGame, u32);

impl WithGame for Measure {
    type Out = ();

    fn call<G: Game>(self, game: Arc<G>) {
        let mut simulator = Arc::clone(&game).simulator();
        let (initial, mut rng) = (game.initial(), Rng::new(1));
        let mut tallies = [Tally::default()];
        let tally = rate(|| {
            simulator.tally(&[&initial], 1000, &mut rng, &mut tallies);
            1000
        });
        let plies = tallies[0].plies as f64 / tallies[0].playouts as f64;
        println!(
            "{} {}: {plies:.1} plies, states of {} bytes",
            self.0.name,
            self.1,
            size_of::<G::State>()
        );
        report("tally", tally, plies);
        report("run", with_policy(&mut *simulator, &initial), plies);
        report("plain", with_policy(&mut ScalarSimulator::new(game), &initial), plies);
    }
}

/// Playouts of the uniform policy per second.
fn with_policy<G: Game>(simulator: &mut dyn Simulator<G>, start: &G::State) -> f64 {
    let (mut playouts, mut rng, starts) = (Vec::new(), Rng::new(2), [start; 100]);
    rate(|| {
        playouts.clear();
        simulator.run(&starts, &mut Uniform, &mut rng, &mut playouts);
        playouts.len()
    })
}

/// Measures recorded playouts.
fn record<R: Rules>(name: &str, game: Duel<R>) {
    let (initial, mut rng) = (game.initial(), Rng::new(3));
    let mut simulator = NativeSimulator::new(Arc::new(game));
    let (mut plies, mut playouts) = (0, 0);
    let rate = rate(|| {
        plies += (0..100).map(|_| simulator.record(&initial, &mut rng).plies).sum::<u32>();
        playouts += 100;
        100
    });
    println!("{name}");
    report("record", rate, f64::from(plies) / f64::from(playouts));
}

/// Prints a line with a number of playouts per second.
fn report(what: &str, rate: f64, plies: f64) {
    println!("  {what:6} {rate:9.0} playouts/s {:6.1} ns a ply", 1e9 / rate / plies);
}

/// The rate of `work` per second; each call returns how often it has done it.
fn rate(mut work: impl FnMut() -> usize) -> f64 {
    work();
    let (start, mut done) = (ThreadTime::now(), 0);
    loop {
        done += work();
        let seconds = start.elapsed().as_secs_f64();
        if seconds > SECONDS {
            return done as f64 / seconds;
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (wanted, size) = (arguments.next(), arguments.next().and_then(|size| size.parse().ok()));
    for game in GAMES.iter().filter(|game| wanted.as_ref().is_none_or(|name| name == game.name)) {
        let size = size.unwrap_or(game.size.default);
        if with_game(game.name, size, Measure(game, size)).is_none() {
            println!("{} has no size {size}", game.name);
        }
    }
    if wanted.is_none() {
        record("breakthrough 8", breakthrough::game(8));
        record("havannah 8", havannah::game(8));
    }
}
