//! Decisive moves found by gates are those found by trying all moves.

use std::path::Path;
use std::sync::Arc;

use ludens_core::{Budget, Game, Move, Rng, Role, Tally, View};

use crate::bits::Bits;
use crate::game::PropGame;
use crate::network::Network;

fn load(name: &str) -> PropGame {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let text = std::fs::read_to_string(folder.join(name).with_extension("kif")).unwrap();
    game(&text)
}

fn game(text: &str) -> PropGame {
    let rules = ludens_gdl::load(text).0.unwrap();
    PropGame::scalar(Arc::new(Network::load(&rules, &Budget::unlimited()).unwrap()))
}

/// The moves of a role that end the game with its highest payoff, whatever the others do.
fn winning(game: &PropGame, state: &Bits, view: &View, role: Role) -> Vec<Move> {
    let (_, best) = game.payoff_range(role);
    let wins = |mv: &Move| {
        let mut joint: Vec<Move> = view.legal.iter().map(|legal| legal[0]).collect();
        joint[role.index()] = *mv;
        let (mut after, mut view) = (state.clone(), View::default());
        game.play(&mut after, &joint);
        game.look(&after, &mut view);
        view.terminal && view.payoffs[role] >= best
    };
    view.legal[role].iter().copied().filter(wins).collect()
}

/// Compares them in the states of random games. Returns how many states had a decisive move.
fn compare(name: &str, game: &PropGame, n_states: usize) -> usize {
    let decisive = game.decisive().unwrap_or_else(|| panic!("{name} has decisive moves"));
    let (mut state, mut rng, mut n_decisive) = (game.initial(), Rng::new(1), 0);
    let (mut view, mut restricted) = (View::default(), View::default());
    for _ in 0..n_states {
        game.look(&state, &mut view);
        if view.is_over() {
            state = game.initial();
            continue;
        }
        decisive.look(&state, &mut restricted);
        for role in Role::all(game.roles().len()) {
            let others = view.legal.entries().filter(|&(other, _)| other != role);
            let alone = others.map(|(_, legal)| legal.len()).all(|n| n == 1);
            let wins = if alone { winning(game, &state, &view, role) } else { Vec::new() };
            n_decisive += usize::from(!wins.is_empty());
            let expected = if wins.is_empty() { &view.legal[role] } else { &wins };
            assert_eq!(&restricted.legal[role], expected, "{name} {:?}", game.facts(&state));
        }
        let joint = view.random_joint(&mut rng);
        game.play(&mut state, &joint);
    }
    n_decisive
}

#[test]
fn gates_find_the_moves_that_win_at_once() {
    for name in ["tictactoe", "connectfour", "breakthrough_6x6", "knightthrough"] {
        let n_decisive = compare(name, &load(name), 2_000);
        assert!(n_decisive > 20, "{name}: {n_decisive}");
    }
}

/// A win that an opponent can still prevent is not decisive, nor is one of a role that need not decide alone.
#[test]
fn moves_of_simultaneous_games_are_not_decisive() {
    let text = "(role a) (role b) (init start)
        (<= (legal a ?m) (true start) (choice ?m)) (<= (legal b ?m) (true start) (choice ?m))
        (choice 1) (choice 2) (<= (next (made ?r ?m)) (does ?r ?m)) (<= terminal (not (true start)))
        (<= (goal a 100) (true (made a ?m)) (true (made b ?m)))
        (<= (goal a 0) (true (made a 1)) (true (made b 2)))
        (<= (goal a 0) (true (made a 2)) (true (made b 1))) (goal b 50)";
    assert!(game(text).decisive().is_none());
}

/// The opponent can prevent the win in the last of many states, which random games hardly reach.
#[test]
fn what_others_could_do_is_checked_in_every_state() {
    const LAST: usize = 40;
    let steps: Vec<String> = (1..LAST).map(|n| format!("(succ {n} {})", n + 1)).collect();
    let steps = steps.join(" ");
    let rules = "(role a) (role b) (init (step 1))
        (<= (legal a win) (true (step ?n))) (<= (legal a wait) (true (step ?n)))
        (<= (legal b pass) (true (step ?n))) (<= (legal b veto) (true (step 40)))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m) (not (does a win)))
        (<= (next won) (does a win) (not (does b veto)))
        (<= some_step (true (step ?n))) (<= terminal (not some_step))
        (<= (goal a 100) (true won)) (<= (goal a 0) (not (true won))) (goal b 50)";
    let game = game(&format!("{rules} {steps}"));
    let decisive = game.decisive().expect("winning is decisive");
    let (mut state, mut view) = (game.initial(), View::default());
    for step in 1..=LAST {
        game.look(&state, &mut view);
        let joint = [view.legal[Role(0)][0], view.legal[Role(1)][0]];
        assert_eq!(game.move_name(Role(0), joint[0]), "wait");
        decisive.look(&state, &mut view);
        assert_eq!(view.legal[Role(0)].len(), if step < LAST { 1 } else { 2 }, "step {step}");
        game.play(&mut state, &joint);
    }
}

/// Playouts in lanes and one by one have the same mean payoffs and lengths.
#[test]
fn lanes_make_decisive_moves_as_single_playouts_do() {
    const N: u64 = 20_000;
    for name in ["tictactoe", "connectfour", "breakthrough_6x6"] {
        let game = load(name);
        let network = Arc::clone(&game.decisive().unwrap().network);
        let [one, many] = [PropGame::scalar(Arc::clone(&network)), PropGame::lanes(network)];
        let [one, many] = [one, many].map(|game| {
            let (initial, mut tally) = (game.initial(), [Tally::default()]);
            Arc::new(game).simulator().tally(&[&initial], N, &mut Rng::new(1), &mut tally);
            let [tally] = tally;
            let n = tally.playouts as f64;
            (tally.payoffs.as_slice()[0] / n, tally.plies as f64 / n)
        });
        println!("{name}: {one:?} {many:?}");
        assert!((one.0 - many.0).abs() < 0.02, "{name}: {one:?} {many:?}");
        assert!((one.1 / many.1 - 1.0).abs() < 0.02, "{name}: {one:?} {many:?}");
    }
}
