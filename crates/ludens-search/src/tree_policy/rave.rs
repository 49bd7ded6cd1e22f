//! RAVE (Gelly and Silver 2007; the form of Duguépéroux et al. 2016): the mean payoff and the mean of
//! all simulations in which the move was played later are mixed, with β = √(R / (R + 3n)).

use ludens_core::Rng;

use super::{Choice, TreePolicy, Unvisited, highest, log_visits};
use crate::tree::Needs;

/// Rapid action value estimation.
#[derive(Clone, Debug)]
pub struct Rave {
    /// After how many visits the mean outweighs the estimate (R).
    pub equivalence: f64,
    /// Weight of the exploration term (K).
    pub exploration: f64,
    /// What moves that were never chosen are worth.
    pub unvisited: Unvisited,
}

impl TreePolicy for Rave {
    fn select(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize {
        let tree = choice.tree;
        let first = tree.range(choice.node, choice.role).start;
        let explore = self.exploration > 0.0;
        let log = if explore { log_visits(choice) } else { 0.0 };
        highest(tree.edges(choice.node, choice.role), self.unvisited, rng, |i, edge| {
            let n = f64::from(edge.tries());
            let mean = edge.value / n;
            let (plays, value) = tree.amaf(first + i);
            let estimate = if plays > 0.0 { f64::from(value / plays) } else { mean };
            let beta = (self.equivalence / (self.equivalence + 3.0 * n)).sqrt();
            let bonus = if explore { self.exploration * (log / n).sqrt() } else { 0.0 };
            (1.0 - beta) * mean + beta * estimate + bonus
        })
    }

    fn needs(&self) -> Needs {
        Needs { amaf: true, moves: true, ..Needs::default() }
    }

    fn fresh(&self) -> Box<dyn TreePolicy> {
        Box::new(self.clone())
    }
}
