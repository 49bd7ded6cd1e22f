use ludens_core::Budget;
use ludens_propnet::Network;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let rules = ludens_gdl::load(&text).0.unwrap();
    let network = Network::load(&rules, &Budget::unlimited()).unwrap();
    let mut kinds = std::collections::BTreeMap::<(u8, String), u32>::new();
    for (i, &(r, m)) in network.does.iter().enumerate() {
        let t = &network.moves[m.index()];
        let words: Vec<&str> = t.split_whitespace().collect();
        *kinds.entry((r.0, words.iter().take(2).cloned().collect::<Vec<_>>().join(" "))).or_default() += 1;
        let _ = i;
    }
    println!("{kinds:?}");
    for i in (0..network.does.len()).step_by(173) { println!("{:?} {}", network.does[i].0, network.moves[network.does[i].1.index()]); }
}
