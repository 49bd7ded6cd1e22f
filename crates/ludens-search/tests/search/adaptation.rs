//! PPA against a naive implementation of Cazenave and Diemert 2017, algorithm 2: the whole policy is copied, the
//! simulation is replayed from the root, and the copy replaces the policy.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use ludens_core::{FixedWeights, Game, Move, Rng, Turn, View};
use ludens_games::{breakthrough, domineering, havannah, nogo};
use ludens_search::{Chain, Episode, Path, PlayoutPolicy, Ppa, Settings, Tree};

use crate::games::{THREE_ROLES, THREE_ROUNDS, ground};
use crate::policies::uct;
use crate::thinker::Thinker;

/// The joint moves of a simulation from the root on, and its payoffs.
type Simulation = (Vec<Move>, Vec<f32>);

/// Makes no choices, and records every simulation.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<Simulation>>>);

impl PlayoutPolicy for Recorder {
    fn choose(&mut self, _: &Turn<'_>, _: Option<&[Move]>, _: &mut Rng) -> Option<usize> {
        None
    }

    fn learn(&mut self, episode: &Episode<'_>) {
        let mut moves = Vec::new();
        episode.each_pair(|_, joint| moves.extend_from_slice(joint));
        self.0
            .lock()
            .expect("no thread panics with the lock")
            .push((moves, episode.payoffs.to_vec()));
    }

    fn subscribe(&self, tree: &mut Tree) {
        tree.record_moves();
    }

    fn fresh(&self) -> Box<dyn PlayoutPolicy> {
        Box::new(self.clone())
    }
}

/// PPA as the only policy, so that a simulator may draw moves by its weights; every simulation is recorded.
struct Alone(Ppa, Recorder);

impl PlayoutPolicy for Alone {
    fn begin(&mut self, tree: &Tree, path: &Path, game: usize) {
        self.0.begin(tree, path, game);
    }

    fn choose(&mut self, turn: &Turn<'_>, last: Option<&[Move]>, rng: &mut Rng) -> Option<usize> {
        self.0.choose(turn, last, rng)
    }

    fn fixed_weights(&mut self, n_roles: usize, n_codes: usize) -> Option<&mut dyn FixedWeights> {
        self.0.fixed_weights(n_roles, n_codes)
    }

    fn decided(&mut self, turn: &Turn<'_>, chosen: usize, asked: bool) {
        self.0.decided(turn, chosen, asked);
    }

    fn learn(&mut self, episode: &Episode<'_>) {
        self.0.learn(episode);
        self.1.learn(episode);
    }

    fn learnt_weights(&self) -> Option<Vec<Vec<(u32, f32)>>> {
        self.0.learnt_weights()
    }

    fn subscribe(&self, tree: &mut Tree) {
        self.0.subscribe(tree);
        self.1.subscribe(tree);
    }

    fn fresh(&self) -> Box<dyn PlayoutPolicy> {
        self.0.fresh()
    }
}

/// Weights by role and code; missing ones are 0.
type Policy = BTreeMap<(u8, u32), f64>;

/// Algorithm 2, with α multiplied by the payoff of the role.
fn adapt<G: Game>(game: &G, features: bool, policy: &Policy, simulation: &Simulation) -> Policy {
    const ALPHA: f64 = 0.32;
    let mut adapted = policy.clone();
    let (mut state, mut view) = (game.initial(), View::default());
    for joint in simulation.0.chunks_exact(game.roles().len()) {
        game.look(&state, &mut view);
        for (role, legal) in view.legal.entries() {
            let code = |mv| (role.0, if features { game.code(&state, role, mv) } else { mv.0 });
            let alpha = ALPHA * f64::from(simulation.1[role.index()]);
            *adapted.entry(code(joint[role.index()])).or_default() += alpha;
            let exp = |mv| policy.get(&code(mv)).copied().unwrap_or(0.0).exp();
            let z: f64 = legal.iter().map(|&mv| exp(mv)).sum();
            for &mv in legal {
                *adapted.entry(code(mv)).or_default() -= alpha * exp(mv) / z;
            }
        }
        game.play(&mut state, joint);
    }
    adapted
}

/// Runs a search that adapts its weights, and compares them with those of the naive algorithm after every
/// call.
fn check<G: Game>(game: &Arc<G>, features: bool, batch: usize) {
    for alone in [false, true] {
        let recorder = Recorder::default();
        let ppa = Ppa::new(0.32, 1.0, features, true);
        let chain = if alone {
            Chain::new(vec![Box::new(Alone(ppa, recorder.clone()))])
        } else {
            Chain::new(vec![Box::new(ppa), Box::new(recorder.clone())])
        };
        check_chain(game, chain, &recorder, features, batch);
    }
}

fn check_chain<G: Game>(
    game: &Arc<G>,
    chain: Chain,
    recorder: &Recorder,
    features: bool,
    batch: usize,
) {
    let mut thinker = Thinker::new(game, uct(), chain, Settings::default(), batch);
    thinker.searcher.begin(5);
    let mut policy = Policy::new();
    let mut adapted = 0;
    for _ in 0..20 {
        thinker.think(&game.initial(), batch as u64);
        for simulation in recorder.0.lock().expect("no thread panics with the lock").drain(..) {
            policy = adapt(&**game, features, &policy, &simulation);
            adapted += 1;
        }
        compare(&policy, &thinker.searcher.chain);
    }
    assert_eq!(adapted, 20 * batch, "one adaptation for each simulation");
    let max = policy.values().fold(0.0, |max: f64, weight| max.max(weight.abs()));
    assert!(max > 0.2, "hardly anything was learnt: {max}");
}

fn compare(policy: &Policy, chain: &Chain) {
    let learnt = chain.learnt_weights().expect("weights are learnt");
    let mut found = Policy::new();
    for (role, weights) in (0..).zip(&learnt) {
        found.extend(weights.iter().map(|&(code, weight)| ((role, code), f64::from(weight))));
    }
    for key in policy.keys().chain(found.keys()) {
        let weight = |policy: &Policy| policy.get(key).copied().unwrap_or(0.0);
        let (expected, found) = (weight(policy), weight(&found));
        assert!((expected - found).abs() < 1e-4, "{key:?}: {found} is not {expected}");
    }
}

#[test]
fn weights_are_those_of_the_paper() {
    for (features, batch) in [(false, 1), (true, 1), (true, 8)] {
        check(&Arc::new(breakthrough::game(5)), features, batch);
        check(&Arc::new(domineering::game(5)), features, batch);
        check(&Arc::new(nogo::game(4)), features, batch);
        check(&Arc::new(havannah::game(3)), features, batch);
        check(&ground("tictactoe.kif", &[]), features, batch);
        check(&ground(THREE_ROUNDS.0, THREE_ROUNDS.1), features, batch);
        check(&ground(THREE_ROLES.0, THREE_ROLES.1), features, batch);
    }
}
