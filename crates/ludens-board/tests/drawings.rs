//! Rules and states to drawings.

use ludens_board::{Layout, Style, Topology};

fn layout(rules: &str, samples: &[&str], hints: &[&str]) -> Option<Layout> {
    let (rules, problems) = ludens_gdl::load(rules);
    let rules = rules.unwrap_or_else(|| panic!("{problems:?}"));
    let samples: Vec<Vec<String>> = samples.iter().map(|text| facts(text)).collect();
    let hints: Vec<String> = hints.iter().map(|&hint| hint.to_owned()).collect();
    Layout::detect(&rules, &samples, &hints)
}

/// Facts without their outer parentheses, separated by commas.
fn facts(text: &str) -> Vec<String> {
    text.split(',').map(|fact| format!("({})", fact.trim())).collect()
}

fn drawn(layout: &Layout, state: &str) -> String {
    format!("\n{}", layout.draw(&facts(state), Style::Plain))
}

const TICTACTOE: &str = "(role xplayer) (role oplayer) (n 1) (n 2) (n 3)
    (<= (init (cell ?x ?y b)) (n ?x) (n ?y)) (init (control xplayer))
    (succ 1 2) (succ 2 3) (mark_of xplayer x) (mark_of oplayer o)
    (<= (legal ?r (mark ?x ?y)) (true (cell ?x ?y b)) (true (control ?r)))
    (<= (next (cell ?x ?y ?m)) (does ?r (mark ?x ?y)) (mark_of ?r ?m))
    (<= (next (cell ?x ?y ?m)) (true (cell ?x ?y ?m)) (distinct ?m b))";

#[test]
fn tictactoe_needs_nothing_but_its_rules() {
    let layout = layout(TICTACTOE, &[], &[]).unwrap();
    let state = "cell 1 1 x, cell 2 1 b, cell 3 1 b, cell 1 2 b, cell 2 2 o, cell 3 2 b, \
        cell 1 3 b, cell 2 3 b, cell 3 3 x, control oplayer";
    assert_eq!(
        drawn(&layout, state),
        "
  ┌───────┐
3 │ · · x │
2 │ · o · │
1 │ x · · │
  └───────┘
    1 2 3
control oplayer
"
    );
    assert_eq!(layout.cells_of_term("(mark 1 3)"), [(0, 0)]);
    assert_eq!(layout.cells_of_term("(move x 1 3 3 1)"), [(0, 0), (2, 2)]);
    assert!(layout.cells_of_term("noop").is_empty());
}

/// Renames whole words.
fn scrambled(text: &str) -> String {
    let names = [
        ("cell", "kufo"),
        ("control", "wabe"),
        ("succ", "dree"),
        ("mark_of", "lim"),
        ("mark", "zot"),
        ("xplayer", "hark"),
        ("oplayer", "vult"),
        ("1", "pim"),
        ("2", "aro"),
        ("3", "gex"),
        ("b", "nusk"),
        ("x", "tolm"),
        ("o", "rike"),
        ("n", "ostia"),
    ];
    let rename = |word: &str| {
        let found = names.iter().find(|(name, _)| *name == word);
        found.map_or(word, |(_, new)| new).to_owned()
    };
    text.split_inclusive(['(', ')', ' ', ',', '\n'])
        .map(|piece| {
            let word = piece.trim_end_matches(['(', ')', ' ', ',', '\n']);
            rename(word) + &piece[word.len()..]
        })
        .collect()
}

#[test]
fn scrambled_names_give_the_same_picture() {
    let layout = layout(&scrambled(TICTACTOE), &[], &[]).unwrap();
    let state = "cell 1 1 x, cell 2 1 b, cell 3 1 b, cell 1 2 b, cell 2 2 o, cell 3 2 b, \
        cell 1 3 b, cell 2 3 b, cell 3 3 x, control oplayer";
    assert_eq!(
        drawn(&layout, &scrambled(state)),
        "
    ┌─────────────┐
gex │   ·   ·   t │
aro │   ·   r   · │
pim │   t   ·   · │
    └─────────────┘
      pim aro gex
· nusk  r rike  t tolm
wabe vult
"
    );
}

