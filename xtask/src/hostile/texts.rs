//! Rules that explode in different ways.

use std::fmt::Write;

/// A text generated on demand.
#[derive(Clone, Copy)]
pub struct Text {
    pub name: &'static str,
    pub write: fn() -> String,
}

/// All texts.
pub fn all() -> Vec<Text> {
    let text = |name, write| Text { name, write };
    vec![
        text("endless-successors", endless_successors),
        text("endless-states", endless_states),
        text("doubling-terms", doubling_terms),
        text("growing-pairs", growing_pairs),
        text("wide-join", wide_join),
        text("wide-static-join", wide_static_join),
        text("wide-state", wide_state),
        text("long-paths", long_paths),
        text("many-moves", many_moves),
        text("million-rules", million_rules),
        text("deep-terms", deep_terms),
        text("too-deep-terms", too_deep_terms),
    ]
}

/// A minimal game around some rules.
fn game(rules: &str) -> String {
    format!(
        "(role you) (init start) (legal you go)
(<= (next done) (does you go)) (<= terminal (true done)) (<= (goal you 100) (true done))
{rules}\n"
    )
}

fn facts(relation: &str, count: usize) -> String {
    (0..count).fold(String::new(), |mut text, i| {
        let _ = writeln!(text, "({relation} {i})");
        text
    })
}

/// A relation with infinitely many tuples, all of which are queried.
fn endless_successors() -> String {
    game(
        "(n 0) (<= (n (s ?x)) (n ?x))
(<= (legal you (take ?x)) (n ?x) (true start))",
    )
}

/// Finite states, but infinitely many of them.
fn endless_states() -> String {
    game(
        "(init (at 0)) (<= (next (at (s ?x))) (true (at ?x)) (does you go))
(<= (legal you (stay ?x)) (true (at ?x)))",
    )
}

/// Terms that double in size from one to the next.
fn doubling_terms() -> String {
    game(
        "(init (at 0)) (<= (next (at (f ?x ?x))) (true (at ?x)))
(t 0) (<= (t (f ?x ?x)) (t ?x)) (<= (legal you (take ?x)) (t ?x))",
    )
}

/// Each pair produces two more.
fn growing_pairs() -> String {
    game(
        "(init (z a)) (<= (pair ?x ?y) (true (z ?x)) (true (z ?y)))
(<= (pair (f ?x ?y) ?x) (pair ?x ?y)) (<= (pair ?y (g ?x)) (pair ?x ?y))
(<= (legal you (take ?x)) (pair ?x ?y))",
    )
}

/// A rule with 20^8 instances, although its head has one.
fn wide_join() -> String {
    let on: Vec<String> = (0..8).map(|i| format!("(true (on ?v{i}))")).collect();
    let apart: Vec<String> = (1..8).map(|i| format!("(distinct ?v{} ?v{i})", i - 1)).collect();
    game(&format!(
        "{}(<= (init (on ?x)) (d ?x)) (<= (next (on ?x)) (true (on ?x)))
(<= alarm {} {} (not (true start))) (<= (legal you ring) alarm)",
        facts("d", 20),
        on.join(" "),
        apart.join(" ")
    ))
}

/// The same with static facts only, so that it can be evaluated while loading.
fn wide_static_join() -> String {
    let all: Vec<String> = (0..7).map(|i| format!("(d ?v{i})")).collect();
    let head: Vec<String> = (0..7).map(|i| format!("?v{i}")).collect();
    game(&format!(
        "{}(<= (all {}) {}) (<= (legal you (take ?v0)) (all {}))",
        facts("d", 30),
        head.join(" "),
        all.join(" "),
        head.join(" ")
    ))
}

/// A state of 12^7 facts after the first move.
fn wide_state() -> String {
    let all: Vec<String> = (0..7).map(|i| format!("(d ?v{i})")).collect();
    let head: Vec<String> = (0..7).map(|i| format!("?v{i}")).collect();
    game(&format!(
        "{}(<= (next (cell {})) {} (does you go))",
        facts("d", 12),
        head.join(" "),
        all.join(" ")
    ))
}

/// All pairs of 3000 nodes of a ring, by a rule that joins paths with paths.
fn long_paths() -> String {
    let mut rules = String::new();
    for i in 0..3000 {
        let _ = writeln!(rules, "(init (edge {i} {}))", (i + 1) % 3000);
    }
    game(&format!(
        "{rules}(<= (next (edge ?x ?y)) (true (edge ?x ?y)))
(<= (path ?x ?y) (true (edge ?x ?y))) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
(<= (legal you (walk ?x ?y)) (path ?x ?y))"
    ))
}

/// 60^4 moves.
fn many_moves() -> String {
    game(&format!(
        "{}(<= (legal you (put ?a ?b ?c ?d)) (d ?a) (d ?b) (d ?c) (d ?d))
(<= (next (at ?a ?b ?c ?d)) (does you (put ?a ?b ?c ?d)))",
        facts("d", 60)
    ))
}

/// The maximum number of rules of a text.
fn million_rules() -> String {
    let mut rules = String::with_capacity(14 << 20);
    for i in 0..1_000_000 {
        let _ = writeln!(rules, "(<=p{i:x} p{:x})", i / 256);
    }
    game(&rules)
}

fn nested(depth: usize) -> String {
    format!("{}a{}", "(f ".repeat(depth), ")".repeat(depth))
}

/// Terms of maximum depth, destructured and constructed.
fn deep_terms() -> String {
    let deep = nested(200);
    game(&format!(
        "(init (tower {deep})) (<= (part ?x) (true (tower ?x))) (<= (part ?x) (part (f ?x)))
(<= (legal you (take ?x)) (part ?x)) (<= (next (tower (f ?x))) (true (tower ?x)))"
    ))
}

/// Terms beyond the maximum depth.
fn too_deep_terms() -> String {
    game(&format!("(init (tower {}))", nested(100_000)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_within_the_size_limit() {
        for text in all() {
            let length = (text.write)().len();
            assert!(length <= ludens_gdl::source::MAX_SOURCE_BYTES, "{} {length}", text.name);
        }
    }

    #[test]
    fn small_texts_load_or_are_rejected_with_a_reason() {
        for text in all().iter().filter(|text| text.name != "million-rules") {
            let (rules, problems) = ludens_gdl::load(&(text.write)());
            let rejected = problems.iter().any(|problem| problem.code.blocks_play());
            assert!(rules.is_some() != rejected, "{}: {problems:?}", text.name);
            assert_eq!(rejected, text.name == "too-deep-terms", "{}: {problems:?}", text.name);
        }
    }
}
