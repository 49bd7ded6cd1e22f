//! The exact distribution of uniformly random playouts of a small game: every path with its
//! probability. Samples are compared with it.

use std::collections::BTreeMap;

use ludens_core::{Game, Limit, Move, View};
use rustc_hash::FxHashMap;

/// The ending of a playout.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ending {
    /// The payoff of each role, in hundredths.
    pub payoffs: Vec<i64>,
    /// The number of joint moves.
    pub plies: u32,
    /// Whether it ended by the rules.
    pub finished: bool,
}

impl Ending {
    /// An ending as simulators report it.
    pub fn new(payoffs: &[f32], plies: u32, finished: bool) -> Self {
        let hundredths = |payoff: &f32| (payoff * 100.0).round() as i64;
        Ending { payoffs: payoffs.iter().map(hundredths).collect(), plies, finished }
    }
}

/// All endings with their probabilities.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Endings(pub BTreeMap<Ending, f64>);

/// Mean and variance of a quantity of playouts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Moments {
    /// The mean.
    pub mean: f64,
    /// The variance of a single playout.
    pub variance: f64,
}

impl Endings {
    /// Mean and variance of a function of the ending.
    pub fn moments(&self, number: impl Fn(&Ending) -> f64) -> Moments {
        let sum =
            |power: i32| -> f64 { self.0.iter().map(|(e, p)| p * number(e).powi(power)).sum() };
        let mean = sum(1);
        Moments { mean, variance: (sum(2) - mean * mean).max(0.0) }
    }
}

/// All endings of uniformly random playouts from a state, cut off at a limit, or `None` if that takes
/// more than `max_joints` joint moves. Transpositions are merged, ply by ply.
pub fn endings<G: Game>(
    game: &G,
    start: &G::State,
    limit: Limit,
    max_joints: usize,
) -> Option<Endings> {
    let mut endings = Endings::default();
    let mut layer = vec![(start.clone(), 1.0)];
    let (mut view, mut tried, mut plies) = (View::default(), 0, 0);
    while !layer.is_empty() {
        let mut next = Layer::default();
        for (state, probability) in layer {
            game.look(&state, &mut view);
            let (finished, is_cut) = (view.terminal, plies == limit.plies);
            if finished || is_cut || view.legal.iter().any(Vec::is_empty) {
                if is_cut && !finished {
                    limit.cut.judge(game, &state, &mut view);
                }
                let ending = Ending::new(view.payoffs.as_slice(), plies, finished);
                *endings.0.entry(ending).or_default() += probability;
                continue;
            }
            let joints = joint_moves(&view);
            tried += joints.len();
            if tried > max_joints {
                return None;
            }
            let share = probability / joints.len() as f64;
            for joint in &joints {
                let mut after = state.clone();
                game.play(&mut after, joint);
                next.add(after, share);
            }
        }
        layer = next.states;
        plies += 1;
    }
    Some(endings)
}

/// Every joint move of a state.
fn joint_moves(view: &View) -> Vec<Vec<Move>> {
    let mut joints = vec![Vec::new()];
    for legal in &view.legal {
        let extend = |joint: &Vec<Move>| {
            let joint = joint.clone();
            legal.iter().map(move |&m| [&joint[..], &[m]].concat())
        };
        joints = joints.iter().flat_map(extend).collect();
    }
    joints
}

/// States with their probabilities, in the order in which they were seen.
struct Layer<S> {
    states: Vec<(S, f64)>,
    index: FxHashMap<S, usize>,
}

impl<S> Default for Layer<S> {
    fn default() -> Self {
        Layer { states: Vec::new(), index: FxHashMap::default() }
    }
}

impl<S: Clone + Eq + std::hash::Hash> Layer<S> {
    fn add(&mut self, state: S, probability: f64) {
        let i = *self.index.entry(state.clone()).or_insert(self.states.len());
        if i == self.states.len() {
            self.states.push((state, 0.0));
        }
        self.states[i].1 += probability;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree_game::TreeGame;
    use ludens_core::Cut;

    const TREE: &str = "roles x o\nx left\n  x in, o in = 100 0\n  x in, o out = 0 100\n  \
        x out, o in = 0 100\n  x out, o out = 100 0\nx right = 50 50\n";

    #[test]
    fn every_path_counts_with_its_probability() {
        let game = TreeGame::parse(TREE).unwrap();
        let found = endings(&game, &game.initial(), Limit::default(), 100).unwrap();
        let ending =
            |payoffs: [i64; 2], plies| Ending { payoffs: payoffs.to_vec(), plies, finished: true };
        let expected =
            [(ending([0, 100], 2), 0.25), (ending([50, 50], 1), 0.5), (ending([100, 0], 2), 0.25)];
        assert_eq!(found.0.into_iter().collect::<Vec<_>>(), expected);
        assert_eq!(endings(&game, &game.initial(), Limit::default(), 5), None);
    }

    #[test]
    fn long_playouts_are_cut_off() {
        let game = TreeGame::parse(TREE).unwrap();
        for (cut, hundredths) in [(Cut::Nothing, 0), (Cut::Draw, 50)] {
            let limit = Limit { plies: 1, cut };
            let found = endings(&game, &game.initial(), limit, 100).unwrap();
            let ending = |payoff, finished| Ending { payoffs: vec![payoff; 2], plies: 1, finished };
            let expected = [(ending(hundredths, false), 0.5), (ending(50, true), 0.5)];
            assert_eq!(found.0.into_iter().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn moments_are_correct() {
        let game = TreeGame::parse(TREE).unwrap();
        let found = endings(&game, &game.initial(), Limit::default(), 100).unwrap();
        let plies = found.moments(|ending| f64::from(ending.plies));
        assert_eq!(plies, Moments { mean: 1.5, variance: 0.25 });
    }
}
