//! Small forests before and after each pass.

use super::*;
use crate::net::{Block, Net};

/// Input number `i`: node 0 is true, and the inputs follow it.
fn input(i: u32) -> Lit {
    Lit::of(1 + i as usize)
}

/// A forest with a number of inputs, and with conjunctions, whose nodes follow those of the inputs.
fn forest(n_inputs: u32, conjunctions: &[&[Lit]], roots: &[Lit]) -> Forest {
    let inputs = (0..n_inputs).map(|i| Wide::Leaf(Slot::State(i)));
    let conjunctions = conjunctions.iter().map(|parts| Wide::All(parts.to_vec()));
    let nodes = [Wide::True].into_iter().chain(inputs).chain(conjunctions).collect();
    Forest { nodes, roots: roots.to_vec() }
}

/// A forest of conjunctions of inputs, which are given as letters; all of them are roots.
fn conjunctions_of_letters(conjunctions: &[&str]) -> Forest {
    const N_LETTERS: u32 = 26;
    let parts: Vec<Vec<Lit>> = conjunctions.iter().map(|letters| of_letters(letters)).collect();
    let parts: Vec<&[Lit]> = parts.iter().map(Vec::as_slice).collect();
    let roots: Vec<Lit> = (0..parts.len()).map(|i| Lit::of(1 + N_LETTERS as usize + i)).collect();
    forest(N_LETTERS, &parts, &roots)
}

/// A disjunction of conjunctions of inputs.
fn disjunction_of_letters(alternatives: &[&str]) -> Forest {
    let mut forest = conjunctions_of_letters(alternatives);
    let parts = forest.roots.iter().map(|&alternative| !alternative).collect();
    forest.nodes.push(Wide::All(parts));
    forest.roots = vec![!Lit::of(forest.nodes.len() - 1)];
    forest
}

fn of_letters(letters: &str) -> Vec<Lit> {
    letters.bytes().map(|letter| input(u32::from(letter - b'a'))).collect()
}

fn parts(forest: &Forest, conjunction: Lit) -> &[Lit] {
    let Wide::All(parts) = &forest.nodes[conjunction.node()] else { panic!("a conjunction") };
    parts
}

/// The number of two-input gates.
fn n_gates(forest: &Forest) -> usize {
    let mut circuit = Circuit::default();
    let roots = forest.write(&mut circuit, Circuit::load);
    circuit.n_gates(&roots)
}

/// The roots' values for an assignment to the inputs.
fn values(forest: &Forest, inputs: u32) -> Vec<bool> {
    let mut circuit = Circuit::default();
    let constant = |slot| match slot {
        Slot::State(i) => Lit::FALSE.negated_if(inputs >> i & 1 == 1),
        _ => panic!("all inputs are fluents"),
    };
    let roots = forest.write(&mut circuit, |_, slot| constant(slot));
    roots.into_iter().map(|root| root == Lit::TRUE).collect()
}

/// Runs a pass, which must preserve the functions of the roots. Returns the numbers of gates before and after it.
fn run(forest: &mut Forest, pass: impl Fn(&mut Forest)) -> (usize, usize) {
    let assignments = (0..512).map(|i: u32| i.wrapping_mul(0x9E37_79B9) >> 6);
    let (before, gates_before): (Vec<_>, _) =
        (assignments.clone().map(|inputs| values(forest, inputs)).collect(), n_gates(forest));
    pass(forest);
    let after: Vec<_> = assignments.map(|inputs| values(forest, inputs)).collect();
    assert_eq!(before, after);
    (gates_before, n_gates(forest))
}

#[test]
fn readers_within_the_cone_of_the_roots_are_counted() {
    let [a, b, both, unread] = [1, 2, 3, 4].map(Lit::of);
    let forest = forest(2, &[&[a, b], &[a, !both]], &[both, !both, a]);
    assert_eq!(forest.readers()[a.node()], 2);
    assert_eq!(forest.readers()[b.node()], 1);
    assert_eq!(forest.readers()[both.node()], 2);
    assert_eq!(forest.readers()[unread.node()], 0);
}

#[test]
fn a_conjunction_of_one_literal_is_the_literal() {
    let mut forest = forest(2, &[], &[]);
    assert_eq!(forest.all(vec![!input(1)]), !input(1));
    assert_eq!(forest.all(vec![]), Lit::TRUE);
}

#[test]
fn loops_have_slots_in_the_order_of_their_gates() {
    let loops = vec![(3, Signal::of(1)), (2, Signal::of(3))];
    let network = Network {
        roles: Vec::new(),
        fluents: vec!["f".into()],
        moves: Vec::new(),
        does: Vec::new(),
        net: Net {
            gates: vec![Gate::True, Gate::Fluent(0), Gate::Loop, Gate::Loop],
            blocks: vec![Block { first: 2, end: 4, loops }],
        },
        legal: Vec::new(),
        next: vec![Signal::of(2)],
        goals: Vec::new(),
        terminal: Signal::of(3),
        initial: Vec::new(),
        rows: Vec::new(),
    };
    let (forest, loops) = Forest::of(&network, Inputs { does: 0, loops: 5 });
    let is_loop =
        |node: usize, slot| matches!(forest.nodes[node], Wide::Leaf(Slot::Frame(s)) if s == slot);
    assert!(is_loop(2, 5) && is_loop(3, 6));
    assert_eq!(loops, [(0, 6), (0, 5)]);
    assert_eq!(forest.roots, [3, 2, 1, 3].map(Lit::of), "terminal, next, and the definitions");
}

