//! An evaluator that calls a function, such as one written in another language.

use ludens_core::{Game, Move, PerRole};

use super::{Evaluated, Evaluation, Evaluator, Leaf, Policies};

/// A position to be evaluated.
#[derive(Clone, PartialEq, Debug)]
pub struct Position<S> {
    /// The state, which is not terminal.
    pub state: S,
    /// The legal moves of each role.
    pub legal: PerRole<Vec<Move>>,
}

/// The evaluation of a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Value {
    /// The payoff of each role, in `0.0..=1.0`.
    pub payoffs: Vec<f32>,
    /// The prior probabilities of each role's legal moves, in the same order; empty if there are none.
    pub priors: Vec<Vec<f32>>,
}

/// Evaluates leaves by a function that takes a batch of positions and returns a value for each.
pub struct FnEvaluator<G: Game, F> {
    function: F,
    capacity: usize,
    tags: Vec<u32>,
    positions: Vec<Position<G::State>>,
    priors: Vec<f32>,
}

impl<G, F> FnEvaluator<G, F>
where
    G: Game,
    F: FnMut(&[Position<G::State>]) -> Vec<Value> + Send,
{
    /// An evaluator that calls the function with at most `capacity` positions at once.
    pub fn new(capacity: usize, function: F) -> Self {
        let (tags, positions, priors) = (Vec::new(), Vec::new(), Vec::new());
        FnEvaluator { function, capacity: capacity.max(1), tags, positions, priors }
    }
}

impl<G, F> Evaluator<G> for FnEvaluator<G, F>
where
    G: Game,
    F: FnMut(&[Position<G::State>]) -> Vec<Value> + Send,
{
    fn capacity(&self) -> usize {
        self.capacity
    }

    fn room(&self) -> usize {
        self.capacity - self.tags.len()
    }

    fn wants_views(&self) -> bool {
        true
    }

    fn offer(&mut self, tag: u32, leaf: &Leaf<'_, G>, _: &mut Policies<'_, G>) {
        let legal = leaf.legal.expect("this evaluator wants views").clone();
        self.tags.push(tag);
        self.positions.push(Position { state: leaf.state.clone(), legal });
    }

    fn collect(&mut self, _: &mut [Policies<'_, G>], out: &mut Evaluated) {
        if self.tags.is_empty() {
            return;
        }
        let values = (self.function)(&self.positions);
        assert_eq!(values.len(), self.positions.len(), "a value for each position");
        for ((&tag, value), position) in self.tags.iter().zip(&values).zip(&self.positions) {
            self.priors.clear();
            let Value { payoffs, priors } = value;
            assert_eq!(payoffs.len(), position.legal.n_roles(), "a payoff for each role");
            for (legal, priors) in position.legal.iter().zip(priors) {
                assert_eq!(priors.len(), legal.len(), "a prior for each legal move");
                self.priors.extend_from_slice(priors);
            }
            out.add(tag, &Evaluation { priors: &self.priors, ..Evaluation::of(payoffs) });
        }
        self.abandon();
    }

    fn abandon(&mut self) {
        self.tags.clear();
        self.positions.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ludens_core::{Budget, Role};

    use super::*;
    use crate::testgames::Nim;
    use crate::{
        Agent, Chain, FirstPlay, Growth, MakeEvaluator, Mcts, Puct, Searcher, Settings, Watch,
    };

    #[test]
    fn leaves_for_which_the_tree_has_no_room_are_evaluated_too() {
        let game = Arc::new(Nim(21));
        let policy = Box::new(Puct {
            exploration: 1.5,
            growth: Growth::SquareRoot,
            first: FirstPlay::Constant(0.5),
        });
        let settings = Settings { max_bytes: 0, ..Settings::default() };
        let searcher = Searcher::new(Arc::clone(&game), policy, Chain::default(), settings, 4);
        let value = || Value { payoffs: vec![0.75, 0.25], priors: Vec::new() };
        let make: MakeEvaluator<Nim> = Arc::new(move || {
            Box::new(FnEvaluator::<Nim, _>::new(4, move |positions: &[_]| {
                positions.iter().map(|_| value()).collect()
            }))
        });
        let mut mcts = Mcts::with_evaluator(searcher, make);
        let budget = Budget::unlimited().with_iterations(40);
        let report = mcts.think(&game.initial(), &budget, &mut Watch::none());
        assert_eq!(report.nodes, 1);
        let means: Vec<f64> = report.moves[Role(0)].iter().map(|stats| stats.mean).collect();
        assert_eq!(means, [0.75; 3]);
    }
}
