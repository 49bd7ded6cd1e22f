//! Agents with networks: from a file, or learnt in the start clock.

use std::sync::Arc;
use std::time::Duration;

use ludens_core::{Budget, Game, WithGame};
use ludens_learn::{
    AnyLearner, Architecture, BestFirst, DescentLearner, DescentLearning, Encoder, GameLearner,
    Learner, Learning, Method, Mix, NetworkAlone, NetworkFile, NetworkValues, Published, Refusal,
    Searches, Shape, TreeLimits, TrialTerms, Trials, Weighed, Zero, search_with,
};
use ludens_search::{Agent, Batch, Chain, FirstPlay, Growth, Puct, Searcher, Settings, Sharing};

use super::build::searched;
use super::chosen::Chosen;
use super::part::Named;
use super::spec::{AgentSpec, load_agent};
use crate::error::CatalogError;
use crate::reasoner::AnyGame;

/// A learner for a game, or why the game cannot be learnt.
pub fn new_learner(game: &AnyGame, settings: Learning) -> Result<Box<dyn AnyLearner>, Refusal> {
    struct New(Learning);
    impl WithGame for New {
        type Out = Result<Box<dyn AnyLearner>, Refusal>;

        fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
            if self.0.method == Method::Descent {
                return Ok(Box::new(DescentLearner::new(&game, DescentLearning::of(&self.0))?));
            }
            Ok(Box::new(Learner::new(&game, self.0).ok_or(Refusal::UnknownNames)?))
        }
    }
    game.with(New(settings))
}

/// The layers of a network for a game, or why the game cannot be learnt.
pub fn network_layers(
    game: &AnyGame,
    architecture: &Architecture,
    seed: u64,
) -> Result<Shape, Refusal> {
    struct Layers<'a>(&'a Architecture, u64);
    impl WithGame for Layers<'_> {
        type Out = Result<Shape, Refusal>;

        fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
            let (_, shape) = self.0.of_game(&*game, self.1).ok_or(Refusal::UnknownNames)?;
            Ok(shape)
        }
    }
    game.with(Layers(architecture, seed))
}

/// Trial games from the initial state: the search of `zero` with a network, on one thread, against the same one with
/// playouts.
pub fn try_network(
    game: &AnyGame,
    network: &Arc<NetworkFile>,
    max_move_time: Duration,
    seed: u64,
    budget: &Budget,
) -> Trials {
    struct Try<'a>(Chosen, Duration, u64, &'a Budget);
    impl WithGame for Try<'_> {
        type Out = Trials;

        fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
            let Try(choice, max_move_time, seed, budget) = self;
            let make = |encoder: &Arc<Encoder>, published: &Published| {
                searches(&choice, &game, &searched(&choice, &game), (encoder, published))
            };
            let Some(mut searches) = with_file(&game, &choice, &make) else {
                return Trials::default();
            };
            let playouts = choice.network().map_or(0.0, |file| file.header.playouts);
            let (start, max_move_time) = (&game.initial(), Some(max_move_time));
            let terms = TrialTerms { start, max_move_time, seed, budget };
            Trials::play(&*game, &mut searches, playouts, &terms)
        }
    }
    let named = Named::find("zero").expect("the table has it");
    let choice = Chosen::with_network(named, "network", Arc::clone(network));
    game.with(Try(choice, max_move_time, seed, budget))
}

impl AgentSpec {
    /// The agent that searches with the networks of a method, with one in memory, under the name of a file,
    /// and with this many iterations of a move.
    pub fn with_network(
        method: Method,
        file: &str,
        network: Arc<NetworkFile>,
        iterations: u64,
    ) -> Self {
        let name = if method == Method::Descent { "descent" } else { "zero" };
        let named = Named::find(name).expect("the table has it");
        let first = Chosen::with_network(named, file, network).with_iterations(iterations);
        AgentSpec { first, chain: Vec::new(), evaluator: None }
    }

