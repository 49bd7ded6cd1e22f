//! The speed of searches, by CPU time.
//!
//! An agent searches the initial state with an empty tree, repeatedly. CPU time is that of the whole
//! process, so that an agent with several threads is not measured by the one that waits for them: nothing
//! else may run at the same time.

use std::sync::Arc;
use std::time::Duration;

use cpu_time::ProcessTime;
use ludens_core::{Budget, Game, Rng};
use ludens_search::{Agent, Member, Pool, Report, Watch};

use ludens_catalog::{AgentSpec, AnyGame, CatalogError, WithGame};

/// The agent and the size of a search.
#[derive(Clone, Debug)]
pub struct SearchSetup {
    /// The agent.
    pub agent: AgentSpec,
    /// The number of simulations of each search.
    pub iterations: u64,
    /// The number of searches that share one evaluator; 1 is a single agent.
    pub together: usize,
    /// The seed of random numbers.
    pub seed: u64,
}

/// Searches of one measurement.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SearchLap {
    /// The number of searches; those that share an evaluator count as one.
    pub thoughts: u64,
    /// The number of simulations.
    pub simulations: u64,
    /// The number of joint moves, in trees and in playouts.
    pub plies: u64,
    /// The number of nodes after the searches, in all trees.
    pub nodes: u64,
    /// Their size in bytes.
    pub bytes: u64,
    /// CPU time.
    pub seconds: f64,
}

impl SearchLap {
    /// Simulations per second.
    pub fn simulations_per_second(&self) -> f64 {
        self.simulations as f64 / self.seconds.max(f64::MIN_POSITIVE)
    }

    /// Joint moves per second.
    pub fn plies_per_second(&self) -> f64 {
        self.plies as f64 / self.seconds.max(f64::MIN_POSITIVE)
    }

    /// Bytes per node.
    pub fn bytes_per_node(&self) -> f64 {
        self.bytes as f64 / self.nodes.max(1) as f64
    }

    fn add(&mut self, report: &Report) {
        self.simulations += report.iterations;
        self.plies += report.plies;
        self.nodes += report.nodes;
        self.bytes += report.bytes;
    }
}

/// The lap of median simulations per second; an empty one if there are none.
pub fn median_search(mut laps: Vec<SearchLap>) -> SearchLap {
    laps.sort_by(|a, b| a.simulations_per_second().total_cmp(&b.simulations_per_second()));
    laps.get(laps.len() / 2).copied().unwrap_or_default()
}

/// Searches of any duration.
pub trait SearchTrack {
    /// The batch size of the agent; `None` if it has no tree or several.
    fn batch(&self) -> Option<usize>;

    /// Searches until `time` of CPU time is used, at least once.
    fn lap(&mut self, time: Duration) -> SearchLap;
}

/// Prepares searches of the initial state; the same seed gives the same searches in the same order,
/// but their number depends on the speed.
pub fn search_track(
    game: &AnyGame,
    setup: SearchSetup,
) -> Result<Box<dyn SearchTrack>, CatalogError> {
    game.with(Preparing(setup))
}

struct Preparing(SearchSetup);

impl WithGame for Preparing {
    type Out = Result<Box<dyn SearchTrack>, CatalogError>;

    fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
        let SearchSetup { agent, iterations, together, seed } = self.0;
        let (state, budget) = (game.initial(), Budget::unlimited().with_iterations(iterations));
        if together <= 1 {
            let mut agent = agent.build(game, seed);
            let batch = match agent.searchers() {
                [searcher] => searcher.batch.map(|batch| batch.max),
                _ => None,
            };
            let runner = SingleSearch { agent, batch, state, budget };
            return Ok(Box::new(Repeating { runner, seed, n_searches: 0 }));
        }
        let member = |_| {
            let mut member = agent.build_pooled(Arc::clone(&game), seed);
            if member.searchers().len() == 1 { Ok(member) } else { Err(not_poolable(&agent)) }
        };
        let agents = (0..together).map(member).collect::<Result<Vec<_>, _>>()?;
        let runner = PooledSearches { agents, pool: Pool::new(game), state, budget };
        Ok(Box::new(Repeating { runner, seed, n_searches: 0 }))
    }
}

fn not_poolable(agent: &AgentSpec) -> CatalogError {
    CatalogError::Composition {
        what: format!("searches of `{agent}` cannot share an evaluator"),
        hint: "tree searches with one thread can, such as `uct` or `grave + mast`".into(),
    }
}

/// Runs one or several searches.
trait SearchRunner {
    fn batch(&self) -> Option<usize>;

    /// Searches once with an empty tree, and adds the report to a lap.
    fn run(&mut self, rng: &mut Rng, lap: &mut SearchLap);
}

/// The search of a single agent.
struct SingleSearch<G: Game> {
    agent: Box<dyn Agent<G>>,
    batch: Option<usize>,
    state: G::State,
    budget: Budget,
}

impl<G: Game> SearchRunner for SingleSearch<G> {
    fn batch(&self) -> Option<usize> {
        self.batch
    }

