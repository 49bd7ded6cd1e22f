//! How a game of self-play chooses moves, and which policy its positions teach.

use ludens_core::{Game, Move, Rng, Role};
use ludens_search::{
    ExploringPuct, Gumbel, Improvement, Path, Puct, RootNoise, Search, TreePolicy,
};

/// How moves and policies follow from a search.
#[derive(Clone, PartialEq, Debug)]
pub enum Choosing {
    /// Gumbel root selection: moves are sampled before the search, and the policy that is learnt is improved
    /// by the values of the search (Danihelka et al. 2022).
    Gumbel {
        /// The moves considered at the root.
        n_considered: usize,
        /// How values improve priors.
        improvement: Improvement,
    },
    /// Visit counts are the policy that is learnt, and from which moves are sampled (Silver et al. 2017).
    Visits(VisitCounts),
}

/// How moves and policies follow from visit counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct VisitCounts {
    /// Moves are sampled in proportion to visits^(1/temperature); 0 is the most visited move.
    pub temperature: f64,
    /// The joint moves at the beginning of a game that are sampled; then the most visited move is played.
    pub sampled_plies: usize,
    /// The noise in the priors of the root.
    pub noise: RootNoise,
    /// The factor of forced playouts (Wu 2019); 0 for none. They are not learnt.
    pub forced: f64,
    /// Searches of two lengths, if there are.
    pub cap: Option<PlayoutCap>,
}

impl VisitCounts {
    /// As in play: no noise, no forced playouts, the same length of all searches.
    pub(crate) fn without_exploration(self, sampled_plies: usize) -> Self {
        VisitCounts { sampled_plies, noise: RootNoise::NONE, forced: 0.0, cap: None, ..self }
    }
}

/// Playout-cap randomisation (Wu 2019, section 3.1): many moves are found by short searches, from which nothing
/// is learnt, so that there are more games, and so more results, for the same number of simulations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayoutCap {
    /// The probability of a full search.
    pub full: f64,
    /// The simulations of a short search.
    pub simulations: u64,
}

/// The length of a search, and whether its position is recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Length {
    pub simulations: u64,
    pub recorded: bool,
}

impl Choosing {
    /// The tree policy of searches of `simulations`; it is `below` below the root.
    pub(crate) fn tree_policy(&self, below: Puct, simulations: u64) -> Box<dyn TreePolicy> {
        match self {
            Choosing::Gumbel { n_considered, improvement } => {
                Box::new(Gumbel::new(below, *n_considered, *improvement, 1.0))
            }
            Choosing::Visits(VisitCounts { noise, forced, .. }) => {
                Box::new(ExploringPuct::new(below, *noise, *forced, simulations))
            }
        }
    }

    /// Draws the length of a search.
    pub(super) fn length(&self, simulations: u64, rng: &mut Rng) -> Length {
        match self {
            Choosing::Visits(VisitCounts { cap: Some(cap), .. }) if rng.unit() >= cap.full => {
                Length { simulations: cap.simulations, recorded: false }
            }
            _ => Length { simulations, recorded: true },
        }
    }

    /// Writes the policy that the root teaches to a role.
    pub(super) fn policy<G: Game>(
        &self,
        search: &Search<G>,
        path: &Path,
        role: Role,
        policy: &mut Vec<f64>,
    ) {
        match self {
            Choosing::Gumbel { improvement, .. } => {
                improvement.policy(&search.root_choice(path, role), policy);
            }
            Choosing::Visits(_) => {
                search.learnt_visits(role, policy);
                normalise(policy);
            }
        }
    }

    /// The move that a role plays after `n_plies` joint moves.
    pub(crate) fn choose<G: Game>(
        &self,
        search: &Search<G>,
        role: Role,
        n_plies: usize,
        rng: &mut Rng,
    ) -> Move {
        match self {
            Choosing::Visits(VisitCounts { temperature, sampled_plies, .. })
                if n_plies < *sampled_plies && *temperature > 0.0 && !search.is_proven() =>
            {
                let mut weights = Vec::new();
                search.learnt_visits(role, &mut weights);
                sharpen(&mut weights, *temperature);
                search.tree().moves(search.root(), role)[sample(&weights, rng)]
            }
            _ => search.recommended(role),
        }
    }
}

