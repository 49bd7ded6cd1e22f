//! Grounding stays small where helper relations explode, is equivalent to the rules, and keeps its limits.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ludens_core::{Budget, TextGame, Trouble};
use ludens_gdl::Rules;
use ludens_logic::LogicGame;
use ludens_propnet::PropGame;
use ludens_propnet::ground::{Grounding, Options, Size, ground, ground_as};
use ludens_testkit::lockstep::{self, lockstep};

fn load(text: &str) -> Rules {
    ludens_gdl::load(text).0.expect("the rules load")
}

fn text_of(grounding: &Grounding) -> String {
    grounding.lines().fold(String::new(), |text, line| text + &line + "\n")
}

/// Grounds in both ways, and checks that each ground description, loaded as rules, agrees with the
/// original, as does the network. Returns the sizes without and with splitting.
fn sizes(text: &str) -> [Size; 2] {
    let rules = load(text);
    let original = LogicGame::load(&rules, &Budget::unlimited()).expect("the original loads");
    let options = lockstep::Options { games: 3, max_plies: 30, ..lockstep::Options::default() };
    let scalar = PropGame::load(&rules, &Budget::unlimited()).expect("the network loads");
    lockstep(&original, &TextGame(Arc::new(scalar)), &options).expect("the network agrees");
    [false, true].map(|split| {
        let grounding = ground_as(&rules, Options { split }, &Budget::unlimited()).unwrap();
        let ground_rules = load(&text_of(&grounding));
        let ground_game = LogicGame::load(&ground_rules, &Budget::unlimited()).unwrap();
        lockstep(&original, &ground_game, &options)
            .unwrap_or_else(|difference| panic!("split {split}: {difference}"));
        grounding.size()
    })
}

/// Facts `(name 0)` to `(name n)`, and their successors.
fn numbers(name: &str, n: usize) -> String {
    let mut text = format!("({name} 0)\n");
    for i in 0..n {
        writeln!(text, "({name} {}) (succ {i} {})", i + 1, i + 1).unwrap();
    }
    text
}

