//! Tree reuse keeps exactly the statistics of the positions below the new root.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ludens_core::{Budget, Game, Move, Role};
use ludens_games::breakthrough;
use ludens_search::{
    Agent, Chain, Mcts, NodeId, Parallel, Search, Searcher, Settings, Sharing, Watch,
};

use crate::games::{THREE_ROLES, THREE_ROUNDS, ground};
use crate::policies::{PLAYOUT_POLICIES, TREE_POLICIES, uct};
use crate::print::{children, node};
use crate::thinker::Thinker;

fn facts<G: Game>(search: &Search<G>, id: NodeId) -> String {
    search.game().facts(search.state(id)).join(" ")
}

/// All positions that can be reached from a node, with the statistics of each.
fn below<G: Game>(search: &Search<G>, root: NodeId) -> BTreeMap<String, String> {
    let mut known = BTreeMap::new();
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        let text = node(search, id, &|child| facts(search, child));
        if known.insert(facts(search, id), text).is_none() {
            open.extend(children(search.tree(), id).into_iter().map(|(_, child)| child));
        }
    }
    known
}

/// The most visited joint move.
fn best<G: Game>(search: &Search<G>, id: NodeId) -> Vec<Move> {
    let tree = search.tree();
    let most = |role| tree.range(id, role).max_by_key(|&edge| tree.edge(edge).visits);
    Role::all(tree.n_roles()).map(|role| tree.mv(most(role).expect("there are moves"))).collect()
}

/// Plays by one and by two joint moves at a time, and compares the statistics of all positions below the new
/// root before and after each step. Returns the number of transpositions.
fn check<G: Game>(game: &Arc<G>, combination: usize) -> usize {
    let (_, tree) = TREE_POLICIES[combination % TREE_POLICIES.len()];
    let (_, chain) = PLAYOUT_POLICIES[combination];
    let settings = Settings { solver: combination % 2 == 1, ..Settings::default() };
    let mut thinker = Thinker::new(game, tree(), chain(), settings, 1);
    thinker.searcher.begin(combination as u64);
    let (mut state, mut transpositions) = (game.initial(), 0);
    for steps in [1, 2, 1] {
        thinker.think(&state, 400);
        let search = &thinker.searcher.search;
        let mut id = search.root();
        for _ in 0..steps {
            if !search.tree().is_expanded(id) {
                return transpositions;
            }
            let joint = best(search, id);
            game.play(&mut state, &joint);
            let next = (0..search.tree().n_nodes() as u32).map(NodeId);
            id = next.clone().find(|&id| *search.state(id) == state).expect("it was visited");
        }
        if search.tree().proven(id).is_some() || search.tree().node(id).visits == 0 {
            break;
        }
        let before = below(search, id);
        thinker.searcher.set_root(&state);
        let search = &thinker.searcher.search;
        let after = below(search, search.root());
        assert_eq!(before, after);
        // The positions that cannot be reached are removed.
        assert_eq!(search.tree().n_nodes(), after.len());
        let n_children = |id| children(search.tree(), id).len();
        let all: usize = (0..after.len() as u32).map(|id| n_children(NodeId(id))).sum();
        transpositions += all + 1 - after.len();
    }
    transpositions
}

#[test]
fn statistics_below_the_move_made_are_kept() {
    let mut transpositions = [0; 3];
    for combination in 0..PLAYOUT_POLICIES.len() {
        transpositions[0] += check(&Arc::new(breakthrough::game(5)), combination);
        transpositions[1] += check(&ground(THREE_ROUNDS.0, THREE_ROUNDS.1), combination);
        transpositions[2] += check(&ground(THREE_ROLES.0, THREE_ROLES.1), combination);
    }
    // Transpositions are kept too, also those by simultaneous moves.
    assert!(transpositions.iter().all(|&n| n > 10), "{transpositions:?}");
}

