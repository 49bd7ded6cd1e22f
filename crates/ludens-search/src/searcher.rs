//! A tree search with its playout policies and random numbers: the unit that a driver runs.

use std::sync::Arc;

use ludens_core::{Budget, Game, Rng, Role};

use crate::agent::Report;
use crate::drive::Batch;
use crate::evaluator::{LeafHeuristic, Policies};
use crate::playout_policy::Chain;
use crate::search::{Search, Settings};
use crate::tree_policy::TreePolicy;
use crate::watch::Watch;

/// A tree search with its playout policies and random numbers.
pub struct Searcher<G: Game> {
    /// The search.
    pub search: Search<G>,
    /// The policies of its playouts.
    pub chain: Chain,
    /// Its random numbers.
    pub rng: Rng,
    /// How many visits may be in progress; `None` until it is chosen for the evaluator.
    pub batch: Option<Batch>,
    /// The evaluation function of its leaves, if it uses one.
    pub heuristic: Option<LeafHeuristic<G>>,
    /// Whether its leaves need an evaluator of its own: it does not share that of other searches then.
    pub(crate) has_own_evaluator: bool,
}

impl<G: Game> Searcher<G> {
    /// A searcher with an empty tree. The size of a batch of 0 is chosen for the evaluator.
    pub fn new(
        game: Arc<G>,
        policy: Box<dyn TreePolicy>,
        chain: Chain,
        settings: Settings,
        batch: usize,
    ) -> Self {
        let search = Search::new(game, policy, settings, &chain);
        let batch = (batch > 0).then(|| Batch::fixed(batch));
        let (rng, has_own_evaluator) = (Rng::new(0), false);
        Searcher { search, chain, rng, batch, heuristic: None, has_own_evaluator }
    }

    /// Whether its playouts are uniform and only their payoffs are needed.
    pub fn is_plain(&self) -> bool {
        self.search.is_plain(&self.chain)
    }

    /// Chooses a batch for an evaluator with this capacity, unless one is set: as many leaves as are
    /// evaluated in parallel, but few as long as the tree is small. A searcher that learns from its playouts
    /// uses one leaf at a time, because a policy overshoots when it is adapted to hundreds of playouts that
    /// were run with the same weights.
    #[must_use]
    pub fn suited_to(mut self, capacity: usize) -> Self {
        let grows = self.is_plain() && capacity > 1;
        let suited = || if grows { Batch::growing(capacity) } else { Batch::fixed(1) };
        self.batch = Some(self.batch.unwrap_or_else(suited));
        self
    }

    /// Another match begins.
    pub fn begin(&mut self, seed: u64) {
        self.search.clear();
        self.chain.new_game();
        self.rng = Rng::new(seed);
    }

    /// Sets the root. Returns whether there is anything to search.
    pub fn set_root(&mut self, state: &G::State) -> bool {
        self.set_root_within(state, &Budget::unlimited())
    }

    /// Sets the root of a search that has a budget. Returns whether there is anything to search.
    pub fn set_root_within(&mut self, state: &G::State, budget: &Budget) -> bool {
        self.search.set_root_within(state, budget);
        self.next_move(state);
        self.is_open()
    }

    /// Sets the root between two moves, when others think. Returns whether there is anything to search: a search
    /// with its own limit of simulations does not make more of them.
    pub(crate) fn set_root_between_moves(&mut self, state: &G::State, budget: &Budget) -> bool {
        if self.search.settings().max_simulations < u64::MAX {
            return false;
        }
        self.search.set_root_within(state, budget);
        self.is_open()
    }

    /// Whether there is anything to search.
    fn is_open(&self) -> bool {
        let (tree, root) = (self.search.tree(), self.search.root());
        let decides = |role| tree.range(root, role).len() > 1;
        !tree.is_proven(root) && Role::all(tree.n_roles()).any(decides)
    }

    /// Prepares the playout policies for another move of the match.
    pub(crate) fn next_move(&mut self, state: &G::State) {
        let game = Arc::clone(self.search.game());
        self.chain.next_move(&|| game.facts(state).join(" "));
    }

    /// The report after a number of simulations.
    pub fn report(&self, iterations: u64) -> Report {
        self.with_policies(self.search.report(iterations))
    }

    /// The report with lines and mean payoffs, for watchers.
    pub fn report_in_full(&self, iterations: u64) -> Report {
        self.with_policies(self.search.report_in_full(iterations))
    }

    /// The report, in full if there is a watcher.
    pub(crate) fn report_to(&self, watch: &Watch<'_>, iterations: u64) -> Report {
        if watch.is_on() { self.report_in_full(iterations) } else { self.report(iterations) }
    }

    fn with_policies(&self, report: Report) -> Report {
        Report { bytes: report.bytes + self.chain.bytes() as u64, ..report }
    }

    /// Splits the search from what its evaluations need.
    pub(crate) fn split(&mut self) -> (&mut Search<G>, Policies<'_, G>, Batch) {
        let Searcher { search, chain, rng, batch, heuristic, has_own_evaluator: _ } = self;
        let policies = Policies { chain, rng, heuristic: heuristic.as_mut() };
        (search, policies, batch.unwrap_or(Batch::fixed(1)))
    }
}