/// A walk along a line with walls; `blocked` has two million instances of which few are demanded.
const WALK: &str = "(role you) (init (at 0)) (init (wall 3)) (init (wall 6))
    (<= (blocked ?a ?b ?c ?d ?e ?f ?g)
        (true (wall ?b)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (n ?g))
    (<= (legal you (go ?y)) (true (at ?x)) (succ ?x ?y) (not (blocked ?x ?y ?x ?y ?x ?y ?x)))
    (<= (legal you (jump ?z)) (true (at ?x)) (succ ?x ?y) (succ ?y ?z)
        (blocked ?x ?y ?z ?x ?x ?x ?x))
    (<= (legal you look) (true (at ?x)) (succ ?x ?y) (blocked ?z ?y ?x ?x ?x ?x ?x) (succ ?y ?z))
    (<= (legal you (guess ?z)) (true (at ?x)) (blocked ?x ?z ?x ?x ?x ?x ?x))
    (legal you stay)
    (<= (next (at ?y)) (does you (go ?y))) (<= (next (at ?y)) (does you (jump ?y)))
    (<= (next (at ?x)) (true (at ?x)) (does you stay))
    (<= (next (at ?x)) (true (at ?x)) (does you look))
    (<= (next (at ?x)) (true (at ?x)) (does you (guess ?z)))
    (<= (next (wall ?x)) (true (wall ?x)) (not (does you stay)))
    (<= terminal (true (at 7))) (<= terminal (true (at 8)))
    (<= (goal you 100) (true (wall 3))) (<= (goal you 50) (not (true (wall 3))))";

#[test]
fn huge_relations_are_computed_on_demand_even_if_negated() {
    let [plain, split] = sizes(&format!("{WALK} {}", numbers("n", 8)));
    assert!(plain.rules < 200, "{plain:?}");
    assert!(split.rules < 200, "{split:?}");
}

/// Counts two kinds of stones on eight cells by a loop that carries the sums along.
const STONES: &str = "(role you) (init (cell c1 empty)) (init (cell c2 empty))
    (init (cell c3 empty)) (init (cell c4 empty)) (init (cell c5 empty)) (init (cell c6 empty))
    (after c1 c2) (after c2 c3) (after c3 c4) (after c4 c5) (after c5 c6)
    (kind white) (kind black)
    (<= (legal you (put ?c ?k)) (true (cell ?c empty)) (kind ?k))
    (<= (next (cell ?c ?k)) (does you (put ?c ?k)))
    (<= (next (cell ?c ?k)) (true (cell ?c ?k)) (does you (put ?d ?l)) (distinct ?c ?d))
    (<= (one ?c ?w ?b ?w1 ?b) (true (cell ?c white)) (succ ?w ?w1) (n ?b))
    (<= (one ?c ?w ?b ?w ?b1) (true (cell ?c black)) (succ ?b ?b1) (n ?w))
    (<= (one ?c ?w ?b ?w ?b) (true (cell ?c empty)) (n ?w) (n ?b))
    (<= (sum c6 ?w ?b ?v ?a) (one c6 ?w ?b ?v ?a))
    (<= (sum ?c ?w ?b ?v ?a) (one ?c ?w ?b ?w1 ?b1) (after ?c ?d) (sum ?d ?w1 ?b1 ?v ?a))
    (<= (total ?w ?b) (sum c1 0 0 ?w ?b))
    (<= open (true (cell ?c empty))) (<= terminal (not open))
    (<= (more ?x ?y) (succ ?y ?x)) (<= (more ?x ?z) (succ ?y ?x) (more ?y ?z))
    (<= (goal you 100) (total ?w ?b) (more ?w ?b))
    (<= (goal you 50) (total ?w ?w))
    (<= (goal you 0) (total ?w ?b) (more ?b ?w))";

#[test]
fn demand_propagates_through_recursion() {
    let [plain, split] = sizes(&format!("{STONES} {}", numbers("n", 70)));
    assert!(plain.rules < 2000, "{plain:?}");
    assert!(split.rules < 2000, "{split:?}");
}

/// `quad` has 2.8 million tuples, and `even` infinitely many.
const STATIC: &str = "(role you) (init (at 0)) (init (tower (s (s (s (s o))))))
    (<= (quad ?a ?b ?c ?d) (n ?a) (n ?b) (n ?c) (n ?d) (distinct ?a ?b))
    (even o) (<= (even (s (s ?x))) (even ?x))
    (<= (legal you (go ?y)) (true (at ?x)) (succ ?x ?y) (quad ?x ?y ?y ?y))
    (<= (legal you (hop ?z)) (true (at ?x)) (succ ?x ?y) (succ ?y ?z) (not (quad ?x ?x ?y ?z)))
    (<= (legal you (never ?z)) (true (at ?x)) (succ ?x ?z) (not (quad ?x ?z ?x ?z)))
    (<= (next (at ?y)) (does you (go ?y))) (<= (next (at ?y)) (does you (hop ?y)))
    (<= (next (tower ?x)) (true (tower (s ?x))))
    (<= low (true (tower o)))
    (<= terminal low)
    (<= (goal you 100) (true (tower ?x)) (even ?x))
    (<= (goal you 0) (true (tower ?x)) (not (even ?x)))";

#[test]
fn static_relations_that_explode_are_computed_on_demand() {
    let text = format!("{STATIC} {}", numbers("n", 40));
    for size in sizes(&text) {
        assert!(size.rules < 300, "{size:?}");
    }
    let rules = load(&text);
    let text = text_of(&ground(&rules, &Budget::unlimited()).unwrap());
    assert!(!text.contains("quad") && !text.contains("(even"), "constants must vanish:\n{text}");
}

/// Every move leaves every other cell unchanged.
const FRAME: &str = "(role you) (init (cell 1 1 x)) (init (cell 2 2 o)) (init (cell 3 3 x))
    (<= (square ?x ?y) (n ?x) (n ?y))
    (<= (taken ?x ?y) (true (cell ?x ?y ?p)))
    (<= (legal you (move ?a ?b ?x ?y)) (true (cell ?a ?b x)) (square ?x ?y) (not (taken ?x ?y)))
    (<= (next (cell ?x ?y x)) (does you (move ?a ?b ?x ?y)))
    (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (does you (move ?a ?b ?c ?d))
        (distinct ?x ?a))
    (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (does you (move ?a ?b ?c ?d))
        (distinct ?y ?b))
    (<= far (true (cell ?x ?y x)) (true (cell ?a ?b x)) (succ ?x ?c) (succ ?c ?a) (succ ?y ?b))
    (<= terminal far) (<= (goal you 100) far) (<= (goal you 0) (not far))";

#[test]
fn splitting_avoids_cross_products() {
    let [plain, split] = sizes(&format!("{FRAME} {}", numbers("n", 4)));
    assert!(plain.conditions > 5 * split.conditions, "{plain:?} {split:?}");
}

/// Splitting a line of four gives a relation for each neighbour, and none of them is shared.
const LINE: &str = "(role you) (index 0) (index 1) (index 2) (index 3)
    (<= (legal you (mark ?x)) (index ?x) (not (true (cell ?x on))))
    (<= (legal you pass) line)
    (<= (next (cell ?x on)) (does you (mark ?x))) (<= (next (cell ?x on)) (true (cell ?x on)))
    (<= line (true (cell ?a on)) (s ?a ?b) (true (cell ?b on)) (s ?b ?c) (true (cell ?c on))
        (s ?c ?d) (true (cell ?d on)))
    (s 0 1) (s 1 2) (s 2 3) (<= terminal line) (<= (goal you 100) line)";

#[test]
fn splits_that_do_not_pay_off_are_inlined() {
    let [plain, split] = sizes(LINE);
    assert_eq!(plain.conditions, split.conditions);
    let text =
        text_of(&ground_as(&load(LINE), Options { split: true }, &Budget::unlimited()).unwrap());
    assert!(!text.contains("part"), "{text}");
}

#[test]
fn long_rules_are_joined_piece_by_piece() {
    let mut text = String::from("(role you) (legal you go) (<= terminal all) (goal you 1) (<= all");
    (0..300).for_each(|i| write!(text, " (true (v{i} ?x))").unwrap());
    text.push(')');
    (0..300).for_each(|i| {
        write!(text, "(init (v{i} a)) (<= (next (v{i} ?x)) (true (v{i} ?x)))").unwrap();
    });
    for size in sizes(&text) {
        assert_eq!((size.rules, size.conditions), (302, 601));
    }
}

#[test]
fn ground_descriptions_of_the_library_are_equivalent() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    for name in ["tictactoe", "breakthrough_6x6", "dots_and_boxes_2x2", "eight_puzzle"] {
        let text = std::fs::read_to_string(folder.join(name).with_extension("kif")).unwrap();
        let [plain, split] = sizes(&text);
        let kept = ground(&load(&text), &Budget::unlimited()).unwrap().size();
        assert!(kept == plain || kept == split, "{name}: {kept:?} {plain:?} {split:?}");
        let smaller = plain.conditions.min(split.conditions);
        assert_eq!(kept.conditions, smaller, "{name}: the smaller grounding is kept");
    }
}

