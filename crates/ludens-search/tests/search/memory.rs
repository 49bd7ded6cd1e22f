//! The memory limit is never exceeded, and a full tree is still searched.

use std::sync::Arc;

use ludens_core::{Game, Role, View};
use ludens_games::breakthrough;
use ludens_search::Settings;
use ludens_testkit::hash_game::{HashGame, Shape};

use crate::games::{THREE_ROUNDS, ground, win_in_one};
use crate::policies::{PLAYOUT_POLICIES, TREE_POLICIES};
use crate::thinker::Thinker;

/// Searches in small portions and checks the bytes after each; returns the number of nodes at the end.
fn check<G: Game>(
    game: &Arc<G>,
    policies: (usize, usize),
    max_bytes: usize,
    n_portions: usize,
) -> u64 {
    let ((name, tree), (playout, chain)) =
        (TREE_POLICIES[policies.0], PLAYOUT_POLICIES[policies.1]);
    let settings = Settings { max_bytes, ..Settings::default() };
    let batch = if policies.0 == 0 { 1 } else { 256 };
    let mut thinker = Thinker::new(game, tree(), chain(), settings, batch);
    let mut nodes = 0;
    for portion in 0..n_portions {
        nodes = thinker.think(&game.initial(), 256).nodes;
        let bytes = thinker.searcher.search.bytes();
        assert!(
            bytes <= max_bytes,
            "{name} + {playout}: {bytes} bytes of {max_bytes} after portion {portion}"
        );
    }
    nodes
}

#[test]
fn a_small_tree_stays_small_with_every_policy() {
    let game = Arc::new(breakthrough::game(6));
    for tree in 0..TREE_POLICIES.len() {
        for playout in [0, 6, 8] {
            let small = check(&game, (tree, playout), 200_000, 12);
            let large = check(&game, (tree, playout), 2_000_000, 12);
            // The limit is what keeps the small tree small, and it is used.
            assert!(30 < small && small < large, "{small} {large}");
        }
    }
}

#[test]
fn a_larger_limit_is_kept_too() {
    let game = Arc::new(breakthrough::game(6));
    for tree in 0..TREE_POLICIES.len() {
        let nodes = check(&game, (tree, 0), 2_000_000, 150);
        assert!(nodes > 300, "{nodes}");
    }
}

#[test]
fn limits_of_all_sizes_are_kept_with_large_batches() {
    let game = Arc::new(breakthrough::game(8));
    // RAVE with codes has the most tables that grow with the edges, GRAVE has one of its own.
    for (tree, playout) in [(2, 8), (3, 0), (1, 0)] {
        for step in 0..9 {
            let max_bytes = (60_000.0 * 1.6f64.powi(step)) as usize;
            check(&game, (tree, playout), max_bytes, 10);
        }
    }
}

#[test]
fn joint_moves_count_too() {
    // Few positions with many transpositions by joint moves, and many positions with many joint moves.
    let few = ground(THREE_ROUNDS.0, &[]);
    let many = Shape { branching: 12, constant_sum: false, ..Shape::simultaneous(6) };
    let many = Arc::new(HashGame::new(many, 1));
    for max_bytes in [20_000, 200_000] {
        for tree in 0..TREE_POLICIES.len() {
            check(&few, (tree, 0), max_bytes, 30);
            check(&many, (tree, 0), max_bytes, 60);
        }
    }
}

#[test]
fn a_full_tree_still_finds_the_win() {
    let game = Arc::new(breakthrough::game(6));
    for (i, (name, tree)) in TREE_POLICIES.into_iter().enumerate() {
        let (state, role, win) = win_in_one(&*game, i as u64);
        let settings = Settings { max_bytes: 40_000, ..Settings::default() };
        let mut thinker = Thinker::new(&game, tree(), PLAYOUT_POLICIES[0].1(), settings, 1);
        // The tree is filled from the initial state, then the position is searched.
        thinker.think(&game.initial(), 500);
        let full = thinker.think(&game.initial(), 500).nodes;
        assert_eq!(thinker.think(&game.initial(), 100).nodes, full, "{name}: it is not full");
        let report = thinker.think(&state, 1500);
        assert_eq!(report.best(role), Some(win), "{name}");
        assert!(thinker.searcher.search.bytes() <= 40_000, "{name}");
    }
}

#[test]
fn a_full_tree_is_pruned_by_the_moves_made() {
    let game = Arc::new(breakthrough::game(6));
    let settings = Settings { max_bytes: 100_000, ..Settings::default() };
    let (tree, chain) = (TREE_POLICIES[0].1, PLAYOUT_POLICIES[0].1);
    let mut thinker = Thinker::new(&game, tree(), chain(), settings, 1);
    let (mut state, mut view) = (game.initial(), View::default());
    loop {
        game.look(&state, &mut view);
        if view.terminal {
            break;
        }
        let report = thinker.think(&state, 1500);
        assert!(thinker.searcher.search.bytes() <= 100_000);
        // There is always memory for the next moves.
        assert!(report.nodes > 20 || report.moves[Role(0)].len() < 2, "{}", report.nodes);
        let best = |role| report.best(role).expect("there are moves");
        let joint: Vec<_> = Role::all(2).map(best).collect();
        game.play(&mut state, &joint);
    }
}
