//! PUCT (Rosin 2011; the form of Silver et al. 2017): mean payoff plus c·P·√N / (1 + n), where P is the prior
//! probability of a move. Priors are those of the evaluator; without any, they are uniform.
//!
//! Gunawan et al. 2020 print the same form, Goldwaser and Thielscher 2020 print c·P / (1 + n).

use ludens_core::Rng;

use super::{Choice, TreePolicy, Unvisited, highest};
use crate::tree::Edge;

/// Upper confidence bounds with prior probabilities.
#[derive(Clone, Debug)]
pub struct Puct {
    /// Weight of the exploration term.
    pub exploration: f64,
    /// How exploration grows with the visits of the node.
    pub growth: Growth,
    /// The mean assumed for a move without visits, before the exploration term is added.
    pub first: FirstPlay,
}

/// How exploration grows with the visits N of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Growth {
    /// By √N (Silver et al. 2017; Gunawan et al. 2020).
    #[default]
    SquareRoot,
    /// Not at all (as Goldwaser and Thielscher 2020 print the formula).
    None,
}

/// The mean assumed for a move without visits (first-play urgency, Gelly and Wang 2006).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FirstPlay {
    /// A constant.
    Constant(f64),
    /// This much less than the mean of the moves that were visited; 0.5 before the first visit.
    BelowMean(f64),
}

impl FirstPlay {
    fn value(self, edges: &[Edge]) -> f64 {
        match self {
            FirstPlay::Constant(value) => value,
            FirstPlay::BelowMean(reduction) => {
                let add = |(value, visits), edge: &Edge| (value + edge.value, visits + edge.visits);
                let (value, visits) = edges.iter().fold((0.0, 0), add);
                if visits == 0 { 0.5 } else { value / f64::from(visits) - reduction }
            }
        }
    }
}

impl Puct {
    /// The weight of a prior in a node with this many visits.
    pub(super) fn scale(&self, visits: u32) -> f64 {
        match self.growth {
            Growth::SquareRoot => self.exploration * f64::from(visits).sqrt(),
            Growth::None => self.exploration,
        }
    }

    /// The formula with these priors. At the first visit N counts as 1, so that the move with the highest
    /// prior comes first.
    pub(super) fn select_by(&self, priors: &[f32], choice: &Choice<'_>, rng: &mut Rng) -> usize {
        let scale = self.scale(choice.visits.max(1));
        let first = self.first.value(choice.edges);
        highest(choice, Unvisited::Scored, rng, |i, edge| {
            let mean = if edge.visits == 0 { first } else { edge.mean() };
            mean + scale * f64::from(priors[i]) / (1.0 + f64::from(edge.visits))
        })
    }
}

