use ludens_core::Budget;
use ludens_propnet::{Network, lanes::LanePrograms};
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let rules = ludens_gdl::load(&text).0.unwrap();
        let t = std::time::Instant::now();
        let network = Network::load(&rules, &Budget::unlimited()).unwrap();
        let g = t.elapsed();
        let t = std::time::Instant::now();
        let p = LanePrograms::of(&network);
        println!("{} fluents {} does {} look {} goals {} next {} count {} draw {} advance {} frame {} ground {:?} programs {:?}", path.rsplit('/').next().unwrap(), network.fluents.len(), network.does.len(), p.look.n_gates(), p.goals.n_gates(), p.next.n_gates(), p.count.n_gates(), p.draw.n_gates(), p.advance.n_gates(), p.layout.len, g, t.elapsed());
    }
}
