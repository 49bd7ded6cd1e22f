//! Gumbel root selection (Danihelka et al. 2022). At the root, moves are sampled without replacement by their
//! priors, and the simulations are divided among them by sequential halving. Below the root it is PUCT.
//!
//! With few simulations, more visits do not mean a better move; but a policy improved by the values of the
//! visited moves is better than the prior. It is both what is played and what a network learns.

mod improvement;
mod schedule;

use ludens_core::Rng;

pub use improvement::Improvement;

use super::{Choice, Puct, TreePolicy};

/// Sequential halving among sampled moves at the root, PUCT below.
#[derive(Clone, Debug)]
pub struct Gumbel {
    /// The policy below the root, and at the root without priors.
    pub below: Puct,
    /// The maximum number of moves considered at the root.
    pub n_considered: usize,
    /// How values improve priors.
    pub improvement: Improvement,
    /// The scale of the noise by which moves are sampled; 0 considers those with the highest priors.
    pub noise: f64,
    simulations: usize,
    /// The root of each role, from its first selection on.
    roots: Vec<Option<Root>>,
}

/// What a role needs at the root during a search.
#[derive(Clone, Debug)]
struct Root {
    /// The logarithm of the prior of each move plus its noise.
    logits: Vec<f64>,
    /// The visits of each move when the search began, if its tree was reused.
    visits_before: Vec<u32>,
    /// For each simulation, how many visits the next move to be visited has.
    schedule: Vec<u32>,
    scores: Vec<f64>,
}

/// The maximum number of simulations that are scheduled in advance; the root of a longer search is PUCT.
const MAX_SCHEDULED: usize = 1 << 16;

impl Gumbel {
    /// A policy before the first search.
    pub fn new(below: Puct, n_considered: usize, improvement: Improvement, noise: f64) -> Self {
        let (n_considered, roots) = (n_considered.max(1), Vec::new());
        Gumbel { below, n_considered, improvement, noise, simulations: 0, roots }
    }

