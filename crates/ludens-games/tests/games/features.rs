//! The keys of moves contain exactly the intended features.

use ludens_core::{Game, Role};
use ludens_games::{Duel, Rules, atarigo, breakthrough, domineering, havannah, knightthrough};

/// The feature in the key of a move, in the state with these facts.
fn feature<R: Rules>(game: &Duel<R>, facts: &str, role: u8, name: &str) -> u32 {
    let facts: Vec<String> = facts.split(", ").map(String::from).collect();
    let state = game.parse_state(&facts).expect("the state is possible");
    let m = game.parse_move(Role(role), name).expect("the move is possible");
    let (code, n_features) = (game.code(&state, Role(role), m), game.rules().n_features());
    assert_eq!(code / n_features, m.0);
    code % n_features
}

#[test]
fn piece_race_keys_distinguish_captures() {
    let facts = "(cellHolds 2 2 white), (cellHolds 3 3 black), (control white)";
    let pawn = |role, name| feature(&breakthrough::game(8), facts, role, name);
    assert_eq!(
        ["(move 2 2 1 3)", "(move 2 2 2 3)", "(move 2 2 3 3)"].map(|m| pawn(0, m)),
        [0, 0, 1]
    );
    assert_eq!(
        ["(move 3 3 2 2)", "(move 3 3 3 2)", "(move 3 3 4 2)"].map(|m| pawn(1, m)),
        [1, 0, 0]
    );
    let facts = "(cell 2 2 white), (cell 4 3 black), (control black)";
    let knight = |role, name| feature(&knightthrough::game(5), facts, role, name);
    assert_eq!(["(move 2 2 4 3)", "(move 2 2 3 4)"].map(|m| knight(0, m)), [1, 0]);
    assert_eq!(["(move 4 3 2 2)", "(move 4 3 5 1)"].map(|m| knight(1, m)), [1, 0]);
}

/// Before the domino, behind it, two cells on one side, two on the other.
#[test]
fn domino_keys_encode_the_six_neighbours() {
    let game = domineering::game(5);
    let upright = |facts, name| feature(&game, facts, 0, name);
    let lying = |facts, name| feature(&game, facts, 1, name);
    assert_eq!(upright("(control vertical)", "(place 3 3 3 4)"), 0);
    assert_eq!(upright("(control vertical)", "(place 1 1 1 2)"), 0b10_11_00);
    assert_eq!(upright("(control vertical)", "(place 5 4 5 5)"), 0b01_00_11);
    assert_eq!(lying("(control vertical)", "(place 1 1 2 1)"), 0b10_11_00);
    let facts = "(cell 3 2 filled), (cell 3 1 filled), (control horizontal)";
    assert_eq!(lying(facts, "(place 1 2 2 2)"), 0b11_00_00);
    assert_eq!(lying(facts, "(place 2 3 3 3)"), 0b00_01_00);
    assert_eq!(lying(facts, "(place 4 1 5 1)"), 0b11_11_00);
}

#[test]
fn stone_keys_encode_the_colours_of_the_four_neighbours() {
    let facts = "(cell 1 2 black), (cell 3 2 white), (control black)";
    let go = |name| feature(&atarigo::game(5), facts, 0, name);
    // Left, right, below, above: 0 empty, 1 black, 2 white, 3 off the board.
    assert_eq!(go("(play 2 2)"), 0b01_10_00_00);
    assert_eq!(go("(play 1 1)"), 0b11_00_11_01);
    assert_eq!(go("(play 3 3)"), 0b00_00_10_00);
    assert_eq!(go("(play 5 5)"), 0b00_11_00_11);
}

/// 1 for Red, 2 for Blue, 3 for both, wherever they stand.
#[test]
fn havannah_keys_encode_which_colours_are_adjacent() {
    let facts = "(cell 5 4 red), (cell 3 4 blue), (last 3 4), (control red)";
    let cell = |name| feature(&havannah::game(4), facts, 0, name);
    assert_eq!(cell("(place 4 4)"), 3);
    assert_eq!(cell("(place 4 5)"), 1);
    assert_eq!(cell("(place 3 5)"), 2);
    assert_eq!(cell("(place 7 1)"), 0);
}
