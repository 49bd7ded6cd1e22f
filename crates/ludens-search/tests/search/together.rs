//! Many searches that share one evaluator are each the same as alone.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use ludens_core::{Budget, Chooser, Game, Limit, Outcomes, Playout, Rng, Role, Simulator, Tally};
use ludens_games::breakthrough;
use ludens_search::{Playouts, Searcher, Settings};
use ludens_testkit::z_test::Sample;

use crate::games::{THREE_ROLES, THREE_ROUNDS, ground, positions};
use crate::policies::{MakeChain, MakeTree, PLAYOUT_POLICIES, combinations, uct};
use crate::print::print;
use crate::thinker::{check_counts, is_proven, run, run_together, searcher};

fn budget(iterations: u64) -> Budget {
    Budget::unlimited().with_iterations(iterations)
}

/// Searches of several seeds and positions.
fn searchers<G: Game>(
    game: &Arc<G>,
    make: (MakeTree, MakeChain),
    solver: bool,
) -> Vec<Searcher<G>> {
    let settings = Settings { solver, ..Settings::default() };
    let positions = positions(&**game);
    let with_seed = |seed: u64| {
        let mut searcher = searcher(game, make, settings, 1, seed);
        searcher.set_root(&positions[seed as usize % positions.len()]);
        searcher
    };
    // Enough to be run in lanes.
    (0..20).map(with_seed).collect()
}

/// Searches twice, many together and each alone, and compares the trees.
fn same_trees<G: Game>(game: &Arc<G>, name: &str, make: (MakeTree, MakeChain), solver: bool) {
    let mut playouts = Playouts::new(Arc::clone(game).simulator());
    let (mut together, mut alone) = (searchers(game, make, solver), searchers(game, make, solver));
    for iterations in [25, 10] {
        let counted = run_together(&mut playouts, &mut together, &budget(iterations));
        for ((i, searcher), counted) in alone.iter_mut().enumerate().zip(counted) {
            let expected = if is_proven(searcher) {
                0
            } else {
                run(&mut playouts, searcher, &budget(iterations))
            };
            assert_eq!(counted, expected, "{name}, searcher {i}");
            let (found, expected) = (print(&together[i].search), print(&searcher.search));
            assert!(found == expected, "{name}, searcher {i}: another tree\n{found}\n{expected}");
        }
    }
}

#[test]
fn learning_policies_build_the_same_trees_together_and_alone() {
    let native = Arc::new(breakthrough::game(5));
    let (turns, both) = (ground("tictactoe.kif", &[]), ground(THREE_ROUNDS.0, THREE_ROUNDS.1));
    for (name, tree, chain) in combinations() {
        // Searches that need only payoffs run as a stream, which is tested below.
        if searcher(&native, (tree, chain), Settings::default(), 1, 1).is_plain() {
            continue;
        }
        for solver in [false, true] {
            same_trees(&native, &name, (tree, chain), solver);
            same_trees(&turns, &name, (tree, chain), solver);
            same_trees(&both, &name, (tree, chain), solver);
        }
    }
}

/// Sets the roots of all searchers to a position.
fn set_roots<G: Game>(searchers: &mut [Searcher<G>], state: &G::State) {
    for searcher in searchers {
        assert!(searcher.set_root(state), "there is something to search");
    }
}

const UCT: (MakeTree, MakeChain) = (uct, PLAYOUT_POLICIES[0].1);

/// The results of a stream of many searches at the root: for each searcher the mean payoff and the share of the
/// visits of the most visited move.
fn streamed<G: Game>(game: &Arc<G>, together: bool) -> [Sample; 2] {
    let settings = Settings::default();
    let mut searchers: Vec<_> =
        (0..400).map(|seed| searcher(game, UCT, settings, 1, seed)).collect();
    set_roots(&mut searchers, &game.initial());
    let mut playouts = Playouts::new(Arc::clone(game).simulator());
    let counted = if together {
        run_together(&mut playouts, &mut searchers, &budget(60))
    } else {
        searchers.iter_mut().map(|searcher| run(&mut playouts, searcher, &budget(60))).collect()
    };
    assert!(counted.iter().all(|&counted| counted == 60));
    let mut samples = [Sample::default(); 2];
    for searcher in &searchers {
        check_counts(searcher.search.tree());
        let report = searcher.report(60);
        let stats = &report.moves[Role(0)];
        let mean = |sum: f64| sum / 60.0;
        samples[0].add(mean(stats.iter().map(|stats| stats.mean * stats.visits as f64).sum()));
        samples[1].add(mean(stats[0].visits as f64));
    }
    samples
}

