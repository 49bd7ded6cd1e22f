//! How fast agents think, by CPU time.
//!
//! An agent thinks about the initial state with an empty tree, again and again. CPU time is that of the
//! whole process, so that an agent with several threads is not measured by the one that waits for them:
//! nothing else may run beside it.

use std::sync::Arc;
use std::time::Duration;

use cpu_time::ProcessTime;
use ludens_core::{Budget, Game, Rng};
use ludens_search::{Agent, Member, Pool, Report, Watch};

use ludens_catalog::{AgentSpec, AnyGame, CatalogError, WithGame};

/// Who thinks, and for how long.
#[derive(Clone, Debug)]
pub struct SearchSetup {
    /// Who thinks.
    pub agent: AgentSpec,
    /// How many simulations each thought takes.
    pub iterations: u64,
    /// How many searches share one evaluator; 1 is an agent by itself.
    pub together: usize,
    /// Random numbers depend on it.
    pub seed: u64,
}

/// Thoughts in one go.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SearchLap {
    /// How many thoughts; those of searches that share an evaluator count as one.
    pub thoughts: u64,
    /// How many simulations they took.
    pub simulations: u64,
    /// How many joint moves were made, in trees and in playouts.
    pub plies: u64,
    /// How many positions were remembered after the thoughts, in all trees.
    pub nodes: u64,
    /// How many bytes that took.
    pub bytes: u64,
    /// CPU time.
    pub seconds: f64,
}

impl SearchLap {
    /// Simulations in a second.
    pub fn simulations_per_second(&self) -> f64 {
        self.simulations as f64 / self.seconds.max(f64::MIN_POSITIVE)
    }

    /// Joint moves in a second.
    pub fn plies_per_second(&self) -> f64 {
        self.plies as f64 / self.seconds.max(f64::MIN_POSITIVE)
    }

    /// How much memory a position takes.
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

/// The lap in the middle by simulations a second; an empty one if there are none.
pub fn median_search(mut laps: Vec<SearchLap>) -> SearchLap {
    laps.sort_by(|a, b| a.simulations_per_second().total_cmp(&b.simulations_per_second()));
    laps.get(laps.len() / 2).copied().unwrap_or_default()
}

/// An agent that thinks as long as one likes.
pub trait SearchTrack {
    /// How many leaves the agent evaluates at once; `None` if it has no tree or several.
    fn batch(&self) -> Option<usize>;

    /// Thinks until so much CPU time is used, once at least.
    fn lap(&mut self, time: Duration) -> SearchLap;
}

/// Prepares to think about the initial state; the same seed gives the same thoughts in the same
/// order, but how many fit into a time nobody knows.
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
                [searcher] => searcher.batch.map(|batch| batch.most),
                _ => None,
            };
            let thinker = Alone { agent, batch, state, budget };
            return Ok(Box::new(Repeating { thinker, seed, n_thoughts: 0 }));
        }
        let member = |_| {
            let mut member = agent.build_pooled(Arc::clone(&game), seed);
            if member.searchers().len() == 1 { Ok(member) } else { Err(not_together(&agent)) }
        };
        let agents = (0..together).map(member).collect::<Result<Vec<_>, _>>()?;
        let thinker = Together { agents, pool: Pool::new(game), state, budget };
        Ok(Box::new(Repeating { thinker, seed, n_thoughts: 0 }))
    }
}

fn not_together(agent: &AgentSpec) -> CatalogError {
    CatalogError::Composition {
        what: format!("searches of `{agent}` cannot share an evaluator"),
        hint: "tree searches with one thread can, such as `uct` or `grave + mast`".into(),
    }
}

/// Whoever thinks.
trait Thinker {
    fn batch(&self) -> Option<usize>;

    /// Forgets everything and thinks once; what came of it is added to a lap.
    fn think(&mut self, rng: &mut Rng, lap: &mut SearchLap);
}

/// An agent by itself.
struct Alone<G: Game> {
    agent: Box<dyn Agent<G>>,
    batch: Option<usize>,
    state: G::State,
    budget: Budget,
}

impl<G: Game> Thinker for Alone<G> {
    fn batch(&self) -> Option<usize> {
        self.batch
    }

    fn think(&mut self, rng: &mut Rng, lap: &mut SearchLap) {
        self.agent.begin(rng.next_u64());
        lap.add(&self.agent.think(&self.state, &self.budget, &mut Watch::none()));
    }
}

/// Searches that share an evaluator, each with one leaf at a time.
struct Together<G: Game> {
    agents: Vec<Box<dyn Agent<G>>>,
    pool: Pool<G>,
    state: G::State,
    budget: Budget,
}

impl<G: Game> Thinker for Together<G> {
    fn batch(&self) -> Option<usize> {
        Some(1)
    }

    fn think(&mut self, rng: &mut Rng, lap: &mut SearchLap) {
        let Together { agents, pool, state, budget } = self;
        for agent in agents.iter_mut() {
            agent.begin(rng.next_u64());
        }
        let member = |agent| Member { agent, state };
        let mut members: Vec<_> =
            agents.iter_mut().map(|agent| member(&mut **agent as &mut dyn Agent<G>)).collect();
        pool.think(&mut members, budget).iter().for_each(|report| lap.add(report));
    }
}

/// One thought after the other.
struct Repeating<T> {
    thinker: T,
    seed: u64,
    n_thoughts: u64,
}

impl<T: Thinker> SearchTrack for Repeating<T> {
    fn batch(&self) -> Option<usize> {
        self.thinker.batch()
    }

    fn lap(&mut self, time: Duration) -> SearchLap {
        let mut lap = SearchLap::default();
        let begun = ProcessTime::now();
        loop {
            self.thinker.think(&mut Rng::stream(self.seed, &[self.n_thoughts]), &mut lap);
            self.n_thoughts += 1;
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
    fn every_thought_has_its_simulations_and_an_empty_tree() {
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
            assert_eq!(again.simulations, 150, "what the last thought knew is forgotten");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_thoughts() {
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
    fn the_middle_lap_counts() {
        let lap = |simulations| SearchLap { simulations, seconds: 1.0, ..SearchLap::default() };
        assert_eq!(median_search(vec![lap(9), lap(1), lap(3)]), lap(3));
        assert_eq!(median_search(vec![]), SearchLap::default());
    }
}
