//! Agents that are used game after game: making one may be dear.

use ludens_core::Game;
use ludens_search::Agent;

use super::guard::guarded;

/// Makes the agent with a number; called on any thread.
pub type AgentMaker<'a, G> = dyn Fn(usize) -> Box<dyn Agent<G>> + Sync + 'a;

/// The agents of one worker that are not playing now.
pub struct AgentPool<'a, G: Game> {
    maker: &'a AgentMaker<'a, G>,
    /// Agents with their numbers. Few, so that searching them costs nothing.
    idle: Vec<(usize, Box<dyn Agent<G>>)>,
}

impl<'a, G: Game> AgentPool<'a, G> {
    /// No agents yet.
    pub fn new(maker: &'a AgentMaker<'a, G>) -> Self {
        AgentPool { maker, idle: Vec::new() }
    }

    /// An agent that has begun a game with a seed, or what the panic said that prevented it.
    pub fn lend(&mut self, agent: usize, seed: u64) -> Result<Box<dyn Agent<G>>, String> {
        let idle = self.idle.iter().position(|(number, _)| *number == agent);
        let idle = idle.map(|at| self.idle.swap_remove(at).1);
        guarded(|| {
            let mut agent = idle.unwrap_or_else(|| (self.maker)(agent));
            agent.begin(seed);
            agent
        })
    }

    /// Takes back an agent that never panicked.
    pub fn take_back(&mut self, number: usize, agent: Box<dyn Agent<G>>) {
        self.idle.push((number, agent));
    }
}
