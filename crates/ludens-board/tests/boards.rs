//! Boards of boards, tracks, nets, wide boards, and games that have none.

use std::slice;

use ludens_board::{Cell, Edge, Layout, Style, draw_facts};

fn layout(rules: &str, samples: &[Vec<String>]) -> Option<Layout> {
    let (rules, problems) = ludens_gdl::load(rules);
    let rules = rules.unwrap_or_else(|| panic!("{problems:?}"));
    Layout::detect(&rules, samples, &[])
}

fn facts(text: &str) -> Vec<String> {
    text.split(',').map(|fact| format!("({})", fact.trim())).collect()
}

fn drawn(layout: &Layout, state: &[String]) -> String {
    format!("\n{}", layout.draw(state, Style::Plain))
}

/// A fact for each pair of coordinates from 1.
fn filled(columns: usize, rows: usize, fact: impl Fn(usize, usize) -> String) -> Vec<String> {
    let fact = &fact;
    (1..=columns).flat_map(|x| (1..=rows).map(move |y| fact(x, y))).collect()
}

#[test]
fn an_argument_may_select_the_board() {
    let rules = "(role you)";
    let mut start = filled(2, 2, |x, y| format!("(cell upper {x} {y} {})", ["b", "x"][x % 2]));
    start.extend(filled(2, 2, |x, y| format!("(cell lower {x} {y} {})", ["b", "o"][y % 2])));
    let layout = layout(rules, slice::from_ref(&start)).unwrap();
    assert_eq!(
        drawn(&layout, &start),
        "
  ┌─────┬─────┐
2 │ · · │ x · │
1 │ o o │ x · │
  └─────┴─────┘
    1 2   1 2
   lower upper
"
    );
}

#[test]
fn full_boards_are_drawn_side_by_side() {
    let mut start =
        filled(3, 2, |x, y| format!("(left {x} {y} {})", if x == y { "x" } else { "b" }));
    start
        .extend(filled(3, 2, |x, y| format!("(right {x} {y} {})", if x == 3 { "x" } else { "b" })));
    let layout = layout("(role you)", slice::from_ref(&start)).unwrap();
    assert_eq!(
        drawn(&layout, &start),
        "
  ┌───────┬───────┐
2 │ · x · │ · · x │
1 │ x · · │ · · x │
  └───────┴───────┘
    1 2 3   1 2 3
    left    right
"
    );
}

#[test]
fn pits_are_drawn_as_a_row() {
    let start = facts("pit p1 s3, pit p2 s3, pit p3 s0, pit p4 s12, at p3, control north");
    let layout = layout("(role north) (role south)", slice::from_ref(&start)).unwrap();
    assert_eq!(
        drawn(&layout, &start),
        "
 ┌─────────────────┐
 │  s3  s3 s0a s12 │
 └─────────────────┘
    p1  p2  p3  p4
a at
control north
"
    );
}

#[test]
fn lines_join_dots_around_boxes() {
    let rules = "(role x) (role o) (dot 1) (dot 2) (dot 3) (up 1 2) (up 2 3)
        (<= (base (line ?x ?y ?x ?z)) (dot ?x) (up ?y ?z))
        (<= (base (line ?x ?y ?z ?y)) (dot ?y) (up ?x ?z))
        (<= (base (box ?x ?y ?r)) (up ?x ?x2) (up ?y ?y2) (role ?r))";
    let layout = layout(rules, &[]).unwrap();
    let state =
        facts("line 1 1 2 1, line 1 1 1 2, line 2 1 2 2, line 1 2 2 2, box 1 1 x, line 2 3 3 3");
    assert_eq!(
        drawn(&layout, &state),
        "
3 +   +───+

2 +───+   +
  │ x │
1 +───+   +
  1   2   3
"
    );
    let grid = layout.grid(&state);
    assert!(grid.edges.contains(&Edge { from: (0, 2), to: (1, 2) }));
    assert_eq!(grid.cell(0, 2).unwrap().contents, ["x"]);
    assert_eq!(grid.cell(9, 0), None);
}

#[test]
fn large_boards_fit_a_terminal() {
    let start = filled(30, 30, |x, y| format!("(cell {x} {y} {})", ["empty", "red"][(x * y) % 2]));
    let layout = layout("(role red)", slice::from_ref(&start)).unwrap();
    let drawing = layout.draw(&start, Style::Plain);
    assert!(drawing.lines().all(|line| line.chars().count() <= 78), "{drawing}");
    assert_eq!(drawing.lines().count(), 35, "{drawing}");
}

#[test]
fn stacked_objects_are_not_a_board() {
    let start = facts("on disc1 disc2, on disc2 disc3, on disc3 pillar1, clear disc1, step 1");
    assert!(layout("(role you)", slice::from_ref(&start)).is_none());
    assert_eq!(
        draw_facts(&start),
        "clear disc1\non disc1 disc2, disc2 disc3, disc3 pillar1\nstep 1\n"
    );
    let scores = facts("score white 10, score black 20, round 3");
    assert!(layout("(role white) (role black)", &[scores]).is_none());
    assert!(layout("(role you)", &[]).is_none());
}

#[test]
fn changed_cells_are_marked() {
    let before = filled(2, 2, |x, y| format!("(cell {x} {y} b)"));
    let mut after = before.clone();
    after[3] = "(cell 2 2 red)".to_owned();
    let layout = layout("(role red)", &[before.clone(), after.clone()]).unwrap();
    let drawing = layout.draw_after(Some(&before), &after, Style::Ansi);
    assert!(drawing.contains("\x1b[7;31mr\x1b[0m"), "{drawing:?}");
    assert_eq!(drawing.matches("\x1b[7").count(), 1);
    assert_eq!(
        layout.draw_after(Some(&before), &after, Style::Plain),
        layout.draw(&after, Style::Plain)
    );
}

#[test]
fn any_facts_are_drawn_somehow() {
    let start = filled(3, 3, |x, y| format!("(cell {x} {y} {})", ["b", "x"][x % 2]));
    let layout = layout("(role x)", &[start]).unwrap();
    let odd = [
        "",
        "(",
        "(cell",
        "(cell 1 1)",
        "(cell 9 9 x)",
        "(cell (f 1) 2 x)",
        "(cell 1 1 (f x))",
        "(cell 2 2 something_new)",
        "(cell 2 2 x)",
        "(cell 2 2 y)",
        "(cell 2 2 z)",
        "(cell 2 2 w)",
        ")(",
    ];
    let odd: Vec<String> = odd.map(String::from).to_vec();
    assert_eq!(layout.grid(&odd).cell(2, 2), Some(&Cell { contents: vec![], exists: true }));
    for style in [Style::Plain, Style::Ansi] {
        let drawing = layout.draw_after(Some(&odd[3..]), &odd, style);
        assert!(drawing.contains("9 9 x"), "{drawing}");
    }
    assert!(draw_facts(&odd).contains("9 9 x"));
    for term in &odd {
        layout.cells_of_term(term);
    }
    assert!(
        Layout::detect(&ludens_gdl::load("(role x)").0.unwrap(), &[odd], &["cell(x".into()])
            .is_none_or(|layout| !layout.draw(&[], Style::Plain).is_empty())
    );
}
