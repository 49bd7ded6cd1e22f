//! PUCT (Rosin 2011; the form of Silver et al. 2017): mean payoff plus c·P·√N / (1 + n), where P is the
//! share that a move was given beforehand. Without a network every move has the same share.

use ludens_core::Rng;

use super::{Choice, TreePolicy, Unvisited, highest};

/// Upper confidence bounds with shares given beforehand.
#[derive(Clone, Debug)]
pub struct Puct {
    /// Weight of the exploration term.
    pub exploration: f64,
    /// What a move that was never chosen is taken to be worth, before its share is added.
    pub first: f64,
}

impl TreePolicy for Puct {
    fn select(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize {
        let edges = choice.tree.edges(choice.node, choice.role);
        let node = choice.tree.node(choice.node);
        let share = 1.0 / edges.len() as f64;
        // At the first visit all scores are equal, and the choice is left to chance.
        let n = node.visits + node.pending;
        if n == 0 {
            return rng.below(edges.len());
        }
        let scale = self.exploration * share * f64::from(n).sqrt();
        let scored = Unvisited::Worth(self.first + scale);
        highest(edges, scored, rng, |_, edge| {
            edge.mean() + scale / (1.0 + f64::from(edge.tries()))
        })
    }

    fn fresh(&self) -> Box<dyn TreePolicy> {
        Box::new(self.clone())
    }
}
