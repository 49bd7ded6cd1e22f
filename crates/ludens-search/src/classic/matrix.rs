//! States with simultaneous moves.
//!
//! The outcomes of the joint moves form a payoff matrix with one axis for each role. It is solved
//! by fictitious play (Brown, 1951): in each round every role shifts its mixed strategy towards the
//! best responses to the strategies of the others so far, starting with uniform strategies; later
//! rounds have more weight, so that early mistakes fade. For two roles with a constant sum the
//! strategies converge to an equilibrium (Robinson, 1951); a dominant move is found in the first
//! round; in other games the result is only a reasonable guess.
//!
//! If there are too many joint moves, they are sampled so that each move of each role is combined
//! with several moves of the others, and the value of a move is its mean outcome: the others are
//! then assumed to play uniformly.

use ludens_core::{Move, Payoffs, PerRole, Rng, View};

use super::root::lone_decider;

/// The joint moves of a state that are searched, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Joints {
    /// How many are searched.
    pub count: usize,
    /// Whether they are a sample rather than all.
    pub sampled: bool,
}

impl Joints {
    /// If several roles decide and there are more joint moves than this, they are sampled.
    const MAX: usize = 1024;
    /// How often each move of the role with the most moves is in the sample.
    const SAMPLES: usize = 8;

    /// The joint moves to search in a state.
    pub fn of(view: &View) -> Self {
        let sizes = || view.legal.iter().map(Vec::len);
        let product = sizes().fold(1, usize::saturating_mul);
        let sampled = lone_decider(view).is_none() && product > Self::MAX;
        let widest = sizes().max().unwrap_or(0);
        Joints { count: if sampled { widest * Self::SAMPLES } else { product }, sampled }
    }

