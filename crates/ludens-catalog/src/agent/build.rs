//! From what was chosen to an agent for a game.

use std::sync::Arc;

use ludens_core::{Cut, Game, Limit};
use ludens_search::{Agent, Chain, Mcts, Mind, Parallel, Settings, Sharing, TreePolicy};

use super::chosen::Chosen;
use super::part::Make;
use super::spec::AgentSpec;

/// A batch of as many leaves as suit the search and the game's simulator.
const AUTO: usize = 0;

impl AgentSpec {
    /// The agent for a game.
    pub fn build<G: Game>(&self, game: Arc<G>, seed: u64) -> Box<dyn Agent<G>> {
        let mut agent: Box<dyn Agent<G>> = match self.first.part.make {
            Make::Whole(search) => search.build(&self.first, game, seed),
            _ if self.first.whole("threads") > 1 => Box::new(self.parallel(&game)),
            _ => {
                let batch = self.batch().unwrap_or(AUTO);
                let policy = tree_policy(&self.first);
                Box::new(Mcts::new(game, policy, self.chain(), self.settings(), batch))
            }
        };
        agent.begin(seed);
        agent
    }

    /// The mind of a tree search with one thread, for many of them to share one evaluator; `None`
    /// for other agents. There `auto` is a batch of 1, since others fill the lanes.
    pub fn mind<G: Game>(&self, game: Arc<G>, seed: u64) -> Option<Mind<G>> {
        if matches!(self.first.part.make, Make::Whole(_)) || self.first.whole("threads") > 1 {
            return None;
        }
        let mut mind = self.new_mind(game, self.batch().unwrap_or(1));
        mind.begin(seed);
        Some(mind)
    }

    fn parallel<G: Game>(&self, game: &Arc<G>) -> Parallel<G> {
        let threads = self.first.whole("threads") as usize;
        let make = || self.new_mind(Arc::clone(game), self.batch().unwrap_or(AUTO));
        Parallel::new(game, make, threads, self.sharing())
    }

    fn new_mind<G: Game>(&self, game: Arc<G>, batch: usize) -> Mind<G> {
        Mind::new(game, tree_policy(&self.first), self.chain(), self.settings(), batch)
    }

    fn sharing(&self) -> Sharing {
        if self.first.word("parallel") == "tree" { Sharing::Tree } else { Sharing::Root }
    }

    /// How many leaves are evaluated together; `None` if that was left to the agent.
    fn batch(&self) -> Option<usize> {
        self.first.whole_unless_word("batch").map(|batch| batch as usize)
    }

    pub(super) fn settings(&self) -> Settings {
        let bytes = usize::try_from(self.first.whole("memory")).unwrap_or(usize::MAX);
        // Threads with trees of their own share the memory.
        let n_trees = match self.sharing() {
            Sharing::Root => self.first.whole("threads") as usize,
            Sharing::Tree => 1,
        };
        let (solver, reuse) = (self.first.flag("solver"), self.first.flag("reuse"));
        Settings { solver, reuse, max_bytes: bytes / n_trees, limit: self.limit() }
    }

    /// How long its playouts may go on.
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
            Make::Opinion(make) | Make::Decision(make) => Some(make(part)),
            _ => None,
        });
        Chain::new(policies.collect())
    }
}

fn tree_policy(first: &Chosen) -> Box<dyn TreePolicy> {
    match first.part.make {
        Make::Tree(make) => make(first),
        _ => unreachable!("an agent begins with a tree policy or is a whole search"),
    }
}
