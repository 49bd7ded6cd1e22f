//! Walks, values and proofs on trees whose values are worked out by hand.

use std::sync::Arc;

use ludens_core::{Budget, Game, Move, PerRole, Rng, Role, View};
use ludens_search::{Agent, Watch};
use ludens_testkit::hash_game::{HashGame, Shape};
use ludens_testkit::tree_game::TreeGame;

use super::agent::{BestFirst, TreeLimits};
use super::expander::{Expander, StateValues};
use super::search::Search;
use super::tree::{EdgeId, NodeId, Status};
use super::turns::{self, Refusal};

/// Estimates by the facts of a state; those that are not listed are even.
struct Listed<G: Game> {
    game: Arc<G>,
    estimates: Vec<(String, Vec<f32>)>,
}

impl<G: Game> StateValues<G> for Listed<G> {
    fn evaluate(&mut self, states: &[&G::State], out: &mut Vec<f32>) {
        out.clear();
        let even = vec![0.5; self.game.roles().len()];
        for &state in states {
            let facts = self.game.facts(state).join(" ");
            let found = self.estimates.iter().find(|(name, _)| *name == facts);
            out.extend_from_slice(found.map_or(&even, |(_, payoffs)| payoffs));
        }
    }
}

/// A search of a tree given as text, with estimates of nodes by their numbers.
struct Bench {
    game: Arc<TreeGame>,
    values: Listed<TreeGame>,
    expander: Expander<TreeGame>,
    search: Search<TreeGame>,
}

impl Bench {
    fn new(text: &str, estimates: &[(u32, &[f32])], haste: f32) -> Self {
        let game = Arc::new(TreeGame::parse(text).unwrap());
        let named = |&(node, payoffs): &(u32, &[f32])| (format!("(node {node})"), payoffs.to_vec());
        let estimates = estimates.iter().map(named).collect();
        let mut search = Search::new(&*game, haste, 100);
        search.begin(game.initial(), 0);
        let expander = Expander::new(Arc::clone(&game));
        Bench { values: Listed { game: Arc::clone(&game), estimates }, expander, search, game }
    }

    /// Expands one state; returns whether the walk continues.
    fn expand(&mut self) -> bool {
        let expands = self.search.walk(&self.game);
        if expands {
            self.expander.expand(std::iter::once(&mut self.search), &mut self.values);
        }
        expands
    }

    /// A walk of Descent, to the end of the game. Returns the number of expanded states.
    fn descend(&mut self) -> usize {
        let n = std::iter::from_fn(|| self.expand().then_some(())).count();
        self.search.end_walk();
        n
    }

    /// A walk of best-first minimax, to the first new state.
    fn best_first(&mut self) {
        self.expand();
        self.search.end_walk();
    }

    /// The node after some moves, by their names.
    fn node(&self, moves: &[&str]) -> NodeId {
        let tree = self.search.tree();
        let step = |id, name: &&str| tree.child(self.edge(id, name)).expect("it is expanded");
        moves.iter().fold(self.search.root().unwrap(), step)
    }

    fn edge(&self, id: NodeId, name: &str) -> EdgeId {
        let tree = self.search.tree();
        let named = |&m: &Move| self.game.move_name(Role(0), m) == name;
        tree.edges(id).find(|&edge| tree.joint(edge).iter().any(named)).expect("a legal move")
    }

    fn value(&self, moves: &[&str]) -> (Vec<f32>, Status) {
        let (tree, id) = (self.search.tree(), self.node(moves));
        (tree.value(id).to_vec(), tree.node(id).status)
    }

    fn root_visits(&self) -> Vec<u32> {
        let tree = self.search.tree();
        tree.edges(self.search.root().unwrap()).map(|edge| tree.visits(edge)).collect()
    }
}

/// Nodes are numbered in the order of the text: 1 is after `a`, 4 after `b`, 7 after `c`.
const TREE: &str = "roles x o
x a
  o d
    x h = 0 100
    x i = 50 50
  o e = 100 0
x b
  o f
    x j = 100 0
    x k = 0 100
  o g
    x l = 30 70
    x m = 20 80
x c = 40 60
";

/// The numbers of the nodes after these moves, as `TreeGame` gives them.
fn number(moves: &[&str]) -> u32 {
    let game = TreeGame::parse(TREE).unwrap();
    let mut state = game.initial();
    let mut view = View::default();
    for name in moves {
        game.look(&state, &mut view);
        let of_role = |legal: &Vec<Move>| {
            let named = |m: &&Move| game.move_name(Role(0), **m) == *name;
            *legal.iter().find(named).unwrap_or(&legal[0])
        };
        let joint: Vec<Move> = view.legal.iter().map(of_role).collect();
        game.play(&mut state, &joint);
    }
    let fact = game.facts(&state).remove(0);
    fact.trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap()
}