#[test]
fn a_stream_of_many_searches_finds_the_same_as_each_alone() {
    fn check<G: Game>(game: &Arc<G>) {
        let (together, alone) = (streamed(game, true), streamed(game, false));
        for (together, alone) in together.iter().zip(&alone) {
            assert!(together.agrees(alone), "{together:?} is not {alone:?}");
        }
        assert!(together[0].variance() > 0.0, "every searcher has its own simulations");
        assert_eq!(streamed(game, true), together, "the same seeds give the same trees");
    }
    check(&Arc::new(breakthrough::game(4)));
    check(&ground("tictactoe.kif", &[]));
}

#[test]
fn pending_visits_do_not_count_when_time_is_up() {
    fn check<G: Game>(game: &Arc<G>, batch: usize) {
        let over = Budget::unlimited().with_stop(Arc::new(AtomicBool::new(true)));
        let mut playouts = Playouts::new(Arc::clone(game).simulator());
        let mut searchers: Vec<_> =
            (0..20).map(|seed| searcher(game, UCT, Settings::default(), batch, seed)).collect();
        set_roots(&mut searchers, &game.initial());
        for _ in 0..3 {
            let before: Vec<u64> = searchers.iter().map(root_visits).collect();
            let counted = if batch == 1 {
                run_together(&mut playouts, &mut searchers, &over)
            } else {
                searchers.iter_mut().map(|searcher| run(&mut playouts, searcher, &over)).collect()
            };
            for ((searcher, before), counted) in searchers.iter().zip(before).zip(counted) {
                assert_eq!(root_visits(searcher) - before, counted, "batch {batch}");
                check_counts(searcher.search.tree());
            }
        }
    }
    for batch in [1, 256] {
        check(&Arc::new(breakthrough::game(5)), batch);
        check(&ground(THREE_ROLES.0, THREE_ROLES.1), batch);
    }
}

fn root_visits<G: Game>(searcher: &Searcher<G>) -> u64 {
    u64::from(searcher.search.tree().node(searcher.search.root()).visits)
}

/// Records the random number generators with which playouts start.
struct RecordingSimulator<G: Game> {
    inner: Box<dyn Simulator<G>>,
    recorded: Arc<Mutex<Vec<Rng>>>,
}

impl<G: Game> Simulator<G> for RecordingSimulator<G> {
    fn lanes(&self) -> usize {
        self.inner.lanes()
    }

    fn limit(&mut self, limit: Limit) {
        self.inner.limit(limit);
    }

    fn run(
        &mut self,
        starts: &[&G::State],
        chooser: &mut dyn Chooser,
        rng: &mut Rng,
        out: &mut Vec<Playout>,
    ) {
        self.inner.run(starts, chooser, rng, out);
    }

    fn tally(&mut self, starts: &[&G::State], playouts: u64, rng: &mut Rng, out: &mut [Tally]) {
        self.inner.tally(starts, playouts, rng, out);
    }

    fn room(&self) -> usize {
        self.inner.room()
    }

    fn offer(&mut self, tag: u32, start: &G::State) {
        self.inner.offer(tag, start);
    }

    fn advance(&mut self, rng: &mut Rng, out: &mut Outcomes) {
        self.recorded.lock().expect("no thread panics with the lock").push(rng.clone());
        self.inner.advance(rng, out);
    }

    fn abandon(&mut self) {
        self.inner.abandon();
    }
}

#[test]
fn no_random_number_is_used_twice() {
    let game = Arc::new(breakthrough::game(4));
    let recorded = Arc::new(Mutex::new(Vec::new()));
    let inner = Arc::clone(&game).simulator();
    let mut playouts =
        Playouts::new(Box::new(RecordingSimulator { inner, recorded: Arc::clone(&recorded) }));
    let mut searchers = searchers(&game, UCT, false);
    let own: Vec<Rng> = searchers.iter().map(|searcher| searcher.rng.clone()).collect();
    for _ in 0..2 {
        run_together(&mut playouts, &mut searchers, &budget(50));
    }
    // The random numbers of playouts are neither those of a searcher nor those of the previous call.
    let recorded = recorded.lock().expect("no thread panics with the lock");
    let (first, second) = recorded.split_at(recorded.len() / 2);
    assert!(!own.contains(&first[0]), "the numbers of the first searcher");
    assert!(second.iter().all(|rng| !first.contains(rng)), "the numbers of the previous call");
}
