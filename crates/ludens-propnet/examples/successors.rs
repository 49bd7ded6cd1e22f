//! Measures successors of many states, by the CPU time of one thread.
//!
//! `cargo run --release -p ludens-propnet --example successors -- RULES… [--seconds S]`
//!
//! For each file of rules a line is printed: how many successors per second are computed 256 at a
//! time (next state, terminal, payoffs, legal moves), how many one by one by the scalar evaluator,
//! and the ratio of the two.

use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use ludens_core::{Budget, Game, Move, Rng, View, Views};
use ludens_propnet::{Bits, Network, PropGame};

/// How many states there are, with a joint move each.
const TURNS: usize = 2048;

fn main() -> Result<(), String> {
    let (mut files, mut seconds) = (Vec::new(), 1.0);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seconds" => {
                let value = arguments.next().ok_or("an option has no value")?;
                seconds = value.parse().map_err(|_| "seconds are a number")?;
            }
            _ => files.push(argument),
        }
    }
    let time = Duration::from_secs_f64(seconds);
    println!("{:<50} {:>12} {:>12} {:>6}", "RULES", "AT ONCE/S", "ONE BY ONE/S", "RATIO");
    for file in files {
        let network = load(&file)?;
        let scalar = PropGame::scalar(Arc::clone(&network));
        let turns = turns(&scalar);
        let many = at_once(&network, &turns, time);
        let single = one_by_one(&scalar, &turns, time);
        println!("{file:<50} {many:>12.0} {single:>12.0} {:>6.1}", many / single);
    }
    Ok(())
}

fn load(file: &str) -> Result<Arc<Network>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let rules = ludens_gdl::load(&text).0.ok_or_else(|| format!("{file}: no rules"))?;
    Network::load(&rules, &Budget::unlimited()).map(Arc::new).map_err(|t| format!("{file}: {t}"))
}

/// States of random games and the moves made there, in random order.
fn turns(game: &PropGame) -> Vec<(Bits, Vec<Move>)> {
    let (mut rng, mut view, mut found) = (Rng::new(1), View::default(), Vec::new());
    let mut state = game.initial();
    while found.len() < TURNS {
        game.look(&state, &mut view);
        if view.is_over() {
            state = game.initial();
            continue;
        }
        let joint: Vec<_> = view.legal.iter().map(|moves| moves[rng.below(moves.len())]).collect();
        found.push((state.clone(), joint.clone()));
        game.play(&mut state, &joint);
    }
    for i in 1..found.len() {
        found.swap(i, rng.below(i + 1));
    }
    found
}

fn at_once(network: &Arc<Network>, turns: &[(Bits, Vec<Move>)], time: Duration) -> f64 {
    let game = PropGame::jit(Arc::clone(network));
    let mut views = Views::default();
    per_second(time, || {
        for turns in turns.chunks(256) {
            let mut states: Vec<Bits> = turns.iter().map(|(state, _)| state.clone()).collect();
            let joints: Vec<Move> = turns.iter().flat_map(|(_, joint)| joint.clone()).collect();
            game.play_many(&mut states, &joints);
            game.look_many(&states.iter().collect::<Vec<_>>(), &mut views);
        }
    })
}

fn one_by_one(game: &PropGame, turns: &[(Bits, Vec<Move>)], time: Duration) -> f64 {
    let mut view = View::default();
    per_second(time, || {
        for (state, joint) in turns {
            let mut state = state.clone();
            game.play(&mut state, joint);
            game.look(&state, &mut view);
        }
    })
}

/// Turns per second; the first round, in which code is compiled, is left out.
fn per_second(time: Duration, mut all: impl FnMut()) -> f64 {
    all();
    let (begun, mut n) = (ThreadTime::now(), 0);
    while begun.elapsed() < time {
        all();
        n += TURNS;
    }
    n as f64 / begun.elapsed().as_secs_f64()
}
