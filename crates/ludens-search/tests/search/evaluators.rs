//! One loop for every evaluator: playouts, evaluation functions, and functions with known priors and
//! values in place of a network; alone, with threads, and for hundreds of searches together.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::{Arc, Mutex};

use ludens_core::{Budget, Game, Move, Rng, Role};
use ludens_games::breakthrough;
use ludens_search::{
    Agent, Chain, Construction, Demand, Evaluated, EvaluatedPosition, Evaluation, Evaluator,
    FirstPlay, FnEvaluator, Growth, HeuristicLeaves, Leaf, LeafHeuristic, MakeEvaluator, Mcts,
    Parallel, Playouts, Policies, Pooling, Puct, Searcher, Settings, Sharing, TreePolicy, Value,
    Watch,
};

use crate::games::{THREE_ROLES, THREE_ROUNDS, ground, positions};
use crate::policies::{MakeChain, PLAYOUT_POLICIES, uct};
use crate::print::print;
use crate::thinker::{check_counts, run, run_together};

fn budget(iterations: u64) -> Budget {
    Budget::unlimited().with_iterations(iterations)
}

fn puct() -> Box<dyn TreePolicy> {
    Box::new(Puct { exploration: 1.5, growth: Growth::SquareRoot, first: FirstPlay::Constant(0.5) })
}

fn searcher<G: Game>(game: &Arc<G>, policy: Box<dyn TreePolicy>, batch: usize) -> Searcher<G> {
    let (chain, settings) = (Chain::default(), Settings::default());
    let mut searcher = Searcher::new(Arc::clone(game), policy, chain, settings, batch);
    searcher.begin(1);
    assert!(searcher.set_root(&game.initial()));
    searcher
}

/// A pseudorandom number in `0.0..1.0` for a state and a salt.
fn pseudorandom<S: std::hash::Hash>(state: &S, salt: u64) -> f32 {
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(state);
    (Rng::mix(hash ^ salt) % 997) as f32 / 997.0
}

/// The value and the priors of a position: fixed numbers for each state.
fn known_value<S: std::hash::Hash>(position: &EvaluatedPosition<S>) -> Value {
    let EvaluatedPosition { state, legal } = position;
    let payoffs = (0..legal.n_roles() as u64).map(|role| pseudorandom(state, role)).collect();
    let priors = legal.entries().map(|(role, legal)| {
        let weight =
            |mv: &Move| 0.01 + pseudorandom(state, u64::from(mv.0) << 8 | u64::from(role.0) << 4);
        let weights: Vec<f32> = legal.iter().map(weight).collect();
        let sum: f32 = weights.iter().sum();
        weights.iter().map(|weight| weight / sum).collect()
    });
    Value { payoffs, priors: priors.collect() }
}

/// The sizes of the batches of an evaluator.
type Log = Arc<Mutex<Vec<usize>>>;

fn logged<G: Game>(capacity: usize, log: &Log) -> Box<dyn Evaluator<G>> {
    let log = Arc::clone(log);
    Box::new(FnEvaluator::<G, _>::new(capacity, move |positions: &[_]| {
        log.lock().expect("no thread panics with the lock").push(positions.len());
        positions.iter().map(known_value).collect()
    }))
}

fn network<G: Game>(capacity: usize) -> Box<dyn Evaluator<G>> {
    logged(capacity, &Log::default())
}

/// Searches many positions alone and together, and compares the trees.
fn same_together_and_alone<G: Game>(game: &Arc<G>) {
    let positions = positions(&**game);
    let searchers = || {
        let at = |i: usize| {
            let mut searcher = searcher(game, puct(), 1);
            searcher.set_root(&positions[i % positions.len()]);
            searcher
        };
        (0..256).map(at).collect::<Vec<_>>()
    };
    let (mut together, mut alone) = (searchers(), searchers());
    for iterations in [20, 7] {
        let counted = run_together(&mut *network(256), &mut together, &budget(iterations));
        let one_by_one = alone.iter_mut();
        let expected: Vec<u64> =
            one_by_one.map(|own| run(&mut *network(1), own, &budget(iterations))).collect();
        assert_eq!(counted, expected);
    }
    for (together, alone) in together.iter().zip(&alone) {
        check_counts(together.search.tree());
        assert_eq!(print(&together.search), print(&alone.search));
    }
}

#[test]
fn priors_and_values_give_the_same_trees_together_and_alone() {
    same_together_and_alone(&Arc::new(breakthrough::game(5)));
    same_together_and_alone(&ground("tictactoe.kif", &[]));
    same_together_and_alone(&ground(THREE_ROUNDS.0, THREE_ROUNDS.1));
    same_together_and_alone(&ground(THREE_ROLES.0, THREE_ROLES.1));
}

