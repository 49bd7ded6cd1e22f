//! x
use ludens_core::Budget;
use ludens_propnet::Network;
use ludens_propnet::lanes::*;
use std::sync::Arc;
use cpu_time::ThreadTime;
fn main() {
    for path in std::env::args().skip(1) {
    let text = std::fs::read_to_string(&path).unwrap();
    let rules = ludens_gdl::load(&text).0.unwrap();
    let t = ThreadTime::now();
    let network = Arc::new(Network::load(&rules, &Budget::unlimited()).unwrap());
    print!("{path} ground {:?} gates {}", t.elapsed(), network.net.gates.len());
    let t = ThreadTime::now();
    let engine: Arc<LaneEngine<Compiled>> = Arc::new(network.clone().into());
    print!(" engine {:?}", t.elapsed());
    let t = ThreadTime::now();
    let engine = engine.for_playouts();
    print!(" sharing {:?}", t.elapsed());
    let t = ThreadTime::now();
    engine.programs.n_gates();
    print!(" programs {:?}", t.elapsed());
    let t = ThreadTime::now();
    engine.prepare();
    println!(" compile {:?}", t.elapsed());
    }
}
