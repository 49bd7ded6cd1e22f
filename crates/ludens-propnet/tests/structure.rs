//! Symmetries, conjunctions and values of gates, derived from the rules.

use std::path::Path;
use std::sync::Arc;

use ludens_core::{Budget, Game, Move, Rng, Role, Structure, Symmetry, View, Vocabulary};
use ludens_propnet::{Network, PropGame};

const LIBRARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games");

fn library_game(name: &str) -> PropGame {
    let file = Path::new(LIBRARY).join(format!("{name}.kif"));
    game(&std::fs::read_to_string(file).unwrap())
}

fn game(text: &str) -> PropGame {
    let rules = ludens_gdl::load(text).0.unwrap();
    PropGame::scalar(Arc::new(Network::load(&rules, &Budget::unlimited()).unwrap()))
}

fn structure(game: &PropGame) -> Arc<dyn Structure> {
    game.structure().unwrap()
}

/// The image of a state.
fn image(
    game: &PropGame,
    state: &<PropGame as Game>::State,
    symmetry: &Symmetry,
) -> <PropGame as Game>::State {
    let mut facts = Vec::new();
    game.fact_ids(state, &mut facts);
    let name = |&fact: &u32| game.fact_name(symmetry.facts[fact as usize]);
    game.parse_state(&facts.iter().map(name).collect::<Vec<_>>()).unwrap()
}

/// The image of a move of a role.
fn image_of_move(game: &PropGame, role: Role, m: Move, symmetry: &Symmetry) -> Move {
    let moves = game.vocabulary().unwrap().moves(role).unwrap();
    symmetry.moves[role][moves.binary_search(&m).unwrap()]
}

/// Plays a random game and its images side by side: they must have the same moves, ends and payoffs.
fn check_symmetries(game: &PropGame, symmetries: &[Symmetry], seed: u64) {
    let mut rng = Rng::new(seed);
    let mut state = game.initial();
    let mut images: Vec<_> = symmetries.iter().map(|s| image(game, &state, s)).collect();
    let (mut view, mut other) = (View::default(), View::default());
    for _ in 0..60 {
        game.look_all(&state, &mut view);
        for (symmetry, image) in symmetries.iter().zip(&images) {
            game.look_all(image, &mut other);
            assert_eq!(view.terminal, other.terminal);
            for role in Role::all(game.roles().len()) {
                let image_role = symmetry.roles[role];
                assert_eq!(view.payoffs[role].to_bits(), other.payoffs[image_role].to_bits());
                let legal = view.legal[role].iter();
                let mut legal: Vec<Move> =
                    legal.map(|&m| image_of_move(game, role, m, symmetry)).collect();
                legal.sort_unstable();
                assert_eq!(legal, other.legal[image_role]);
            }
        }
        if view.terminal {
            return;
        }
        let joint = view.random_joint(&mut rng);
        for (symmetry, state) in symmetries.iter().zip(&mut images) {
            let mut images = joint.clone();
            for (role, &m) in Role::all(joint.len()).zip(&joint) {
                images[symmetry.roles[role].index()] = image_of_move(game, role, m, symmetry);
            }
            game.play(state, &images);
        }
        game.play(&mut state, &joint);
        for (symmetry, there) in symmetries.iter().zip(&images) {
            assert!(*there == image(game, &state, symmetry));
        }
    }
}

/// Games with the number of their symmetries, the identity included, and of those that exchange roles.
#[test]
fn symmetries_are_found_from_the_rules_alone() {
    for (name, n_all, n_exchanging) in [
        // Reflections and rotations of the board.
        ("tictactoe", 16, 8),
        // A mirror, and the players exchanged.
        ("connectfour", 4, 2),
        ("breakthrough_6x6", 4, 2),
        ("reversi_6x6", 16, 8),
        // Cells reflected at a diagonal, and the players exchanged. The rotation is not found, because the rules
        // follow paths from one side to the other.
        ("hex", 2, 1),
        // Random games solve no puzzle, and say nothing about its solution.
        ("lights_out", 8, 0),
        ("eight_puzzle", 2, 0),
    ] {
        let game = library_game(name);
        let symmetries = structure(&game).symmetries();
        let exchanges = |s: &&Symmetry| s.roles.entries().any(|(role, image)| role != *image);
        let found = (symmetries.len() + 1, symmetries.iter().filter(exchanges).count());
        assert_eq!(found, (n_all, n_exchanging), "{name}");
        (0..5).for_each(|seed| check_symmetries(&game, &symmetries, seed));
    }
}

#[test]
fn rules_that_distinguish_sides_have_no_symmetry() {
    let rules = |goal: u32| {
        format!(
            "(role x) (role y) (init (at 0)) (succ 0 1) (succ 1 2)
             (<= (legal ?r left) (role ?r)) (<= (legal ?r right) (role ?r))
             (<= (next (at ?b)) (true (at ?a)) (succ ?a ?b))
             (<= (next (chose ?r ?m)) (does ?r ?m)) (<= terminal (true (at 2)))
             (<= (goal x {goal}) (true (chose x left))) (<= (goal x 50) (true (chose x right)))
             (<= (goal y 70) (true (chose y left))) (<= (goal y 50) (true (chose y right)))"
        )
    };
    assert_eq!(structure(&game(&rules(70))).symmetries().len(), 1, "x and y exchanged");
    assert_eq!(structure(&game(&rules(60))).symmetries().len(), 0);
    // Where payoffs are equal, left and right can be exchanged for each role.
    assert_eq!(structure(&game(&rules(50).replace("70", "50"))).symmetries().len(), 7);
}

#[test]
fn conjunctions_are_the_lines_of_a_board() {
    for (name, n_facts, n_lines) in [("tictactoe", 3, 2 * 8), ("connectfour", 4, 2 * 69)] {
        let game = library_game(name);
        let conjunctions = structure(&game).conjunctions(3);
        assert_eq!(conjunctions.len(), n_lines, "{name}");
        assert!(conjunctions.iter().all(|c| c.facts.len() == n_facts));
    }
    assert!(structure(&library_game("breakthrough_6x6")).conjunctions(3).is_empty());
}

#[test]
fn nodes_agree_with_the_reasoner() {
    for name in ["tictactoe", "hex", "connectfour"] {
        let game = library_game(name);
        let structure = structure(&game);
        let (mut state, mut view, mut rng) = (game.initial(), View::default(), Rng::new(3));
        loop {
            game.look(&state, &mut view);
            let (mut facts, mut nodes) = (Vec::new(), Vec::new());
            game.fact_ids(&state, &mut facts);
            structure.true_nodes(&facts, &mut nodes);
            assert!(nodes.is_sorted() && nodes.iter().all(|&n| (n as usize) < structure.n_nodes()));
            let network = &game.network;
            let holds = |signal: ludens_propnet::net::Signal| {
                nodes.binary_search(&(signal.gate() as u32)).is_ok() != signal.is_negated()
            };
            assert_eq!(holds(network.terminal), view.terminal);
            if view.terminal {
                break;
            }
            for (&signal, &(role, m)) in network.legal.iter().zip(&network.does) {
                assert_eq!(holds(signal), view.legal[role].contains(&m), "{name}");
            }
            let joint = view.random_joint(&mut rng);
            game.play(&mut state, &joint);
        }
    }
}