    /// The tree search of this agent with a network.
    pub(super) fn build_with_network<G: Game>(
        &self,
        game: &Arc<G>,
        net: &Chosen,
    ) -> Box<dyn Agent<G>> {
        let (spec, own, mix) = (self.clone(), Arc::clone(game), mix(net));
        let searched = searched(&self.first, game);
        let make = move |encoder: &Arc<Encoder>, published: &Published| {
            let searcher = || {
                let (policy, batch) = (spec.tree_policy(), spec.batch().unwrap_or(0));
                let searched = Arc::clone(&searched);
                Searcher::new(searched, policy, Chain::default(), spec.settings(), batch)
            };
            let threads = (spec.n_threads(), spec.sharing());
            search_with(&own, encoder, published, searcher, mix, threads)
        };
        let fallback = || AgentSpec { evaluator: None, ..self.clone() };
        with_network(
            game,
            net,
            self.n_threads(),
            || fallback().build_for(Arc::clone(game), 0),
            make,
        )
    }

    /// The network file that it names, if it names one.
    pub fn network_file(&self) -> Option<&Arc<NetworkFile>> {
        std::iter::once(&self.first).chain(&self.evaluator).find_map(Chosen::network)
    }

    /// Whether the network that it names, if any, fits a game.
    pub fn check_game(&self, game: &AnyGame) -> Result<(), CatalogError> {
        struct Check<'a>(&'a NetworkFile);
        impl WithGame for Check<'_> {
            type Out = Result<(), String>;

            fn call<G: Game>(self, game: Arc<G>) -> Result<(), String> {
                self.0.encoder(&*game).map(|_| ())
            }
        }
        let Some(file) = self.network_file() else { return Ok(()) };
        game.with(Check(file)).map_err(|why| CatalogError::Composition {
            what: format!("the network of `{self}` does not fit this game: {why}"),
            hint: format!(
                "it was trained for {}; train one for this game with `ludens train`, and play with a \
                 reasoner that grounds the rules",
                file.header.game
            ),
        })
    }
}

/// How playouts are blended into the values of its network.
fn mix(choice: &Chosen) -> Mix {
    let share = choice.number_unless_word("mix").map(|share| share as f32);
    Mix { share, n_playouts: choice.whole("playouts") }
}

/// `zero`.
pub(super) fn zero<G: Game>(choice: &Chosen, game: &Arc<G>, seed: u64) -> Box<dyn Agent<G>> {
    let (settings, own) = (choice.clone(), Arc::clone(game));
    let searched = searched(choice, game);
    let make = move |encoder: &Arc<Encoder>, published: &Published| {
        let mix = mix(&settings);
        if mix.share.is_some() {
            return with_priors(&settings, &own, &searched, (encoder, published), mix);
        }
        let searches = searches(&settings, &own, &searched, (encoder, published));
        Box::new(Weighed::new(Arc::clone(&own), searches, published.clone()))
    };
    let fallback = || fallback("uct(solver)", game, seed);
    with_network(game, choice, choice.whole("threads") as usize, fallback, make)
}

/// The searches of `zero`: with the network, with the network and playouts, and with playouts.
fn searches<G: Game>(
    choice: &Chosen,
    game: &Arc<G>,
    searched: &Arc<G>,
    network: (&Arc<Encoder>, &Published),
) -> Searches<G> {
    let n_playouts = mix(choice).n_playouts;
    let with = |share| {
        with_priors(choice, game, searched, network, Mix { share: Some(share), n_playouts })
    };
    let blended = network.1.worth().playouts;
    Searches { network: with(0.0), blend: with(blended), playouts: without_network(choice, game) }
}

/// The search of `zero` with the network.
fn with_priors<G: Game>(
    choice: &Chosen,
    game: &Arc<G>,
    searched: &Arc<G>,
    (encoder, published): (&Arc<Encoder>, &Published),
    mix: Mix,
) -> Box<dyn Agent<G>> {
    let max_bytes = usize::try_from(choice.whole("memory")).unwrap_or(usize::MAX);
    let max_simulations = choice.whole_unless_word("iterations").unwrap_or(u64::MAX);
    let solver = choice.flag("solver");
    let search = Settings { solver, max_bytes, max_simulations, ..Settings::default() };
    let batch = choice.whole_unless_word("batch").map(|batch| Batch::fixed(batch as usize));
    let searcher = || {
        let first = FirstPlay::BelowMean(choice.number("reduction"));
        let growth = Growth::SquareRoot;
        let puct = Box::new(Puct { exploration: choice.number("c"), growth, first });
        let mut searcher = Searcher::new(Arc::clone(searched), puct, Chain::default(), search, 0);
        searcher.batch = batch;
        searcher
    };
    let threads = (choice.whole("threads") as usize, Sharing::Tree);
    search_with(game, encoder, published, searcher, mix, threads)
}

