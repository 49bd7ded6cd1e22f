//! Agents that are reused from game to game: creating one may be expensive.

use ludens_core::Game;
use ludens_search::Agent;

use super::guard::guarded;

/// Creates the agent with an index; called on any thread.
pub type AgentMaker<'a, G> = dyn Fn(usize) -> Box<dyn Agent<G>> + Sync + 'a;

/// The idle agents of one worker.
pub struct AgentPool<'a, G: Game> {
    maker: &'a AgentMaker<'a, G>,
    /// Agents with their indices: few enough for linear search.
    idle: Vec<(usize, Box<dyn Agent<G>>)>,
}

impl<'a, G: Game> AgentPool<'a, G> {
    /// An empty pool.
    pub fn new(maker: &'a AgentMaker<'a, G>) -> Self {
        AgentPool { maker, idle: Vec::new() }
    }

    /// An agent that has begun a game with a seed, or the message of the panic that prevented it.
    pub fn lend(&mut self, agent: usize, seed: u64) -> Result<Box<dyn Agent<G>>, String> {
        let idle = self.idle.iter().position(|(number, _)| *number == agent);
        let idle = idle.map(|at| self.idle.swap_remove(at).1);
        guarded(|| {
            let mut agent = idle.unwrap_or_else(|| (self.maker)(agent));
            agent.begin(seed);
            agent
        })
    }

    /// Takes back an agent that has not panicked.
    pub fn take_back(&mut self, number: usize, agent: Box<dyn Agent<G>>) {
        self.idle.push((number, agent));
    }
}
