//! Who plays, and who thinks with whom.

use std::sync::Arc;

use ludens_arena::clock::Allowance;
use ludens_arena::play::{InTurn, Thinker};
use ludens_core::Game;
use ludens_search::{Agent, Pooling};

use super::Contest;
use super::together::Together;

/// How many games a worker plays at the same time where they fill lanes together.
const GAMES_TOGETHER: usize = 128;

/// What the trees of the games in progress of one worker may take, roughly.
const TREE_BYTES: u64 = 2 << 30;

/// What a node of a tree takes, roughly.
const NODE_BYTES: u64 = 1 << 10;

/// The agents of a contest.
pub(super) struct Company<'c, G: Game> {
    game: Arc<G>,
    contest: &'c Contest,
    shared: bool,
}

impl<'c, G: Game> Company<'c, G> {
    /// The agents of a contest.
    ///
    /// They share an evaluator where playouts run side by side and the number of simulations is
    /// fixed. With a clock, each move of each game needs the whole machine for itself.
    pub(super) fn new(game: &Arc<G>, contest: &'c Contest) -> Self {
        let counted = |limits: Allowance| limits.iterations.is_some() && limits.time.is_none();
        let terms = &contest.terms;
        let counted = counted(terms.allowance) && terms.start.is_none_or(counted);
        let shared = counted && Arc::clone(game).simulator().lanes() > 1;
        Company { game: Arc::clone(game), contest, shared }
    }

    /// Makes an agent; called on the thread of a worker.
    pub(super) fn agent(&self, number: usize) -> Box<dyn Agent<G>> {
        let (spec, game) = (&self.contest.agents[number], Arc::clone(&self.game));
        // Every match begins with a seed of its own.
        if self.shared { spec.build_pooled(game, 0) } else { spec.build(game, 0) }
    }

    /// Makes what lets agents think; called on the thread of a worker.
    pub(super) fn thinker(&self) -> Box<dyn Thinker<G>> {
        if self.shared { Box::new(Together::new(Arc::clone(&self.game))) } else { Box::new(InTurn) }
    }

    /// How many games a worker plays at the same time, if so many are missing.
    pub(super) fn games_per_worker(&self, missing: usize, workers: usize) -> usize {
        let usual = if self.is_filling() { GAMES_TOGETHER.min(self.most_in_memory()) } else { 1 };
        let wanted = self.contest.together.unwrap_or(usual);
        // No worker takes games that another could play at the same time.
        wanted.min(missing.div_ceil(workers)).max(1)
    }

    /// Whether games in progress at the same time fill lanes. If one of the searches thinks by
    /// itself, it takes most of the time anyway: then games rather end one after the other, so
    /// that more is written down if the program dies.
    fn is_filling(&self) -> bool {
        let is_pooled = |number| match self.agent(number).searchers() {
            [searcher] => Pooling::of(searcher) != Pooling::Alone,
            _ => true,
        };
        self.shared && (0..self.contest.agents.len()).all(is_pooled)
    }

    /// How many games the memory for trees is enough for.
    fn most_in_memory(&self) -> usize {
        let seats = self.game.roles().len() as u64;
        let terms = &self.contest.terms;
        let start = terms.start.and_then(|start| start.iterations);
        let iterations = terms.allowance.iterations.max(start).unwrap_or(1);
        let game = iterations.saturating_mul(seats * NODE_BYTES).max(1);
        usize::try_from(TREE_BYTES / game).unwrap_or(usize::MAX).max(1)
    }
}