impl TreePolicy for Puct {
    fn select(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize {
        let n_moves = choice.edges.len();
        let priors = choice.tree.priors(choice.first..choice.first + n_moves);
        if !priors.is_empty() {
            return self.select_by(priors, choice, rng);
        }
        let prior = 1.0 / n_moves as f64;
        // At the first visit all scores are equal, and the choice is random.
        let n = choice.visits;
        if n == 0 {
            return rng.below(n_moves);
        }
        let scale = self.scale(n) * prior;
        let scored = Unvisited::Worth(self.first.value(choice.edges) + scale);
        let bonus = |edge: &Edge| scale / (1.0 + f64::from(edge.visits));
        highest(choice, scored, rng, |_, edge| edge.mean() + bonus(edge))
    }

    fn fresh(&self) -> Box<dyn TreePolicy> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::HandTree;
    use ludens_testkit::chi_square::chi_square;

    fn choice(hand: &HandTree, exploration: f64, first: f64) -> u32 {
        let first = FirstPlay::Constant(first);
        let growth = Growth::SquareRoot;
        hand.choice(&mut Puct { exploration, growth, first }, &mut Rng::new(1))
    }

    /// Nine visits, so that c·P·√N = c·(1/3)·3 = c.
    #[test]
    fn scores_are_those_of_the_formula() {
        let mut hand = HandTree::new();
        hand.visit(1, 0.6, 5);
        hand.visit(2, 0.4, 4);
        // 0.6 + c/6; 0.4 + c/5; first + c/1.
        assert_eq!(choice(&hand, 0.3, 0.0), 1); // 0.65; 0.46; 0.3
        assert_eq!(choice(&hand, 0.6, 0.0), 1); // 0.70; 0.52; 0.6
        assert_eq!(choice(&hand, 0.75, 0.0), 3); // 0.725; 0.55; 0.75
        assert_eq!(choice(&hand, 0.3, 0.4), 3); // 0.65; 0.46; 0.7
        hand.visit(3, 0.0, 1);
        // Ten visits: c·√10/3 = 1.0541·c, at c = 6: 0.6 + 6.3246/6 = 1.6541; 0.4 + 6.3246/5 = 1.6649; 3.1623.
        assert_eq!(choice(&hand, 6.0, 0.0), 3);
        hand.tree.lose(2);
        assert_eq!(choice(&hand, 6.0, 0.0), 2);
    }

    /// Nine visits, so that c·√N = 3c.
    #[test]
    fn priors_of_an_evaluator_weight_the_exploration() {
        let mut hand = HandTree::new();
        hand.tree.set_priors(hand.root, &[0.1, 0.2, 0.7, 1.0]);
        assert_eq!(choice(&hand, 1.0, 0.0), 3, "the highest prior comes first");
        hand.visit(1, 0.6, 5);
        hand.visit(2, 0.4, 4);
        // 0.6 + 3c·0.1/6; 0.4 + 3c·0.2/5; first + 3c·0.7/1.
        assert_eq!(choice(&hand, 0.3, 0.0), 3); // 0.615; 0.436; 0.63
        assert_eq!(choice(&hand, 0.2, 0.0), 1); // 0.61; 0.424; 0.42
        assert_eq!(choice(&hand, 0.2, 0.2), 3); // 0.61; 0.424; 0.62
        hand.tree.lose(2);
        assert_eq!(choice(&hand, 9.0, 0.0), 2); // 1.05; 1.48; lost
    }

    /// As above, but c·P / (1 + n) without the root of nine visits.
    #[test]
    fn exploration_need_not_grow_with_the_visits() {
        let choice = |hand: &HandTree, exploration| {
            let first = FirstPlay::Constant(0.0);
            let mut puct = Puct { exploration, growth: Growth::None, first };
            hand.choice(&mut puct, &mut Rng::new(1))
        };
        let mut hand = HandTree::new();
        hand.visit(1, 0.6, 5);
        hand.visit(2, 0.4, 4);
        // Uniform priors: 0.6 + c/18; 0.4 + c/15; c/3.
        assert_eq!(choice(&hand, 2.1), 1); // 0.717; 0.54; 0.7
        assert_eq!(choice(&hand, 2.2), 3); // 0.722; 0.547; 0.733
        hand.tree.set_priors(hand.root, &[0.1, 0.2, 0.7, 1.0]);
        // 0.6 + 0.1·c/6; 0.4 + 0.2·c/5; 0.7·c.
        assert_eq!(choice(&hand, 0.87), 1); // 0.6145; 0.435; 0.609
        assert_eq!(choice(&hand, 0.89), 3); // 0.6148; 0.436; 0.623
    }

    #[test]
    fn an_unvisited_move_may_count_as_a_little_less_than_the_mean() {
        let mut hand = HandTree::new();
        hand.tree.set_priors(hand.root, &[0.4, 0.4, 0.2, 1.0]);
        let puct = |reduction| Puct {
            exploration: 0.5,
            growth: Growth::SquareRoot,
            first: FirstPlay::BelowMean(reduction),
        };
        hand.visit(1, 0.7, 3);
        hand.visit(2, 0.1, 1);
        // The mean is 2.2 / 4 = 0.55. 0.7 + 0.4/4 = 0.8; 0.1 + 0.4/2 = 0.3; 0.55 − r + 0.2.
        assert_eq!(hand.choice(&mut puct(0.0), &mut Rng::new(1)), 1); // 0.75
        assert_eq!(hand.choice(&mut puct(-0.1), &mut Rng::new(1)), 3); // 0.85
        assert!((FirstPlay::BelowMean(0.2).value(&[]) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn the_first_visit_is_random() {
        let hand = HandTree::new();
        let mut rng = Rng::new(9);
        let mut counts = [0; 3];
        let first = FirstPlay::Constant(0.0);
        let mut puct = Puct { exploration: 1.0, growth: Growth::SquareRoot, first };
        (0..30_000).for_each(|_| counts[hand.choice(&mut puct, &mut rng) as usize - 1] += 1);
        assert!(chi_square(&counts, &[1.0; 3]).fits(), "{counts:?}");
    }
}
