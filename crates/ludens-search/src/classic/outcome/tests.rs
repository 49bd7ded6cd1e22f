//! Exact outcomes against the solver of all states, exhaustive search, and fixpoints; limits.

use ludens_core::{Rng, View};
use ludens_propnet::PropGame;
use ludens_testkit::hash_game::{HashGame, Shape};

use super::*;
use crate::classic::solver::solve;
use crate::classic::testgames::{Breakthrough, Layers, Ring, TicTacToe, shapes};
use crate::testgames::{Bid, Nim};

fn search<G: Game>(game: &Arc<G>) -> OutcomeSearch<G> {
    OutcomeSearch::new(Arc::clone(game), 1 << 20)
}

fn value<G: Game>(game: G) -> Result<Payoffs, Unsolved> {
    let game = Arc::new(game);
    search(&game).value(&game.initial(), &Budget::unlimited())
}

/// A state after up to `plies` random moves, which is not terminal.
fn random_state<G: Game>(game: &G, plies: usize, rng: &mut Rng) -> G::State {
    let (mut state, mut view) = (game.initial(), View::default());
    for _ in 0..rng.below(plies + 1) {
        game.look(&state, &mut view);
        let mut next = state.clone();
        game.play(&mut next, &view.random_joint(rng));
        game.look(&next, &mut view);
        if view.is_over() {
            break;
        }
        state = next;
    }
    state
}

/// Whether payoffs are the same; that of the second role is the rest of a rounded sum.
fn are_equal(a: &Payoffs, b: &Payoffs) -> bool {
    let rest = |payoffs: &Payoffs| payoffs.iter().skip(1).sum::<f32>();
    a[Role(0)].to_bits() == b[Role(0)].to_bits() && (rest(a) - rest(b)).abs() < 1e-6
}

/// Compares the outcomes of all moves in random positions with the solver, which searches every state.
fn agrees_with_the_solver<G: Game>(name: &str, game: G, (plies, positions): (usize, u64)) {
    let game = Arc::new(game);
    let searches = &mut [search(&game), OutcomeSearch::new(Arc::clone(&game), 1)];
    for seed in 0..positions {
        let state = random_state(&*game, plies, &mut Rng::stream(seed, &[plies as u64]));
        let mut view = View::default();
        game.look(&state, &mut view);
        for search in &mut *searches {
            let outcomes = search.moves(&state, &Budget::unlimited()).unwrap();
            let (role, joint): (_, Vec<Move>) =
                (outcomes.decider, view.legal.iter().map(|legal| legal[0]).collect());
            let moves = outcomes.moves.iter().map(|(mv, _)| *mv);
            assert!(moves.eq(view.legal[role].iter().copied()), "{name} {seed}");
            for (mv, payoffs) in &outcomes.moves {
                let (mut next, mut joint) = (state.clone(), joint.clone());
                joint[role.index()] = *mv;
                game.play(&mut next, &joint);
                let solution = solve(&game, &next, &Budget::unlimited()).unwrap();
                assert!(are_equal(payoffs, &solution.payoffs), "{name} {seed} {mv:?}");
            }
            let solution = solve(&game, &state, &Budget::unlimited()).unwrap();
            assert!(are_equal(outcomes.best(), &solution.payoffs), "{name} {seed}");
        }
    }
}

