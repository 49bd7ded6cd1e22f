//! The agents of a contest, and which of their searches share an evaluator.

use std::sync::Arc;

use ludens_arena::clock::Allowance;
use ludens_arena::play::{InTurn, Thinker};
use ludens_core::Game;
use ludens_search::{Agent, Pooling};

use super::Contest;
use super::pooled_thinker::PooledThinker;

/// The maximum number of games of a worker whose searches fill lanes together.
const MAX_POOLED_GAMES: usize = 128;

/// The approximate memory limit of the trees of one worker.
const TREE_BYTES: u64 = 2 << 30;

/// The approximate size of a node.
const NODE_BYTES: u64 = 1 << 10;

/// The agents of a contest.
pub(super) struct ContestAgents<'c, G: Game> {
    game: Arc<G>,
    contest: &'c Contest,
    shared: bool,
}

impl<'c, G: Game> ContestAgents<'c, G> {
    /// The agents of a contest.
    ///
    /// They share an evaluator if playouts run in parallel lanes and the number of simulations is
    /// fixed. With a clock, searches must not share their time.
    pub(super) fn new(game: &Arc<G>, contest: &'c Contest) -> Self {
        let counted = |limits: Allowance| limits.iterations.is_some() && limits.time.is_none();
        let terms = &contest.terms;
        let counted = counted(terms.allowance) && terms.start.is_none_or(counted);
        let shared = counted && Arc::clone(game).simulator().lanes() > 1;
        ContestAgents { game: Arc::clone(game), contest, shared }
    }

    /// Builds an agent; called on the thread of a worker.
    pub(super) fn agent(&self, number: usize) -> Box<dyn Agent<G>> {
        let (spec, game) = (&self.contest.agents[number], Arc::clone(&self.game));
        // Each match sets its own seed.
        if self.shared { spec.build_pooled(game, 0) } else { spec.build(game, 0) }
    }

    /// Builds a thinker; called on the thread of a worker.
    pub(super) fn thinker(&self) -> Box<dyn Thinker<G>> {
        if self.shared {
            Box::new(PooledThinker::new(Arc::clone(&self.game)))
        } else {
            Box::new(InTurn)
        }
    }

    /// How many games a worker plays at the same time, given the number of missing games.
    pub(super) fn games_per_worker(&self, missing: usize, workers: usize) -> usize {
        let default =
            if self.fills_lanes() { MAX_POOLED_GAMES.min(self.max_in_memory()) } else { 1 };
        let wanted = self.contest.together.unwrap_or(default);
        // No worker takes games that another could play at the same time.
        wanted.min(missing.div_ceil(workers)).max(1)
    }

    /// Whether concurrent games fill lanes. A search that cannot be pooled takes most of the time
    /// anyway: then games are played one after the other, so that more of them are recorded if the
    /// program crashes.
    fn fills_lanes(&self) -> bool {
        let is_pooled = |number| match self.agent(number).searchers() {
            [searcher] => Pooling::of(searcher) != Pooling::Alone,
            _ => true,
        };
        self.shared && (0..self.contest.agents.len()).all(is_pooled)
    }

    /// How many games fit into the memory for trees.
    fn max_in_memory(&self) -> usize {
        let seats = self.game.roles().len() as u64;
        let terms = &self.contest.terms;
        let start = terms.start.and_then(|start| start.iterations);
        let iterations = terms.allowance.iterations.max(start).unwrap_or(1);
        let game = iterations.saturating_mul(seats * NODE_BYTES).max(1);
        usize::try_from(TREE_BYTES / game).unwrap_or(usize::MAX).max(1)
    }
}
