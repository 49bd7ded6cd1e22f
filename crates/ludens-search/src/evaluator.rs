//! Evaluators: what a search asks about its leaves.
//!
//! Search is cut at the evaluation. Leaves are offered, and evaluations are collected in whatever order
//! they are ready, as with the streams of [`ludens_core::Simulator`]. One trait serves random playouts,
//! evaluation functions and networks; [`crate::Driver`] is the loop on its other side.

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
    /// How many leaves it evaluates side by side. A search that is free to choose the size of its
    /// batch uses this one.
    fn capacity(&self) -> usize;

    /// How many more leaves it can take now.
    fn room(&self) -> usize;

    /// Whether it needs the legal moves. Leaves are expanded before they are offered then, the
    /// evaluator sees no terminal state, and roots are offered before the first selection, so that
    /// priors are there from the beginning.
    fn wants_views(&self) -> bool {
        false
    }

    /// Searches begin to use it; nothing is under way.
    fn begin(&mut self, demand: &Demand) {
        let _ = demand;
    }

    /// Takes a leaf; there must be room. The evaluation is returned under the tag.
    fn offer(&mut self, tag: u32, leaf: &Leaf<'_, G>, policies: &mut Policies<'_, G>);

    /// Works until at least one leaf is evaluated, and adds all evaluations that are ready; does
    /// nothing if no leaf is under way. `policies` are those of all searches, by their numbers.
    fn collect(&mut self, policies: &mut [Policies<'_, G>], out: &mut Evaluated);

    /// Forgets the leaves under way.
    fn abandon(&mut self);
}

/// What searches ask of playouts.
#[derive(Clone, Debug)]
pub struct Demand {
    /// How long playouts may be.
    pub limit: Limit,
    /// Whether playouts are uniformly random and only their payoffs are needed.
    pub uniform: bool,
    /// Random numbers for evaluations that searches have in common; without them, those of the first
    /// search are used.
    pub rng: Option<Rng>,
}

/// A leaf to be evaluated.
pub struct Leaf<'a, G: Game> {
    /// The number of its search.
    pub search_idx: usize,
    /// The search.
    pub search: &'a Search<G>,
    /// The state.
    pub state: &'a G::State,
    /// The path to it from the root.
    pub path: &'a Path,
    /// The number by which the playout policies of its search know it.
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

/// What a search brings along for the evaluation of its leaves.
pub struct Policies<'a, G: Game> {
    /// Its playout policies.
    pub chain: &'a mut Chain,
    /// Its random numbers.
    pub rng: &'a mut Rng,
    /// Its evaluation function, if it uses one for leaves.
    pub heuristic: Option<&'a mut LeafHeuristic<G>>,
}
