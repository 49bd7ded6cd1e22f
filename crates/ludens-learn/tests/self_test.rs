//! The self-test on games whose payoffs are far from one half.

use std::sync::Arc;

use ludens_core::{Budget, Rng};
use ludens_learn::{Architecture, Encoder, SelfTest, Weights};
use ludens_propnet::PropGame;

/// Three roles choose `a` or `b` at the same time for thirty turns, and get 30 or nothing.
fn small_payoffs() -> PropGame {
    let turns: Vec<_> = (0..30).map(|i| format!("(succ {i} {})", i + 1)).collect();
    let text = format!(
        "(role x) (role y) (role z) {} (init (turn 0))
        (<= (legal ?r a) (role ?r)) (<= (legal ?r b) (role ?r))
        (<= (next (turn ?n)) (true (turn ?m)) (succ ?m ?n))
        (<= (next (chose ?r ?m)) (does ?r b) (true (turn ?m)))
        (<= (next (chose ?r ?m)) (true (chose ?r ?m)))
        (<= terminal (true (turn 30)))
        (<= (goal ?r 30) (true (chose ?r 3)) (true (chose ?r 4)))
        (<= (goal ?r 0) (role ?r) (not (true (chose ?r 3))))
        (<= (goal ?r 0) (role ?r) (not (true (chose ?r 4))))",
        turns.join(" ")
    );
    let rules = ludens_gdl::load(&text).0.expect("the rules load");
    PropGame::load(&rules, &Budget::unlimited()).expect("it is grounded")
}

#[test]
fn small_payoffs_are_learnt_by_heart() {
    let game = Arc::new(small_payoffs());
    for seed in 1..9 {
        let encoder = Encoder::new(&*game).expect("facts and moves are known");
        let shape = Architecture::default().shape(encoder.n_inputs(), &encoder.n_moves());
        let weights = Weights::random(&shape, 45.0, &mut Rng::new(seed));
        let test = SelfTest { game: &game, encoder: &encoder, weights: &weights, seed };
        let tested = test.run(&Budget::unlimited()).unwrap_or_else(|why| panic!("{seed}: {why}"));
        assert!(!tested.cut && tested.n_endings > 0);
    }
}

/// Without a true input only the biases of the heads learn.
#[test]
fn a_game_without_facts_is_learnt_by_heart() {
    let text = "(role x) (legal x a) (legal x b) (init p) (<= (next q) (true p))
        (<= terminal (true q)) (goal x 100)";
    let rules = ludens_gdl::load(text).0.expect("the rules load");
    let game = Arc::new(PropGame::load(&rules, &Budget::unlimited()).expect("it is grounded"));
    let encoder = Encoder::new(&*game).expect("facts and moves are known");
    let shape = Architecture::default().shape(encoder.n_inputs(), &encoder.n_moves());
    // All weights are zero, so that no hidden unit is ever above zero.
    let weights = Weights::zeros(&shape);
    let test = SelfTest { game: &game, encoder: &encoder, weights: &weights, seed: 1 };
    let tested = test.run(&Budget::unlimited()).unwrap_or_else(|why| panic!("{why}"));
    assert!(!tested.cut && tested.n_endings > 0);
}