#[test]
fn empty_cells_may_have_no_facts() {
    let rules = "(role red) (role black) (columns 4) (rows 3) (column 1) (row 1)
        (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
        (<= (column ?b) (column ?a) (succ ?a ?b) (not (columns ?a)))
        (<= (row ?b) (row ?a) (succ ?a ?b) (not (rows ?a)))
        (<= (base (cell ?x ?y ?p)) (column ?x) (row ?y) (role ?p))
        (init (control red))";
    let layout = layout(rules, &[], &[]).unwrap();
    assert_eq!(
        drawn(&layout, "cell 2 1 red, cell 2 2 black, control red"),
        "
  ┌─────────┐
3 │ · · · · │
2 │ · b · · │
1 │ · r · · │
  └─────────┘
    1 2 3 4
b black  r red
control red
"
    );
}

#[test]
fn letters_are_columns_and_places_without_cells_stay_blank() {
    let rules = "(role you) (in 1 a) (in 1 b) (in 2 a) (in 2 b) (in 2 c) (in 3 b) (in 3 c)
        (<= (base (hole ?y ?x peg)) (in ?y ?x)) (<= (base (hole ?y ?x empty)) (in ?y ?x))";
    let start = "hole 1 a peg, hole 1 b peg, hole 2 a peg, hole 2 b empty, hole 2 c peg, \
        hole 3 b peg, hole 3 c peg";
    let layout = layout(rules, &[start], &[]).unwrap();
    assert_eq!(
        drawn(&layout, start),
        "
  ┌───────┐
3 │   p p │
2 │ p · p │
1 │ p p   │
  └───────┘
    a b c
p peg
"
    );
}

#[test]
fn hints_determine_the_board() {
    let start = "tile 1 1 5, tile 1 2 b, tile 2 1 8, tile 2 2 3, step 0";
    let hints = ["tile(y, x, number) empty=8 rows=down"];
    let layout = layout("(role you)", &[start], &hints).unwrap();
    assert_eq!(
        drawn(&layout, start),
        "
    1 2
  ┌─────┐
1 │ 5 b │
2 │ · 3 │
  └─────┘
· 8
step 0
"
    );
}

#[test]
fn several_fluents_share_a_board() {
    let rules = "(role you) (n 1) (n 2) (n 3)
        (<= (base (at ?x ?y ?t)) (n ?x) (n ?y) (thing ?t)) (<= (base (goal_at ?x ?y)) (n ?x) (n ?y))
        (thing wall) (thing crate) (thing man)";
    let start = "at 1 1 wall, at 2 1 wall, at 3 1 wall, at 2 2 crate, at 1 2 man, \
        goal_at 3 2, goal_at 2 2";
    let layout = layout(rules, &[start], &[]).unwrap();
    assert_eq!(
        drawn(&layout, start),
        "
  ┌──────────┐
3 │  ·  ·  · │
2 │  m cg  g │
1 │  w  w  w │
  └──────────┘
     1  2  3
c crate  g goal_at  m man  w wall
"
    );
}

#[test]
fn neighbour_relations_define_hexagons() {
    let rules = "(role red) (n 1) (n 2) (n 3) (up 1 2) (up 2 3)
        (<= (base (stone ?x ?y ?r)) (n ?x) (n ?y) (role ?r))
        (<= (near ?x ?y ?x ?z) (n ?x) (up ?y ?z)) (<= (near ?y ?x ?z ?x) (n ?x) (up ?y ?z))
        (<= (near ?a ?d ?b ?c) (up ?a ?b) (up ?c ?d))";
    let found = layout(rules, &[], &[]).unwrap();
    let state = "stone 1 1 red, stone 2 3 red";
    assert!(matches!(found.grid(&facts(state)).topology, Topology::Hex(_)));
    assert_eq!(
        drawn(&found, state),
        "
  3 · r ·
 2 · · ·
1 r · ·
 1 2 3
r red
"
    );
    let hinted = layout(rules, &[], &["stone(x, y, owner) topology=hex rows=down"]).unwrap();
    assert_eq!(
        drawn(&hinted, state),
        "
 1 2 3
1 r · ·
 2 · · ·
  3 · r ·
r red
"
    );
}