    /// Appends, for each role, the index of its move in a joint move given by its number.
    pub fn picks(self, legal: &PerRole<Vec<Move>>, number: usize, out: &mut Vec<u32>) {
        let mut rest = number;
        for (role, moves) in legal.entries() {
            let n = moves.len();
            let pick = if self.sampled {
                // Each block of `n` numbers contains every move once, rotated by a random offset.
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

/// Solves payoff matrices; its buffers are reused.
#[derive(Default)]
pub(super) struct Matrix {
    /// The mixed strategy of each role; all zero if the joint moves were sampled.
    pub strategies: Vec<Vec<f64>>,
    /// The expected payoff of each move of each role against the strategies of the others.
    pub means: Vec<Vec<f64>>,
    /// For each joint move searched, the index of each role's move.
    pub picks: Vec<u32>,
}

impl Matrix {
    /// Enough for values that are correct to about a hundredth.
    const ROUNDS: u32 = 100;

    /// Computes the value of a state for each role from the outcomes of the joint moves, a flat
    /// list with one payoff for each role per joint move.
    pub fn solve(
        &mut self,
        legal: &PerRole<Vec<Move>>,
        joints: Joints,
        outcomes: &[f32],
        values: &mut Payoffs,
    ) {
        self.clear(legal, joints);
        if joints.sampled {
            self.average(outcomes);
        } else {
            self.fictitious_play(outcomes);
        }
        for (role_idx, value) in values.iter_mut().enumerate() {
            let (strategy, means) = (&self.strategies[role_idx], &self.means[role_idx]);
            *value = if joints.sampled {
                means.iter().copied().fold(0.0, f64::max) as f32
            } else {
                strategy.iter().zip(means).map(|(share, mean)| share * mean).sum::<f64>() as f32
            };
        }
    }

    fn clear(&mut self, legal: &PerRole<Vec<Move>>, joints: Joints) {
        let start = |moves: &Vec<_>| if joints.sampled { 0.0 } else { 1.0 / moves.len() as f64 };
        self.strategies.resize(legal.n_roles(), Vec::new());
        self.means.resize(legal.n_roles(), Vec::new());
        for (moves, (strategy, means)) in
            legal.iter().zip(self.strategies.iter_mut().zip(&mut self.means))
        {
            strategy.clear();
            strategy.resize(moves.len(), start(moves));
            means.clear();
            means.resize(moves.len(), 0.0);
        }
        self.picks.clear();
        (0..joints.count).for_each(|number| joints.picks(legal, number, &mut self.picks));
    }

    fn fictitious_play(&mut self, outcomes: &[f32]) {
        for round in 1..=Self::ROUNDS {
            self.evaluate_moves(outcomes);
            // Round `t` has weight `t`; the first one replaces the uniform strategy.
            let step = 2.0 / f64::from(round + 1);
            for (strategy, means) in self.strategies.iter_mut().zip(&self.means) {
                shift_to_best(strategy, means, step);
            }
        }
        self.evaluate_moves(outcomes);
    }

    /// Computes the expected payoff of each move against the mixed strategies of the others.
    fn evaluate_moves(&mut self, outcomes: &[f32]) {
        let n_roles = self.strategies.len();
        self.means.iter_mut().flatten().for_each(|mean| *mean = 0.0);
        let joints = self.picks.chunks_exact(n_roles).zip(outcomes.chunks_exact(n_roles));
        for (picks, payoffs) in joints {
            let share = |role_idx: usize| self.strategies[role_idx][picks[role_idx] as usize];
            for role_idx in 0..n_roles {
                let others = (0..n_roles).filter(|&other| other != role_idx);
                let probability: f64 = others.map(share).product();
                let mean = &mut self.means[role_idx][picks[role_idx] as usize];
                *mean += probability * f64::from(payoffs[role_idx]);
            }
        }
    }

    /// Computes the mean payoff of each move over the joint moves that contain it.
    fn average(&mut self, outcomes: &[f32]) {
        let n_roles = self.strategies.len();
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

/// Shifts a fraction of a mixed strategy to the best moves; ties share it equally.
fn shift_to_best(strategy: &mut [f64], means: &[f64], step: f64) {
    const TIE: f64 = 1e-9;
    let top = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let n_best = means.iter().filter(|&&mean| mean >= top - TIE).count() as f64;
    for (share, &mean) in strategy.iter_mut().zip(means) {
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

    /// The values of a matrix of two roles whose payoffs add up to 1, row by row, and the strategy
    /// of the first role.
    fn solve(rows: &[&[f32]]) -> (Payoffs, Vec<f64>) {
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
        let mut values = Payoffs::filled(2, 0.0);
        matrix.solve(&view.legal, joints, &outcomes, &mut values);
        (values, matrix.strategies.swap_remove(0))
    }

    #[test]
    fn mixed_equilibria_are_approached() {
        let pennies: &[&[f32]] = &[&[1.0, 0.0], &[0.0, 1.0]];
        let skewed: &[&[f32]] = &[&[1.0, 0.1], &[0.2, 0.5]];
        let rock_paper_scissors: &[&[f32]] =
            &[&[0.5, 0.0, 1.0], &[1.0, 0.5, 0.0], &[0.0, 1.0, 0.5]];
        let third = 1.0 / 3.0;
        for (rows, value, strategy) in [
            (pennies, 0.5, &[0.5, 0.5][..]),
            (skewed, 0.4, &[0.25, 0.75]),
            (rock_paper_scissors, 0.5, &[third; 3]),
        ] {
            let (values, found) = solve(rows);
            assert!((values[Role(0)] - value).abs() < 0.02, "{rows:?}: {values:?}");
            assert!((values.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            for (found, expected) in found.iter().zip(strategy) {
                assert!((found - expected).abs() < 0.1, "{rows:?}: {found} for {expected}");
            }
        }
    }

    #[test]
    fn dominant_moves_are_played_alone() {
        let (values, strategy) = solve(&[&[0.75, 1.0], &[0.25, 0.5]]);
        assert_eq!((values.as_slice(), strategy), (&[0.75, 0.25][..], vec![1.0, 0.0]));
    }

    #[test]
    fn a_sampled_matrix_is_worth_the_highest_mean_of_a_move() {
        let (good, bad) = ([1.0; 40], [0.25; 40]);
        let mut rows = [&bad[..]; 40];
        rows[3] = &good;
        let (values, strategy) = solve(&rows);
        // The good move is in eight samples, so that most moves of the second role never meet it.
        assert_eq!((values.as_slice(), strategy), (&[1.0, 0.75][..], vec![0.0; 40]));
    }

    #[test]
    fn samples_contain_every_move_of_every_role_equally_often() {
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
        // A move of one role must not always be combined with the same move of another.
        let pairs = picks.chunks_exact(3).filter(|joint| joint[0] == 0 && joint[1] == 0).count();
        assert!(pairs < 16, "{pairs} of 16");
    }
}