    fn root(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> &mut Root {
        let (role, n_moves) = (choice.role.index(), choice.edges.len());
        if self.roots.len() <= role {
            self.roots.resize(role + 1, None);
        }
        let scale = self.noise;
        self.roots[role].get_or_insert_with(|| Root {
            logits: (0..n_moves)
                .map(|i| improvement::prior(choice, i).ln() + noise(scale, rng))
                .collect(),
            visits_before: choice.edges.iter().map(|edge| edge.visits).collect(),
            schedule: schedule::halving(self.n_considered.min(n_moves), self.simulations),
            scores: Vec::new(),
        })
    }

    /// The move with the highest score of those that are due, or `None` after the last simulation.
    fn select_at_root(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> Option<usize> {
        let improvement = self.improvement;
        let root = self.root(choice, rng);
        let visits = |i: usize| choice.edges[i].visits - root.visits_before[i];
        let n_done: u32 = (0..choice.edges.len()).map(visits).sum();
        let &wanted = root.schedule.get(n_done as usize)?;
        root.scores.clone_from(&root.logits);
        improvement.add_values(choice, &mut root.scores);
        let is_due = |&i: &usize| visits(i) == wanted && !choice.edges[i].is_lost();
        let score = |&i: &usize| root.scores[i];
        let due = (0..choice.edges.len()).filter(is_due);
        due.max_by(|a, b| score(a).total_cmp(&score(b)))
    }
}

impl TreePolicy for Gumbel {
    fn select(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize {
        if choice.path.is_empty()
            && self.simulations <= MAX_SCHEDULED
            && let Some(selected) = self.select_at_root(choice, rng)
        {
            return selected;
        }
        self.below.select(choice, rng)
    }

    fn begin(&mut self, simulations: u64) {
        self.simulations = usize::try_from(simulations).unwrap_or(usize::MAX);
        self.roots.clear();
    }

    /// Of the moves that survived all halvings, the one with the highest score.
    fn recommend(&self, choice: &Choice<'_>) -> Option<usize> {
        let root = self.roots.get(choice.role.index())?.as_ref()?;
        let mut scores = root.logits.clone();
        self.improvement.add_values(choice, &mut scores);
        let visits = |i: usize| choice.edges[i].visits - root.visits_before[i];
        let rank = |&i: &usize| (!choice.edges[i].is_lost(), visits(i));
        let score = |&i: &usize| scores[i];
        let all = 0..choice.edges.len();
        all.max_by(|a, b| rank(a).cmp(&rank(b)).then(score(a).total_cmp(&score(b))))
    }

    fn fresh(&self) -> Box<dyn TreePolicy> {
        Box::new(Gumbel { roots: Vec::new(), ..self.clone() })
    }
}

/// A random number of the Gumbel distribution with this scale.
fn noise(scale: f64, rng: &mut Rng) -> f64 {
    if scale > 0.0 { -scale * (-(1.0 - rng.unit()).ln()).max(f64::MIN_POSITIVE).ln() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::HandTree;
    use crate::tree_policy::{FirstPlay, Growth};
    use ludens_core::Role;
    use ludens_testkit::chi_square::chi_square;

    fn policy(n_considered: usize, noise: f64) -> Gumbel {
        let below =
            Puct { exploration: 1.0, growth: Growth::SquareRoot, first: FirstPlay::Constant(0.5) };
        Gumbel::new(below, n_considered, Improvement { visits: 50.0, values: 0.2 }, noise)
    }

    /// Runs a search in which each move of the root always has the same payoff; returns the visits.
    fn search(
        hand: &mut HandTree,
        policy: &mut Gumbel,
        payoffs: [f32; 3],
        n: u64,
        seed: u64,
    ) -> [u32; 3] {
        let mut rng = Rng::new(seed);
        policy.begin(n);
        for _ in 0..n {
            let mv = hand.choice(policy, &mut rng);
            hand.visit(mv, payoffs[mv as usize - 1], 1);
        }
        [0, 1, 2].map(|i| hand.tree.edges(hand.root, Role(0))[i].visits)
    }

    fn recommended(hand: &HandTree, policy: &Gumbel) -> usize {
        let path = crate::episode::Path::new(2);
        policy.recommend(&Choice::new(&hand.tree, &path, hand.root, Role(0))).unwrap()
    }

    #[test]
    fn simulations_are_halved_among_the_moves_with_the_highest_scores() {
        let mut hand = HandTree::new();
        hand.tree.set_priors(hand.root, &[0.5, 0.3, 0.2, 1.0]);
        let mut two = policy(2, 0.0);
        assert_eq!(search(&mut hand, &mut two, [0.2, 0.8, 1.0], 8, 1), [4, 4, 0]);
        assert_eq!(recommended(&hand, &two), 1, "of equal visits the better value");
        // In a reused tree the values count, but not the visits: the third move replaces the first.
        assert_eq!(search(&mut hand, &mut two, [0.2, 0.8, 1.0], 8, 1), [4, 8, 4]);
        let mut hand = HandTree::new();
        hand.tree.set_priors(hand.root, &[0.5, 0.3, 0.2, 1.0]);
        // One visit for each of three moves, then two moves remain.
        assert_eq!(search(&mut hand, &mut policy(3, 0.0), [0.2, 0.8, 1.0], 9, 1), [1, 4, 4]);
    }

    #[test]
    fn noise_samples_moves_by_their_priors() {
        let priors = [0.6, 0.3, 0.1];
        let mut counts = [0; 3];
        for seed in 0..20_000 {
            let mut hand = HandTree::new();
            hand.tree.set_priors(hand.root, &[0.6, 0.3, 0.1, 1.0]);
            let visits = search(&mut hand, &mut policy(1, 1.0), [0.5; 3], 1, seed);
            counts[visits.iter().position(|&n| n > 0).unwrap()] += 1;
        }
        assert!(chi_square(&counts, &priors).fits(), "{counts:?}");
    }

    #[test]
    fn proven_losses_are_neither_visited_nor_recommended() {
        let mut hand = HandTree::new();
        hand.tree.set_priors(hand.root, &[0.5, 0.3, 0.2, 1.0]);
        hand.tree.lose(0);
        let mut policy = policy(2, 0.0);
        assert_eq!(search(&mut hand, &mut policy, [1.0, 0.4, 0.4], 8, 1)[0], 0);
        assert_ne!(recommended(&hand, &policy), 0);
    }

    #[test]
    fn a_search_without_priors_or_an_end_is_that_of_the_policy_below() {
        let mut hand = HandTree::new();
        let mut endless = policy(2, 1.0);
        endless.begin(u64::MAX);
        hand.visit(1, 0.9, 5);
        hand.visit(2, 0.1, 4);
        hand.visit(3, 0.1, 4);
        assert_eq!(hand.choice(&mut endless, &mut Rng::new(1)), 1);
        assert!(endless.roots.is_empty());
    }
}
