//! Plain and incremental evaluation agree bit by bit, in any order of states and queries, and
//! playouts are those of the generic simulator.

#[path = "scalar/playouts.rs"]
mod playouts;
#[path = "scalar/random_network.rs"]
mod random_network;

use std::path::Path;
use std::sync::Arc;

use ludens_core::{Budget, Move, Rng, Role, Trouble};
use ludens_propnet::net::{Gate, Net, Signal};
use ludens_propnet::{Bits, Goal, Network, Scalar, Scratch, ones};
use ludens_testkit::library::check_every_game;
use ludens_testkit::random_rules::{self, RandomRules};
use random_network::{NetworkWriter, Reference};

fn network(text: &str, bytes: usize) -> Option<Arc<Network>> {
    let rules = ludens_gdl::load(text).0.expect("the rules load");
    match Network::load(&rules, &Budget::unlimited().with_bytes(bytes)) {
        Ok(network) => Some(Arc::new(network)),
        Err(Trouble::Exhausted(_)) => None,
        Err(trouble) => panic!("{trouble}"),
    }
}

/// An evaluator with its memory and its results.
struct Evaluator<'a> {
    engine: &'a Scalar,
    scratch: Scratch,
    legal: Vec<u64>,
    goals: Vec<u64>,
    next: Bits,
}

impl<'a> Evaluator<'a> {
    fn new(engine: &'a Scalar, network: &Network) -> Self {
        Evaluator {
            engine,
            scratch: engine.scratch(),
            // Old contents of the buffers must not leak into the results.
            legal: vec![0x5555; network.does.len().div_ceil(64)],
            goals: vec![0x5555; network.goals.len().div_ceil(64)],
            next: Bits::empty(network.fluents.len()),
        }
    }

    fn look(&mut self, state: &Bits) -> (bool, &[u64]) {
        let terminal = self.engine.look(&mut self.scratch, state.words(), &mut self.legal);
        (terminal, &self.legal)
    }

    fn goals(&mut self, state: &Bits) -> &[u64] {
        self.engine.goals(&mut self.scratch, state.words(), &mut self.goals);
        &self.goals
    }

    fn next(&mut self, state: &Bits, does: &[u32]) -> &Bits {
        self.engine.next(&mut self.scratch, state.words(), does, self.next.words_mut());
        &self.next
    }
}

/// Compares both evaluators in random playouts, in earlier states and in unreachable ones. Queries
/// are omitted at random, so that each meets the memory in any condition.
struct Comparison<'a> {
    network: &'a Network,
    plain: Evaluator<'a>,
    incremental: Evaluator<'a>,
    rng: Rng,
    seen: Vec<Bits>,
}

