//! Builds an agent for a game from its spec.

use std::sync::Arc;

use ludens_core::{Cut, Game, Limit};
use ludens_search::{
    Agent, Chain, Endgame, Guidance, Guided, Lesson, Mcts, Parallel, ProgressiveBias, Searcher,
    Settings, Sharing, TreePolicy, Unpruning, Unvisited,
};

use super::chosen::Chosen;
use super::part::Make;
use super::spec::AgentSpec;
use super::whole::lesson;

/// A batch size that the search and the evaluator choose.
const AUTO: usize = 0;

impl AgentSpec {
    /// The agent for a game of any type, compiled for this type in the calling crate.
    pub fn build_for<G: Game>(&self, game: Arc<G>, seed: u64) -> Box<dyn Agent<G>> {
        let mut agent = match self.first.part.make {
            Make::Whole(search) => search.build(&self.first, Arc::clone(&game), seed),
            _ => self.build_search(&game, AUTO, None),
        };
        if self.first.has_flag("endgame") {
            agent = Box::new(Endgame::new(game, agent, self.n_threads()));
        }
        agent.begin(seed);
        agent
    }

    /// As [`AgentSpec::build_for`], for a game in which many agents share one evaluator.
    pub fn build_pooled_for<G: Game>(&self, game: Arc<G>, seed: u64) -> Box<dyn Agent<G>> {
        let has_network = self.network().is_some();
        let is_whole = matches!(self.first.part.make, Make::Whole(_));
        let is_wrapped = self.first.has_flag("decisive") || self.first.has_flag("endgame");
        if has_network || is_whole || self.n_threads() > 1 || is_wrapped {
            return self.build_for(game, seed);
        }
        let mut agent = self.build_search(&game, 1, None);
        agent.begin(seed);
        agent
    }

    /// A tree search with its evaluator. Its evaluation function comes from the shared lesson, if
    /// there is one, or from its own.
    pub(super) fn build_search<G: Game>(
        &self,
        game: &Arc<G>,
        auto: usize,
        shared: Option<Lesson<G>>,
    ) -> Box<dyn Agent<G>> {
        if let Some(net) = self.network() {
            return self.build_with_network(game, net);
        }
        let game = &searched(&self.first, game);
        let batch = self.batch().unwrap_or(auto);
        let searcher = || {
            let (policy, chain) = (self.tree_policy(), self.chain());
            Searcher::new(Arc::clone(game), policy, chain, self.settings(), batch)
        };
        let agent: Box<dyn Agent<G>> = if self.n_threads() > 1 {
            Box::new(Parallel::new(game, searcher, self.n_threads(), self.sharing()))
        } else {
            let (policy, chain) = (self.tree_policy(), self.chain());
            let mcts = Mcts::new(Arc::clone(game), policy, chain, self.settings(), batch);
            Box::new(if self.first.has_flag("decisive") { mcts.alone() } else { mcts })
        };
        let Some(heuristic) = self.heuristic() else { return agent };
        let lesson = shared.unwrap_or_else(|| lesson(heuristic));
        let guidance = Guidance {
            ordered: heuristic.flag("order"),
            replaced: heuristic.number("replace"),
            learning: heuristic.number("learning"),
        };
        Box::new(Guided::new(Arc::clone(game), agent, lesson, guidance))
    }

    pub(super) fn tree_policy(&self) -> Box<dyn TreePolicy> {
        let Make::Tree(make) = self.first.part.make else {
            unreachable!("an agent has a tree policy or is a whole search")
        };
        let Some(heuristic) = self.heuristic() else { return make(&self.first, Unvisited::First) };
        let unvisited = if heuristic.flag("order") { Unvisited::InOrder } else { Unvisited::First };
        let weight = heuristic.number("bias");
        let mut policy = if weight > 0.0 {
            let exploration = self.first.number("c");
            let unvisited = self.first.unvisited("fpu", unvisited);
            Box::new(ProgressiveBias { exploration, weight, unvisited })
        } else {
            make(&self.first, unvisited)
        };
        if let Some(first) = heuristic.whole_unless_word("open") {
            policy = Box::new(Unpruning::new(first as usize, policy));
        }
        policy
    }

    pub(super) fn n_threads(&self) -> usize {
        self.first.whole("threads") as usize
    }

    pub(super) fn sharing(&self) -> Sharing {
        if self.first.word("parallel") == "tree" { Sharing::Tree } else { Sharing::Root }
    }

    /// The batch size; `None` for `auto`.
    pub(super) fn batch(&self) -> Option<usize> {
        self.first.whole_unless_word("batch").map(|batch| batch as usize)
    }

    pub(super) fn settings(&self) -> Settings {
        let bytes = usize::try_from(self.first.whole("memory")).unwrap_or(usize::MAX);
        // Threads with separate trees share the memory.
        let n_trees = match self.sharing() {
            Sharing::Root => self.first.whole("threads") as usize,
            Sharing::Tree => 1,
        };
        let (solver, reuse) = (self.first.flag("solver"), self.first.flag("reuse"));
        let max_simulations = self.first.whole_unless_word("iterations").unwrap_or(u64::MAX);
        let max_bytes = bytes / n_trees;
        Settings { solver, reuse, max_bytes, limit: self.limit(), max_simulations }
    }

    /// The length limit of its playouts.
    fn limit(&self) -> Limit {
        let Some(plies) = self.first.whole_unless_word("length") else {
            return Limit::default();
        };
        let cut = if self.first.word("cut") == "goal" { Cut::Goal } else { Cut::Draw };
        Limit { plies: plies as u32, cut }
    }

    /// The policies of its playouts.
    fn chain(&self) -> Chain {
        let policies = self.chain.iter().filter_map(|part| match part.part.make {
            Make::MayAbstain(make) | Make::AlwaysDecides(make) => Some(make(part)),
            _ => None,
        });
        Chain::new(policies.collect())
    }
}

/// The game that is searched: with decisive moves only, if they are wanted and known.
pub(super) fn searched<G: Game>(choice: &Chosen, game: &Arc<G>) -> Arc<G> {
    let decisive = choice.flag("decisive").then(|| game.decisive()).flatten();
    Arc::clone(decisive.unwrap_or(game))
}