/// Probabilities in proportion to weights; equal ones without any weight.
fn normalise(weights: &mut [f64]) {
    let sum: f64 = weights.iter().sum();
    let even = 1.0 / weights.len() as f64;
    for weight in weights {
        *weight = if sum > 0.0 { *weight / sum } else { even };
    }
}

/// Probabilities in proportion to weights^(1/temperature).
fn sharpen(weights: &mut [f64], temperature: f64) {
    // Powers of large counts would not be finite.
    let most = weights.iter().copied().fold(0.0, f64::max);
    for weight in &mut *weights {
        *weight = if most > 0.0 { (*weight / most).powf(1.0 / temperature) } else { 0.0 };
    }
    normalise(weights);
}

/// An index with its probability.
fn sample(probabilities: &[f64], rng: &mut Rng) -> usize {
    let mut left = rng.unit();
    let passed = |probability: &f64| {
        left -= probability;
        left < 0.0
    };
    let last = || probabilities.iter().rposition(|&probability| probability > 0.0);
    // Rounding can leave a remainder.
    probabilities.iter().position(passed).or_else(last).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temperature_sharpens_or_flattens_visit_counts() {
        let cases: [(f64, [f64; 3], [f64; 3]); 5] = [
            (1.0, [1.0, 3.0, 0.0], [0.25, 0.75, 0.0]),
            (0.5, [1.0, 3.0, 0.0], [0.1, 0.9, 0.0]),
            (2.0, [1.0, 9.0, 0.0], [0.25, 0.75, 0.0]),
            (0.001, [1e6, 1e6 + 1e5, 0.0], [0.0, 1.0, 0.0]),
            // Without a visit all moves are equal.
            (1.0, [0.0; 3], [1.0 / 3.0; 3]),
        ];
        for (temperature, mut weights, expected) in cases {
            sharpen(&mut weights, temperature);
            let near = weights.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
            assert!(near, "{temperature}: {weights:?}");
        }
    }

    /// A binomial count is within five standard deviations of its mean.
    fn is_near(count: usize, n: usize, share: f64) -> bool {
        let (count, n) = (count as f64, n as f64);
        (count - n * share).abs() < 5.0 * (n * share * (1.0 - share)).sqrt() + 1e-9
    }

    #[test]
    fn moves_are_sampled_with_their_probabilities() {
        let (probabilities, mut rng, n) = ([0.1, 0.0, 0.6, 0.3], Rng::new(3), 40_000);
        let mut counts = [0; 4];
        (0..n).for_each(|_| counts[sample(&probabilities, &mut rng)] += 1);
        let fits = counts.iter().zip(probabilities).all(|(&count, p)| is_near(count, n, p));
        assert!(fits, "{counts:?}");
    }

    #[test]
    fn full_searches_have_their_probability_and_are_recorded() {
        let noise = RootNoise::NONE;
        let cap = Some(PlayoutCap { full: 0.25, simulations: 8 });
        let counts = VisitCounts { temperature: 1.0, sampled_plies: 9, noise, forced: 0.0, cap };
        let (mut rng, n) = (Rng::new(4), 40_000);
        let lengths: Vec<Length> =
            (0..n).map(|_| Choosing::Visits(counts).length(50, &mut rng)).collect();
        let full = Length { simulations: 50, recorded: true };
        let short = Length { simulations: 8, recorded: false };
        assert!(lengths.iter().all(|&length| length == full || length == short));
        let n_full = lengths.iter().filter(|&&length| length == full).count();
        assert!(is_near(n_full, n, 0.25), "{n_full}");
        let all = Choosing::Visits(VisitCounts { cap: None, ..counts });
        assert_eq!(all.length(50, &mut rng), full);
    }
}