#[test]
fn nothing_is_kept_without_reuse_or_for_an_unknown_position() {
    let game = Arc::new(breakthrough::game(5));
    for reuse in [false, true] {
        let settings = Settings { reuse, ..Settings::default() };
        let (tree, chain) = (TREE_POLICIES[0].1, PLAYOUT_POLICIES[0].1);
        let mut thinker = Thinker::new(&game, tree(), chain(), settings, 1);
        let first = thinker.think(&game.initial(), 300);
        let mut state = game.initial();
        game.play(&mut state, &best(&thinker.searcher.search, thinker.searcher.search.root()));
        thinker.searcher.set_root(&state);
        let kept = thinker.searcher.search.tree().n_nodes() as u64;
        assert!(if reuse { 1 < kept && kept < first.nodes } else { kept == 1 });
        // The previous position is not in the tree.
        thinker.searcher.set_root(&game.initial());
        let (tree, root) = (thinker.searcher.search.tree(), thinker.searcher.search.root());
        assert_eq!((tree.n_nodes(), tree.node(root).visits), (1, 0));
    }
}

#[test]
fn searching_the_same_position_again_resumes_the_search() {
    let game = ground(THREE_ROUNDS.0, THREE_ROUNDS.1);
    let (tree, chain) = (TREE_POLICIES[2].1, PLAYOUT_POLICIES[0].1);
    let mut thinker = Thinker::new(&game, tree(), chain(), Settings::default(), 1);
    thinker.think(&game.initial(), 50);
    let report = thinker.think(&game.initial(), 50);
    let visits = |role| report.moves[Role(role)].iter().map(|stats| stats.visits).sum::<u64>();
    assert_eq!((report.iterations, visits(0), visits(1)), (50, 100, 100));
}

#[test]
fn without_time_the_whole_tree_is_kept() {
    let game = Arc::new(breakthrough::game(5));
    let (tree, chain) = (TREE_POLICIES[0].1, PLAYOUT_POLICIES[0].1);
    let mut thinker = Thinker::new(&game, tree(), chain(), Settings::default(), 1);
    let whole = thinker.think(&game.initial(), 300).nodes;
    let mut state = game.initial();
    game.play(&mut state, &best(&thinker.searcher.search, thinker.searcher.search.root()));
    let over = Budget::unlimited().with_time(Duration::ZERO);
    thinker.searcher.set_root_within(&state, &over);
    let search = &thinker.searcher.search;
    assert_eq!(search.tree().n_nodes() as u64, whole);
    assert_eq!(search.state(search.root()), &state);
    let known = below(search, search.root());
    // With time, the same statistics are kept, and the rest is removed.
    let mut next = state;
    game.play(&mut next, &best(search, search.root()));
    thinker.searcher.set_root(&next);
    let search = &thinker.searcher.search;
    let after = below(search, search.root());
    assert_eq!(search.tree().n_nodes(), after.len());
    assert!(after.iter().all(|(facts, text)| known.get(facts) == Some(text)));
    // The search resumes: the thinker checks that all counts add up.
    thinker.think(&next, 300);
}

/// What an agent searches while others think is there when they have moved, and a search with its own limit
/// makes no more simulations than that.
#[test]
fn pondering_continues_the_search() {
    let game = Arc::new(breakthrough::game(5));
    let few = Budget::unlimited().with_iterations(200);
    let nodes = |max_simulations, threads: usize, sharing, ponders: bool| {
        let settings = Settings { max_simulations, ..Settings::default() };
        let searcher = || Searcher::new(Arc::clone(&game), uct(), Chain::default(), settings, 1);
        let mut agent: Box<dyn Agent<_>> = match threads {
            1 => Box::new(Mcts::new(Arc::clone(&game), uct(), Chain::default(), settings, 1)),
            _ => Box::new(Parallel::new(&game, searcher, threads, sharing)),
        };
        agent.begin(1);
        let mut state = game.initial();
        let report = agent.think(&state, &few, &mut Watch::none());
        if ponders {
            agent.ponder(&state, &Budget::unlimited().with_iterations(5_000));
        }
        let joint: Vec<Move> = Role::all(2).map(|role| report.best(role).unwrap()).collect();
        game.play(&mut state, &joint);
        agent.advance(&joint);
        agent.think(&state, &Budget::unlimited().with_iterations(1), &mut Watch::none()).nodes
    };
    for (threads, sharing) in [(1, Sharing::Root), (2, Sharing::Root), (2, Sharing::Tree)] {
        let [idle, busy] = [false, true].map(|ponders| nodes(u64::MAX, threads, sharing, ponders));
        assert!(busy > 2 * idle, "{threads} {sharing:?}: {idle} {busy}");
        let [idle, busy] = [false, true].map(|ponders| nodes(200, threads, sharing, ponders));
        assert!(busy < 2 * idle, "{threads} {sharing:?}: {idle} {busy}");
    }
}
