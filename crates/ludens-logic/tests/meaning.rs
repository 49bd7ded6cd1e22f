//! The semantics of rules: each test is a small description and its consequences.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludens_core::{Budget, Game, Reasoner, Trouble, View};
use ludens_logic::{Limits, LogicGame};

fn load(text: &str) -> Result<LogicGame, Trouble> {
    let (rules, problems) = ludens_gdl::load(text);
    let rules = rules.unwrap_or_else(|| panic!("does not load: {problems:?}"));
    LogicGame::load(&rules, &Budget::unlimited().with_time(Duration::from_mins(1)))
}

/// The same text for each number below `n`, with the number in place of `#`.
fn repeated(n: usize, text: &str) -> String {
    (0..n).map(|i| text.replace('#', &i.to_string())).collect()
}

/// Legal moves of the only role in the initial state of these rules.
fn legal(rules: &str) -> Vec<String> {
    let game = load(&format!("(role you) {rules}")).unwrap();
    let reasoner: &dyn Reasoner = &game;
    reasoner.answer(&reasoner.initial().unwrap()).unwrap().legal.remove(0)
}

#[test]
fn roles_that_depend_on_the_state_are_refused() {
    // A relation of facts is no state.
    assert!(load("(name you) (<= (role ?x) (name ?x)) (legal you wait)").is_ok());
    for condition in ["(true on)", "(not (true on))", "(does you wait)"] {
        let rules = format!("(role you) (<= (role me) {condition}) (legal you wait)");
        let trouble = load(&rules).err().expect("roles are the same in all states");
        assert_eq!(trouble.to_string(), "the roles depend on the state; state them as facts");
    }
}

#[test]
fn an_undefined_relation_is_false() {
    assert_eq!(legal("(<= (legal you a) nothing) (<= (legal you b) (not nothing))"), ["b"]);
}

#[test]
fn left_and_right_recursion_agree() {
    let edges = "(edge a b) (edge b c) (edge c a) (edge c d) (edge e f)";
    let start = "(<= (legal you ?x) (path a ?x))";
    for step in
        ["(path ?x ?y) (edge ?y ?z)", "(edge ?x ?y) (path ?y ?z)", "(path ?x ?y) (path ?y ?z)"]
    {
        let rules =
            format!("{edges} (<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) {step}) {start}");
        assert_eq!(legal(&rules), ["a", "b", "c", "d"], "{step}");
    }
}

#[test]
fn mutual_recursion_over_the_state_reaches_its_fixpoint() {
    let rules = "(init (on 1)) (init (on 4)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
        (<= (odd ?x) (true (on ?x)) (start ?x)) (start 1)
        (<= (even ?y) (odd ?x) (succ ?x ?y))
        (<= (odd ?y) (even ?x) (succ ?x ?y))
        (<= (legal you (odd ?x)) (odd ?x)) (<= (legal you (even ?x)) (even ?x))";
    assert_eq!(legal(rules), ["(even 2)", "(even 4)", "(even 6)", "(odd 1)", "(odd 3)", "(odd 5)"]);
}

#[test]
fn positive_cycles_prove_nothing() {
    assert_eq!(legal("(<= p q) (<= q p) (<= (legal you a) p) (<= (legal you b) (not p))"), ["b"]);
}

#[test]
fn negation_over_recursion_waits_for_the_whole_relation() {
    let rules = "(node a) (node b) (node c) (edge a b) (edge b a) (edge c c)
        (<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))
        (<= (legal you (apart ?x ?y)) (node ?x) (node ?y) (not (path ?x ?y)))";
    assert_eq!(legal(rules), ["(apart a c)", "(apart b c)", "(apart c a)", "(apart c b)"]);
}

#[test]
fn function_terms_are_taken_apart_and_built() {
    let rules = "(init (at (pair a (wrap b))))
        (<= (legal you (swap ?y (wrap ?x))) (true (at (pair ?x (wrap ?y)))))
        (<= (legal you ?f) (true ?f))";
    assert_eq!(legal(rules), ["(at (pair a (wrap b)))", "(swap b (wrap a))"]);
}

#[test]
fn lists_can_be_traversed() {
    let rules = "(<= (member ?x (cons ?x ?l)) (list (cons ?x ?l)))
        (<= (member ?x (cons ?y ?l)) (list (cons ?y ?l)) (member ?x ?l))
        (list (cons a (cons b (cons c nil)))) (list (cons b (cons c nil))) (list (cons c nil))
        (<= (legal you ?x) (member ?x (cons a (cons b (cons c nil)))))";
    assert_eq!(legal(rules), ["a", "b", "c"]);
}

#[test]
fn repeated_variables_must_be_equal() {
    let rules =
        "(p 1 1) (p 1 2) (init (f 3 3)) (init (f 3 4)) (init (g (h 5 5) 5)) (init (g (h 5 6) 5))
        (<= (legal you ?x) (p ?x ?x))
        (<= (legal you ?x) (true (f ?x ?x)))
        (<= (legal you ?x) (true (g (h ?x ?x) ?x)))
        (<= (legal you (twice ?x ?x)) (p ?x ?x))";
    assert_eq!(legal(rules), ["(twice 1 1)", "1", "3", "5"]);
}