#[test]
fn priors_and_values_give_the_same_trees_with_threads() {
    let game = Arc::new(breakthrough::game(5));
    let make: MakeEvaluator<_> = Arc::new(|| network(1));
    let one = || searcher(&game, puct(), 1);
    let state = game.initial();
    let mut alone = Mcts::with_evaluator(one(), Arc::clone(&make));
    alone.begin(1);
    let expected = alone.think(&state, &budget(60), &mut Watch::none());
    for sharing in [Sharing::Root, Sharing::Tree] {
        let mut threads = Parallel::with_evaluator(one, &make, 3, sharing);
        threads.begin(1);
        let report = threads.think(&state, &budget(180), &mut Watch::none());
        let visits = report.moves[Role(0)].iter().map(|stats| stats.visits).sum::<u64>();
        assert_eq!((report.iterations, visits), (180, 180), "{sharing:?}");
        if sharing == Sharing::Root {
            // Nothing is random, so that each thread finds the same as a single search.
            for (own, sum) in expected.moves[Role(0)].iter().zip(&report.moves[Role(0)]) {
                assert_eq!((own.mv, 3 * own.visits), (sum.mv, sum.visits));
            }
        }
    }
}

/// A pool has one evaluator, which is that of playouts.
#[test]
fn a_search_with_an_evaluator_of_its_own_is_not_pooled() {
    let game = Arc::new(breakthrough::game(5));
    let make: MakeEvaluator<_> = Arc::new(|| network(1));
    let mut own = Mcts::with_evaluator(searcher(&game, puct(), 1), make);
    assert_eq!(Pooling::of_agent(&mut own), Pooling::Alone);
    let (chain, settings) = (Chain::default(), Settings::default());
    let mut playouts = Mcts::new(Arc::clone(&game), puct(), chain, settings, 1);
    assert_ne!(Pooling::of_agent(&mut playouts), Pooling::Alone);
}

#[test]
fn priors_reach_the_root_before_the_first_selection() {
    let game = Arc::new(breakthrough::game(5));
    let fresh = searcher(&game, puct(), 1);
    let n_moves = fresh.search.tree().moves(fresh.search.root(), Role(0)).len();
    for favourite in 0..n_moves {
        let mut evaluator = FnEvaluator::new(8, move |positions: &[EvaluatedPosition<_>]| {
            let value = |position: &EvaluatedPosition<_>| {
                let mut value = known_value(position);
                for priors in &mut value.priors {
                    let n_moves = priors.len();
                    priors.fill(0.1 / n_moves as f32);
                    priors[favourite % n_moves] = 0.9;
                }
                value
            };
            positions.iter().map(value).collect()
        });
        let mut searcher = searcher(&game, puct(), 1);
        assert_eq!(run(&mut evaluator, &mut searcher, &budget(1)), 1);
        let visited: Vec<usize> = {
            let edges = searcher.search.tree().edges(searcher.search.root(), Role(0));
            (0..n_moves).filter(|&i| edges[i].visits > 0).collect()
        };
        assert_eq!(visited, [favourite]);
    }
}

/// Evaluates without views and logs the sizes of its batches.
struct LoggingEvaluator<G: Game> {
    game: Arc<G>,
    offered: Vec<(u32, Vec<f32>)>,
    log: Log,
}

impl<G: Game> Evaluator<G> for LoggingEvaluator<G> {
    fn capacity(&self) -> usize {
        256
    }

    fn room(&self) -> usize {
        256 - self.offered.len()
    }

    fn begin(&mut self, demand: &Demand) {
        assert!(demand.uniform && self.offered.is_empty());
    }

    fn offer(&mut self, tag: u32, leaf: &Leaf<'_, G>, _: &mut Policies<'_, G>) {
        assert!(leaf.legal.is_none() && !leaf.path.is_empty());
        let n_roles = self.game.roles().len() as u64;
        let payoffs = (0..n_roles).map(|role| pseudorandom(leaf.state, role)).collect();
        self.offered.push((tag, payoffs));
    }

