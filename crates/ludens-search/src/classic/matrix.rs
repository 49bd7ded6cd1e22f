//! States in which several roles decide at the same time.
//!
//! Every joint move leads to an outcome, and the outcomes form a matrix with one axis for each
//! role. It is solved by fictitious play (Brown, 1951): round after round each role moves to the
//! best answers to what the others have played so far, beginning with everything equally often;
//! later rounds count for more, so that early mistakes fade. For two roles with a constant sum the
//! mixed moves tend to an equilibrium (Robinson, 1951); a dominant move is found in the first
//! round; in other games the result is a reasonable guess and nothing more.
//!
//! Where there are too many joint moves, some are drawn so that each move of each role meets
//! several moves of the others, and a move is worth its mean outcome: the others are then taken to
//! play uniformly.

use ludens_core::{Move, Payoffs, PerRole, Rng, View};

use super::root::lone_decider;

/// Which joint moves of a state are tried, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Joints {
    /// How many are tried.
    pub count: usize,
    /// Whether they are a sample, not all.
    pub sampled: bool,
}

impl Joints {
    /// More joint moves than this are sampled where several roles decide.
    const MAX: usize = 1024;
    /// How often each move of the role with the most moves is then tried.
    const SAMPLES: usize = 8;

    /// The joint moves to be tried in a state.
    pub fn of(view: &View) -> Self {
        let sizes = || view.legal.iter().map(Vec::len);
        let product = sizes().fold(1, usize::saturating_mul);
        let sampled = lone_decider(view).is_none() && product > Self::MAX;
        let widest = sizes().max().unwrap_or(0);
        Joints { count: if sampled { widest * Self::SAMPLES } else { product }, sampled }
    }

    /// Appends for each role which of its moves belongs to the joint move of a number.
    pub fn picks(self, legal: &PerRole<Vec<Move>>, number: usize, out: &mut Vec<u32>) {
        let mut rest = number;
        for (role, moves) in legal.entries() {
            let n = moves.len();
            let pick = if self.sampled {
                // Each run of `n` numbers goes once through all moves, from a random one on.
                let shift = Rng::mix(((number / n) as u64) << 8 | u64::from(role.0));
                (number + (shift % n as u64) as usize) % n
            } else {
                let pick = rest % n;
                rest /= n;
                pick
            };
            out.push(pick as u32);
        }
    }
}

/// Settles matrices; its memory is used again and again.
#[derive(Default)]
pub(super) struct Matrix {
    /// How much each role plays each of its moves; zero for all if the joint moves were sampled.
    pub mixes: Vec<Vec<f64>>,
    /// What each move of each role is worth against what the others play.
    pub means: Vec<Vec<f64>>,
    /// For each joint move that was tried, which move of each role is in it.
    pub picks: Vec<u32>,
}

impl Matrix {
    /// Enough for values that are right to about a hundredth.
    const ROUNDS: u32 = 100;

    /// Works out what a state is worth to each role from the outcomes of the joint moves, which
    /// are given one after the other, a payoff for each role.
    pub fn settle(
        &mut self,
        legal: &PerRole<Vec<Move>>,
        joints: Joints,
        outcomes: &[f32],
        worth: &mut Payoffs,
    ) {
        self.clear(legal, joints);
        if joints.sampled {
            self.average(outcomes);
        } else {
            self.play(outcomes);
        }
        for (role_idx, worth) in worth.iter_mut().enumerate() {
            let (mix, means) = (&self.mixes[role_idx], &self.means[role_idx]);
            *worth = if joints.sampled {
                means.iter().copied().fold(0.0, f64::max) as f32
            } else {
                mix.iter().zip(means).map(|(share, mean)| share * mean).sum::<f64>() as f32
            };
        }
    }

    fn clear(&mut self, legal: &PerRole<Vec<Move>>, joints: Joints) {
        let start = |moves: &Vec<_>| if joints.sampled { 0.0 } else { 1.0 / moves.len() as f64 };
        self.mixes.resize(legal.n_roles(), Vec::new());
        self.means.resize(legal.n_roles(), Vec::new());
        for (moves, (mix, means)) in legal.iter().zip(self.mixes.iter_mut().zip(&mut self.means)) {
            mix.clear();
            mix.resize(moves.len(), start(moves));
            means.clear();
            means.resize(moves.len(), 0.0);
        }
        self.picks.clear();
        (0..joints.count).for_each(|number| joints.picks(legal, number, &mut self.picks));
    }

    fn play(&mut self, outcomes: &[f32]) {
        for round in 1..=Self::ROUNDS {
            self.weigh(outcomes);
            // Round `t` counts `t` times; the first one replaces the uniform beginning.
            let step = 2.0 / f64::from(round + 1);
            for (mix, means) in self.mixes.iter_mut().zip(&self.means) {
                turn_to_best(mix, means, step);
            }
        }
        self.weigh(outcomes);
    }

