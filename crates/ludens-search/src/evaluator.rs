//! Evaluators: they evaluate the leaves of searches.
//!
//! Search and evaluation are decoupled. Leaves are offered, and evaluations are collected in the order in
//! which they are ready, as with the streams of [`ludens_core::Simulator`]. One trait serves random
//! playouts, evaluation functions and networks; [`crate::Driver`] is the loop that calls it.

mod batch;
mod function;
mod heuristic;
mod playouts;
mod rounds;

use ludens_core::{Game, Limit, Move, PerRole, Rng};

pub use batch::{Evaluated, Evaluation};
pub use function::{FnEvaluator, Position, Value};
pub use heuristic::{HeuristicLeaves, LeafHeuristic};
pub use playouts::Playouts;

use crate::episode::Path;
use crate::playout_policy::Chain;
use crate::search::Search;
use crate::tree::Tree;

/// Evaluates leaves of searches.
pub trait Evaluator<G: Game>: Send {
    /// How many leaves it evaluates in parallel. A search that is free to choose its batch size uses it.
    fn capacity(&self) -> usize;

    /// How many more leaves it accepts now.
    fn room(&self) -> usize;

    /// Whether it needs the legal moves. Leaves are then expanded before they are offered, the evaluator
    /// sees no terminal state, and roots are offered before the first selection, so that they have
    /// priors from the beginning.
    fn wants_views(&self) -> bool {
        false
    }

    /// A drive begins; no evaluation is in progress.
    fn begin(&mut self, demand: &Demand) {
        let _ = demand;
    }

    /// Accepts a leaf; there must be room. The evaluation is returned with the tag.
    fn offer(&mut self, tag: u32, leaf: &Leaf<'_, G>, policies: &mut Policies<'_, G>);

    /// Works until at least one leaf is evaluated, and adds all evaluations that are ready; does nothing
    /// if no leaf is in progress. `policies` are those of all searches, by index.
    fn collect(&mut self, policies: &mut [Policies<'_, G>], out: &mut Evaluated);

    /// Discards the leaves in progress.
    fn abandon(&mut self);
}

/// What searches need of playouts.
#[derive(Clone, Debug)]
pub struct Demand {
    /// The limit of playouts.
    pub limit: Limit,
    /// Whether playouts are uniformly random and only their payoffs are needed.
    pub uniform: bool,
    /// Random numbers for evaluations shared by several searches; without them, those of the first search
    /// are used.
    pub rng: Option<Rng>,
}

/// A leaf to be evaluated.
pub struct Leaf<'a, G: Game> {
    /// The index of its search.
    pub search_idx: usize,
    /// The search.
    pub search: &'a Search<G>,
    /// The state.
    pub state: &'a G::State,
    /// The path to it from the root.
    pub path: &'a Path,
    /// The number by which the playout policies of its search identify it.
    pub game: usize,
    /// The legal moves of each role, for evaluators that want views.
    pub legal: Option<&'a PerRole<Vec<Move>>>,
}

impl<G: Game> Leaf<'_, G> {
    /// The tree of its search.
    pub fn tree(&self) -> &Tree {
        self.search.tree()
    }
}

/// What a search contributes to the evaluation of its leaves.
pub struct Policies<'a, G: Game> {
    /// Its playout policies.
    pub chain: &'a mut Chain,
    /// Its random numbers.
    pub rng: &'a mut Rng,
    /// Its evaluation function, if it uses one for leaves.
    pub heuristic: Option<&'a mut LeafHeuristic<G>>,
}
