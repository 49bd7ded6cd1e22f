//! x
use ludens_core::Budget;
use ludens_propnet::Network;
use ludens_propnet::lanes::*;
use std::sync::Arc;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let rules = ludens_gdl::load(&text).0.unwrap();
    let network = Arc::new(Network::load(&rules, &Budget::unlimited()).unwrap());
    let e: Arc<LaneEngine<Interpreted>> = Arc::new(network.clone().into());
    let e = e.for_playouts();
    debug(&network, &e);
    let l = &e.programs.leaves;
    println!("alone {:?} turns {:?} others {:?} forced {:?} groups {}", l.alone.iter().map(|&f| &network.fluents[f as usize]).collect::<Vec<_>>(), l.turns, l.others, l.forced, l.at_most_one.len());
    for c in &l.choices { println!("choice {}", c.len()); for leaf in c.iter().take(80) { println!("  {:?}", leaf.iter().map(|s| (network.does[s.does as usize].0.0, &network.moves[network.does[s.does as usize].1.index()], s.guards, s.when)).collect::<Vec<_>>()); } }
}
#[allow(dead_code)]
fn debug(network: &Arc<Network>, e: &Arc<LaneEngine<Interpreted>>) {
    let mut m = e.memory();
    for &f in &network.initial { m.state[f as usize] = Plane::ONES; }
    e.run(Task::Look, &mut m);
    let l = &e.programs.layout;
    println!("legal 73 {:?} 36 {:?}", m.frame[(l.legal+73) as usize].get(0), m.frame[(l.legal+36) as usize].get(0));
    e.run(Task::CountForRecord, &mut m);
    println!("stuck {:?} doubt {:?}", m.frame[l.stuck as usize].get(0), m.frame[l.doubt as usize].get(0));
    println!("{}", e.programs.program(Task::CountForRecord).program);
    println!("{}", e.programs.program(Task::Record).program);
    println!("does at {}", l.does);
}
