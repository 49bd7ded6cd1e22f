//! All policies by name, with the parameters of the papers if they give any.

use ludens_search::{
    Chain, ExploringPuct, Fast, FirstPlay, Grave, Growth, Gumbel, Improvement, Lgrf, Mast, Nast,
    Past, PlayoutPolicy, PoolRave, Ppa, Ppr, ProgressiveBias, Puct, Rave, RootNoise, TreePolicy,
    Ucb, UcbTuned, Unpruning, Unvisited,
};

/// Makes a tree policy.
pub type MakeTree = fn() -> Box<dyn TreePolicy>;

/// Makes a chain of playout policies.
pub type MakeChain = fn() -> Chain;

/// UCB1 with the exploration of the experiments.
pub fn uct() -> Box<dyn TreePolicy> {
    Box::new(Ucb { exploration: 0.4, unvisited: Unvisited::First })
}

/// RAVE with the parameters of the paper.
pub fn rave() -> Box<dyn TreePolicy> {
    Box::new(Rave { equivalence: 130.0, exploration: 0.0, unvisited: Unvisited::First })
}

/// GRAVE with a reference count that short searches reach.
pub fn grave() -> Box<dyn TreePolicy> {
    Box::new(Grave::new(10, 1e-2, Unvisited::First))
}

fn ucb_tuned() -> Box<dyn TreePolicy> {
    Box::new(UcbTuned::new(1.0, Unvisited::First))
}

fn puct() -> Box<dyn TreePolicy> {
    Box::new(Puct { exploration: 1.0, growth: Growth::SquareRoot, first: FirstPlay::Constant(0.0) })
}

fn exploring_puct() -> Box<dyn TreePolicy> {
    let growth = Growth::None;
    let below = Puct { exploration: 4.0, growth, first: FirstPlay::Constant(0.5) };
    Box::new(ExploringPuct::new(below, RootNoise { share: 0.25, concentration: 10.0 }, 2.0, 1))
}

fn gumbel() -> Box<dyn TreePolicy> {
    let below =
        Puct { exploration: 1.0, growth: Growth::SquareRoot, first: FirstPlay::BelowMean(0.1) };
    // All moves are considered: there are no priors to tell which are good.
    Box::new(Gumbel::new(below, 1000, Improvement { visits: 50.0, values: 0.2 }, 0.0))
}

fn progressive_bias() -> Box<dyn TreePolicy> {
    Box::new(ProgressiveBias { exploration: 0.4, weight: 1.0, unvisited: Unvisited::First })
}

fn unpruning() -> Box<dyn TreePolicy> {
    Box::new(Unpruning::new(8, uct()))
}

/// Every tree policy, by the name of its file.
pub const TREE_POLICIES: [(&str, MakeTree); 9] = [
    ("ucb", uct),
    ("ucb_tuned", ucb_tuned),
    ("rave", rave),
    ("grave", grave),
    ("puct", puct),
    ("exploring_puct", exploring_puct),
    ("gumbel", gumbel),
    ("progressive_bias", progressive_bias),
    ("unpruning", unpruning),
];

/// Every playout policy, by the name of its file and its variant.
pub const PLAYOUT_POLICIES: [(&str, MakeChain); 13] = [
    ("uniform", Chain::default),
    ("mast", || one(Mast::new(0.3, 1.0))),
    ("nast 2", || one(Nast::new(2, 0.3, 0.5, 1.0))),
    ("nast 3", || one(Nast::new(3, 0.3, 0.0, 2.0))),
    ("past", || one(Past::new(0.3, 0.5, 1.0))),
    ("fast", || one(Fast::new(0.1, 0.1, 0.9, 0.5))),
    ("lgrf", || one(Lgrf::default())),
    ("pool_rave", || one(PoolRave::new(3, 0.5, 5, false))),
    ("ppr", || one(Ppr::new(0.01, 0.25, 0.8, false))),
    ("ppr shared", || one(Ppr::new(0.01, 0.25, 0.8, true))),
    ("ppa", ppa),
    ("ppa features memorize", || one(Ppa::new(0.32, 1.0, true, true))),
    ("lgrf + mast", || Chain::new(vec![Box::new(Lgrf::default()), Box::new(Mast::new(0.3, 1.0))])),
];

/// PPA without features or memory.
pub fn ppa() -> Chain {
    one(Ppa::new(0.32, 1.0, false, false))
}

fn one(policy: impl PlayoutPolicy + 'static) -> Chain {
    Chain::new(vec![Box::new(policy)])
}

/// Every tree policy with every playout policy, with the names of both.
pub fn combinations() -> impl Iterator<Item = (String, MakeTree, MakeChain)> {
    TREE_POLICIES.iter().flat_map(|&(tree, make_tree)| {
        PLAYOUT_POLICIES.iter().map(move |&(playout, make_chain)| {
            (format!("{tree} + {playout}"), make_tree, make_chain)
        })
    })
}

/// The files of a folder of the sources that implement a trait.
fn files_with(folder: &str, what: &str) -> Vec<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("the folder can be read").path();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if text.contains(what) {
            names.push(path.file_stem().expect("a name").to_string_lossy().into_owned());
        }
    }
    names.sort();
    names
}

/// Each policy is one file, so that a policy without a test is detected.
#[test]
fn the_tables_contain_every_policy() {
    let named = |names: &mut dyn Iterator<Item = &str>| {
        let first = |name: &str| name.split(' ').next().unwrap_or(name).to_owned();
        let mut names: Vec<String> = names.map(first).filter(|name| name != "uniform").collect();
        names.sort();
        names.dedup();
        names
    };
    let trees = named(&mut TREE_POLICIES.iter().map(|(name, _)| *name));
    assert_eq!(trees, files_with("tree_policy", "impl TreePolicy for"));
    let playouts = named(&mut PLAYOUT_POLICIES.iter().map(|(name, _)| *name));
    assert_eq!(playouts, files_with("playout_policy", "impl PlayoutPolicy for"));
}
