//! UCB1-Tuned (Auer, Cesa-Bianchi and Fischer 2002, section 4): the exploration term shrinks where
//! payoffs vary little.

use ludens_core::Rng;

use super::{Choice, TreePolicy, Unvisited, highest, log_visits};
use crate::episode::Episode;
use crate::reuse::Kept;

/// Upper confidence bounds with measured variances.
#[derive(Clone, Debug)]
pub struct UcbTuned {
    /// Weight of the exploration term; 1 in the paper.
    pub exploration: f64,
    /// What moves that were never chosen are worth.
    pub unvisited: Unvisited,
    /// For each edge, the squares of the payoffs, summed up.
    squares: Vec<f64>,
}

impl UcbTuned {
    /// A policy without experience.
    pub fn new(exploration: f64, unvisited: Unvisited) -> Self {
        UcbTuned { exploration, unvisited, squares: Vec::new() }
    }
}

impl TreePolicy for UcbTuned {
    fn select(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize {
        let edges = choice.tree.edges(choice.node, choice.role);
        let first = choice.tree.range(choice.node, choice.role).start;
        let log = log_visits(choice);
        highest(edges, self.unvisited, rng, |i, edge| {
            let n = f64::from(edge.tries());
            let mean = edge.value / n;
            let squares = self.squares.get(first + i).copied().unwrap_or(0.0);
            // Visits under way count as if they paid nothing.
            let variance = squares / n - mean * mean + (2.0 * log / n).sqrt();
            mean + self.exploration * (log / n * variance.clamp(0.0, 0.25)).sqrt()
        })
    }

    fn learn(&mut self, episode: &Episode<'_>) {
        self.squares.resize(episode.tree.n_edges(), 0.0);
        for (_, chosen) in episode.path.steps() {
            for (&edge, &payoff) in chosen.iter().zip(episode.payoffs) {
                self.squares[edge as usize] += f64::from(payoff) * f64::from(payoff);
            }
        }
    }

    fn retain(&mut self, kept: &Kept) {
        let squares = |edge| self.squares.get(edge).copied().unwrap_or(0.0);
        self.squares = kept.edges().map(squares).collect();
    }

    fn clear(&mut self) {
        self.squares.clear();
    }

    fn bytes(&self) -> usize {
        self.squares.capacity() * size_of::<f64>()
    }

    fn fresh(&self) -> Box<dyn TreePolicy> {
        Box::new(UcbTuned::new(self.exploration, self.unvisited))
    }
}
