//! Playouts with a length limit.

use std::sync::Arc;

use ludens_core::{Budget, Cut, Game, Limit, Role};
use ludens_games::breakthrough;
use ludens_search::{Batch, NodeId, Playouts, Searcher, Settings};

use crate::games::{ground, logic};
use crate::policies::{MakeChain, MakeTree, PLAYOUT_POLICIES, combinations, uct};
use crate::print::print;
use crate::thinker::{self, check_counts, searcher};

/// A searcher whose playouts have a limit, with the initial state as root.
fn limited<G: Game>(game: &Arc<G>, make: (MakeTree, MakeChain), limit: Limit) -> Searcher<G> {
    let settings = Settings { limit, ..Settings::default() };
    let mut searcher = searcher(game, make, settings, 1, 3);
    assert!(searcher.set_root(&game.initial()));
    searcher
}

fn run<G: Game>(playouts: &mut Playouts<G>, searcher: &mut Searcher<G>, iterations: u64) {
    let budget = Budget::unlimited().with_iterations(iterations);
    assert_eq!(thinker::run(playouts, searcher, &budget), iterations);
    check_counts(searcher.search.tree());
}

/// If no playout can end within the limit, all have the same payoffs, and no position is taken as
/// terminal.
fn check_payoffs<G: Game>(game: &Arc<G>, cut: Cut, payoff: f64) {
    // Other policies follow one line to the end of the game if all moves have the same value.
    for (name, tree, chain) in combinations().filter(|(name, ..)| name.starts_with("uc")) {
        for batch in [1, 256] {
            let limit = Limit { plies: 1, cut };
            let mut searcher = limited(game, (tree, chain), limit);
            searcher.batch = Some(Batch::fixed(batch));
            let mut playouts = Playouts::new(Arc::clone(game).simulator());
            run(&mut playouts, &mut searcher, 300);
            let tree = searcher.search.tree();
            for id in (0..tree.n_nodes() as u32).map(NodeId) {
                assert!(!tree.is_proven(id), "{name}");
                let decisions = Role::all(tree.n_roles()).map(|role| tree.edges(id, role));
                for edge in decisions.filter(|edges| edges.len() > 1).flatten() {
                    let expected = f64::from(edge.visits) * payoff;
                    assert!((edge.value - expected).abs() < 1e-6, "{name}: {}", edge.value);
                }
            }
            let mean = searcher.report(300).moves[Role(0)][0].mean;
            assert!((mean - payoff).abs() < 1e-6, "{name}, batch {batch}: {mean}");
        }
    }
}

#[test]
fn truncated_playouts_have_the_payoffs_of_the_cut() {
    check_payoffs(&Arc::new(breakthrough::game(7)), Cut::Draw, 0.5);
    let board = [("(size 8)", "(size 6)")];
    check_payoffs(&ground("breakthrough.kif", &board), Cut::Draw, 0.5);
    // In this game the rules give both roles 0 before the end.
    check_payoffs(&ground("breakthrough.kif", &board), Cut::Goal, 0.0);
    check_payoffs(&logic("breakthrough.kif", &[("(size 8)", "(size 5)")]), Cut::Draw, 0.5);
}

#[test]
fn a_limit_applies_only_to_its_own_search() {
    fn check<G: Game>(game: &Arc<G>, chain: MakeChain) {
        let short = Limit { plies: 2, cut: Cut::Draw };
        let fresh = || Playouts::new(Arc::clone(game).simulator());
        let tree = |playouts: &mut Playouts<G>, limit| {
            let mut searcher = limited(game, (uct, chain), limit);
            run(playouts, &mut searcher, 200);
            (print(&searcher.search), searcher.search.plies())
        };
        let (long, cut) = (tree(&mut fresh(), Limit::default()), tree(&mut fresh(), short));
        assert!(cut.1 < long.1 && cut.0 != long.0, "playouts are truncated");
        let mut one_for_all = fresh();
        for _ in 0..2 {
            assert!(tree(&mut one_for_all, short) == cut);
            assert!(tree(&mut one_for_all, Limit::default()) == long);
        }
    }
    for (_, chain) in PLAYOUT_POLICIES {
        check(&Arc::new(breakthrough::game(6)), chain);
        check(&ground("connectfour.kif", &[]), chain);
    }
}

#[test]
fn many_searches_with_a_limit_find_the_same_as_each_alone() {
    let (game, limit) = (ground("connectfour.kif", &[]), Limit { plies: 5, cut: Cut::Goal });
    let (_, learning) = PLAYOUT_POLICIES[1];
    let searchers = || (0..20).map(|_| limited(&game, (uct, learning), limit)).collect::<Vec<_>>();
    let (mut together, mut alone) = (searchers(), searchers());
    let mut playouts = Playouts::new(Arc::clone(&game).simulator());
    let budget = Budget::unlimited().with_iterations(40);
    thinker::run_together(&mut playouts, &mut together, &budget);
    for (together, alone) in together.iter().zip(&mut alone) {
        run(&mut playouts, alone, 40);
        assert!(print(&together.search) == print(&alone.search));
    }
}