impl Comparison<'_> {
    fn run(network: &Network, steps: usize, seed: u64) -> Result<(), String> {
        let plain = Scalar::plain(network);
        let incremental =
            Scalar::incremental(network).ok_or("cannot be evaluated incrementally")?;
        let mut comparison = Comparison {
            network,
            plain: Evaluator::new(&plain, network),
            incremental: Evaluator::new(&incremental, network),
            rng: Rng::new(seed),
            seen: Vec::new(),
        };
        let mut state = comparison.initial();
        for _ in 0..steps {
            state = comparison.step(state)?;
        }
        Ok(())
    }

    fn initial(&self) -> Bits {
        let mut state = Bits::empty(self.network.fluents.len());
        self.network.initial.iter().for_each(|&fluent| state.set(fluent as usize));
        state
    }

    /// Compares a state, and returns the next one to compare.
    fn step(&mut self, state: Bits) -> Result<Bits, String> {
        let (is_terminal, legal) = self.plain.look(&state);
        let legal = legal.to_vec();
        if self.rng.below(4) > 0 && self.incremental.look(&state) != (is_terminal, &legal) {
            return Err("look differs".into());
        }
        let does = self.does(&legal);
        if (is_terminal || self.rng.below(4) == 0)
            && self.plain.goals(&state) != self.incremental.goals(&state)
        {
            return Err("goals differ".into());
        }
        if self.rng.below(8) > 0
            && self.plain.next(&state, &does) != self.incremental.next(&state, &does)
        {
            return Err("next differs".into());
        }
        let next = self.plain.next(&state, &does).clone();
        if self.seen.len() < 100 {
            self.seen.push(state);
        }
        Ok(match self.rng.below(if is_terminal { 3 } else { 20 }) {
            0 => self.initial(),
            1 => self.seen[self.rng.below(self.seen.len())].clone(),
            2 => self.disturbed(next),
            _ => next,
        })
    }

    /// A move for each role, legal if it has one.
    fn does(&mut self, legal: &[u64]) -> Vec<u32> {
        let ranges = self.network.does_of_roles();
        let ranges = ranges.into_iter().filter(|range| !range.is_empty());
        ranges
            .map(|range| {
                let own: Vec<usize> = ones(legal).filter(|does| range.contains(does)).collect();
                let does = own.get(self.rng.below(own.len().max(1))).copied();
                does.unwrap_or_else(|| range.start + self.rng.below(range.len())) as u32
            })
            .collect()
    }

    /// The state with some random fluents flipped.
    fn disturbed(&mut self, mut state: Bits) -> Bits {
        for _ in 0..=self.rng.below(20) {
            let fluent = self.rng.below(self.network.fluents.len().max(1));
            if let Some(word) = state.words_mut().get_mut(fluent / 64) {
                *word ^= 1 << (fluent % 64);
            }
        }
        state
    }
}

/// Checks every library game and lists those that fail.
fn for_library(check: impl Fn(&Arc<Network>) -> Result<(), String> + Sync) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    check_every_game(&folder, |entry| {
        let text = std::fs::read_to_string(&entry.rules).expect("the rules are there");
        check(&network(&text, 256 << 20).ok_or("too large to be grounded")?)
    });
}

#[test]
fn both_evaluators_agree_on_library_games() {
    for_library(|network| Comparison::run(network, 400, 1));
}

#[test]
fn both_evaluators_agree_on_random_rules() {
    let mut n_grounded = 0;
    for unsafe_rules in [false, true] {
        for seed in 0..150 {
            let mut rng = Rng::stream(12, &[u64::from(unsafe_rules), seed]);
            let rules = RandomRules::new(&mut rng, random_rules::Options { unsafe_rules });
            let Some(network) = network(&rules.text, 1 << 20) else { continue };
            n_grounded += 1;
            if let Err(why) = Comparison::run(&network, 100, seed) {
                panic!("seed {seed}: {why}\n{}", rules.text);
            }
        }
    }
    assert!(n_grounded > 200, "{n_grounded} of 300 random descriptions could be grounded");
}

#[test]
fn both_evaluators_agree_with_the_reference_on_random_networks() {
    for seed in 0..300 {
        let network = NetworkWriter::write(seed);
        Comparison::run(&network, 200, seed).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        let mut rng = Rng::new(seed);
        let incremental = Scalar::incremental(&network).expect("moves follow legality");
        let mut evaluator = Evaluator::new(&incremental, &network);
        for _ in 0..20 {
            let state = NetworkWriter::state(&mut rng);
            let does = rng.below(network.does.len()) as u32;
            let reference = Reference::new(&network, &state, &[]);
            let terminal = reference.bits(&[network.terminal])[0] == 1;
            assert_eq!(
                evaluator.look(&state),
                (terminal, &reference.bits(&network.legal)[..]),
                "{seed}"
            );
            let goals: Vec<Signal> = network.goals.iter().map(|goal| goal.signal).collect();
            assert_eq!(evaluator.goals(&state), reference.bits(&goals), "{seed}");
            let reference = Reference::new(&network, &state, &[does]);
            assert_eq!(
                evaluator.next(&state, &[does]).words(),
                reference.bits(&network.next),
                "{seed}"
            );
        }
    }
}