#[test]
fn distinct_may_precede_the_literals_that_bind_its_variables() {
    let rules = "(p a) (p b) (<= (legal you (f ?x ?y)) (distinct ?x ?y) (p ?x) (p ?y))";
    assert_eq!(legal(rules), ["(f a b)", "(f b a)"]);
}

#[test]
fn unsafe_variables_range_over_the_constants() {
    // The constants are you, a and b.
    let rules =
        "(p a) (q b) (<= (legal you (free ?x)) (not (q ?x)) (p a)) (<= (legal you ?x) (q a))";
    assert_eq!(legal(rules), ["(free a)", "(free you)"]);
}

#[test]
fn relations_of_different_arity_are_different() {
    assert_eq!(
        legal("(foo a) (foo a b) (<= (legal you ?x) (foo ?x)) (<= (legal you ?y) (foo ?x ?y))"),
        ["a", "b"]
    );
}

#[test]
fn spelling_and_parentheses_of_constants_do_not_matter() {
    let rules =
        "(init (Done)) (<= (LEGAL You Go) (TRUE done)) (<= (legal you stay) (not (true (DONE))))";
    assert_eq!(legal(rules), ["go"]);
}

#[test]
fn only_needed_answers_of_an_infinite_relation_are_computed() {
    // Evaluated bottom-up, `plus` is infinite; goal-directed it is finite.
    let rules = "(num z) (<= (plus z ?y ?y) (bound ?y)) (bound (s (s z)))
        (<= (plus (s ?x) ?y (s ?z)) (plus ?x ?y ?z) (small ?x)) (small z) (small (s z))
        (<= (legal you ?z) (plus (s (s z)) (s (s z)) ?z))";
    assert_eq!(legal(rules), ["(s (s (s (s z))))"]);
}

#[test]
fn recursion_that_decomposes_terms_terminates() {
    // Goal-directed, `p` of a term would call `p` of a larger one, forever.
    let rules = "(init start) (init (q a)) (init (q b)) (p a) (<= (p (g b)) (true start))
        (<= (p ?x) (p (g ?x))) (<= (legal you ?c) (true (q ?c)) (p ?c))";
    assert_eq!(legal(rules), ["a", "b"]);
}

#[test]
fn long_chains_do_not_exhaust_the_stack() {
    let n = 30_000;
    let mut rules = String::from("(init (at 0)) (<= (far ?x) (true (at ?x)))");
    for i in 0..n {
        let _ = write!(rules, "(succ {i} {})", i + 1);
    }
    rules.push_str("(<= (far ?y) (succ ?x ?y) (far ?x))");
    let _ = write!(rules, "(<= (legal you yes) (far {n}))");
    assert_eq!(legal(&rules), ["yes"]);
}

#[test]
fn infinite_consequences_are_rejected() {
    let rules = "(role you) (init (n z)) (<= (legal you go) (true (n ?x)) (num ?x))
        (<= (num ?x) (true (n ?x))) (<= (num (s ?x)) (num ?x)) (<= (legal you ?x) (num ?x))";
    let game = load(rules).unwrap();
    let reasoner: &dyn Reasoner = &game;
    let trouble = reasoner.answer(&reasoner.initial().unwrap()).unwrap_err();
    assert_eq!(trouble.code(), "exhausted");
}

#[test]
fn terms_that_are_huge_when_written_out_are_rejected() {
    let mut rules = String::from("(role you) (d 0 z) (<= (d ?m (f ?x ?x)) (succ ?n ?m) (d ?n ?x))");
    for i in 0..60 {
        let _ = write!(rules, "(succ {i} {})", i + 1);
    }
    rules.push_str("(<= (legal you ?x) (d 60 ?x))");
    let game = load(&rules).unwrap();
    let reasoner: &dyn Reasoner = &game;
    assert_eq!(reasoner.answer(&[]).unwrap_err().code(), "exhausted");
}

#[test]
fn spellings_of_equal_terms_are_equal() {
    let game = load(
        "(role you) (init (p)) (<= (legal you (go)) (true p)) (<= (legal you stay) (true (p)))",
    )
    .unwrap();
    let reasoner: &dyn Reasoner = &game;
    assert_eq!(reasoner.answer(&["p".to_owned()]).unwrap().legal, [["(go)", "stay"]]);
    for text in ["(go)", "go", " ( GO ) "] {
        assert_eq!(reasoner.spelling(text).as_deref(), Some("(go)"));
    }
    assert_eq!(reasoner.spelling("(stay)").as_deref(), Some("stay"));
    assert_eq!(reasoner.spelling("(mark ?x)"), None);
}

