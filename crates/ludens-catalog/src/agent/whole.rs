//! Searches without policies.

use std::sync::Arc;

use ludens_core::Game;
use ludens_search::{
    Agent, Candidate, Construction, EvenValue, Flat, Greedy, HeuristicMinimax, Lesson, MaxN,
    Minimax, Nested, Nrpa, NrpaOptions, Planner, PlayoutValue, Race, Random, Solver, StateValue,
};

use super::chosen::Chosen;
use super::networks::{descent, network_alone, zero};
use super::part::Named;
use super::spec::load_agent;

/// A search without policies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Whole {
    /// Random legal moves.
    Random,
    /// Flat Monte Carlo.
    Flat,
    /// Minimax with α–β.
    Minimax,
    /// Max-n.
    MaxN,
    /// Nested Monte Carlo search.
    Nested,
    /// Nested rollout policy adaptation.
    Nrpa,
    /// Best-first search for plans.
    Planner,
    /// Exhaustive search of small games.
    Solver,
    /// Minimax with an evaluation function.
    Heuristic,
    /// The best move by an evaluation function, without search.
    Greedy,
    /// The winner of a race before the match.
    Auto,
    /// Tree search with a network.
    Zero,
    /// A network without search.
    NetworkAlone,
    /// Best-first minimax with a network.
    Descent,
}

impl Whole {
    /// The agent for a game.
    pub(super) fn build<G: Game>(
        self,
        choice: &Chosen,
        game: Arc<G>,
        seed: u64,
    ) -> Box<dyn Agent<G>> {
        match self {
            Whole::Random => Box::new(Random::new(game, seed)),
            Whole::Flat => Box::new(Flat::new(game, choice.number("c"), seed)),
            Whole::Minimax => {
                let value = value(choice, &game, seed);
                Box::new(Minimax::new(game, value, table_bytes(choice)))
            }
            Whole::MaxN => {
                let value = value(choice, &game, seed);
                Box::new(MaxN::new(game, value))
            }
            Whole::Nested => Box::new(Nested::new(game, choice.whole("level") as u32, seed)),
            Whole::Nrpa => Box::new(Nrpa::new(game, nrpa_options(choice), seed)),
            Whole::Planner => Box::new(Planner::new(game, table_bytes(choice), seed)),
            Whole::Solver => {
                let value = value(choice, &game, seed);
                Box::new(Solver::new(game, value, table_bytes(choice)))
            }
            Whole::Heuristic => {
                Box::new(HeuristicMinimax::new(game, lesson(choice), table_bytes(choice)))
            }
            Whole::Greedy => Box::new(Greedy::new(game, lesson(choice))),
            Whole::Auto => Box::new(auto(choice, &game, seed)),
            Whole::Zero => zero(choice, &game, seed),
            Whole::NetworkAlone => network_alone(choice, &game, seed),
            Whole::Descent => descent(choice, &game, seed),
        }
    }
}

/// The evaluation of states at the depth limit.
fn value<G: Game>(choice: &Chosen, game: &Arc<G>, seed: u64) -> Box<dyn StateValue<G>> {
    match choice.whole("playouts") {
        0 => Box::new(EvenValue),
        n => Box::new(PlayoutValue::new(Arc::clone(game), n, seed)),
    }
}

/// How an evaluation function is learnt.
pub(super) fn lesson<G: Game>(choice: &Chosen) -> Lesson<G> {
    let guided = choice.word("simulations") == "uct";
    Lesson::new(Construction { guided, ..Construction::default() })
}

/// The candidates without an evaluation function; the first is the baseline of the race.
const PLAIN_CANDIDATES: [&str; 2] = ["uct", "uct + ppaf(memorize)"];

fn auto<G: Game>(choice: &Chosen, game: &Arc<G>, seed: u64) -> Race<G> {
    let lesson = lesson(choice);
    let mut candidates: Vec<Candidate<G>> = Vec::new();
    for name in PLAIN_CANDIDATES {
        let agent = load_agent(name).expect("the catalog has it").build_for(Arc::clone(game), seed);
        candidates.push(Candidate { name: name.to_owned(), agent });
    }
    let defaults =
        |name: &str| Chosen::with_defaults(Named::find(name).expect("the catalog has it"));
    let mut add = |name: &str, agent| candidates.push(Candidate { name: name.to_owned(), agent });
    let bytes = table_bytes(&defaults("heuristic"));
    add("heuristic", Box::new(HeuristicMinimax::new(Arc::clone(game), lesson.share(), bytes)));
    let guided = load_agent("guided").expect("the catalog has it");
    add("guided", guided.build_search(game, 0, Some(lesson.share())));
    Race::new(Arc::clone(game), lesson, candidates)
}

fn table_bytes(choice: &Chosen) -> usize {
    usize::try_from(choice.whole("memory")).unwrap_or(usize::MAX)
}

pub(super) fn nrpa_options(choice: &Chosen) -> NrpaOptions {
    NrpaOptions {
        level: choice.whole("level") as u32,
        iterations: choice.whole("iterations") as u32,
        alpha: choice.float("alpha"),
    }
}