/// Links are added and removed, and with them what is reachable, forwards and backwards, in one block
/// and in a block that reads another; what only a cycle of links supports must become false with
/// its root.
const LINKS: &str = "
    (role you) (init (link 0 1)) (init (link 1 2)) (init (link 2 0)) (init (root 0))
    (node 0) (node 1) (node 2) (node 3) (node 4) (node 5) (node 6) (node 7)
    (<= (reached ?x) (true (root ?x)))
    (<= (reached ?y) (reached ?x) (true (link ?x ?y)))
    (<= (lost ?x) (node ?x) (not (reached ?x)))
    (<= (fed ?x) (lost ?x) (true (root ?y)) (true (link ?y ?x)))
    (<= (fed ?x) (fed ?y) (lost ?x) (true (link ?x ?y)))
    (<= (legal you (flip ?x ?y)) (node ?x) (node ?y))
    (<= (legal you (plant ?x)) (lost ?x))
    (<= (legal you (pull ?x)) (reached ?x) (not (fed ?x)))
    (<= (next (link ?x ?y)) (true (link ?x ?y)) (not (does you (flip ?x ?y))))
    (<= (next (link ?x ?y)) (does you (flip ?x ?y)) (not (true (link ?x ?y))))
    (<= (next (root ?x)) (does you (plant ?x)))
    (<= (next (root ?x)) (true (root ?x)) (not (does you (pull ?x))))
    (<= (next (far ?x)) (does you (flip ?y ?x)) (reached ?y))
    (<= (next (far ?y)) (next (far ?x)) (true (link ?x ?y)))
    (<= terminal (lost 7) (fed 3) (not (reached 5)))
    (<= (goal you 100) (true (far 3))) (<= (goal you 0) (not (true (far 3))))";

#[test]
fn blocks_gain_and_lose_support() {
    let network = network(LINKS, 256 << 20).expect("small enough");
    assert!(network.net.blocks.len() >= 3, "{} blocks", network.net.blocks.len());
    for seed in 0..20 {
        Comparison::run(&network, 1000, seed).unwrap();
    }
}

fn game_start(network: &Network) -> Bits {
    let mut state = Bits::empty(network.fluents.len());
    network.initial.iter().for_each(|&fluent| state.set(fluent as usize));
    state
}

/// One role, one fluent and one move, which is legal if it is made while the fluent does not hold.
fn circular() -> Network {
    let made = Gate::And([!Signal::of(1), Signal::of(2)].into());
    Network {
        roles: vec!["you".into()],
        fluents: vec!["f".into()],
        moves: vec!["m".into()],
        does: vec![(Role(0), Move(0))],
        net: Net { gates: vec![Gate::True, Gate::Fluent(0), Gate::Does(0), made], blocks: vec![] },
        legal: vec![Signal::of(3)],
        next: vec![Signal::of(3)],
        goals: vec![Goal { role: Role(0), value: 100, signal: !Signal::of(1) }],
        terminal: Signal::FALSE,
        initial: vec![],
        rows: Vec::new(),
    }
}

#[test]
fn legality_that_depends_on_moves_is_evaluated_plainly() {
    let network = circular();
    assert!(Scalar::incremental(&network).is_none());
    let scalar = Scalar::from(Arc::new(network.clone()));
    let mut evaluator = Evaluator::new(&scalar, &network);
    let mut holding = Bits::empty(1);
    holding.set(0);
    assert_eq!(evaluator.next(&Bits::empty(1), &[0]), &holding);
    assert_eq!(evaluator.look(&Bits::empty(1)), (false, &[0][..]));
    assert_eq!(evaluator.next(&holding, &[]), &Bits::empty(1));
    assert_eq!(evaluator.goals(&holding), [0]);
}

#[test]
fn the_choice_of_evaluator_depends_on_the_rules_only() {
    let tiny = "(role you) (init start) (<= (legal you go) (true start))
        (<= (next done) (does you go)) (<= terminal (true done)) (goal you 100)";
    let tiny = network(tiny, 1 << 20).expect("small enough");
    let links = network(LINKS, 256 << 20).expect("small enough");
    for _ in 0..3 {
        assert!(!Scalar::from(Arc::clone(&tiny)).is_incremental());
        assert!(Scalar::from(Arc::clone(&links)).is_incremental());
    }
}