#[test]
fn grounding_is_reproducible() {
    let rules = load(&format!("{WALK} {}", numbers("n", 8)));
    let text = || text_of(&ground(&rules, &Budget::unlimited()).unwrap());
    assert_eq!(text(), text());
}

/// Rules that cannot be grounded, each for a different reason.
fn hopeless() -> Vec<(&'static str, String)> {
    let frame = "(role you) (init (z a)) (<= terminal (true q)) (goal you 1)";
    let digits = numbers("d", 30);
    let names: Vec<String> = (0..9).map(|i| format!("?x{i}")).collect();
    let (args, all) = (names.join(" "), names.iter().map(|v| format!("(d {v})")));
    let all = all.collect::<String>();
    vec![
        ("moves", format!("{frame}{digits}(<= (legal you (m {args})) {all} (true (z a)))")),
        (
            "static",
            format!("{frame}{digits}(<= (p {args}) {all}) (<= (legal you (m {args})) (p {args}))"),
        ),
        (
            "terms",
            format!(
                "{frame}(<= (next (z (f ?x ?y))) (true (z ?x)) (true (z ?y)))
             (<= (legal you ?x) (true (z ?x)))"
            ),
        ),
        ("deep", format!("{frame}(<= (next (z (f ?x))) (true (z ?x))) (legal you go)")),
    ]
}

#[test]
fn hopeless_rules_end_at_their_limits() {
    for (name, text) in hopeless() {
        let budget = Budget::unlimited().with_bytes(16 << 20);
        let result = ground(&load(&text), &budget);
        assert!(matches!(result, Err(Trouble::Exhausted(_))), "{name}");
    }
}

#[test]
fn a_raised_flag_interrupts_grounding() {
    for (name, text) in hopeless() {
        let budget = Budget::unlimited().with_stop(Arc::new(AtomicBool::new(true)));
        let result = ground(&load(&text), &budget);
        assert!(matches!(result, Err(Trouble::Exhausted(_))), "{name}");
    }
}