    fn run(&mut self, rng: &mut Rng, lap: &mut SearchLap) {
        self.agent.begin(rng.next_u64());
        lap.add(&self.agent.think(&self.state, &self.budget, &mut Watch::none()));
    }
}

/// Searches that share an evaluator, each with one leaf at a time.
struct PooledSearches<G: Game> {
    agents: Vec<Box<dyn Agent<G>>>,
    pool: Pool<G>,
    state: G::State,
    budget: Budget,
}

impl<G: Game> SearchRunner for PooledSearches<G> {
    fn batch(&self) -> Option<usize> {
        Some(1)
    }

    fn run(&mut self, rng: &mut Rng, lap: &mut SearchLap) {
        let PooledSearches { agents, pool, state, budget } = self;
        for agent in agents.iter_mut() {
            agent.begin(rng.next_u64());
        }
        let member = |agent| Member { agent, state };
        let mut members: Vec<_> =
            agents.iter_mut().map(|agent| member(&mut **agent as &mut dyn Agent<G>)).collect();
        pool.think(&mut members, budget).iter().for_each(|report| lap.add(report));
    }
}

/// Repeated searches.
struct Repeating<R> {
    runner: R,
    seed: u64,
    n_searches: u64,
}

impl<R: SearchRunner> SearchTrack for Repeating<R> {
    fn batch(&self) -> Option<usize> {
        self.runner.batch()
    }

    fn lap(&mut self, time: Duration) -> SearchLap {
        let mut lap = SearchLap::default();
        let begun = ProcessTime::now();
        loop {
            self.runner.run(&mut Rng::stream(self.seed, &[self.n_searches]), &mut lap);
            self.n_searches += 1;
            lap.thoughts += 1;
            let used = begun.elapsed();
            if used >= time {
                return SearchLap { seconds: used.as_secs_f64(), ..lap };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_catalog::{ReasonerKind, load_agent, load_game};

    fn track(game: &str, agent: &str, together: usize) -> Box<dyn SearchTrack> {
        let loaded = load_game(game, ReasonerKind::Auto, &Budget::unlimited()).unwrap();
        let agent = load_agent(agent).unwrap();
        let setup = SearchSetup { agent, iterations: 50, together, seed: 1 };
        search_track(&loaded.game, setup).unwrap()
    }

    #[test]
    fn every_search_has_its_simulations_and_an_empty_tree() {
        let mut uct = track("tictactoe", "uct(batch=1)", 1);
        let laps = [uct.lap(Duration::ZERO), uct.lap(Duration::from_millis(5))];
        assert_eq!((laps[0].thoughts, uct.batch()), (1, Some(1)));
        for lap in laps {
            assert_eq!(lap.simulations, 50 * lap.thoughts);
            assert!(lap.nodes <= 51 * lap.thoughts && lap.nodes > 20 * lap.thoughts, "{lap:?}");
            // Games take five to nine moves, and every simulation is a whole game.
            assert!((250 * lap.thoughts..=450 * lap.thoughts).contains(&lap.plies), "{lap:?}");
            assert!(lap.bytes_per_node() > 8.0 && lap.seconds > 0.0);
        }
    }

    #[test]
    fn searches_that_share_an_evaluator_add_up() {
        for agent in ["uct", "mast"] {
            let mut together = track("tictactoe", agent, 3);
            let lap = together.lap(Duration::ZERO);
            assert_eq!((lap.simulations, together.batch()), (150, Some(1)), "{agent}");
            assert!((750..=1350).contains(&lap.plies) && lap.nodes > 60, "{agent}: {lap:?}");
            let again = together.lap(Duration::ZERO);
            assert_eq!(again.simulations, 150, "the last tree is dropped");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_searches() {
        let laps = [1, 2].map(|together| {
            let lap =
                || SearchLap { seconds: 0.0, ..track("nim", "uct", together).lap(Duration::ZERO) };
            assert_eq!(lap(), lap());
            lap()
        });
        assert_ne!(laps[0], laps[1]);
    }

    #[test]
    fn agents_without_one_tree_cannot_share() {
        let loaded = load_game("tictactoe", ReasonerKind::Auto, &Budget::unlimited()).unwrap();
        for agent in ["flat", "uct(threads=2)"] {
            let agent = load_agent(agent).unwrap();
            let setup = SearchSetup { agent, iterations: 9, together: 2, seed: 1 };
            let error = search_track(&loaded.game, setup.clone()).err().unwrap();
            assert!(error.to_string().ends_with("cannot share an evaluator"), "{error}");
            let alone = search_track(&loaded.game, SearchSetup { together: 1, ..setup });
            assert_eq!(alone.unwrap().batch(), None);
        }
    }

    #[test]
    fn the_median_lap_counts() {
        let lap = |simulations| SearchLap { simulations, seconds: 1.0, ..SearchLap::default() };
        assert_eq!(median_search(vec![lap(9), lap(1), lap(3)]), lap(3));
        assert_eq!(median_search(vec![]), SearchLap::default());
    }
}