/// A game of the library, with a part of its rules replaced.
fn library(name: &str, from: &str, to: &str) -> PropGame {
    let path = format!("{}/../../games/{name}.kif", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{name} has no {from}");
    let rules = ludens_gdl::load(&text.replacen(from, to, 1)).0.unwrap();
    PropGame::load(&rules, &Budget::unlimited()).unwrap()
}

#[test]
fn outcomes_are_those_of_the_solver_in_board_games() {
    agrees_with_the_solver("tic-tac-toe", TicTacToe, (6, 40));
    for (width, height) in [(2, 4), (3, 3), (2, 5), (3, 4)] {
        let board = Breakthrough { width, height };
        agrees_with_the_solver("breakthrough", board, (8, 15));
    }
    for heap in [1, 4, 9, 30] {
        agrees_with_the_solver("nim", Nim(heap), (5, 8));
    }
}

#[test]
fn outcomes_are_those_of_the_solver_in_games_of_the_library() {
    let small = [
        ("connectfour", "(columns 7)\n(rows 6)", "(columns 4)\n(rows 4)", 4),
        ("connectfour", "(columns 7)\n(rows 6)", "(columns 5)\n(rows 4)", 12),
        ("hex", "(size 9)", "(size 3)", 5),
        ("dots_and_boxes_2x2", "(role", "(role", 6),
        ("tictactoe", "(role", "(role", 5),
    ];
    for (name, from, to, plies) in small {
        agrees_with_the_solver(name, library(name, from, to), (plies, 4));
    }
}

#[test]
fn outcomes_are_those_of_the_solver_in_random_games() {
    for (shape, seed) in shapes().filter(|(shape, _)| !shape.simultaneous && shape.n_roles < 3) {
        if shape.constant_sum || shape.n_roles == 1 {
            agrees_with_the_solver("hash game", HashGame::new(shape, seed), (3, 3));
        }
    }
    for seed in 0..40 {
        let layers = Layers { width: 5, depth: 9, seed, constant_sum: true };
        agrees_with_the_solver("layers", layers, (4, 3));
    }
}

/// A random graph of states with cycles. Two roles move; the mover depends on the state, and a few
/// states are terminal, with one of three payoffs.
struct Graph {
    size: u64,
    seed: u64,
}

impl Graph {
    fn draw(&self, state: u64, what: u64) -> u64 {
        Rng::mix(self.seed << 32 | state << 8 | what)
    }

    fn payoff(&self, state: u64) -> Option<f32> {
        let draw = self.draw(state, 0);
        draw.is_multiple_of(3).then_some((draw >> 8) as f32 % 3.0 / 2.0)
    }

    fn mover(&self, state: u64) -> usize {
        self.draw(state, 1) as usize % 2
    }

    fn next(&self, state: u64, mv: u64) -> u64 {
        self.draw(state, 1 + mv) % self.size
    }

    /// What the first role can force in finitely many moves, starting from what it gets in any case;
    /// with 1 in place of 0, what the other role cannot prevent.
    fn fixpoint(&self, start: f32) -> Vec<f32> {
        let mut values: Vec<f32> =
            (0..self.size).map(|state| self.payoff(state).unwrap_or(start)).collect();
        for _ in 0..self.size {
            for state in (0..self.size).filter(|&state| self.payoff(state).is_none()) {
                let next = (1..4).map(|mv| values[self.next(state, mv) as usize]);
                values[state as usize] = match self.mover(state) {
                    0 => next.fold(0.0, f32::max),
                    _ => next.fold(1.0, f32::min),
                };
            }
        }
        values
    }
}

impl Game for Graph {
    type State = u64;

    fn roles(&self) -> &[String] {
        static ROLES: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();
        ROLES.get_or_init(|| ["first", "second"].map(String::from).to_vec())
    }

    fn initial(&self) -> u64 {
        0
    }

    fn look(&self, &state: &u64, view: &mut View) {
        view.clear(2);
        if let Some(payoff) = self.payoff(state) {
            view.terminal = true;
            view.pay(Role(0), payoff);
            view.pay(Role(1), 1.0 - payoff);
            return;
        }
        let mover = self.mover(state) as u8;
        view.legal[Role(mover)].extend((1..4).map(Move));
        view.legal[Role(1 - mover)].push(Move(0));
    }

    fn play(&self, state: &mut u64, joint: &[Move]) {
        let mv = joint[self.mover(*state)];
        *state = self.next(*state, u64::from(mv.0));
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        m.0.to_string()
    }

    fn facts(&self, state: &u64) -> Vec<String> {
        vec![state.to_string()]
    }
}

#[test]
fn games_with_cycles_are_solved_as_far_as_play_can_be_forced_to_end() {
    let (mut solved, mut unsolved) = (0, 0);
    for seed in 0..60 {
        let game = Arc::new(Graph { size: 40, seed });
        let (low, high) = (game.fixpoint(0.0), game.fixpoint(1.0));
        for state in 0..game.size {
            let place = state as usize;
            match search(&game).value(&state, &Budget::unlimited()) {
                Ok(payoffs) => {
                    let exact = [low[place], high[place]].map(f32::to_bits);
                    assert_eq!(exact, [payoffs[Role(0)].to_bits(); 2], "{seed} {state}");
                    solved += 1;
                }
                Err(error) => {
                    assert_eq!(error, Unsolved::Cycle);
                    unsolved += 1;
                }
            }
        }
    }
    assert!(solved > 1_000 && unsolved > 100, "{solved} {unsolved}");
}

#[test]
fn one_role_that_may_walk_forever_has_no_outcome_unless_it_is_paid_all() {
    assert_eq!(value(Ring(vec![50, 90, 30])), Err(Unsolved::Cycle));
    assert_eq!(value(Ring(vec![50, 100, 30])).unwrap().as_slice(), [1.0]);
}

#[test]
fn a_line_that_is_too_long_has_no_outcome() {
    let heap = |heap| value(Nim(heap)).map(|payoffs| payoffs[Role(0)].to_bits());
    assert_eq!(heap(401), Ok(1f32.to_bits()));
    assert_eq!(heap(4_000), Err(Unsolved::Depth));
}

#[test]
fn limits_are_kept() {
    let board = Arc::new(Breakthrough { width: 4, height: 5 });
    let limited = |budget: Budget| search(&board).moves(&board.initial(), &budget);
    let states = Budget::unlimited().with_iterations(1_000);
    assert_eq!(limited(states), Err(Unsolved::Budget));
    let over = Budget::unlimited().with_time(std::time::Duration::ZERO);
    assert_eq!(limited(over), Err(Unsolved::Budget));
}

#[test]
fn games_of_another_kind_are_refused() {
    assert_eq!(value(Bid), Err(Unsolved::Roles));
    let shape = Shape {
        n_roles: 2,
        branching: 3,
        depth: 3,
        early_end: 0,
        simultaneous: true,
        constant_sum: true,
    };
    assert_eq!(value(HashGame::new(shape, 1)), Err(Unsolved::Simultaneous));
    let layers = Layers { width: 5, depth: 6, seed: 1, constant_sum: false };
    assert_eq!(value(layers), Err(Unsolved::SumVaries));
}

#[test]
fn the_same_search_is_repeated_exactly() {
    let board = Arc::new(Breakthrough { width: 3, height: 4 });
    let mut used = search(&board);
    let budget = Budget::unlimited();
    let state = random_state(&*board, 6, &mut Rng::new(3));
    used.moves(&board.initial(), &budget).unwrap();
    assert_eq!(used.moves(&state, &budget), search(&board).moves(&state, &budget));
}

#[test]
fn terminal_states_have_their_payoffs() {
    let nim = Arc::new(Nim(5));
    let payoffs = search(&nim).value(&(0, 1), &Budget::unlimited()).unwrap();
    assert_eq!(payoffs.as_slice(), [1.0, 0.0]);
}
