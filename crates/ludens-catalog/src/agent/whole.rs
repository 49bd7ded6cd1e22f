//! Searches without policies.

use std::sync::Arc;

use ludens_core::Game;
use ludens_search::{
    Agent, Candidate, Construction, Endgame, EvenValue, Flat, Greedy, HeuristicMinimax, Lesson,
    MaxN, Minimax, Nested, Nrpa, NrpaOptions, Planner, PlayoutValue, Race, Random, Solver,
    StateValue,
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
            Whole::Auto => auto(choice, &game, seed),
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

/// The agent for games of one role, and that for the others.
fn auto<G: Game>(choice: &Chosen, game: &Arc<G>, seed: u64) -> Box<dyn Agent<G>> {
    if game.roles().len() == 1 {
        return agent("planner", game, seed);
    }
    let race = Box::new(race(choice, game, seed));
    Box::new(Endgame::new(Arc::clone(game), race, choice.whole("threads") as usize))
}

/// The share of the start clock in which a network learns before the race.
const NETWORK_SHARE: f64 = 0.5;

/// The candidates of `auto`; the first is the baseline of the race.
fn race<G: Game>(choice: &Chosen, game: &Arc<G>, seed: u64) -> Race<G> {
    let lesson = lesson(choice);
    let threads = choice.whole("threads");
    let on_threads = |text: &str| {
        let spec = load_agent(text).expect("the catalog has it");
        spec.with_threads(threads as usize)
    };
    let mut candidates: Vec<Candidate<G>> = Vec::new();
    let mut add = |name: &str, agent, learning| {
        candidates.push(Candidate { name: name.to_owned(), agent, learning });
    };
    // With 0.1 s a move and 16 games each, GRAVE had 94 % (72 – 99 %) against UCT on hex, and was not ahead on nine
    // other games.
    let searches = [
        "uct(solver, decisive)",
        "uct(solver, decisive) + ppaf(memorize)",
        "grave(solver, decisive)",
    ];
    for text in searches {
        add(text, on_threads(text).build_for(Arc::clone(game), seed), 0.0);
    }
    // Networks need facts and moves that are known in advance.
    if game.vocabulary().is_some_and(|vocabulary| vocabulary.n_facts().is_some()) {
        add("zero", on_threads("zero").build_for(Arc::clone(game), seed), NETWORK_SHARE);
    }
    let defaults =
        |name: &str| Chosen::with_defaults(Named::find(name).expect("the catalog has it"));
    let bytes = table_bytes(&defaults("heuristic"));
    let minimax = HeuristicMinimax::new(Arc::clone(game), lesson.share(), bytes);
    add("heuristic", Box::new(minimax), 0.0);
    Race::new(Arc::clone(game), lesson, candidates)
}

/// An agent of the catalog.
fn agent<G: Game>(text: &str, game: &Arc<G>, seed: u64) -> Box<dyn Agent<G>> {
    load_agent(text).expect("the catalog has it").build_for(Arc::clone(game), seed)
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