    /// What each move is worth against the mixed moves of the others.
    fn weigh(&mut self, outcomes: &[f32]) {
        let n_roles = self.mixes.len();
        self.means.iter_mut().flatten().for_each(|mean| *mean = 0.0);
        let joints = self.picks.chunks_exact(n_roles).zip(outcomes.chunks_exact(n_roles));
        for (picks, payoffs) in joints {
            let share = |role_idx: usize| self.mixes[role_idx][picks[role_idx] as usize];
            for role_idx in 0..n_roles {
                let others = (0..n_roles).filter(|&other| other != role_idx);
                let likely: f64 = others.map(share).product();
                let mean = &mut self.means[role_idx][picks[role_idx] as usize];
                *mean += likely * f64::from(payoffs[role_idx]);
            }
        }
    }

    /// What each move is worth in the mean over the joint moves it occurs in.
    fn average(&mut self, outcomes: &[f32]) {
        let n_roles = self.mixes.len();
        for (role_idx, means) in self.means.iter_mut().enumerate() {
            let mut tried = vec![0u32; means.len()];
            let joints = self.picks.chunks_exact(n_roles).zip(outcomes.chunks_exact(n_roles));
            for (picks, payoffs) in joints {
                let pick = picks[role_idx] as usize;
                means[pick] += f64::from(payoffs[role_idx]);
                tried[pick] += 1;
            }
            means.iter_mut().zip(tried).for_each(|(mean, n)| *mean /= f64::from(n.max(1)));
        }
    }
}

/// Moves a part of a mix to the moves that are worth most; equally good ones share it.
fn turn_to_best(mix: &mut [f64], means: &[f64], step: f64) {
    const TIE: f64 = 1e-9;
    let top = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let n_best = means.iter().filter(|&&mean| mean >= top - TIE).count() as f64;
    for (share, &mean) in mix.iter_mut().zip(means) {
        *share *= 1.0 - step;
        if mean >= top - TIE {
            *share += step / n_best;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Role;

    /// The values of a matrix for two roles whose payoffs add up to 1, rows first, and the mix of
    /// the first role.
    fn settle(rows: &[&[f32]]) -> (Payoffs, Vec<f64>) {
        let mut view = View::default();
        view.clear(2);
        view.legal[Role(0)] = (0..rows.len() as u32).map(Move).collect();
        view.legal[Role(1)] = (0..rows[0].len() as u32).map(Move).collect();
        let (joints, mut matrix) = (Joints::of(&view), Matrix::default());
        let mut outcomes = Vec::new();
        for number in 0..joints.count {
            let mut picks = Vec::new();
            joints.picks(&view.legal, number, &mut picks);
            let payoff = rows[picks[0] as usize][picks[1] as usize];
            outcomes.extend([payoff, 1.0 - payoff]);
        }
        let mut worth = Payoffs::filled(2, 0.0);
        matrix.settle(&view.legal, joints, &outcomes, &mut worth);
        (worth, matrix.mixes.swap_remove(0))
    }

    #[test]
    fn mixed_equilibria_are_approached() {
        let pennies: &[&[f32]] = &[&[1.0, 0.0], &[0.0, 1.0]];
        let skewed: &[&[f32]] = &[&[1.0, 0.1], &[0.2, 0.5]];
        let rock_paper_scissors: &[&[f32]] =
            &[&[0.5, 0.0, 1.0], &[1.0, 0.5, 0.0], &[0.0, 1.0, 0.5]];
        let third = 1.0 / 3.0;
        for (rows, value, mix) in [
            (pennies, 0.5, &[0.5, 0.5][..]),
            (skewed, 0.4, &[0.25, 0.75]),
            (rock_paper_scissors, 0.5, &[third; 3]),
        ] {
            let (worth, found) = settle(rows);
            assert!((worth[Role(0)] - value).abs() < 0.02, "{rows:?}: {worth:?}");
            assert!((worth.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            for (found, expected) in found.iter().zip(mix) {
                assert!((found - expected).abs() < 0.1, "{rows:?}: {found} for {expected}");
            }
        }
    }

    #[test]
    fn dominant_moves_are_played_alone() {
        let (worth, mix) = settle(&[&[0.75, 1.0], &[0.25, 0.5]]);
        assert_eq!((worth.as_slice(), mix), (&[0.75, 0.25][..], vec![1.0, 0.0]));
    }

    #[test]
    fn samples_try_every_move_of_every_role_equally_often() {
        let mut view = View::default();
        view.clear(3);
        for (role_idx, size) in [(0, 20), (1, 10), (2, 40)] {
            view.legal[Role(role_idx)] = (0..size).map(Move).collect();
        }
        let joints = Joints::of(&view);
        assert_eq!(joints, Joints { count: 320, sampled: true });
        let mut picks = Vec::new();
        (0..joints.count).for_each(|number| joints.picks(&view.legal, number, &mut picks));
        for (role_idx, size) in [(0, 20), (1, 10), (2, 40)] {
            let of_role = || picks.iter().skip(role_idx).step_by(3);
            assert!((0..size).all(|m| of_role().filter(|&&p| p == m).count() as u32 == 320 / size));
        }
        // A move of one role must not always meet the same move of another.
        let pairs = picks.chunks_exact(3).filter(|joint| joint[0] == 0 && joint[1] == 0).count();
        assert!(pairs < 16, "{pairs} of 16");
    }
}
