//! UCB1 (Auer, Cesa-Bianchi and Fischer 2002), which makes a tree search UCT (Kocsis and Szepesvári
//! 2006): mean payoff plus c·√(ln t / p).

use ludens_core::Rng;

use super::{Choice, TreePolicy, Unvisited, highest, log_visits};

/// Upper confidence bounds.
#[derive(Clone, Debug)]
pub struct Ucb {
    /// Weight of the exploration term.
    pub exploration: f64,
    /// What moves that were never chosen are worth.
    pub unvisited: Unvisited,
}

impl TreePolicy for Ucb {
    fn select(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize {
        let edges = choice.tree.edges(choice.node, choice.role);
        let scale = self.exploration * self.exploration * log_visits(choice);
        highest(edges, self.unvisited, rng, |_, edge| {
            let share = 1.0 / f64::from(edge.tries());
            edge.value * share + (scale * share).sqrt()
        })
    }

    fn fresh(&self) -> Box<dyn TreePolicy> {
        Box::new(self.clone())
    }
}
