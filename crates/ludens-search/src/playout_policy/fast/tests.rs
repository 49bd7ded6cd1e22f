//! Episodes computed by hand.

use super::*;
use crate::testgames::{HandTree, Held, draws, joints, turn};
use ludens_testkit::chi_square::chi_square;

/// A role decides in a playout after `plies` joint moves, while some facts hold.
fn decide(fast: &mut Fast, role: u8, mv: u32, plies: usize, facts: &[u32]) {
    let (legal, history) = ([Move(mv), Move(8)], joints(&vec![(0, 0); plies]));
    let turn = Turn { features: &Held(facts), ..turn(role, &legal, &history) };
    fast.decided(&turn, 0, false);
}

/// In the tree role 0 plays 2 in the root, where the fact 10 holds, and role 1 plays 5 below, where 11
/// holds. In the playout role 0 plays 1 while 3 and 4 hold, then 3 while 4 holds; the payoffs are 1 and 0.
fn learnt(lambda: f32, keep: f32) -> Fast {
    let hand = HandTree::new();
    let mut fast = Fast::new(0.0625, 0.5, lambda, keep);
    fast.begin(&hand.tree, &hand.path, 0);
    decide(&mut fast, 0, 1, 0, &[4, 3]);
    decide(&mut fast, 0, 3, 1, &[4]);
    fast.learn(&hand.episode(&[], &[1.0, 0.0]));
    fast
}

fn thetas(fast: &Fast, role: usize) -> Vec<f32> {
    [3, 4, 10, 11].map(|fact| fast.tables[role].theta(fact)).to_vec()
}

#[test]
fn weights_are_those_of_the_hand_computed_episode() {
    // λ = 1: the value of every state moves halfway to 1, the last first. {4}: from 0.5 by 0.25. {3, 4}: from
    // 0.75 by 0.125, half of it for each fact. {11} and {10}: from 0.5 by 0.25.
    let fast = learnt(1.0, 1.0);
    assert_eq!(thetas(&fast, 0), [0.0625, 0.3125, 0.25, 0.25]);
    // The other role has payoff 0: the same steps with the opposite sign.
    assert_eq!(thetas(&fast, 1), [-0.0625, -0.3125, -0.25, -0.25]);
    assert_eq!((fast.worth(Role(0), &[3, 4]), fast.worth(Role(0), &[9])), (0.875, 0.5));
    // λ = ½. {4}: by 0.25 as before. {3, 4}: from 0.75 to (0.5 + 1)/2, by 0. {11}: from 0.5 to
    // (0.75 + 0.75)/2, by 0.125. {10}: from 0.5 to (0.5 + 0.75)/2, by 0.0625.
    assert_eq!(thetas(&learnt(0.5, 1.0), 0), [0.0, 0.25, 0.0625, 0.125]);
    // λ = 0. {4}: by 0.25. {3, 4}: from 0.75 to 0.5, by −0.125. {11}: from 0.5 to 0.75, by 0.125. {10}:
    // from 0.5 to 0.5.
    assert_eq!(thetas(&learnt(0.0, 1.0), 0), [-0.0625, 0.1875, 0.0, 0.125]);
}

#[test]
fn values_of_moves_are_those_of_their_effects() {
    let mut fast = learnt(1.0, 1.0);
    let value = |fast: &Fast, role, mv| fast.value(Role(role), Move(mv));
    // 2 replaced 10 by 11, which have the same weight; 5 replaced 11 by 3 and 4; 1 removed 3.
    assert_eq!((value(&fast, 0, 2), value(&fast, 0, 1)), (0.0, -0.0625));
    assert_eq!(Some(value(&fast, 1, 5)), Some(-0.0625 - 0.3125 + 0.25));
    // The effects of 3 were not observed, and neither role has played the moves of the other.
    assert_eq!((value(&fast, 0, 3), value(&fast, 0, 5), value(&fast, 1, 2)), (0.0, 0.0, 0.0));
    // 1 is played once more, and this time 3 stays and 4 vanishes: each vanishes half of the time. With a
    // step size of 0, weights do not change.
    fast.alpha = 0.0;
    let hand = HandTree::new();
    decide(&mut fast, 0, 1, 0, &[3, 4]);
    decide(&mut fast, 0, 3, 1, &[3]);
    fast.learn(&hand.episode(&[], &[1.0, 0.0]));
    assert_eq!(Some(value(&fast, 0, 1)), Some(-0.5 * 0.0625 - 0.5 * 0.3125));
}

#[test]
fn moves_are_drawn_by_the_exponentials_of_their_values() {
    let mut fast = learnt(1.0, 1.0);
    let legal = [1, 3, 9].map(Move);
    for weight in [-1.0f64, -0.75] {
        let counts = draws(&mut fast, &turn(0, &legal, &[]), None);
        // −0.0625 over a temperature of 0.0625; 3 and 9 are unknown.
        let fit = chi_square(&counts, &[weight.exp(), 1.0, 1.0, 0.0]);
        assert!(fit.fits(), "{counts:?}, {fit:?}");
        // Three quarters are kept, and cached weights are not reused.
        fast.keep = 0.75;
        fast.next_move(&String::new);
    }
}