#[test]
fn a_walk_goes_to_the_end_of_the_game_and_backs_up_minimax_values() {
    // The estimates favour `b` for x, and there `g` for o.
    let estimates = [
        (number(&["a"]), &[0.3f32, 0.7][..]),
        (number(&["b"]), &[0.9, 0.1]),
        (number(&["b", "f"]), &[0.8, 0.2]),
        (number(&["b", "g"]), &[0.6, 0.4]),
        (number(&["a", "d"]), &[0.2, 0.8]),
    ];
    let mut bench = Bench::new(TREE, &estimates, 0.0);
    // Root, `b`, and `g`, both of whose moves end the game: x takes 30.
    assert_eq!(bench.descend(), 3);
    assert_eq!(bench.value(&["b", "g"]), (vec![0.3, 0.7], Status::Proven));
    // o prefers 70 to the estimate 20 of `f`, but `f` is open.
    assert_eq!(bench.value(&["b"]), (vec![0.3, 0.7], Status::Open));
    // x prefers `c`, the end of the game, to `a` and `b` with 30 each.
    assert_eq!(bench.value(&[]), (vec![0.4, 0.6], Status::Open));
    assert_eq!(bench.root_visits(), [0, 1, 0]);
    // `c` has nothing to search. Of `a` and `b` with the same value for both roles the first is taken: `a`,
    // then `d`, since `e` ends the game.
    assert_eq!(bench.descend(), 2);
    assert_eq!(bench.value(&["a", "d"]), (vec![0.5, 0.5], Status::Proven));
    assert_eq!(bench.value(&["a"]), (vec![0.5, 0.5], Status::Proven));
    assert_eq!(bench.value(&[]), (vec![0.5, 0.5], Status::Open));
    // Only `b` is open, and there `f`: a win of x.
    assert_eq!(bench.descend(), 1);
    assert_eq!(bench.value(&["b", "f"]), (vec![1.0, 0.0], Status::Proven));
    assert_eq!(bench.value(&["b"]), (vec![0.3, 0.7], Status::Proven));
    assert_eq!(bench.value(&[]), (vec![0.5, 0.5], Status::Proven));
    assert_eq!(bench.root_visits(), [1, 2, 0]);
    assert_eq!(bench.descend(), 0, "nothing is left");
    let targets: Vec<f32> = bench.search.tree().target(bench.node(&["b"])).collect();
    assert_eq!(targets, [0.3, 0.7]);
}

#[test]
fn a_won_move_proves_a_state_before_the_others_are_searched() {
    let text = "roles x o\nx a\n  o c = 0 100\n  o d = 100 0\nx b = 100 0\n";
    let mut bench = Bench::new(text, &[(1, &[1.0, 0.0])], 0.0);
    bench.expand();
    // The estimate 1 of `a` is below a proven win.
    assert_eq!(bench.value(&[]), (vec![1.0, 0.0], Status::Proven));
    assert_eq!(bench.descend(), 0);
    assert_eq!(bench.root_visits(), [0, 0]);
}

#[test]
fn best_first_minimax_expands_the_end_of_the_best_line() {
    let estimates = [
        (number(&["a"]), &[0.7f32, 0.3][..]),
        (number(&["b"]), &[0.6, 0.4]),
        (number(&["a", "d"]), &[0.1, 0.9]),
        (number(&["b", "f"]), &[0.65, 0.35]),
        (number(&["b", "g"]), &[0.55, 0.45]),
    ];
    let mut bench = Bench::new(TREE, &estimates, 0.0);
    bench.best_first();
    assert_eq!(bench.value(&[]).0, [0.7, 0.3]);
    // `a` is expanded: o would answer `d`, 10 for x. So `b` is the best now.
    bench.best_first();
    assert_eq!((bench.value(&["a"]).0, bench.value(&[]).0), (vec![0.1, 0.9], vec![0.6, 0.4]));
    // `b` is expanded, then `g`, the answer that o prefers.
    bench.best_first();
    assert_eq!(bench.value(&[]).0, [0.55, 0.45]);
    bench.best_first();
    assert_eq!(bench.value(&["b", "g"]), (vec![0.3, 0.7], Status::Proven));
    assert_eq!(bench.value(&[]).0, [0.4, 0.6], "the end of the game by `c`");
    assert_eq!(bench.root_visits(), [1, 2, 0]);
}