#[test]
fn exponential_work_is_aborted_at_the_limit_and_later_queries_succeed() {
    let bits = repeated(60, "(true (bit ?x#))");
    let differ = repeated(60, "?x# ");
    let text = format!(
        "(role you) (init (bit 0)) (init (bit 1)) (<= (legal you (all {differ})) {bits}) (<= terminal (true over))"
    );
    let limits = Limits { time: Some(Duration::from_millis(200)), bytes: 64 << 20 };
    let game = load(&text).unwrap().with_limits(limits);
    let reasoner: &dyn Reasoner = &game;
    assert_eq!(reasoner.answer(&reasoner.initial().unwrap()).unwrap_err().code(), "exhausted");
    // The next query succeeds.
    assert!(reasoner.answer(&["over".to_owned()]).unwrap().terminal);
}

#[test]
fn a_stop_flag_aborts_the_queries_of_one_clone_only() {
    let game = load(
        "(role you) (init (n z)) (<= (legal you ?x) (n ?x)) (<= (n ?x) (true (n ?x)))
         (<= (n (f ?x ?y)) (n ?x) (n ?y))",
    );
    let limits = Limits { bytes: 16 << 20, ..Limits::default() };
    let game = game.unwrap().with_limits(limits);
    let stopped = game.clone().with_stop(Arc::new(AtomicBool::new(true)));
    let why = |game: &LogicGame| {
        let result = game.try_look(&Game::initial(game), &mut View::default());
        result.expect_err("evaluation does not terminate").to_string()
    };
    assert_eq!(why(&stopped), "time limit exceeded");
    assert_eq!(why(&game), "memory limit exceeded");
}

#[test]
fn rules_loaded_with_few_steps_have_the_same_semantics() {
    let text = "(role you) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (init (at 0))
        (<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (succ ?x ?y) (less ?y ?z))
        (<= (legal you (go ?y)) (true (at ?x)) (less ?x ?y)) (<= (next (at ?y)) (does you (go ?y)))
        (<= terminal (true (at 4))) (<= (goal you 100) (true (at 4)))";
    let rules = ludens_gdl::load(text).0.expect("the rules are sound");
    let budget = Budget::unlimited().with_iterations(1);
    let hasty = LogicGame::load(&rules, &budget).expect("the initial state is computed anyway");
    let (hasty, thorough): (&dyn Reasoner, &dyn Reasoner) = (&hasty, &load(text).unwrap());
    for at in ["(at 0)", "(at 2)", "(at 4)"] {
        let state = [at.to_owned()];
        assert_eq!(hasty.answer(&state), thorough.answer(&state));
    }
}

#[test]
fn negation_along_an_acyclic_relation_is_well_defined() {
    let rules = "(move 1 2) (move 2 3) (move 3 4) (init (at 1)) (init (at 2)) (init (at 3))
        (<= (win ?x) (move ?x ?y) (not (win ?y)))
        (<= (legal you ?x) (true (at ?x)) (win ?x))";
    assert_eq!(legal(rules), ["1", "3"]);
}

#[test]
fn a_relation_that_depends_on_its_negation_is_rejected() {
    let rules =
        "(role you) (init a) (<= p (true a) (not q)) (<= q (true a) (not p)) (<= (legal you go) p)";
    let game = load(rules).unwrap();
    let reasoner: &dyn Reasoner = &game;
    assert_eq!(reasoner.answer(&["a".to_owned()]).unwrap_err().code(), "rules");
    assert!(reasoner.answer(&["b".to_owned()]).is_ok());
}

#[test]
fn extremes_are_rejected_with_a_reason() {
    let args = "x ".repeat(100);
    assert_eq!(load(&format!("(role you) (p {args})")).err().unwrap().code(), "rules");
    let roles = repeated(100, "(role r#)");
    assert_eq!(load(&roles).err().unwrap().code(), "rules");
    assert_eq!(load("(init a) (<= (role ?x) (true ?x))").err().map(|t| t.code()), Some("rules"));
}

#[test]
fn queries_about_unknown_states_and_moves_are_answered() {
    let game = load(
        "(role you) (role me) (init (at a)) (<= (legal ?r stay) (role ?r))
        (<= (next ?f) (true ?f)) (<= (next (did ?r ?m)) (does ?r ?m))",
    )
    .unwrap();
    let reasoner: &dyn Reasoner = &game;
    let moves = ["(never (heard of))".to_owned(), "stay".to_owned()];
    let next = reasoner.next(&["(Unknown 9)".to_owned()], &moves).unwrap();
    assert_eq!(next, ["(did me stay)", "(did you (never (heard of)))", "(unknown 9)"]);
    assert_eq!(reasoner.answer(&["(open".to_owned()]).unwrap_err().code(), "fact");
    assert_eq!(reasoner.answer(&["(at ?x)".to_owned()]).unwrap_err().code(), "fact");
    assert_eq!(reasoner.next(&[], &moves[..1]).unwrap_err().code(), "move-count");
}
