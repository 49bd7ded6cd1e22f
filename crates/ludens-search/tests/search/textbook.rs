//! One leaf at a time is exactly UCT of Cazenave and Diemert 2017, algorithm 4.
//!
//! The reference below is the paper's recursion over a table of positions. Two things are random in the paper's
//! algorithm, the order of the moves without playouts and the payoffs of playouts; here the moves are tried in
//! order and the payoffs of a playout are fixed numbers for each position, so that both must agree in every count.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use ludens_core::{
    Budget, Chooser, Game, Limit, Move, Outcomes, Playout, Rng, Role, Simulator, Tally, View,
};
use ludens_games::breakthrough;
use ludens_search::{Chain, NodeId, Playouts, Searcher, Settings, Ucb, Unvisited};
use ludens_testkit::hash_game::{HashGame, Shape};

use crate::games::{PUZZLE, THREE_ROLES, THREE_ROUNDS, ground};
use crate::thinker::{check_counts, run};

/// A score above all others.
const FIRST: f64 = 1e9;

/// The payoffs of a playout from a position, and whether the position is terminal.
fn playout_payoffs<G: Game>(game: &G, state: &G::State) -> (Vec<f32>, bool) {
    let mut view = View::default();
    game.look(state, &mut view);
    if view.terminal {
        return (view.payoffs.as_slice().to_vec(), true);
    }
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(state);
    let draw = |role: Role| (Rng::mix(hash ^ u64::from(role.0)) % 101) as f32 / 100.0;
    (Role::all(game.roles().len()).map(draw).collect(), false)
}

/// A simulator with the payoffs of `playout_payoffs`.
struct Fixed<G: Game> {
    game: Arc<G>,
    offered: Vec<(u32, G::State)>,
}

impl<G: Game> Simulator<G> for Fixed<G> {
    fn lanes(&self) -> usize {
        1
    }

    fn limit(&mut self, limit: Limit) {
        assert_eq!(limit, Limit::default(), "no other limit is set");
    }

    fn run(&mut self, _: &[&G::State], _: &mut dyn Chooser, _: &mut Rng, _: &mut Vec<Playout>) {
        unreachable!("no policy learns from the moves")
    }

    fn tally(&mut self, _: &[&G::State], _: u64, _: &mut Rng, _: &mut [Tally]) {
        unreachable!("a tree search does not tally")
    }

    fn room(&self) -> usize {
        64 - self.offered.len()
    }

    fn offer(&mut self, tag: u32, start: &G::State) {
        self.offered.push((tag, start.clone()));
    }

    fn advance(&mut self, _: &mut Rng, out: &mut Outcomes) {
        for (tag, state) in self.offered.drain(..) {
            let (payoffs, terminal) = playout_payoffs(&*self.game, &state);
            out.add(tag, u32::from(!terminal), true, &payoffs);
        }
    }

    fn abandon(&mut self) {
        self.offered.clear();
    }
}

/// The table of the paper: for each position the number of playouts, and for each role and move the number of
/// its playouts and the sum of their payoffs.
struct Textbook<'a, G: Game> {
    game: &'a G,
    exploration: f64,
    table: HashMap<G::State, Entry>,
}

#[derive(Clone)]
struct Entry {
    total: u32,
    moves: Vec<Vec<(Move, u32, f64)>>,
}

impl<G: Game> Textbook<'_, G> {
    fn add(&mut self, state: &G::State) {
        let mut view = View::default();
        self.game.look(state, &mut view);
        let fresh = |legal: &Vec<Move>| legal.iter().map(|&mv| (mv, 0, 0.0)).collect();
        let moves = view.legal.iter().map(fresh).collect();
        self.table.insert(state.clone(), Entry { total: 0, moves });
    }

    /// UCT (board, player, policy) of the paper, for any number of roles.
    fn simulate(&mut self, state: &G::State) -> Vec<f32> {
        let (payoffs, terminal) = playout_payoffs(self.game, state);
        if terminal {
            return payoffs;
        }
        let Some(entry) = self.table.get(state) else {
            self.add(state);
            return payoffs;
        };
        let best = |moves: &Vec<_>| argmax(moves, f64::from(entry.total), self.exploration);
        let chosen: Vec<usize> = entry.moves.iter().map(best).collect();
        let joint: Vec<Move> =
            entry.moves.iter().zip(&chosen).map(|(moves, &i)| moves[i].0).collect();
        let mut after = state.clone();
        self.game.play(&mut after, &joint);
        let result = self.simulate(&after);
        let entry = self.table.get_mut(state).expect("it was there before");
        entry.total += 1;
        for ((moves, i), &payoff) in entry.moves.iter_mut().zip(chosen).zip(&result) {
            moves[i].1 += 1;
            moves[i].2 += f64::from(payoff);
        }
        result
    }
}

