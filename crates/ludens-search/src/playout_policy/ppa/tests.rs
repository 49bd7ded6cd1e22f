//! Weights computed by hand, and the distribution of the moves drawn by them.

use super::*;
use crate::testgames::{HandTree, draws, joints, turn};
use ludens_core::Features;
use ludens_testkit::chi_square::chi_square;

/// A simulation in which role 0 chooses 2 of 1, 2, 3 in the tree, role 1 chooses 5 of 4, 5, and in the
/// playout role 0 chooses one of 1 and 3.
fn simulate(ppa: &mut Ppa, chosen: u32, payoffs: [f32; 2]) {
    let hand = HandTree::keeping(Tree::keep_codes);
    let legal = [1, 3].map(Move);
    ppa.begin(&hand.tree, &hand.path, 0);
    ppa.decided(&turn(0, &legal, &[]), usize::from(chosen == 3), false);
    ppa.learn(&hand.episode(&joints(&[(chosen, 0)]), &payoffs));
}

fn check(ppa: &Ppa, role: u8, expected: &[(u32, f32)]) {
    for &(code, weight) in expected {
        let found = ppa.weight(Role(role), code);
        assert!((found - weight).abs() < 2e-6, "{role} {code}: {found} is not {weight}");
    }
}

/// Both by the moves' numbers and by the codes that the tree keeps, which are the same here.
fn policies() -> [Ppa; 2] {
    [false, true].map(|features| Ppa::new(0.32, 1.0, features, true))
}

#[test]
fn one_adaptation_gives_the_hand_computed_weights() {
    for mut ppa in policies() {
        simulate(&mut ppa, 3, [1.0, 0.0]);
        // Tree: 0.32/3 from each, 0.32 to 2. Playout: 0.16 from 1 and 3, 0.32 to 3.
        check(&ppa, 0, &[(1, -0.266_667), (2, 0.213_333), (3, 0.053_333), (0, 0.0)]);
        // Role 1 has lost.
        check(&ppa, 1, &[(4, 0.0), (5, 0.0)]);
        assert_eq!(ppa.learnt().iter().map(Vec::len).collect::<Vec<_>>(), [3]);
    }
}

#[test]
fn two_adaptations_give_the_hand_computed_weights() {
    for mut ppa in policies() {
        simulate(&mut ppa, 3, [1.0, 0.0]);
        simulate(&mut ppa, 1, [1.0, 0.0]);
        // exp: 0.765928, 1.237797, 1.054781. z = 3.058507 in the tree, 1.820710 in the playout.
        // 1: −0.266667 − 0.32·0.250426 + 0.32 − 0.32·0.420676 = −0.161419
        // 2:  0.213333 + 0.32 − 0.32·0.404706                 =  0.403827
        // 3:  0.053333 − 0.32·0.344868 − 0.32·0.579324        = −0.242408
        check(&ppa, 0, &[(1, -0.161_419), (2, 0.403_827), (3, -0.242_408)]);
    }
}

#[test]
fn the_rate_is_multiplied_by_the_payoff() {
    for mut ppa in policies() {
        simulate(&mut ppa, 3, [0.25, 0.75]);
        // A quarter of the weights above for role 0; 0.32·0.75·(1 − 1/2) = 0.12 for role 1.
        check(&ppa, 0, &[(1, -0.066_667), (2, 0.053_333), (3, 0.013_333)]);
        check(&ppa, 1, &[(4, -0.12), (5, 0.12)]);
    }
}

/// Two moves share a code.
struct Halves;

impl Features for Halves {
    fn code(&self, m: Move) -> u32 {
        m.0 / 2
    }
}

#[test]
fn moves_that_share_a_code_lose_together() {
    let hand = HandTree::new();
    let mut ppa = Ppa::new(0.3, 1.0, true, true);
    let (path, legal) = (Path::new(2), [14, 15, 4].map(Move));
    ppa.begin(&hand.tree, &path, 0);
    ppa.decided(&Turn { features: &Halves, ..turn(0, &legal, &[]) }, 0, false);
    let moves = joints(&[(14, 0)]);
    ppa.learn(&Episode { path: &path, ..hand.episode(&moves, &[1.0, 0.0]) });
    // Of three moves two have the code 7, of which one is chosen: it gains 0.3 and loses 0.2.
    check(&ppa, 0, &[(7, 0.1), (2, -0.1)]);
}

#[test]
fn probabilities_of_the_adaptation_ignore_the_sharpness() {
    let mut ppa = Ppa::new(0.32, 2.5, false, true);
    simulate(&mut ppa, 3, [1.0, 0.0]);
    simulate(&mut ppa, 1, [1.0, 0.0]);
    check(&ppa, 0, &[(1, -0.161_419), (2, 0.403_827), (3, -0.242_408)]);
}

#[test]
fn moves_are_drawn_by_the_exponentials_of_their_weights() {
    let legal = [2, 3, 1, 8].map(Move);
    for sharpness in [1.0, 2.5] {
        let mut ppa = Ppa::new(0.32, sharpness, false, true);
        (0..4).for_each(|_| simulate(&mut ppa, 3, [1.0, 0.0]));
        let weight = |mv: &Move| f64::from(sharpness * ppa.weight(Role(0), mv.0)).exp();
        let weights: Vec<f64> = legal.iter().map(weight).chain([0.0]).collect();
        let counts = draws(&mut ppa, &turn(0, &legal, &[]), None);
        let fit = chi_square(&counts, &weights);
        assert!(fit.fits(), "k = {sharpness}: {counts:?} are not {weights:?}: {fit:?}");
    }
}

#[test]
fn weights_are_kept_from_move_to_move_if_memorized() {
    let weights = vec![vec![(1, 0.5)], vec![(4, -0.5)]];
    let initial = InitialPolicy { positions: [("start".to_owned(), weights)].into() };
    for memorize in [false, true] {
        let mut ppa = Ppa::new(0.32, 1.0, false, memorize).with_initial(initial.clone().into());
        ppa.next_move(&|| "start".to_owned());
        check(&ppa, 0, &[(1, 0.5), (2, 0.0)]);
        check(&ppa, 1, &[(4, -0.5)]);
        simulate(&mut ppa, 3, [1.0, 0.0]);
        let learnt = ppa.weight(Role(0), 2);
        assert!(learnt > 0.1);
        ppa.next_move(&|| "later".to_owned());
        let kept = if memorize { learnt } else { 0.0 };
        check(&ppa, 0, &[(2, kept)]);
        // Another match starts from the initial weights.
        ppa.new_game();
        ppa.next_move(&|| "start".to_owned());
        check(&ppa, 0, &[(1, 0.5), (2, 0.0)]);
    }
}
