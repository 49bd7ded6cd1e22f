//! PUCT that explores at the root, for self-play. Dirichlet noise is mixed into the priors of the root
//! (Silver et al. 2017), with a concentration inversely proportional to the number of legal moves of that
//! role in that state (Goldwaser and Thielscher 2020). Moves of the root get a minimum of forced playouts,
//! which are left out of the policy that a network learns (Wu 2019). Below the root it is PUCT.

mod dirichlet;
mod forced;

use ludens_core::Rng;

use super::{Choice, Puct, TreePolicy};
use crate::reuse::Kept;
use dirichlet::dirichlet;

/// PUCT with root noise and forced playouts.
#[derive(Clone, Debug)]
pub struct ExploringPuct {
    /// The policy below the root.
    pub below: Puct,
    /// The noise in the priors of the root.
    pub noise: RootNoise,
    /// The factor k of forced playouts; 0 for none, 2 in the paper.
    pub forced: f64,
    /// Searches of fewer simulations do not explore: they are to play well, and nothing is learnt from them.
    pub min_simulations: u64,
    explores: bool,
    /// The priors of each role at the root with their noise, from its first selection on.
    roots: Vec<Vec<f32>>,
}

/// Dirichlet noise in the priors of the root: (1 − share)·P + share·η.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RootNoise {
    /// The share of the noise; 0 for none.
    pub share: f64,
    /// All parameters α of the distribution together: each move has its part of it. The smaller it is, the
    /// fewer moves share the noise.
    pub concentration: f64,
}

impl RootNoise {
    /// The priors of the root without noise.
    pub const NONE: RootNoise = RootNoise { share: 0.0, concentration: 10.0 };

    fn mix_into(self, priors: &mut [f32], rng: &mut Rng) {
        if self.share <= 0.0 {
            return;
        }
        let n_moves = priors.len();
        let noise = dirichlet(n_moves, self.concentration / n_moves as f64, rng);
        for (prior, noise) in priors.iter_mut().zip(noise) {
            *prior = ((1.0 - self.share) * f64::from(*prior) + self.share * noise) as f32;
        }
    }
}

impl ExploringPuct {
    /// A policy before the first search.
    pub fn new(below: Puct, noise: RootNoise, forced: f64, min_simulations: u64) -> Self {
        ExploringPuct { below, noise, forced, min_simulations, explores: true, roots: Vec::new() }
    }

