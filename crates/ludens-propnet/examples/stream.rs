//! Measures playouts of many leaves as a stream, by the CPU time of one thread.
//!
//! `cargo run --release -p ludens-propnet --example stream -- RULES… [--seconds S] [--playouts N]`
//!
//! Leaves are states of random games, so that their playouts have different lengths. For each file
//! of rules a line is printed: outcomes and joint moves per second of the stream, joint moves per
//! second from the initial state alone, and the ratio of the two. With `--playouts` the leaves are
//! passed to `tally` instead, 256 at a time with `N` playouts each.

use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use ludens_core::{Budget, Game, Outcomes, Rng, Simulator, Tally, View};
use ludens_propnet::{Bits, Network, PropGame};

type Playouts = Box<dyn Simulator<PropGame>>;

/// How many leaves there are.
const LEAVES: usize = 4096;

/// Joint moves and playouts per second.
struct Speed {
    plies: f64,
    playouts: f64,
}

fn main() -> Result<(), String> {
    let (mut files, mut seconds, mut playouts) = (Vec::new(), 1.0, 0u64);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or("an option has no value");
        match argument.as_str() {
            "--seconds" => seconds = value()?.parse().map_err(|_| "seconds are a number")?,
            "--playouts" => playouts = value()?.parse().map_err(|_| "playouts are a number")?,
            _ => files.push(argument),
        }
    }
    let time = Duration::from_secs_f64(seconds);
    println!(
        "{:<50} {:>12} {:>14} {:>14} {:>6}",
        "RULES", "OUTCOMES/S", "PLIES/S", "ONE START", "RATIO"
    );
    for file in files {
        let game = load(&file)?;
        let leaves = leaves(&game);
        let many = if playouts == 0 {
            stream(&mut Arc::clone(&game).simulator(), &leaves, time)
        } else {
            tally(&mut Arc::clone(&game).simulator(), &leaves, playouts, time)
        };
        let one = one_start(&mut Arc::clone(&game).simulator(), &game.initial(), time);
        let ratio = many.plies / one.plies;
        println!(
            "{file:<50} {:>12.0} {:>14.0} {:>14.0} {ratio:>6.2}",
            many.playouts, many.plies, one.plies
        );
    }
    Ok(())
}

fn load(file: &str) -> Result<Arc<PropGame>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let rules = ludens_gdl::load(&text).0.ok_or_else(|| format!("{file}: no rules"))?;
    let network =
        Network::load(&rules, &Budget::unlimited()).map_err(|t| format!("{file}: {t}"))?;
    Ok(Arc::new(PropGame::jit(Arc::new(network))))
}

/// States of random games from which games continue, in random order.
fn leaves(game: &PropGame) -> Vec<Bits> {
    let (mut rng, mut view, mut found) = (Rng::new(1), View::default(), Vec::new());
    let mut state = game.initial();
    while found.len() < LEAVES {
        game.look(&state, &mut view);
        if view.is_over() {
            state = game.initial();
            continue;
        }
        found.push(state.clone());
        let joint: Vec<_> = view.legal.iter().map(|moves| moves[rng.below(moves.len())]).collect();
        game.play(&mut state, &joint);
    }
    for i in 1..found.len() {
        found.swap(i, rng.below(i + 1));
    }
    found
}

/// Offers one leaf after the other whenever there is room.
fn stream(simulator: &mut Playouts, leaves: &[Bits], time: Duration) -> Speed {
    let (mut rng, mut out) = (Rng::new(2), Outcomes::default());
    let mut next = (0..LEAVES).cycle();
    let mut sum = Tally::default();
    let mut begun = ThreadTime::now();
    let mut is_warm = false;
    loop {
        for _ in 0..100 {
            while simulator.room() > 0
                && let Some(leaf) = next.next()
            {
                simulator.offer(leaf as u32, &leaves[leaf]);
            }
            out.clear();
            simulator.advance(&mut rng, &mut out);
            sum.playouts += out.tags.len() as u64;
            sum.plies += out.plies.iter().map(|&plies| u64::from(plies)).sum::<u64>();
        }
        if !is_warm {
            // By now everything is compiled.
            (is_warm, sum, begun) = (true, Tally::default(), ThreadTime::now());
        } else if begun.elapsed() >= time {
            return speed(&sum, begun);
        }
    }
}

/// Asks for some playouts of each of 256 leaves at a time.
fn tally(simulator: &mut Playouts, leaves: &[Bits], playouts: u64, time: Duration) -> Speed {
    let mut rng = Rng::new(2);
    let mut tallies = vec![Tally::default(); 256];
    simulator.tally(&leaves[..256].iter().collect::<Vec<_>>(), 1, &mut rng, &mut tallies);
    tallies.fill(Tally::default());
    let begun = ThreadTime::now();
    for starts in leaves.chunks(256).cycle() {
        simulator.tally(&starts.iter().collect::<Vec<_>>(), playouts, &mut rng, &mut tallies);
        if begun.elapsed() >= time {
            break;
        }
    }
    let mut sum = Tally::default();
    for tally in &tallies {
        sum.playouts += tally.playouts;
        sum.plies += tally.plies;
    }
    speed(&sum, begun)
}

/// Many playouts from one state.
fn one_start(simulator: &mut Playouts, start: &Bits, time: Duration) -> Speed {
    let (mut rng, mut tally) = (Rng::new(3), [Tally::default()]);
    simulator.tally(&[start], 256, &mut rng, &mut tally);
    let mut playouts = 256;
    loop {
        tally = [Tally::default()];
        let begun = ThreadTime::now();
        simulator.tally(&[start], playouts, &mut rng, &mut tally);
        if begun.elapsed() * 2 >= time {
            return speed(&tally[0], begun);
        }
        playouts *= 2;
    }
}

fn speed(sum: &Tally, begun: ThreadTime) -> Speed {
    let seconds = begun.elapsed().as_secs_f64();
    Speed { plies: sum.plies as f64 / seconds, playouts: sum.playouts as f64 / seconds }
}
