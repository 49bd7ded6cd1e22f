//! Boards that are found in the rules of the library, without the hints of its files.

use std::path::Path;

use ludens_core::{Budget, Rng};
use ludens_gdl::Scrambler;
use ludens_learn::{Architecture, Board, Encoder, Plane};
use ludens_propnet::PropGame;

/// A game of the library.
fn load(name: &str) -> PropGame {
    load_text(&text(name))
}

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../games/{name}.kif"));
    std::fs::read_to_string(path).expect("the library has the game")
}

fn load_text(text: &str) -> PropGame {
    // Comments, and the hints in them, are not part of the rules.
    let rules = ludens_gdl::load(text).0.expect("the rules load");
    PropGame::load(&rules, &Budget::unlimited()).expect("it is grounded")
}

/// The size of the board, the planes with a fact for each cell, those that are the same everywhere, and holes.
fn summary(game: &PropGame) -> String {
    let encoder = Encoder::new(game).unwrap();
    let Some(board) = Board::find(game, &encoder, &mut Rng::new(1)) else {
        return "none".to_owned();
    };
    assert_eq!(board.check(encoder.n_inputs()), Ok(()));
    let is_everywhere = |plane: &&Plane| matches!(plane, Plane::Everywhere(_));
    let n_everywhere = board.planes.iter().filter(is_everywhere).count();
    let n_cells = board.planes.len() - n_everywhere;
    let n_holes = board.existing().iter().filter(|exists| !**exists).count();
    format!("{}x{} {n_cells}+{n_everywhere} {n_holes}", board.columns, board.rows)
}

#[test]
fn boards_are_found_in_library_games() {
    for (name, expected) in [
        // Gravity: there are no facts of empty cells.
        ("connectfour", "7x6 2+2 0"),
        ("tictactoe", "3x3 3+2 0"),
        ("breakthrough", "8x8 2+2 0"),
        ("othello", "8x8 3+2 0"),
        // Letters and numbers.
        ("hex", "9x9 2+2 0"),
        ("chess", "8x8 12+217 0"),
        // A hexagon, a cross, the dark squares, and a star whose cells are named `c4`.
        ("havannah", "7x7 3+2 12"),
        ("peg_solitaire", "7x7 2+32 16"),
        ("checkers", "8x8 5+130 32"),
        ("chinesecheckers_2p", "9x7 3+42 26"),
        // A piece that is on one cell is a plane of the board of the others.
        ("tron", "12x12 3+0 0"),
        ("eight_puzzle", "3x3 9+51 0"),
        // Heaps, pits, discs and scores are no boards.
        ("nim", "none"),
        ("mancala", "none"),
        ("hanoi", "none"),
        ("babel", "none"),
        ("rockpaperscissors", "none"),
    ] {
        assert_eq!(summary(&load(name)), expected, "{name}");
    }
}

/// Game managers replace words, but not numbers; the order of words is in relations such as `succ`.
#[test]
fn boards_are_found_in_scrambled_rules() {
    let mut rng = Rng::new(6);
    for (name, expected) in [
        ("connectfour", "7x6 2+2 0"),
        ("hex", "9x9 2+2 0"),
        ("chess", "8x8 12+217 0"),
        ("peg_solitaire", "7x7 2+32 16"),
        ("nim", "none"),
    ] {
        let mut scrambler = Scrambler::new(|n| rng.below(n));
        let game = load_text(&scrambler.scramble(&text(name)));
        assert_eq!(summary(&game), expected, "{name}");
    }
}

#[test]
fn a_cell_alone_is_no_board() {
    let text = "(role you) (init (cell 1 1 b)) (legal you mark) (base (cell 1 1 b))
        (base (cell 1 1 x)) (input you mark) (<= (next (cell 1 1 x)) (does you mark))
        (<= terminal (true (cell 1 1 x))) (goal you 100)";
    assert_eq!(summary(&load_text(text)), "none");
}

/// The layers of a library game by `ggpzero(conv, …)`: inputs of a unit and outputs, and all parameters.
fn check_layers(name: &str, network: &str, layers: &[(usize, usize)], n_parameters: usize) {
    let (game, network) = (load(name), network.parse::<Architecture>().unwrap());
    let encoder = Encoder::new(&game).unwrap();
    let board = network.board(&game, &encoder, &mut Rng::new(1));
    let shape = network.shape_on(board, encoder.n_inputs(), &encoder.n_moves());
    let sizes: Vec<_> = shape.layers().iter().map(|&(_, from, to)| (from, to)).collect();
    assert_eq!(sizes, layers, "{name}");
    assert_eq!(shape.n_parameters(), n_parameters, "{name}");
    let table = shape.to_string();
    assert!(table.ends_with(&n_parameters.to_string()), "{table}");
    let is_said = table.starts_with("no board was found: all layers are fully connected\n");
    assert_eq!(is_said, shape.front.convolutions().is_none(), "{table}");
}

#[test]
fn layers_have_the_sizes_that_are_computed_by_hand() {
    // Two colours, two players to move and the existing cells; seven columns and `noop`.
    let heads = [(1344, 128), (128, 8), (128, 1), (128, 8), (128, 1)];
    let layers = [&[(45, 32), (288, 32), (288, 32), (288, 32)][..], &heads].concat();
    let n = 46 * 32 + 3 * 289 * 32 + 1345 * 128 + 2 * 129 * 9;
    check_layers("connectfour", "ggpzero(conv)", &layers, n);
    // Three contents, two players to move and the existing cells; nine cells and `noop`.
    let heads = [(27, 128), (128, 10), (128, 1), (128, 10), (128, 1)];
    let layers = [&[(54, 3), (27, 3)][..], &heads].concat();
    let n = 55 * 3 + 28 * 3 + 28 * 128 + 2 * 129 * 11;
    check_layers("tictactoe", "ggpzero(conv, depth=2, filters=3)", &layers, n);
}

#[test]
fn without_a_board_all_layers_are_fully_connected() {
    let game = load("nim");
    let encoder = Encoder::new(&game).unwrap();
    let (n_inputs, n_moves) = (encoder.n_inputs(), encoder.n_moves());
    let hidden = [(n_inputs, n_inputs); 3];
    let heads = n_moves.iter().flat_map(|&n| [(n_inputs, n), (n_inputs, 1)]);
    let layers: Vec<_> = hidden.into_iter().chain(heads).collect();
    let n = layers.iter().map(|(from, to)| (from + 1) * to).sum();
    check_layers("nim", "ggpzero(conv, depth=3)", &layers, n);
}