    fn select_at_root(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize {
        let role = choice.role.index();
        if self.roots.len() <= role {
            self.roots.resize(role + 1, Vec::new());
        }
        if self.roots[role].is_empty() {
            self.roots[role] = priors(choice);
            self.noise.mix_into(&mut self.roots[role], rng);
        }
        let priors = &self.roots[role];
        let due = (self.forced > 0.0).then(|| forced::due(self.forced, priors, choice)).flatten();
        due.unwrap_or_else(|| self.below.select_by(priors, choice, rng))
    }
}

/// The priors of the root without noise; uniform without an evaluator that has some.
fn priors(choice: &Choice<'_>) -> Vec<f32> {
    let n_moves = choice.edges.len();
    let priors = choice.tree.priors(choice.first..choice.first + n_moves);
    if priors.is_empty() { vec![1.0 / n_moves as f32; n_moves] } else { priors.to_vec() }
}

impl TreePolicy for ExploringPuct {
    fn select(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize {
        if choice.path.is_empty() && self.explores {
            return self.select_at_root(choice, rng);
        }
        self.below.select(choice, rng)
    }

    fn begin(&mut self, simulations: u64) {
        self.explores = simulations >= self.min_simulations;
        self.roots.clear();
    }

    fn learnt_visits(&self, choice: &Choice<'_>, visits: &mut Vec<f64>) {
        visits.clear();
        visits.extend(choice.edges.iter().map(|edge| f64::from(edge.visits)));
        // The root may have changed without a search.
        let n_moves = choice.edges.len();
        let priors = self.roots.get(choice.role.index()).filter(|priors| priors.len() == n_moves);
        if let Some(priors) = priors.filter(|_| self.forced > 0.0) {
            forced::prune(self.forced, &self.below, priors, choice, visits);
        }
    }

    fn retain(&mut self, _: &Kept) {
        self.roots.clear();
    }

    fn clear(&mut self) {
        self.roots.clear();
    }

    fn fresh(&self) -> Box<dyn TreePolicy> {
        Box::new(ExploringPuct { roots: Vec::new(), ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::Path;
    use crate::testgames::HandTree;
    use crate::tree_policy::{FirstPlay, Growth};
    use ludens_core::Role;

    fn puct() -> Puct {
        let first = FirstPlay::Constant(0.5);
        Puct { exploration: 1.0, growth: Growth::SquareRoot, first }
    }

    fn policy(share: f64, forced: f64) -> ExploringPuct {
        ExploringPuct::new(puct(), RootNoise { share, concentration: 10.0 }, forced, 1)
    }

    /// Runs a search in which each move of the root always has the same payoff; returns the visits.
    fn search(policy: &mut dyn TreePolicy, payoffs: [f32; 3], n: u64, seed: u64) -> HandTree {
        let mut hand = HandTree::new();
        hand.tree.set_priors(hand.root, &[0.9, 0.06, 0.04, 1.0]);
        let mut rng = Rng::new(seed);
        policy.begin(n);
        for _ in 0..n {
            let mv = hand.choice(policy, &mut rng);
            hand.visit(mv, payoffs[mv as usize - 1], 1);
        }
        hand
    }

    fn visits(hand: &HandTree) -> [u32; 3] {
        [0, 1, 2].map(|i| hand.tree.edges(hand.root, Role(0))[i].visits)
    }

    #[test]
    fn without_noise_and_forced_playouts_it_is_puct() {
        let payoffs = [0.4, 0.7, 0.2];
        let plain = search(&mut puct(), payoffs, 60, 1);
        assert_eq!(visits(&search(&mut policy(0.0, 0.0), payoffs, 60, 1)), visits(&plain));
        let mut short = policy(0.5, 2.0);
        short.min_simulations = 61;
        assert_eq!(visits(&search(&mut short, payoffs, 60, 1)), visits(&plain), "a short search");
    }

    #[test]
    fn noise_is_drawn_once_a_search_and_role() {
        let mut noisy = policy(0.25, 0.0);
        let _ = search(&mut noisy, [0.5; 3], 2, 1);
        let first = noisy.roots[0].clone();
        assert!((first.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{first:?}");
        assert!(first.iter().zip([0.9, 0.06, 0.04]).all(|(noisy, prior)| *noisy >= 0.75 * prior));
        assert_ne!(first, [0.9, 0.06, 0.04]);
        let _ = search(&mut noisy, [0.5; 3], 40, 1);
        assert_eq!(noisy.roots[0], first, "the seed decides");
        let _ = search(&mut noisy, [0.5; 3], 40, 2);
        assert_ne!(noisy.roots[0], first);
    }

    #[test]
    fn forced_playouts_are_made_and_left_out_of_the_policy() {
        let mut forcing = policy(0.0, 2.0);
        let payoffs = [0.9, 0.1, 0.1];
        let hand = search(&mut forcing, payoffs, 400, 1);
        let [best, second, third] = visits(&hand);
        // n_forced = √(2 · 0.06 · N) = 6.9 and √(2 · 0.04 · N) = 5.7 at the end.
        assert_eq!((second, third), (7, 6), "{best}");
        let [_, without, _] = visits(&search(&mut policy(0.0, 0.0), payoffs, 400, 1));
        assert!(without < 3, "{without}");
        let mut learnt = Vec::new();
        let path = Path::new(2);
        let choice = Choice::new(&hand.tree, &path, hand.root, Role(0));
        forcing.learnt_visits(&choice, &mut learnt);
        assert_eq!(learnt, [387.0, 0.0, 0.0]);
    }
}