/// The search of `zero` with playouts in place of the network.
fn without_network<G: Game>(choice: &Chosen, game: &Arc<G>) -> Box<dyn Agent<G>> {
    let (solver, memory) = (choice.flag("solver"), choice.whole("memory"));
    let limit = choice.whole_unless_word("iterations");
    let limit = limit.map_or(String::new(), |limit| format!(", iterations={limit}"));
    let spec = load_agent(&format!("uct(solver={solver}, memory={memory}{limit})"));
    let spec = spec.expect("the values of `zero` are those of `uct`");
    spec.with_threads(choice.whole("threads") as usize).build_for(Arc::clone(game), 0)
}

/// `nn`.
pub(super) fn network_alone<G: Game>(
    choice: &Chosen,
    game: &Arc<G>,
    seed: u64,
) -> Box<dyn Agent<G>> {
    let own = Arc::clone(game);
    let make = move |encoder: &Arc<Encoder>, published: &Published| {
        let (game, encoder) = (Arc::clone(&own), Arc::clone(encoder));
        Box::new(NetworkAlone::new(game, encoder, published.clone())) as Box<dyn Agent<G>>
    };
    with_network(game, choice, 1, || fallback("random", game, seed), make)
}

/// `descent`.
pub(super) fn descent<G: Game>(choice: &Chosen, game: &Arc<G>, seed: u64) -> Box<dyn Agent<G>> {
    let limits = TreeLimits {
        evaluations: choice.whole_unless_word("iterations").unwrap_or(u64::MAX),
        bytes: usize::try_from(choice.whole("memory")).unwrap_or(usize::MAX),
    };
    let own = Arc::clone(game);
    let make = move |encoder: &Arc<Encoder>, published: &Published| {
        let (game, encoder) = (Arc::clone(&own), Arc::clone(encoder));
        let values = NetworkValues::new(Arc::clone(&game), encoder, published.clone());
        Box::new(BestFirst::new(game, Box::new(values), limits)) as Box<dyn Agent<G>>
    };
    if let Some(agent) = with_file(game, choice, &make) {
        return agent;
    }
    let own = Arc::clone(game);
    let learner = move |seed| {
        let learning = Learning { seed, n_threads: 1, ..Method::Descent.settings() };
        let learning = DescentLearning::of(&learning);
        let learner = DescentLearner::new(&own, learning)
            .map_err(|why| format!("the game is not learnt: {why}"))?;
        Ok(Box::new(learner) as Box<dyn GameLearner<G>>)
    };
    let fallback = fallback("uct(solver)", game, seed);
    Box::new(Zero::with_learner(Box::new(learner), fallback, Box::new(make)))
}

/// The agent that plays as long as nothing is learnt.
fn fallback<G: Game>(text: &str, game: &Arc<G>, seed: u64) -> Box<dyn Agent<G>> {
    load_agent(text).expect("the catalog has it").build_for(Arc::clone(game), seed)
}

/// An agent with the network of a file, or one that learns.
fn with_network<G: Game>(
    game: &Arc<G>,
    choice: &Chosen,
    n_threads: usize,
    fallback: impl FnOnce() -> Box<dyn Agent<G>>,
    make: impl Fn(&Arc<Encoder>, &Published) -> Box<dyn Agent<G>> + Send + 'static,
) -> Box<dyn Agent<G>> {
    if let Some(agent) = with_file(game, choice, &make) {
        return agent;
    }
    let learning = Learning { n_threads, ..Learning::default() }.by_the_clock();
    Box::new(Zero::new(Arc::clone(game), learning, fallback(), Box::new(make)))
}

/// What is made with the network of a file, if one was chosen.
fn with_file<G: Game, T>(
    game: &Arc<G>,
    choice: &Chosen,
    make: &impl Fn(&Arc<Encoder>, &Published) -> T,
) -> Option<T> {
    let file = choice.network()?;
    let encoder = file.encoder(&**game);
    let encoder = encoder.unwrap_or_else(|why| panic!("the network does not fit the game: {why}"));
    let published = Published::new(Arc::new(file.weights.clone()), file.worth());
    Some(make(&Arc::new(encoder), &published))
}