    fn collect(&mut self, _: &mut [Policies<'_, G>], out: &mut Evaluated) {
        self.log.lock().expect("no thread panics with the lock").push(self.offered.len());
        for (tag, payoffs) in self.offered.drain(..) {
            out.add(tag, &Evaluation::of(&payoffs));
        }
    }

    fn abandon(&mut self) {
        self.offered.clear();
    }
}

#[test]
fn batches_are_as_large_as_possible() {
    let game = Arc::new(breakthrough::game(5));
    let sizes =
        |log: &Log| std::mem::take(&mut *log.lock().expect("no thread panics with the lock"));
    let many = || (0..256).map(|_| searcher(&game, puct(), 1)).collect::<Vec<_>>();
    let log = Log::default();
    let mut plain =
        LoggingEvaluator { game: Arc::clone(&game), offered: Vec::new(), log: Arc::clone(&log) };
    assert_eq!(run_together(&mut plain, &mut many(), &budget(20)), [20; 256]);
    assert_eq!(sizes(&log), [256; 20]);
    // All roots come first, in one batch; later calls have their priors.
    let mut searchers = many();
    let mut network = logged(256, &log);
    assert_eq!(run_together(&mut *network, &mut searchers, &budget(20)), [20; 256]);
    assert_eq!(sizes(&log), [256; 21]);
    assert_eq!(run_together(&mut *network, &mut searchers, &budget(3)), [3; 256]);
    assert_eq!(sizes(&log), [256; 3]);
    // A smaller evaluator is always full.
    assert_eq!(run_together(&mut *logged(64, &log), &mut many(), &budget(5)), [5; 256]);
    let sizes_of_64 = sizes(&log);
    assert!(sizes_of_64.iter().all(|&size| size == 64), "{sizes_of_64:?}");
    // One search with a batch.
    let mut one = searcher(&game, puct(), 64);
    assert_eq!(run(&mut *logged(64, &log), &mut one, &budget(640)), 640);
    let of_one = sizes(&log);
    assert_eq!((of_one[0], of_one.iter().sum::<usize>() <= 641), (1, true), "{of_one:?}");
    assert!(of_one[1..].iter().all(|&size| size > 48), "{of_one:?}");
}

/// Playouts with a counter.
struct Counted<G: Game> {
    inner: Playouts<G>,
    offered: Arc<Mutex<usize>>,
}

impl<G: Game> Evaluator<G> for Counted<G> {
    fn capacity(&self) -> usize {
        self.inner.capacity()
    }

    fn room(&self) -> usize {
        self.inner.room()
    }

    fn begin(&mut self, demand: &Demand) {
        self.inner.begin(demand);
    }

    fn offer(&mut self, tag: u32, leaf: &Leaf<'_, G>, policies: &mut Policies<'_, G>) {
        *self.offered.lock().expect("no thread panics with the lock") += 1;
        self.inner.offer(tag, leaf, policies);
    }

    fn collect(&mut self, policies: &mut [Policies<'_, G>], out: &mut Evaluated) {
        self.inner.collect(policies, out);
    }

    fn abandon(&mut self) {
        self.inner.abandon();
    }
}

/// The share of leaves that are evaluated by playouts, if a function evaluates the others.
fn playout_share(chain: MakeChain, replace: f64, batch: usize, together: usize) -> f64 {
    let game = ground("breakthrough_6x6.kif", &[]);
    let function = Construction::default().build(&game, &game.initial(), &budget(200), 3);
    let offered = Arc::new(Mutex::new(0));
    let inner = Playouts::new(Arc::clone(&game).simulator());
    let mut evaluator = HeuristicLeaves::new(Counted { inner, offered: Arc::clone(&offered) });
    let searcher = |seed| {
        let (game, settings) = (Arc::clone(&game), Settings::default());
        let mut searcher = Searcher::new(game, uct(), chain(), settings, batch);
        searcher.begin(seed);
        searcher.heuristic = Some(LeafHeuristic { function: function.clone(), replace });
        assert!(searcher.set_root(&searcher.search.game().initial()));
        searcher
    };
    let mut searchers: Vec<_> = (0..together as u64).map(searcher).collect();
    let simulations = 2000 / together as u64;
    let counted = match &mut searchers[..] {
        [one] => vec![run(&mut evaluator, one, &budget(simulations))],
        many => run_together(&mut evaluator, many, &budget(simulations)),
    };
    assert!(counted.iter().all(|&counted| counted == simulations));
    for searcher in &searchers {
        check_counts(searcher.search.tree());
    }
    let offered = *offered.lock().expect("no thread panics with the lock");
    offered as f64 / (simulations * together as u64) as f64
}

#[test]
fn an_evaluation_function_replaces_playouts_of_every_policy() {
    for (name, chain) in PLAYOUT_POLICIES {
        for (batch, together) in [(1, 1), (64, 1), (1, 50)] {
            let share = |replace| playout_share(chain, replace, batch, together);
            let context = format!("{name}, batch {batch}, {together} together");
            assert!(share(1.0).abs() < f64::EPSILON, "{context}: no playout is left");
            // Of 2000 leaves, half with a standard deviation of 1.1 %.
            assert!((share(0.5) - 0.5).abs() < 0.07, "{context}: {}", share(0.5));
        }
    }
}