#[test]
fn conjunctions_with_one_reader_are_merged() {
    let [a, b, c, inner, outer] = [1, 2, 3, 4, 5].map(Lit::of);
    let mut once = forest(3, &[&[b, c], &[a, b, inner, Lit::TRUE]], &[outer]);
    run(&mut once, Forest::flatten);
    assert_eq!(parts(&once, outer), [a, b, c]);
    let mut twice = forest(3, &[&[b, c], &[a, inner]], &[outer, inner]);
    run(&mut twice, Forest::flatten);
    assert_eq!(parts(&twice, outer), [a, inner]);
}

#[test]
fn negated_conjunctions_are_not_merged() {
    let [a, b, c, inner, outer] = [1, 2, 3, 4, 5].map(Lit::of);
    let mut forest = forest(3, &[&[b, c], &[a, !inner]], &[outer]);
    run(&mut forest, Forest::flatten);
    assert_eq!(parts(&forest, outer), [a, !inner]);
    let mut never = self::forest(1, &[&[a, Lit::FALSE]], &[Lit::of(2)]);
    run(&mut never, Forest::flatten);
}

#[test]
fn conjunctions_are_merged_in_any_order_of_the_nodes() {
    let [a, b, c, d, outer, middle, inner] = [1, 2, 3, 4, 5, 6, 7].map(Lit::of);
    let mut forest = forest(4, &[&[a, middle], &[b, inner], &[c, d]], &[outer]);
    run(&mut forest, Forest::flatten);
    assert_eq!(parts(&forest, outer), [a, b, c, d]);
}

#[test]
fn a_literal_that_alternatives_share_is_factored_out() {
    let mut forest = disjunction_of_letters(&["ab", "ac"]);
    assert_eq!(run(&mut forest, Forest::factor), (3, 2));
    let mut three = disjunction_of_letters(&["ab", "ac", "ad", "ef"]);
    assert_eq!(run(&mut three, Forest::factor), (7, 5));
}

#[test]
fn what_is_left_of_the_alternatives_is_factored_in_turn() {
    let mut forest = disjunction_of_letters(&["abd", "abe", "ac"]);
    // `a ∧ (c ∨ b ∧ (d ∨ e))`
    assert_eq!(run(&mut forest, Forest::factor).1, 4);
}

#[test]
fn an_alternative_with_no_more_than_the_shared_literal_absorbs_the_others() {
    let mut forest = disjunction_of_letters(&["a", "ab", "ac"]);
    assert_eq!(run(&mut forest, Forest::factor).1, 0);
}

#[test]
fn alternatives_with_other_readers_are_not_factored() {
    let mut forest = disjunction_of_letters(&["ab", "ac"]);
    let [first, second] = [27, 28].map(Lit::of);
    forest.roots.extend([first, second]);
    assert_eq!(run(&mut forest, Forest::factor), (3, 3));
}

#[test]
fn the_literal_of_most_alternatives_that_are_left_is_factored_out_first() {
    // After `x`, only two alternatives with `y` are left, but three with `z`.
    let alternatives = ["xya", "xyb", "xc", "xd", "xe", "yzf", "yzg", "zh"];
    let mut forest = disjunction_of_letters(&alternatives);
    // `x ∧ (c ∨ d ∨ e ∨ y ∧ (a ∨ b)) ∨ z ∧ (h ∨ y ∧ (f ∨ g))`
    assert_eq!(run(&mut forest, Forest::factor).1, 11);
}

#[test]
fn a_pair_in_two_conjunctions_becomes_a_gate() {
    let mut forest = conjunctions_of_letters(&["abc", "bcd"]);
    assert_eq!(run(&mut forest, Forest::pairs).1, 3);
    assert_eq!(parts(&forest, forest.roots[0]).len(), 2);
    assert_eq!(parts(&forest, forest.roots[1]).len(), 2);
}

#[test]
fn a_pair_in_one_conjunction_stays() {
    let mut forest = conjunctions_of_letters(&["abc", "cde"]);
    run(&mut forest, Forest::pairs);
    assert_eq!(parts(&forest, forest.roots[0]), of_letters("abc"));
}

#[test]
fn gates_of_pairs_are_paired_in_turn() {
    let mut forest = conjunctions_of_letters(&["abcdx", "abcdy", "abcdz"]);
    assert_eq!(run(&mut forest, Forest::pairs).1, 6);
}

#[test]
fn conjunctions_that_nothing_reads_have_no_say_in_pairs() {
    let mut forest = conjunctions_of_letters(&["abc", "bcd", "abe", "abf"]);
    forest.roots.truncate(2);
    assert_eq!(run(&mut forest, Forest::pairs).1, 3);
}

#[test]
fn a_conjunction_that_is_the_pair_is_its_gate() {
    let mut forest = conjunctions_of_letters(&["ab", "abc"]);
    run(&mut forest, Forest::pairs);
    let [pair, with_c] = forest.roots[..] else { panic!("two roots") };
    assert_eq!(parts(&forest, pair), of_letters("ab"));
    assert_eq!(parts(&forest, with_c), [input(2), pair]);
}

#[test]
fn the_pair_of_most_conjunctions_that_are_left_is_extracted_first() {
    // Without `a ∧ b`, two conjunctions with `b ∧ c` are left, but three with `c ∧ d`.
    let conjunctions = ["abch", "abci", "abj", "abk", "abl", "bcde", "bcdf", "cdg"];
    let mut forest = conjunctions_of_letters(&conjunctions);
    // `a ∧ b` and five with it, of which two share `a ∧ b ∧ c`; `c ∧ d`, `b ∧ c ∧ d` and three with them.
    assert_eq!(run(&mut forest, Forest::pairs).1, 12);
}