fn argmax(moves: &[(Move, u32, f64)], t: f64, c: f64) -> usize {
    let mut best = (f64::NEG_INFINITY, 0);
    for (i, &(_, p, w)) in moves.iter().enumerate() {
        let p = f64::from(p);
        let value = if p == 0.0 { FIRST } else { w / p + c * (t.ln() / p).sqrt() };
        if value > best.0 {
            best = (value, i);
        }
    }
    best.1
}

/// Compares every count of both after `simulations` simulations; returns the number of transpositions.
fn agree<G: Game>(game: &Arc<G>, exploration: f64, simulations: u64) -> usize {
    let ucb = Ucb { exploration, unvisited: Unvisited::Worth(FIRST) };
    let mut searcher =
        Searcher::new(Arc::clone(game), Box::new(ucb), Chain::default(), Settings::default(), 1);
    searcher.begin(1);
    assert!(searcher.set_root(&game.initial()));
    let fixed = Fixed { game: Arc::clone(game), offered: Vec::new() };
    let budget = Budget::unlimited().with_iterations(simulations);
    assert_eq!(run(&mut Playouts::new(Box::new(fixed)), &mut searcher, &budget), simulations);
    let mut textbook = Textbook { game: &**game, exploration, table: HashMap::new() };
    textbook.add(&game.initial());
    (0..simulations).for_each(|_| drop(textbook.simulate(&game.initial())));

    let tree = searcher.search.tree();
    check_counts(tree);
    let (mut seen, mut n_children) = (0, 0);
    for id in (0..tree.n_nodes() as u32).map(NodeId) {
        let state = searcher.search.state(id);
        let Some(entry) = textbook.table.get(state) else {
            assert!(playout_payoffs(&**game, state).1, "a position that the paper does not have");
            continue;
        };
        seen += 1;
        n_children += crate::print::children(tree, id).len();
        assert_eq!(tree.node(id).visits, entry.total);
        for (role, moves) in Role::all(entry.moves.len()).zip(&entry.moves) {
            let edges = tree.range(id, role).filter(|_| moves.len() > 1);
            for (place, &(mv, playouts, sum)) in edges.zip(moves) {
                let edge = tree.edge(place);
                assert_eq!((tree.mv(place), edge.visits), (mv, playouts));
                assert!((edge.value - sum).abs() < 1e-6, "{} is not {sum}", edge.value);
            }
        }
    }
    assert_eq!(seen, textbook.table.len(), "the paper has other positions");
    n_children + 1 - tree.n_nodes()
}

#[test]
fn one_leaf_at_a_time_is_uct_of_the_paper() {
    for exploration in [0.2, 0.4, 1.4] {
        let transpositions = agree(&Arc::new(breakthrough::game(5)), exploration, 3000);
        assert!(transpositions > 20, "only {transpositions} transpositions");
        agree(&ground("tictactoe.kif", &[]), exploration, 3000);
        agree(&ground(PUZZLE.0, PUZZLE.1), exploration, 1000);
        agree(&ground(THREE_ROLES.0, THREE_ROLES.1), exploration, 1000);
    }
}

#[test]
fn simultaneous_moves_are_selected_independently() {
    let transpositions = agree(&ground(THREE_ROUNDS.0, THREE_ROUNDS.1), 0.4, 2000);
    assert!(transpositions > 20, "only {transpositions} transpositions");
    for n_roles in 2..=4 {
        let shape = Shape { n_roles, constant_sum: false, ..Shape::simultaneous(5) };
        agree(&Arc::new(HashGame::new(shape, 3)), 0.7, 1000);
        let turns = Shape { n_roles, early_end: 5, ..Shape::turn_taking(7) };
        agree(&Arc::new(HashGame::new(turns, 4)), 0.7, 1000);
    }
}
