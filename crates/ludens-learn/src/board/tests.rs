use super::find::board;
use super::{Board, Plane};

fn texts(text: &str) -> Vec<String> {
    text.split(',').map(|name| name.trim().to_owned()).collect()
}

/// The board in facts that all hold in one position.
fn found(names: &str, orders: &[Vec<String>]) -> Option<Board> {
    let names = texts(names);
    let board = board(&names, &[(0..names.len() as u32).collect()], orders)?;
    assert_eq!(board.check(names.len()), Ok(()));
    Some(board)
}

fn cells(inputs: &[i32]) -> Plane {
    Plane::Cells(inputs.iter().map(|&input| u32::try_from(input).ok()).collect())
}

#[test]
fn cells_are_row_by_row_and_other_facts_everywhere() {
    let names = "(cell 1 1 b), (cell 2 1 b), (cell 1 2 b), (control x), (at 2 2), (cell 2 2 (o k))";
    let planes = vec![
        cells(&[-1, -1, -1, 4]),
        cells(&[-1, -1, -1, 5]),
        cells(&[0, 1, 2, -1]),
        Plane::Everywhere(3),
    ];
    assert_eq!(found(names, &[]), Some(Board { columns: 2, rows: 2, planes }));
}

#[test]
fn gaps_and_corners_are_holes() {
    let names = "(on 1 1), (on 1 2), (on 2 1), (on 2 2), (on 4 2)";
    let board = found(names, &[]).unwrap();
    assert_eq!(board.existing(), [true, true, false, false, true, true, false, true]);
    assert_eq!((board.columns, board.rows), (4, 2));
}

#[test]
fn cells_may_be_named_by_one_symbol() {
    let names = "(at a1 x), (at b1 x), (at a2 x), (at b2 x)";
    let planes = vec![cells(&[0, 1, 2, 3])];
    assert_eq!(found(names, &[]), Some(Board { columns: 2, rows: 2, planes }));
}

#[test]
fn orders_of_the_rules_make_coordinates_of_any_symbols() {
    let names = "(at kip kip), (at kip mog), (at mog kip), (at mog mog), (at lap lap)";
    assert_eq!(found(names, &[]), None);
    let board = found(names, &[texts("nub, kip, lap, mog")]).unwrap();
    assert_eq!(board.planes, [cells(&[0, -1, 2, -1, 4, -1, 1, -1, 3])]);
}

#[test]
fn values_of_a_row_and_single_cells_are_no_boards() {
    for names in [
        "(heap 1 3), (heap 2 1), (heap 3 2)",
        "(cell 1 1 b), (cell 1 1 x)",
        "(score red 10), (score blue 20)",
        "control",
        "",
    ] {
        assert_eq!(found(names, &[]), None, "{names}");
    }
}

#[test]
fn the_larger_board_is_chosen_and_the_smaller_one_is_part_of_it() {
    let pairs = |name: &str, n: u32| {
        let pairs = (1..=n).flat_map(|x| (1..=n).map(move |y| (x, y)));
        pairs.map(|(x, y)| format!("({name} {x} {y})")).collect::<Vec<_>>()
    };
    let names = [pairs("a", 2), pairs("b", 3)].concat().join(",");
    let planes =
        vec![cells(&[0, 2, -1, 1, 3, -1, -1, -1, -1]), cells(&[4, 7, 10, 5, 8, 11, 6, 9, 12])];
    assert_eq!(found(&names, &[]), Some(Board { columns: 3, rows: 3, planes }));
}