#[test]
fn cached_weights_of_moves_are_not_reused_after_more_is_learnt() {
    let (mut fast, hand) = (learnt(1.0, 1.0), HandTree::new());
    let legal = [1, 3, 9].map(Move);
    draws(&mut fast, &turn(0, &legal, &[]), None);
    decide(&mut fast, 0, 1, 0, &[3, 4]);
    decide(&mut fast, 0, 3, 1, &[4]);
    fast.learn(&hand.episode(&[], &[0.0, 1.0]));
    let value = fast.value(Role(0), Move(1));
    assert!(value > 0.05, "it removes 3, which is now bad: {value}");
    let counts = draws(&mut fast, &turn(0, &legal, &[]), None);
    let fit = chi_square(&counts, &[f64::from(value / 0.0625).exp(), 1.0, 1.0, 0.0]);
    assert!(fit.fits(), "{counts:?}, {fit:?}");
}

#[test]
fn simultaneous_decisions_share_one_state() {
    let hand = HandTree::new();
    let mut fast = Fast::new(1.0, 0.5, 1.0, 1.0);
    decide(&mut fast, 0, 1, 0, &[3]);
    decide(&mut fast, 1, 6, 0, &[3]);
    decide(&mut fast, 0, 7, 1, &[4]);
    let path = Path::new(2);
    fast.learn(&Episode { path: &path, ..hand.episode(&[], &[1.0, 0.0]) });
    // Both values move by 0.25 once, and both moves replaced 3 by 4.
    assert_eq!(thetas(&fast, 0), [0.25, 0.25, 0.0, 0.0]);
    assert_eq!(fast.tables[0].moves[1].changes, [(3, -1.0), (4, 1.0)]);
    assert_eq!(fast.tables[1].moves[6].changes, [(3, -1.0), (4, 1.0)]);
}

#[test]
fn a_fraction_is_kept_between_moves_and_nothing_between_matches() {
    let mut fast = learnt(1.0, 0.5);
    fast.next_move(&String::new);
    assert_eq!(thetas(&fast, 0), [0.03125, 0.15625, 0.125, 0.125]);
    // Rates do not change, but count less against later observations.
    assert_eq!((fast.value(Role(0), Move(1)), fast.tables[0].moves[1].plays), (-0.03125, 0.5));
    fast.new_game();
    assert_eq!((fast.worth(Role(0), &[4]), fast.value(Role(0), Move(1))), (0.5, 0.0));
}

#[test]
fn without_facts_it_is_uniform() {
    let hand = HandTree::new();
    let mut fast = Fast::new(0.01, 1.0, 0.9, 1.0);
    for _ in 0..3 {
        fast.begin(&hand.tree, &hand.path, 0);
        (0..5).for_each(|plies| decide(&mut fast, 0, 1, plies, &[]));
        let path = Path::new(2);
        fast.learn(&Episode { path: &path, ..hand.episode(&[], &[1.0, 0.0]) });
    }
    let legal = [1, 3, 9].map(Move);
    let counts = draws(&mut fast, &turn(0, &legal, &[]), None);
    assert!(chi_square(&counts, &[1.0, 1.0, 1.0, 0.0]).fits(), "{counts:?}");
}

#[test]
fn weights_stay_bounded_in_long_matches() {
    let hand = HandTree::new();
    let mut fast = Fast::new(0.001, 1.0, 0.99, 1.0);
    let mut rng = Rng::new(1);
    for _ in 0..50 {
        fast.begin(&hand.tree, &hand.path, 0);
        for plies in 0..400 {
            let facts: Vec<u32> = (0..30).filter(|_| rng.below(3) == 0).collect();
            decide(&mut fast, 0, rng.below(5) as u32, plies, &facts);
        }
        let payoff = rng.below(2) as f32;
        fast.learn(&hand.episode(&[], &[payoff, 1.0 - payoff]));
    }
    assert!(fast.tables[0].thetas.iter().all(|theta| theta.abs() < 5.0));
    let weights = (0..5).map(|mv| fast.tables[0].weight(Move(mv), 0.001, fast.version));
    assert!(weights.into_iter().all(|weight| weight.is_normal() && weight > 0.0));
}

#[test]
fn rates_are_correct_however_often_a_move_was_played() {
    let mut table = Table { thetas: vec![1.0], ..Table::default() };
    // The fact appears every second time, more often than an f32 can count.
    for _ in 0..1 << 24 {
        table.learn_effects(Move(0), &[], &[0]);
        table.learn_effects(Move(0), &[], &[]);
    }
    assert!((table.value(Move(0)) - 0.5).abs() < 1e-3, "{}", table.value(Move(0)));
}
