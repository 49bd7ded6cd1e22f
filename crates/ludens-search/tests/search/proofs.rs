//! The proven values of the solver are those of exhaustive search.

use std::sync::Arc;

use ludens_core::{Game, Move, Role, View};
use ludens_search::{NodeId, Settings, TreePolicy, Ucb, Unvisited};
use ludens_testkit::hash_game::{HashGame, Shape, State};

use crate::games::ground;
use crate::policies::{MakeTree, PLAYOUT_POLICIES, TREE_POLICIES};
use crate::thinker::Thinker;

/// A game of hashes that ends in a win, a loss or a draw for each role; with two roles the sum is
/// constant.
struct Decided(HashGame);

impl Game for Decided {
    type State = State;

    fn roles(&self) -> &[String] {
        self.0.roles()
    }

    fn initial(&self) -> State {
        self.0.initial()
    }

    fn look(&self, state: &State, view: &mut View) {
        self.0.look(state, view);
        let n_roles = view.payoffs.as_slice().len();
        let first = view.payoffs[Role(0)];
        for (role_idx, payoff) in view.payoffs.iter_mut().enumerate() {
            let won = if n_roles == 2 && role_idx == 1 { 1.0 - first } else { *payoff };
            *payoff = if won < 0.4 {
                0.0
            } else if won > 0.6 {
                1.0
            } else {
                0.5
            };
        }
    }

    fn play(&self, state: &mut State, joint: &[Move]) {
        self.0.play(state, joint);
    }

    fn move_name(&self, role: Role, m: Move) -> String {
        self.0.move_name(role, m)
    }

    fn facts(&self, state: &State) -> Vec<String> {
        self.0.facts(state)
    }
}

/// All possible values of a position under perfect play. With more than two roles, a role may be indifferent
/// between moves that differ for the others, so that there may be several.
fn values<G: Game>(game: &G, state: &G::State) -> Vec<Vec<f32>> {
    let mut view = View::default();
    game.look(state, &mut view);
    if view.terminal {
        return vec![view.payoffs.as_slice().to_vec()];
    }
    let decider = view.legal.entries().find(|(_, legal)| legal.len() > 1);
    let role = decider.map_or(Role(0), |(role, _)| role);
    let after = |&mv: &Move| {
        let mut joint: Vec<Move> = view.legal.iter().map(|legal| legal[0]).collect();
        joint[role.index()] = mv;
        let mut after = state.clone();
        game.play(&mut after, &joint);
        values(game, &after)
    };
    let children: Vec<_> = view.legal[role].iter().map(after).collect();
    // A value is possible if its child can have it, and every other child can have one that is no better.
    let mine = |value: &Vec<f32>| value[role.index()];
    let least = |child: &Vec<Vec<f32>>| child.iter().map(mine).fold(f32::INFINITY, f32::min);
    let bound = children.iter().map(least).fold(f32::NEG_INFINITY, f32::max);
    let mut values: Vec<_> = children.into_iter().flatten().filter(|v| mine(v) >= bound).collect();
    values.sort_by(|a, b| a.partial_cmp(b).expect("payoffs are numbers"));
    values.dedup();
    values
}

/// Explores so much that every position of a small game is visited.
fn curious() -> Box<dyn TreePolicy> {
    Box::new(Ucb { exploration: 10.0, unvisited: Unvisited::First })
}

/// Searches until the root is proven, and checks all values proven on the way. Policies that prefer good moves
/// need not prove that the others are worse.
fn check<G: Game>(game: &Arc<G>, combination: usize, batch: usize) {
    let all = TREE_POLICIES.into_iter().chain([("curious", curious as MakeTree)]);
    let (name, tree) = all.cycle().nth(combination).expect("the cycle is infinite");
    let (playout, chain) = PLAYOUT_POLICIES[combination % PLAYOUT_POLICIES.len()];
    let settings = Settings { solver: true, ..Settings::default() };
    let mut thinker = Thinker::new(game, tree(), chain(), settings, batch);
    thinker.searcher.begin(combination as u64);
    let mut report = thinker.think(&game.initial(), 20);
    for _ in 0..30 {
        if report.proven.is_none() {
            report = thinker.think(&game.initial(), 200);
        }
    }
    let context = format!("{name} + {playout}, batch {batch}, seed {combination}");
    // A root in which no role has a choice is not searched.
    let searched = report.moves.iter().any(|moves| moves.len() > 1);
    let as_expected = report.proven.is_some() || name != "curious" || !searched;
    assert!(as_expected, "{context}: the root is not proven");
    let search = &thinker.searcher.search;
    for id in (0..search.tree().n_nodes() as u32).map(NodeId) {
        if let Some(proven) = search.tree().proven(id) {
            let possible = values(&**game, search.state(id));
            assert!(possible.contains(&proven.to_vec()), "{context}: {proven:?} of {possible:?}");
        }
    }
    if report.proven.is_some() {
        check_best(&**game, &report, &context);
    }
}

/// Checks that the reported best move keeps the value of the root.
fn check_best<G: Game>(game: &G, report: &ludens_search::Report, context: &str) {
    let proven = report.proven.as_ref().expect("the root is proven");
    let joint: Vec<Move> = report.moves.iter().map(|stats| stats[0].mv).collect();
    let decider = report.moves.iter().position(|stats| stats.len() > 1).unwrap_or(0);
    let mut after = game.initial();
    game.play(&mut after, &joint);
    let good = values(game, &after).iter().any(|value| value[decider] >= proven[decider]);
    assert!(good, "{context}: the best move does not keep {proven:?}");
}

#[test]
fn proofs_are_those_of_exhaustive_search() {
    for seed in 0..40 {
        for n_roles in 1..=3 {
            let shape = Shape {
                n_roles,
                early_end: 6,
                constant_sum: n_roles == 2,
                ..Shape::turn_taking(6)
            };
            let game = Decided(HashGame::new(shape, seed as u64));
            check(&Arc::new(game), seed, if seed % 3 == 0 { 16 } else { 1 });
        }
    }
}

#[test]
fn proofs_with_payoffs_of_all_sizes_are_those_of_exhaustive_search() {
    for seed in 0..20 {
        let shape = Shape { early_end: 5, ..Shape::turn_taking(5) };
        check(&Arc::new(HashGame::new(shape, seed as u64)), seed, 1);
    }
}

#[test]
fn proofs_are_correct_with_transpositions() {
    for (small, first_wins) in [("(size d 1)", true), ("(size d 0)", false)] {
        let heaps =
            [("(size b 3)", "(size b 2)"), ("(size c 5)", "(size c 3)"), ("(size d 7)", small)];
        let game = ground("nim.kif", &heaps);
        for combination in 0..5 {
            check(&game, combination, 1);
        }
        assert_eq!(
            values(&*game, &game.initial()),
            [if first_wins { [1.0, 0.0] } else { [0.0, 1.0] }]
        );
    }
}
