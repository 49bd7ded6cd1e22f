use std::sync::Arc;
use std::time::Instant;
use cpu_time::ThreadTime;
use ludens_propnet::lanes::{LaneEngine, Compiled, Task};
use ludens_core::{Budget, Game, Rng, Tally};
use ludens_propnet::engine::Engine;
use ludens_propnet::{Jit, Lanes, Network, PropGame, Scalar};
fn bench<E: Engine + From<Arc<Network>>>(network: &Arc<Network>, seconds: f64) -> f64 {
    let t = Instant::now();
    let game = Arc::new(PropGame::<E>::new(Arc::clone(network)));
    let mut sim = Arc::clone(&game).simulator();
    let start = game.initial();
    let mut rng = Rng::new(1);
    let mut tally = [Tally::default()];
    sim.tally(&[&start], 1, &mut rng, &mut tally);
    let load = t.elapsed();
    let mut n = 256;
    let mut total = [Tally::default()];
    let t = ThreadTime::now();
    while t.elapsed().as_secs_f64() < seconds {
        sim.tally(&[&start], n, &mut rng, &mut total);
        if n < 1 << 22 && t.elapsed().as_secs_f64() < seconds / 4.0 { n *= 2; }
    }
    let s = t.elapsed().as_secs_f64();
    if E::NAME == "jit" {
        let mut leaves = Vec::new();
        let mut view = ludens_core::View::default();
        while leaves.len() < 256 {
            let mut state = game.initial();
            for _ in 0..rng.below(12) {
                game.look(&state, &mut view);
                if view.terminal { break; }
                let joint: Vec<_> = view.legal.iter().map(|l| l[rng.below(l.len())]).collect();
                game.play(&mut state, &joint);
            }
            game.look(&state, &mut view);
            if !view.terminal { leaves.push(state); }
        }
        let starts: Vec<_> = leaves.iter().collect();
        let mut tallies = vec![Tally::default(); 256];
        let t = ThreadTime::now();
        while t.elapsed().as_secs_f64() < seconds { sim.tally(&starts, 100, &mut rng, &mut tallies); }
        let e = t.elapsed().as_secs_f64();
        let (p, n) = tallies.iter().fold((0, 0), |(p, n), t| (p + t.plies, n + t.playouts));
        print!("  256 leaves: {:.0} playouts/s {:.0} plies/s ratio of plies {:.2};", n as f64 / e, p as f64 / e, p as f64 / e / (total[0].plies as f64 / s));
        let t = ThreadTime::now();
        let mut out = ludens_core::Outcomes::default();
        let (mut n, mut p, mut k) = (0u64, 0u64, 0u32);
        while t.elapsed().as_secs_f64() < seconds {
            while sim.room() > 0 { sim.offer(k, starts[k as usize % 256]); k += 1; }
            sim.advance(&mut rng, &mut out);
            n += out.tags.len() as u64;
            p += out.plies.iter().map(|&p| u64::from(p)).sum::<u64>();
            out.clear();
        }
        let e = t.elapsed().as_secs_f64();
        println!(" stream: {:.0} playouts/s ratio of plies {:.2}", n as f64 / e, p as f64 / e / (total[0].plies as f64 / s));
        let mut out = Vec::new();
        let t = ThreadTime::now();
        let mut n = 0;
        while t.elapsed().as_secs_f64() < seconds { out.clear(); sim.run(&[&start; 1024], &mut ludens_core::Uniform, &mut rng, &mut out); n += 1024; }
        println!("  policy run: {:.0} playouts/s", n as f64 / t.elapsed().as_secs_f64());
    }
    let [total] = total;
    println!("  {:7} load {:?} playouts/s {:.0} plies/s {:.0} len {:.2} n {} mean {:?} finished {}", E::NAME, load, total.playouts as f64 / s, total.plies as f64 / s, total.plies as f64 / total.playouts as f64, total.playouts, total.payoffs.iter().map(|p| 100.0 * p / total.playouts as f64).collect::<Vec<_>>(), total.finished);
    total.playouts as f64 / s
}
fn profile(network: &Arc<Network>) {
    let t = ThreadTime::now();
    let engine: Arc<LaneEngine<Compiled>> = Arc::new(Arc::clone(network).into());
    print!("  engine {:?}", t.elapsed());
    let t = ThreadTime::now();
    let engine = engine.for_playouts();
    print!(" sharing {:?}", t.elapsed());
    let t = ThreadTime::now();
    engine.programs.n_gates();
    print!(" programs {:?}", t.elapsed());
    let t = ThreadTime::now();
    engine.prepare();
    println!(" compile {:?}", t.elapsed());
    let mut memory = engine.memory();
    for i in network.initial.iter() { memory.state[*i as usize] = ludens_propnet::lanes::Plane::ONES; }
    for task in [Task::Count, Task::Draw, Task::Payoffs, Task::Advance, Task::Look, Task::Next] {
        engine.run(task, &mut memory);
        let t = ThreadTime::now();
        let mut n = 0u32;
        while t.elapsed().as_secs_f64() < 0.05 { for _ in 0..16 { engine.run(task, &mut memory); n += 1; } }
        let c = engine.code(task);
        let bytes = match c { Compiled::Machine(m) => m.len(), _ => 0 };
        print!(" {:?} {:.0}ns/{}B", task, t.elapsed().as_secs_f64() * 1e9 / n as f64, bytes);
    }
    let p = &engine.programs;
    println!();
    for task in Task::ALL { print!("  {:?} {}", task, p.program(task).program.n_gates()); }
    println!(" holds {}", p.holds);
}
fn main() {
    let seconds: f64 = std::env::var("S").map_or(0.5, |s| s.parse().unwrap());
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let rules = ludens_gdl::load(&text).0.unwrap();
        let network = Arc::new(Network::load(&rules, &Budget::unlimited()).unwrap());
        println!("{path}");
        profile(&network);
        let s = bench::<Scalar>(&network, seconds);
        let l = bench::<Lanes>(&network, seconds);
        let j = bench::<Jit>(&network, seconds);
        println!("  lanes/scalar {:.0} jit/scalar {:.0} jit/lanes {:.1}", l / s, j / s, j / l);
    }
}