#[test]
fn the_bonus_prefers_quick_wins_and_slow_losses() {
    // Both moves win; the value of the longer one was backed up.
    let text = "roles x o\nx a\n  o c\n    x e = 90 10\n    x g = 0 100\n  o d\n    x f = 90 10\nx b = 90 10\n";
    for (haste, best) in [(0.0, "a"), (0.02, "b")] {
        let mut bench = Bench::new(text, &[], haste);
        while bench.descend() > 0 {}
        let (tree, root) = (bench.search.tree(), bench.search.root().unwrap());
        assert_eq!(bench.value(&[]), (vec![0.9, 0.1], Status::Proven), "exact without the bonus");
        assert_eq!(tree.best(root, |_| true), Some(bench.edge(root, best)), "{haste}");
        // After one move: 0.9 − 0.02 · 0.8 · 1/51, after three: 3/53.
        let ends = if haste > 0.0 { 1 } else { 3 };
        assert_eq!(tree.node(root).end, ends);
        let target = 0.9 - haste * 0.8 * ends as f32 / (ends as f32 + 50.0);
        assert!((tree.target(root).next().unwrap() - target).abs() < 1e-6);
    }
}

#[test]
fn three_roles_maximise_their_own_payoffs() {
    let text = "roles x y z
x a
  y c
    z g = 10 20 30
    z h = 90 10 20
  y d
    z i = 60 15 50
    z j = 80 90 40
x b
  y e
    z k = 30 30 60
  y f = 20 40 0
";
    let mut bench = Bench::new(text, &[], 0.0);
    while bench.descend() > 0 {}
    // z takes g (30) after c and i (50) after d; y prefers c (20) to d (15): x gets 10 with a. After b, y
    // prefers f (40) to e (30): x gets 20.
    assert_eq!(bench.value(&["a", "c"]), (vec![0.1, 0.2, 0.3], Status::Proven));
    assert_eq!(bench.value(&["a", "d"]).0, [0.6, 0.15, 0.5]);
    assert_eq!(bench.value(&["a"]).0, [0.1, 0.2, 0.3]);
    assert_eq!(bench.value(&[]), (vec![0.2, 0.4, 0.0], Status::Proven));
}

#[test]
fn simultaneous_states_have_the_mean_of_joint_moves_and_are_never_proven() {
    let text = "roles x o
x a
  x in, o in = 100 0
  x in, o out = 0 100
  x out, o in = 50 50
  x out, o out = 50 50
x b = 30 70
";
    let game = TreeGame::parse(text).unwrap();
    let mut bench = Bench::new(text, &[], 0.0);
    while bench.descend() > 0 {}
    assert_eq!(bench.value(&["a"]), (vec![0.5, 0.5], Status::Closed));
    assert_eq!(bench.value(&[]), (vec![0.5, 0.5], Status::Closed));
    let refused = turns::check(&game, 100, &mut Rng::new(1)).unwrap_err();
    let roles = vec!["x".to_owned(), "o".to_owned()];
    assert_eq!(refused, Refusal::Simultaneous { roles, ply: 1 });
    assert!(refused.to_string().starts_with("x and o decide at once after 1 moves"), "{refused}");
    assert_eq!(turns::check(&TreeGame::parse(TREE).unwrap(), 100, &mut Rng::new(1)), Ok(()));
}

/// The max-n value of a state, by exhaustive search.
fn exact<G: Game>(game: &G, state: &G::State) -> Vec<f32> {
    let mut view = View::default();
    game.look(state, &mut view);
    if view.terminal {
        return view.payoffs.as_slice().to_vec();
    }
    let mut joints = Vec::new();
    let legal = view.legal.iter().map(Vec::as_slice);
    let decider = super::joints::Joints::write(&legal, &mut joints).decider.unwrap();
    let value = |joint: &[Move]| {
        let mut next = state.clone();
        game.play(&mut next, joint);
        exact(game, &next)
    };
    let key = |value: &Vec<f32>| {
        let others = value.iter().enumerate().filter(|(i, _)| *i != decider.index());
        [vec![value[decider.index()]], others.map(|(_, v)| -v).collect()].concat()
    };
    let values = joints.chunks(view.legal.n_roles()).map(value);
    values.max_by(|a, b| key(a).partial_cmp(&key(b)).unwrap()).unwrap()
}

#[test]
fn random_games_are_solved_as_by_exhaustive_search() {
    for seed in 0..20 {
        for n_roles in [1, 2, 3] {
            let shape =
                Shape { n_roles, early_end: 6, constant_sum: n_roles > 1, ..Shape::turn_taking(6) };
            let game = Arc::new(HashGame::new(shape, seed));
            let values = Listed { game: Arc::clone(&game), estimates: Vec::new() };
            let mut agent =
                BestFirst::new(Arc::clone(&game), Box::new(values), TreeLimits::default());
            let budget = Budget::unlimited().with_iterations(100_000);
            let report = agent.think(&game.initial(), &budget, &mut Watch::none());
            assert_eq!(report.proven, Some(exact(&*game, &game.initial())), "{n_roles} {seed}");
            assert!(report.iterations < 100_000, "it ends when all is proven");
        }
    }
}

#[test]
fn what_is_below_the_next_state_is_kept() {
    let game = Arc::new(HashGame::new(Shape { branching: 4, ..Shape::turn_taking(9) }, 4));
    let agent = || {
        let values = Listed { game: Arc::clone(&game), estimates: Vec::new() };
        BestFirst::new(Arc::clone(&game), Box::new(values), TreeLimits::default())
    };
    let (mut agent, mut fresh) = (agent(), agent());
    let budget = Budget::unlimited().with_iterations(300);
    let mut state = game.initial();
    let report = agent.think(&state, &budget, &mut Watch::none());
    let joint: Vec<Move> = Role::all(2).map(|role| report.best(role).unwrap()).collect();
    game.play(&mut state, &joint);
    agent.advance(&joint);
    fresh.advance(&joint);
    // Without a budget only a new root is expanded.
    let none = Budget::unlimited().with_iterations(0);
    let [kept, new] =
        [&mut agent, &mut fresh].map(|agent| agent.think(&state, &none, &mut Watch::none()));
    assert!(kept.nodes > 10 && kept.nodes < report.nodes && new.nodes == 1, "{kept:?} {new:?}");
    // The tree is that of a search from here: more work solves it with the same value.
    let all = Budget::unlimited().with_iterations(1_000_000);
    let solved = agent.think(&state, &all, &mut Watch::none()).proven;
    assert_eq!(solved, Some(exact(&*game, &state)));
    assert_eq!(solved, fresh.think(&state, &all, &mut Watch::none()).proven);
}

/// A state is expanded as a whole, so that the last one may exceed the limit.
#[test]
fn the_limit_of_an_agent_holds_beside_that_of_the_budget() {
    let game = Arc::new(HashGame::new(Shape { branching: 4, ..Shape::turn_taking(9) }, 4));
    let think = |evaluations, budget: Budget| {
        let values = Box::new(Listed { game: Arc::clone(&game), estimates: Vec::new() });
        let limits = TreeLimits { evaluations, ..TreeLimits::default() };
        let mut agent = BestFirst::new(Arc::clone(&game), values, limits);
        agent.think(&game.initial(), &budget, &mut Watch::none()).iterations
    };
    let few = 40..44;
    assert!(few.contains(&think(40, Budget::unlimited())));
    assert!(few.contains(&think(40, Budget::unlimited().with_iterations(300))));
    assert!(few.contains(&think(300, Budget::unlimited().with_iterations(40))));
}

#[test]
fn the_safest_move_is_the_one_chosen_most_often_unless_the_best_is_settled() {
    let game = Arc::new(TreeGame::parse(TREE).unwrap());
    let estimates = vec![
        (format!("(node {})", number(&["a"])), vec![0.7, 0.3]),
        (format!("(node {})", number(&["b"])), vec![0.6, 0.4]),
        (format!("(node {})", number(&["a", "d"])), vec![0.1, 0.9]),
        (format!("(node {})", number(&["b", "f"])), vec![0.65, 0.35]),
        (format!("(node {})", number(&["b", "g"])), vec![0.55, 0.45]),
    ];
    let values = Listed { game: Arc::clone(&game), estimates };
    let mut agent = BestFirst::new(Arc::clone(&game), Box::new(values), TreeLimits::default());
    let names = |moves: &PerRole<Vec<ludens_search::MoveStats>>| -> Vec<String> {
        moves[Role(0)].iter().map(|stats| game.move_name(Role(0), stats.mv)).collect()
    };
    let mut think = |n| {
        let budget = Budget::unlimited().with_iterations(n);
        agent.think(&game.initial(), &budget, &mut Watch::none())
    };
    // Root (3 states) and `a` (2 states): both open moves are unvisited or visited once, `b` has the better
    // value, and `a` more visits.
    let report = think(5);
    assert_eq!(names(&report.moves), ["a", "b", "c"]);
    assert!((report.moves[Role(0)][1].mean - 0.6).abs() < 1e-6);
    // With `g` expanded, the best value is that of `c`, where the game ends.
    let report = think(4);
    assert_eq!(names(&report.moves)[0], "c");
    assert_eq!(report.moves[Role(1)].len(), 1);
    // All is proven: `a` is worth 50.
    let report = think(100);
    assert_eq!((names(&report.moves)[0].as_str(), report.proven), ("a", Some(vec![0.5, 0.5])));
}
